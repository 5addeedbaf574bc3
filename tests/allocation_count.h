// allocation_count.h - counts heap allocations of a test program, whoever makes them.
// Defining malloc and friends in the program overrides the C library's (Eigen calls malloc, and
// operator new does in turn). Sanitizers bring their own malloc, so there the count stays 0 and
// kCountsAllocations says so. Include it in one source file of a program.
#pragma once

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)

inline constexpr bool kCountsAllocations = false;
inline long allocation_count() { return 0; }

#else

inline constexpr bool kCountsAllocations = true;

namespace allocation_count_detail {
inline std::atomic<long> count{0};
}
inline long allocation_count() { return allocation_count_detail::count; }

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

void* malloc(size_t size) noexcept {
    ++allocation_count_detail::count;
    return __libc_malloc(size);
}
void* calloc(size_t number, size_t size) noexcept {
    ++allocation_count_detail::count;
    return __libc_calloc(number, size);
}
void* realloc(void* pointer, size_t size) noexcept {
    ++allocation_count_detail::count;
    return __libc_realloc(pointer, size);
}
void* aligned_alloc(size_t alignment, size_t size) noexcept {
    ++allocation_count_detail::count;
    return __libc_memalign(alignment, size);
}
int posix_memalign(void** pointer, size_t alignment, size_t size) noexcept {
    ++allocation_count_detail::count;
    *pointer = __libc_memalign(alignment, size);
    return *pointer == nullptr ? ENOMEM : 0;
}
}

#endif

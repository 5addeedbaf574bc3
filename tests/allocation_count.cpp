// allocation_count.cpp - malloc and friends, counted, for every test program.
#include "allocation_count.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)

long allocation_count() { return 0; }

#else

namespace {
std::atomic<long> count{0};
}

long allocation_count() { return count; }

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

void* malloc(size_t size) noexcept {
    ++count;
    return __libc_malloc(size);
}
void* calloc(size_t number, size_t size) noexcept {
    ++count;
    return __libc_calloc(number, size);
}
void* realloc(void* pointer, size_t size) noexcept {
    ++count;
    return __libc_realloc(pointer, size);
}
void* aligned_alloc(size_t alignment, size_t size) noexcept {
    ++count;
    return __libc_memalign(alignment, size);
}
int posix_memalign(void** pointer, size_t alignment, size_t size) noexcept {
    ++count;
    *pointer = __libc_memalign(alignment, size);
    return *pointer == nullptr ? ENOMEM : 0;
}
}

#endif

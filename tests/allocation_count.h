// allocation_count.h - counts heap allocations of a test program, whoever makes them.
// Every test program defines malloc and friends in place of the C library's (Eigen calls malloc,
// and operator new does in turn). Sanitizers bring their own malloc, so there the count stays 0 and
// kCountsAllocations says so.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
inline constexpr bool kCountsAllocations = false;
#else
inline constexpr bool kCountsAllocations = true;
#endif

[[nodiscard]] long allocation_count();

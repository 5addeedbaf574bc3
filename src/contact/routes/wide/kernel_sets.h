// kernel_sets.h - the kernels of a sweep, one set per instruction set, and which one is used.
#pragma once

#include "contact/routes/wide/sweep_pack.h"
#include "core/simd.h"

namespace stiction {

extern const SweepKernels kSse2Kernels;
#ifdef __x86_64__
extern const SweepKernels kAvx2Kernels;
extern const SweepKernels kAvx512Kernels;
#endif

[[nodiscard]] inline const SweepKernels& kernels_of(Simd simd) {
#ifdef __x86_64__
    if (simd == Simd::kAvx512) return kAvx512Kernels;
    if (simd == Simd::kAvx2) return kAvx2Kernels;
#endif
    (void)simd;
    return kSse2Kernels;
}

}  // namespace stiction

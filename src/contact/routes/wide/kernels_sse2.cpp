// kernels_sse2.cpp - the kernels of a sweep with two contacts at a time.
#include "contact/routes/wide/kernel_sets.h"
#include "contact/routes/wide/kernels.h"

namespace stiction {

const SweepKernels kSse2Kernels = make_kernels<2>();

}  // namespace stiction

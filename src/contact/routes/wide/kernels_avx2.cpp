// kernels_avx2.cpp - the kernels of a sweep with four contacts at a time.
#include "contact/routes/wide/kernel_sets.h"
#include "contact/routes/wide/kernels.h"

namespace stiction {

const SweepKernels kAvx2Kernels = make_kernels<4>();

}  // namespace stiction

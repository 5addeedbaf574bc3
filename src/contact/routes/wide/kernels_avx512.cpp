// kernels_avx512.cpp - the kernels of a sweep with eight contacts at a time.
#include "contact/routes/wide/kernel_sets.h"
#include "contact/routes/wide/kernels.h"

namespace stiction {

const SweepKernels kAvx512Kernels = make_kernels<8>();

}  // namespace stiction

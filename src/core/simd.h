// simd.h - which vector instructions the processor has, and which of them are used.
#pragma once

#include <string_view>

namespace stiction {

enum class Simd { kSse2, kAvx2, kAvx512 };

[[nodiscard]] std::string_view name(Simd simd);
[[nodiscard]] bool has_simd(Simd simd);

// What the environment variable STICTION_SIMD names (sse2, avx2 or avx512), else the widest that the
// processor has. On processors other than x86-64 vectors of two, whatever they call them.
[[nodiscard]] Simd chosen_simd();
// Throws InputError where the variable names none, or one that the processor lacks: chosen_simd()
// takes the widest then.
void check_simd_choice();

}  // namespace stiction

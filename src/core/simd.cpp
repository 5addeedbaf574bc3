// simd.cpp - what the processor says, and the environment.
#include "core/simd.h"

#include <array>
#include <cstdlib>
#include <optional>
#include <string>

#include "core/error.h"
#include "core/nearest.h"

namespace stiction {

namespace {

constexpr std::array kAll = {Simd::kSse2, Simd::kAvx2, Simd::kAvx512};
constexpr const char* kVariable = "STICTION_SIMD";

std::optional<Simd> simd_named(std::string_view wanted) {
    for (const Simd simd : kAll) {
        if (name(simd) == wanted) return simd;
    }
    return std::nullopt;
}

}  // namespace

std::string_view name(Simd simd) {
    switch (simd) {
        case Simd::kAvx2:
            return "avx2";
        case Simd::kAvx512:
            return "avx512";
        case Simd::kSse2:
            break;
    }
    return "sse2";
}

bool has_simd([[maybe_unused]] Simd simd) {
#ifdef __x86_64__
    if (simd == Simd::kAvx512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
    if (simd == Simd::kAvx2) return __builtin_cpu_supports("avx2");
#endif
    return simd == Simd::kSse2;
}

Simd chosen_simd() {
    const char* const text = std::getenv(kVariable);
    const std::optional<Simd> wanted = text != nullptr ? simd_named(text) : std::nullopt;
    if (wanted && has_simd(*wanted)) return *wanted;
    if (has_simd(Simd::kAvx512)) return Simd::kAvx512;
    return has_simd(Simd::kAvx2) ? Simd::kAvx2 : Simd::kSse2;
}

void check_simd_choice() {
    const char* const text = std::getenv(kVariable);
    if (text == nullptr || *text == '\0') return;
    const std::optional<Simd> wanted = simd_named(text);
    const std::string which = std::string(kVariable) + "='" + text + "': ";
    if (!wanted)
        throw InputError(which + "no such set of instructions" +
                         suggestion(text, {name(kAll[0]), name(kAll[1]), name(kAll[2])}));
    if (!has_simd(*wanted)) throw InputError(which + "this processor has not these instructions");
}

}  // namespace stiction

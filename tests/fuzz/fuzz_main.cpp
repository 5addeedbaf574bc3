// fuzz_main.cpp - entry of libFuzzer; STICTION_FUZZ names the target. Started by ./fuzz.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "fuzz/targets.h"

namespace {

const stiction::FuzzTarget* target = nullptr;  // NOLINT: libFuzzer hands nothing on

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
    const char* name = std::getenv("STICTION_FUZZ");
    target = stiction::find_fuzz_target(name == nullptr ? "" : name);
    if (target != nullptr) return 0;
    std::fprintf(stderr, "STICTION_FUZZ must name a target:");
    for (const stiction::FuzzTarget& each : stiction::fuzz_targets())
        std::fprintf(stderr, " %s", std::string(each.name).c_str());
    std::fprintf(stderr, "\n");
    std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    target->read({reinterpret_cast<const char*>(data), size});
    return 0;
}

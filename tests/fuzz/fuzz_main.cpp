// fuzz_main.cpp - entry of libFuzzer; STICTION_FUZZ names the target. Started by ./fuzz.
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "fuzz/targets.h"

// Of all instrumented code: how often each edge was taken. The linker knows where they lie.
extern "C" std::uint8_t __start___sancov_cntrs[];  // NOLINT: its name
extern "C" std::uint8_t __stop___sancov_cntrs[];   // NOLINT

namespace {

const stiction::FuzzTarget* target = nullptr;  // NOLINT: libFuzzer hands nothing on

// A reader in a process of its own: what a library does there is its affair, and a message here.
// What the sanitizers find there is in our code, or comes of it: it is written to a file, and
// libFuzzer leaves the input beside its other finds.
void in_child() {
    if (const char* path = std::getenv("STICTION_FUZZ_CHILD")) __sanitizer_set_report_path(path);
}

// The counters become memory that children share with us, so that what our readers do in a process
// of their own is seen, and guides the fuzzer as anything else. All but their first and last page,
// where other data may lie.
void share_counters() {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto from = (reinterpret_cast<std::uintptr_t>(__start___sancov_cntrs) + page - 1) / page;
    const auto to = reinterpret_cast<std::uintptr_t>(__stop___sancov_cntrs) / page;
    if (from >= to) return;
    void* const begin = reinterpret_cast<void*>(from * page);
    const std::size_t size = (to - from) * page;
    const auto* const bytes = static_cast<const char*>(begin);
    const std::vector<char> now(bytes, bytes + size);
    if (mmap(begin, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
        MAP_FAILED) {
        std::perror("sharing the counters with children");
        std::exit(2);
    }
    std::memcpy(begin, now.data(), size);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
    const char* name = std::getenv("STICTION_FUZZ");
    target = stiction::find_fuzz_target(name == nullptr ? "" : name);
    if (target != nullptr) {
        pthread_atfork(nullptr, nullptr, in_child);
        share_counters();
        return 0;
    }
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

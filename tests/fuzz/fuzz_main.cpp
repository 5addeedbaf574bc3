// fuzz_main.cpp - entry of libFuzzer; STICTION_FUZZ names the target. Started by ./fuzz.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "fuzz/targets.h"
#include "fuzz/worker.h"

// Of all instrumented code: how often each edge was taken. The linker knows where they lie.
extern "C" std::uint8_t __start___sancov_cntrs[];  // NOLINT: its name
extern "C" std::uint8_t __stop___sancov_cntrs[];   // NOLINT

namespace {

// NOLINTBEGIN: libFuzzer hands nothing on
const stiction::FuzzTarget* target = nullptr;
stiction::Worker* worker = nullptr;  // of targets that call libraries of others
// NOLINTEND

// The counters become memory that the worker shares with us, so that what a reader does there is seen,
// and guides the fuzzer as anything else. All but their first and last page, where other data may lie.
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
        std::perror("sharing the counters with the worker");
        std::exit(2);
    }
    std::memcpy(begin, now.data(), size);
}

void end_worker() {
    std::fprintf(stderr, "stat::ended_in_library: %d\nstat::faults: %d\n",
                 worker->ended_in_library(), worker->faults());
    delete worker;
}

void start_worker() {
    const char* finds = std::getenv("STICTION_FUZZ_FINDS");
    share_counters();
    worker = new stiction::Worker(*target, finds == nullptr ? "find" : finds);
    std::atexit(end_worker);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
    const char* name = std::getenv("STICTION_FUZZ");
    target = stiction::find_fuzz_target(name == nullptr ? "" : name);
    if (target == nullptr) {
        std::fprintf(stderr, "STICTION_FUZZ must name a target:");
        for (const stiction::FuzzTarget& each : stiction::fuzz_targets())
            std::fprintf(stderr, " %s", std::string(each.name).c_str());
        std::fprintf(stderr, "\n");
        std::exit(2);
    }
    target->read("");  // files and scenes that it keeps; a worker's are those of its parent
    if (target->in_child) start_worker();
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    if (worker == nullptr) {
        target->read(bytes);
    } else if (!worker->read(bytes)) {
        // Nothing to go on from: it would end every worker that comes by.
        std::memset(__start___sancov_cntrs, 0,
                    static_cast<std::size_t>(__stop___sancov_cntrs - __start___sancov_cntrs));
    }
    return 0;
}

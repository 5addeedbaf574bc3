// benchmarks.cpp - the table of benchmarks.
#include "bench/benchmarks.h"

#include <array>
#include <vector>

#include "core/error.h"
#include "core/nearest.h"

namespace stiction {

namespace {

constexpr std::array<Benchmark, 2> kBenchmarks = {{
    {"locomotion", "a walking robot: no_slip and viscous against Coulomb and Lemke [D15, II, III]",
     bench_locomotion},
    {"grasp-solvers", "two hands grasp: Lemke, PGS, PGS-SM, block pivoting per step [ALM09, I]",
     bench_grasp_solvers},
}};

}  // namespace

std::span<const Benchmark> benchmarks() { return kBenchmarks; }

const Benchmark& find_benchmark(std::string_view name) {
    std::vector<std::string_view> names;
    for (const Benchmark& benchmark : kBenchmarks) {
        if (benchmark.name == name) return benchmark;
        names.push_back(benchmark.name);
    }
    throw InputError("there is no benchmark '" + std::string(name) + "'" + suggestion(name, names));
}

}  // namespace stiction

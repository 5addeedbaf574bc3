// benchmarks.cpp - the table of benchmarks.
#include "bench/benchmarks.h"

#include <array>
#include <vector>

#include "core/error.h"
#include "core/nearest.h"

namespace stiction {

namespace {

constexpr std::array<Benchmark, 10> kBenchmarks = {{
    {"grasp", "a grasped row of boxes: no slip by PPM and QP against Lemke [D15, Table I]",
     "The grasp: Table I of [D15]", bench_grasp},
    {"locomotion", "a walking robot: no_slip and viscous against Coulomb and Lemke [D15, II, III]",
     "The walking robot: Tables II and III of [D15]", bench_locomotion},
    {"ramp", "a box on a ramp: maximum dissipation against Anitescu-Potra [DS10, figure 2]",
     "The ramp: figure 2 of [DS10]", bench_ramp},
    {"engine", "an engine held by contacts alone: solve times [DS10, figure 4]",
     "The engine: figure 4 of [DS10]", bench_engine},
    {"granular", "1001 spheres in a box: who gets how far [DS10, figure 5]",
     "The spheres: figure 5 of [DS10]", bench_granular},
    {"joint-friction", "an arm: joint friction as a program and as a force [DS10, figures 8, 9]",
     "Joint friction: figures 8 and 9 of [DS10]", bench_joint_friction},
    {"grasp-solvers", "two hands grasp: Lemke, PGS, PGS-SM, block pivoting per step [ALM09, I]",
     "The hands: Table I of [ALM09]", bench_grasp_solvers},
    {"logpile", "logs slide down a slope: quality of four solvers [LLLT15, figure 3]",
     "The log pile: figure 3 of [LLLT15]", bench_logpile},
    {"loader", "a wheel loader in its heap: quality of four solvers [LLLT15, figure 4]",
     "The wheel loader: figure 4 of [LLLT15]", bench_loader},
    {"speed", "steps per second beside Bullet, ODE, MuJoCo and DART", "Beside other engines",
     bench_speed, /*of_papers=*/false},
}};

}  // namespace

std::span<const Benchmark> benchmarks() { return kBenchmarks; }

const Benchmark& find_benchmark(std::string_view name) {
    std::vector<std::string_view> names;
    for (const Benchmark& benchmark : kBenchmarks) {
        if (benchmark.name == name) return benchmark;
        names.push_back(benchmark.name);
    }
    names.push_back(kAllPapers);
    throw InputError("there is no benchmark '" + std::string(name) + "'" + suggestion(name, names));
}

}  // namespace stiction

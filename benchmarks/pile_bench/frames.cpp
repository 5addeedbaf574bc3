// frames.cpp - the largest island of each frame under each law, swept by each method.
#include "pile_bench/frames.h"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "contact/island/operators.h"
#include "contact/routes/island_size.h"
#include "pile_bench/methods.h"

namespace stiction {

namespace {

constexpr int kSides = 8;  // of the polygon

const Island& largest_island(const ContactProblem& problem) {
    const auto links = [](const Island& x) { return x.link_end - x.link_begin; };
    return *std::max_element(problem.islands.begin(), problem.islands.end(),
                             [&](const Island& a, const Island& b) { return links(a) < links(b); });
}

// A frame as an island's task, and all that this refers to.
struct FrameTask {
    const PileFrame& frame;
    IslandSize size;
    SharedWorkspace shared;
    IslandWorkspace workspace;
    ContactSolution solution;
    FrictionDirections polygon;
    BodyNewton newton;

    [[nodiscard]] IslandTask task() {
        return {frame.problem, largest_island(frame.problem), size, frame.guess, shared, workspace,
                solution};
    }
};

// The impulses of the guess, or 2 guess - before at contacts that both know.
void set_guess(const std::string& start, FrameTask& f) {
    match(f.frame.guess, f.frame.problem, f.shared.guess);
    if (start == "cold")
        std::fill(f.shared.guess.impulses.begin(), f.shared.guess.impulses.end(), Vec3::Zero());
    if (start != "extrapolated") return;
    ContactGuess before;
    match(f.frame.before, f.frame.problem, before);
    for (std::size_t i = 0; i < before.bits.size(); ++i) {
        if (before.bits[i] != kNoGuess && f.shared.guess.bits[i] != kNoGuess)
            f.shared.guess.impulses[i] += f.shared.guess.impulses[i] - before.impulses[i];
    }
}

// Triples of the law from the guess, ready to be swept.
void start_law(const std::string& law, bool coloured, FrameTask& f, SweptIsland& island) {
    const IslandTask task = f.task();
    build_warm_triples(task);
    IslandRows& rows = f.workspace.rows;
    Triples& triples = f.workspace.triples;
    if (law == "frictionless" || law == "sticking") {
        spread_impulses(triples, rows);
        for (std::size_t r = 0; r < rows.rows.size(); ++r) {
            if (!is_tangential(rows.source[r])) continue;
            const double most = law == "sticking" ? std::numeric_limits<double>::infinity() : 0.0;
            rows.rows[r].hi = most;
            rows.rows[r].lo = -most;
        }
        build_bounded_triples(f.frame.problem, rows, triples);
    }
    VecX v = f.frame.problem.v_free;
    f.shared.momentum.resize(v.size());
    apply_impulses(f.frame.problem.system, rows, triples, f.frame.problem.v_free, f.shared.momentum,
                   v);
    island.triples = triples;
    prepare_sweeps(f.frame.problem, task.island, rows, island.triples,
                   {law == "polygon" ? &f.polygon : nullptr}, f.frame.problem.v_free, v, coloured,
                   island.system);
}

struct Sum {
    int frames = 0;
    std::array<double, kGoals.size()> sweeps = {}, seconds = {};
    std::array<int, kGoals.size()> met = {};
};

void add(const Trace& trace, Sum& sum) {
    ++sum.frames;
    for (std::size_t k = 0; k < kGoals.size(); ++k) {
        sum.sweeps[k] += trace.sweeps[k];
        sum.seconds[k] += trace.seconds[k];
        sum.met[k] += trace.met[k] ? 1 : 0;
    }
}

void print(const PileCase& pile, const std::string& law, const std::string& method,
           const Sum& sum) {
    std::printf("| %s | %s | %s | %d |", pile.name.c_str(), law.c_str(), method.c_str(),
                sum.frames);
    for (std::size_t k = 0; k < kGoals.size(); ++k)
        std::printf(" %.0f %% %.0f %.2f |", 100.0 * sum.met[k] / std::max(1, sum.frames),
                    sum.sweeps[k] / std::max(1, sum.frames),
                    1e3 * sum.seconds[k] / std::max(1, sum.frames));
    std::printf("\n");
    std::fflush(stdout);
}

}  // namespace

void compare_methods(const PileCase& pile, const FrameOptions& options) {
    const std::vector<PileFrame> frames = record_fall(pile, options.h, options.stride);
    for (const std::string& law : options.laws) {
        std::vector<Sum> sums(sweep_methods().size());
        for (const PileFrame& frame : frames) {
            if (frame.problem.islands.empty()) continue;
            FrameTask f{frame, {}, {}, {}, {}, {}, {}};
            f.size =
                measure(frame.problem, largest_island(frame.problem), f.workspace.links_per_block);
            if (!is_pile(f.size)) continue;
            set_directions(kSides, f.polygon);
            set_guess(options.start, f);
            for (std::size_t m = 0; m < sums.size(); ++m) {
                const Method& method = sweep_methods()[m];
                if (method.name.find(options.methods) == std::string::npos) continue;
                SweptIsland island;
                start_law(law, method.coloured, f, island);
                NewtonHelp help(frame.problem, largest_island(frame.problem), frame.problem.v_free,
                                f.workspace.rows, island.triples, island.system.law.polygon,
                                f.newton);
                island.help = &help;
                add(method.run(island, options.sweeps), sums[m]);
            }
        }
        for (std::size_t m = 0; m < sums.size(); ++m) {
            if (sums[m].frames > 0) print(pile, law, sweep_methods()[m].name, sums[m]);
        }
    }
}

}  // namespace stiction

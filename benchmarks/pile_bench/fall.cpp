// fall.cpp - steps solved, residuals and CPU time of a fall.
#include "pile_bench/fall.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "compare/variants.h"
#include "core/thread_clock.h"

namespace stiction {

namespace {

struct Fall {
    long steps = 0, solved = 0, above = 0;  // above: residual over kTooMuch
    double residual = 0, cpu = 0, iterations = 0, contacts = 0;
};

constexpr double kTooMuch = 1e-2;  // no step may have a residual above

void print(const std::string& pile, const std::string& model, const Fall& fall,
           const Simulation& sim) {
    const auto steps = static_cast<double>(std::max(1L, fall.steps));
    std::printf("| %s | %s | %ld | %.1f | %.0e | %ld | %.0f | %.0f | %.0f | `%016" PRIx64 "` |\n",
                pile.c_str(), model.c_str(), fall.steps,
                100 * static_cast<double>(fall.solved) / steps, fall.residual, fall.above,
                fall.contacts / steps, fall.iterations / steps, 1e6 * fall.cpu / steps,
                state_hash(sim.state));
    std::fflush(stdout);
}

}  // namespace

void print_falls(const PileCase& pile, const FallOptions& options) {
    for (const std::string& name : options.models) {
        ContactModel model = make_contact_model(name);
        set_tolerance(model, options.tolerance);
        Simulation sim = start_pile(pile, model, options.h);
        const double seconds = options.seconds > 0 ? options.seconds : pile.seconds;
        Fall fall;
        for (long i = std::lround(seconds / sim.settings.h); i > 0; --i) {
            const double start = cpu_now();
            if (step(sim) != StepOutcome::kDone) throw std::runtime_error(describe_failure(sim));
            fall.cpu += cpu_now() - start;
            const ContactSolution& solution = sim.frame.solution;
            ++fall.steps;
            fall.solved += solution.failures == 0;
            fall.above += solution.residual > kTooMuch;
            fall.residual = std::max(fall.residual, solution.residual);
            fall.iterations += solution.iterations;
            fall.contacts += static_cast<double>(sim.frame.problem.contacts.size());
        }
        print(pile.name, name, fall, sim);
    }
}

}  // namespace stiction

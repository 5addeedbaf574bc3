// bench.h - what an engine implements (Sim) and the calls that step, time and measure a scene.
//
// All errors are computed from body positions, never from what an engine says about its own
// contacts, so they compare across engines. One config is one line of JSON on standard output.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pile_scenes.h"
#include "scene.h"

namespace stiction::peers {

using Metrics = std::vector<std::pair<std::string, double>>;

// One scene loaded into one engine. Bodies: grasp in row order; piles in the order of their list;
// ramp the cube; robot the four feet, then the torso.
struct Sim {
    Sim() = default;
    Sim(const Sim&) = delete;
    Sim& operator=(const Sim&) = delete;
    virtual ~Sim() = default;
    virtual void step() = 0;
    [[nodiscard]] virtual int contacts() const = 0;  // points given to the solver in the last step
    [[nodiscard]] virtual Vec position(int body) const = 0;
    [[nodiscard]] virtual Vec velocity(int body) const = 0;
    [[nodiscard]] virtual Vec spin(int) const { return {}; }
    [[nodiscard]] virtual Quat orientation(int) const { return {}; }  // of piles of boxes
    virtual void report(Metrics&) const {}  // anything the engine counted itself
};

using Maker = std::function<std::unique_ptr<Sim>()>;

struct Options {
    double cap = 60;     // CPU time per repeat; wall time is capped at 4 times this [s]
    double budget = 20;  // no further repeat once a config has used this much [s]
    double span = 0;     // simulated time in place of the scene's [s]; 0: the scene's
    int runs = 3;
    int threads = 1;            // of Stiction; the others have one
    std::string scene, config;  // run only these, when given
    Metrics with;               // run only configs with these parameters, when given
    std::string engine;         // replaces the program's name for its engine, when given
};

// --scene, --config, --with KEY=VALUE (may be repeated), --cap, --budget, --span, --runs,
// --threads, --engine, each with a value; exits with status 2 on anything else.
[[nodiscard]] Options parse_options(int argc, char** argv);

// Each runs one config in a process of its own and prints its line.
void bench_grasp(const Options& options, const std::string& engine, const std::string& config,
                 int k, const Maker& make);
void bench_ramp(const Options& options, const std::string& engine, const std::string& config,
                double mu, const Maker& make);
void bench_robot(const Options& options, const std::string& engine, const std::string& config,
                 const Maker& make);

// Of a pile's scene.
using PileMaker = std::function<std::unique_ptr<Sim>(const Pile& pile)>;
void bench_granular(const Options& options, const std::string& engine, const std::string& config,
                    const granular::Variant& variant, const PileMaker& make);
void bench_pile(const Options& options, const std::string& engine, const std::string& config,
                const PileScene& scene, const PileMaker& make);

}  // namespace stiction::peers

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

#include "scene.h"

namespace stiction::peers {

using Metrics = std::vector<std::pair<std::string, double>>;

// One scene loaded into one engine. Bodies: grasp in row order; granular the spheres; ramp the
// cube; robot the four feet, then the torso.
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
    virtual void report(Metrics&) const {}  // anything the engine counted itself
};

using Maker = std::function<std::unique_ptr<Sim>()>;

struct Options {
    double cap = 60;     // CPU time per repeat; wall time is capped at 4 times this [s]
    double budget = 20;  // no further repeat once a config has used this much [s]
    int runs = 3;
    int spheres = 0;            // of the granular scene: only this many, when given
    std::string scene, config;  // run only these, when given
    std::string engine;         // replaces the program's name for its engine, when given
};

// --scene, --config, --cap, --budget, --runs, --spheres, --engine, each with a value; exits with
// status 2 on anything else.
[[nodiscard]] Options parse_options(int argc, char** argv);

// Each runs one config in a process of its own and prints its line.
void bench_grasp(const Options& options, const std::string& engine, const std::string& config,
                 int k, const Maker& make);
void bench_ramp(const Options& options, const std::string& engine, const std::string& config,
                double mu, const Maker& make);
void bench_robot(const Options& options, const std::string& engine, const std::string& config,
                 const Maker& make);
void bench_granular(const Options& options, const std::string& engine, const std::string& config,
                    const granular::Variant& variant, const Maker& make);

}  // namespace stiction::peers

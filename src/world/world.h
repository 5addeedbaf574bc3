// world.h - a scene that is stepped, for programs that use the library: load, step, read and set
// the state, read contacts, switch the contact model. What a run of the program does, to the bit.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "contact/contact_model.h"
#include "core/types.h"
#include "model/model.h"
#include "model/state.h"
#include "problem/contact_set.h"
#include "problem/step_settings.h"
#include "solve/cone/cone_problem.h"

namespace stiction {

struct Camera;
struct ContactProblem;
struct Simulation;

// What the command line changes about a scene; empty: as the scene says.
struct WorldOptions {
    std::vector<std::pair<std::string, std::string>> parameters = {};  // as --set
    std::optional<std::uint64_t> seed = {};
    std::string model = {}, solver = {};  // as --model, --solver
    std::string narrowphase = {};         // exact or bullet
    std::optional<double> h = {};         // step size [s]
    int threads = 1;                      // results do not depend on it
};

// A contact of the last step, at the state before it.
struct WorldContact : Contact {
    double mu = 0;             // Coulomb [-]
    Vec3 s = Vec3::Zero();     // tangents: n, s, t are right-handed
    Vec3 t = Vec3::Zero();     //
    Vec3 c = Vec3::Zero();     // impulse on A along n, s, t [N s]
    Vec3 slip = Vec3::Zero();  // tangential velocity of A against B after the step, world [m/s]
    [[nodiscard]] Vec3 impulse() const { return c[0] * n + c[1] * s + c[2] * t; }  // world [N s]
};

// How the last step was solved.
struct StepReport {
    SolveStatus status = SolveStatus::kSolved;
    std::string solver;
    int contacts = 0;
    int iterations = 0;
    int failures = 0, fallbacks = 0;  // islands
    double residual = 0;              // of the model's own law [-]
    double seconds = 0;               // the step took [s]
};

// A number of the scene that may be changed while it runs: a target of a motor, a force of a script,
// a parameter of a gait.
struct WorldControl {
    std::string name, unit;
    double low = 0, high = 0;  // sensible range
};

// Files that a recording of steps writes, as --csv, --trajectory and --json of `stiction run`; empty:
// not wanted.
struct WorldOutputs {
    std::string csv, trajectory, json;
    std::int64_t trajectory_every = 1;  // steps per sample
    bool quality = false;               // answers are judged after every step, for csv and json
};

// The step would have led to a state that is not finite; the one before it is kept.
class StepError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// State, warm starts and acting controls: a world goes on from it with the same bits.
class WorldSnapshot {
  public:
    WorldSnapshot(WorldSnapshot&&) noexcept;
    WorldSnapshot& operator=(WorldSnapshot&&) noexcept;
    ~WorldSnapshot();
    [[nodiscard]] const State& state() const;

  private:
    friend class World;
    struct Impl;
    explicit WorldSnapshot(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

class World {
  public:
    // A path, or the name of a shipped scene. Throws InputError with the program's message.
    explicit World(const std::string& scene, const WorldOptions& options = {});
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;
    [[nodiscard]] World copy() const;  // of scene, settings and state; nothing is recorded there

    [[nodiscard]] const std::string& name() const;
    [[nodiscard]] const std::string& path() const;
    [[nodiscard]] const std::string& description() const;
    [[nodiscard]] const std::map<std::string, double>& parameters() const;
    [[nodiscard]] double duration() const;  // that the scene proposes for a run [s]
    [[nodiscard]] const std::vector<std::string>& warnings() const;  // of the scene's reader
    [[nodiscard]] const Model& model() const;

    // Takes steps until there are `steps` of them or go_on, asked before each but the first, says no;
    // returns how many were taken. Throws StepError.
    std::int64_t run(std::int64_t steps, const std::function<bool()>& go_on = nullptr);
    void step();
    void reset();  // to the scene's start: the same bits as a new world with the present settings

    [[nodiscard]] const State& state() const;
    // Without warm starts, so that what follows depends on the state alone. Throws InputError: other
    // sizes, numbers that are not finite, quaternions not of unit length, static bodies moved.
    void set_state(const State& state);
    [[nodiscard]] std::uint64_t state_hash() const;
    [[nodiscard]] Energy energy() const;
    [[nodiscard]] WorldSnapshot snapshot() const;
    void restore(const WorldSnapshot& snapshot);  // throws InputError: of another scene
    void save_state(const std::string& path) const;
    void load_state(const std::string& path);

    // Of the last step; empty where none led to this state.
    [[nodiscard]] const std::vector<WorldContact>& contacts();
    [[nodiscard]] StepReport report() const;
    // Of the last step: its problem, and the contacts' part u = W r + q with joints taken out. Throw
    // InputError where there is none.
    [[nodiscard]] const ContactProblem& contact_problem() const;
    [[nodiscard]] ConeProblem cone_problem() const;

    // All of these act at the next step. Throw InputError.
    [[nodiscard]] const ContactModel& contact_model() const;
    void set_contact_model(const ContactModel& model);  // another model drops the warm starts
    void set_contact_model(const std::string& text);    // "{model: no_slip, tolerance: 1e-9}"
    [[nodiscard]] const StepSettings& settings() const;
    void set_settings(const StepSettings& settings);
    void set_settings(const std::string& text);  // "{h: 0.002, stabilisation: baumgarte}"
    void set_narrowphase(const std::string& name);
    void set_threads(int threads);
    // Coefficients of all pairs of materials; empty: the scene's.
    void set_friction(std::optional<double> mu_c, std::optional<double> mu_v,
                      std::optional<double> eps);
    [[nodiscard]] const std::vector<WorldControl>& controls() const;
    [[nodiscard]] std::span<const double> control_values() const;
    void set_controls(std::span<const double> values);  // one per control

    // From now on steps go to files, until finish_recording(); till then no other state can be set. A
    // file that cannot be written ends it: throws OutputError, in the step or at the end.
    void record(const WorldOutputs& outputs);  // throws InputError
    [[nodiscard]] bool is_recording() const;
    void finish_recording();  // files get their names
    // From now on contact problems go to a dataset (as --h5 of the program), until finish_dataset().
    void record_dataset(const std::string& path, std::int64_t every = 1);
    std::int64_t finish_dataset();  // returns its frames; throws OutputError

    // What is inside, without promises.
    [[nodiscard]] const Simulation& simulation() const;
    [[nodiscard]] const Camera& camera() const;

  private:
    struct Impl;
    explicit World(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace stiction

// world.cpp - a scene, its simulation, and what was asked of it since it was loaded.
#include "world/world.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/thread_pool.h"
#include "live/recording.h"
#include "live/scene_controls.h"
#include "live/step_inputs.h"
#include "problem/link_motion.h"
#include "problem_files/frame_matrices.h"
#include "problem_files/frame_recorder.h"
#include "record/output_file.h"
#include "record/state_file.h"
#include "scene/find_scene.h"
#include "scene/scene.h"
#include "step/simulation.h"

namespace stiction {

namespace {

constexpr double kUnitLength = 1e-6;  // of a quaternion, what rounding in a file may have left

Scene load_world(const std::string& name, const WorldOptions& options) {
    SceneOverrides overrides;
    overrides.parameters = options.parameters;
    overrides.has_seed = options.seed.has_value();
    overrides.seed = options.seed.value_or(0);
    Scene scene = load_scene(find_scene(name), overrides);
    if (options.h) scene.step.h = *options.h;
    if (!options.narrowphase.empty()) choose_narrowphase(options.narrowphase, scene.step);
    choose_model(options.model, options.solver, scene);
    return scene;
}

LiveSettings first_settings(const Scene& scene, int threads) {
    LiveSettings settings;
    settings.contact = scene.contact;
    settings.step = scene.step;
    settings.threads = threads;
    check_settings(settings);
    return settings;
}

Simulation first_simulation(const Scene& scene, const LiveSettings& settings) {
    return make_simulation(scene.model, scene.state, scene.controls, settings.contact,
                           settings.step, settings.threads);
}

bool same(const Pose& a, const Pose& b) { return a.p == b.p && a.q.coeffs() == b.q.coeffs(); }

void check_state(const Model& model, const State& now, const State& state) {
    const std::size_t n = model.bodies.size();
    if (state.pose.size() != n || state.twist.size() != n)
        throw InputError("the state has " + std::to_string(state.pose.size()) +
                         " bodies; the scene has " + std::to_string(n));
    if (!is_finite(state) || !std::isfinite(state.time))
        throw InputError("the state has numbers that are not finite");
    for (std::size_t i = 0; i < n; ++i) {
        const std::string body = "body '" + model.bodies[i].name + "': ";
        if (!(std::abs(state.pose[i].q.norm() - 1) <= kUnitLength))
            throw InputError(body + "its quaternion is not of unit length");
        if (model.bodies[i].kind == BodyKind::kStatic && !same(state.pose[i], now.pose[i]))
            throw InputError(body + "is static and cannot be moved");
    }
}

}  // namespace

struct WorldSnapshot::Impl {
    State state;
    Guess guess;
    bool contradicted = false;
    std::vector<double> asked, acting;
    bool moving = false;
};

WorldSnapshot::WorldSnapshot(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
WorldSnapshot::WorldSnapshot(WorldSnapshot&&) noexcept = default;
WorldSnapshot& WorldSnapshot::operator=(WorldSnapshot&&) noexcept = default;
WorldSnapshot::~WorldSnapshot() = default;
const State& WorldSnapshot::state() const { return impl_->state; }

struct World::Impl {
    Impl(Scene loaded, int threads)
        : scene(std::move(loaded)),
          settings(first_settings(scene, threads)),
          controls(scene.model, scene.controls),
          sim(first_simulation(scene, settings)) {
        start_controls();
        for (const Control& control : controls.list())
            list.push_back({control.name, control.unit, control.low, control.high});
    }

    void start_controls() {
        acting = controls.start();
        asked.assign(acting.begin(),
                     acting.begin() + static_cast<std::ptrdiff_t>(controls.list().size()));
        moving = false;
    }

    void apply() {
        apply_contact(settings.contact, sim);
        apply_inputs({settings.contact, settings.step, settings.mu_c, settings.mu_v, settings.eps,
                      acting, std::nullopt},
                     scene, controls, sim);
        apply_threads(settings.threads, sim);
    }

    void change(const LiveSettings& next) {
        check_settings(next);
        settings = next;
        apply();
    }

    void take_step() {
        if (moving && !controls.approach(asked, sim.state.time, sim.settings.h, acting)) {
            moving = false;
        } else if (moving) {
            controls.apply(acting, sim.model, sim.controls);
        }
        const bool recorded = recording.on();
        Observer observe;
        if (frames) frames->before_step(sim);
        if (frames || recorded) {
            observe = [this](const Simulation& s) {
                recording.observe(s);
                if (frames) frames->observe(s);
            };
        }
        stepped = shown = false;
        if (stiction::step(sim, observe) != StepOutcome::kDone)
            throw StepError(describe_failure(sim));
        stepped = true;
        if (recorded) {
            recording.step_ended(sim);
            if (!recording.on()) throw OutputError(recording.error());
        }
        if (frames && !frames->failure().empty()) throw std::runtime_error(frames->failure());
    }

    // Time in a recording goes on, and energy comes from what acts.
    void refuse_while_recording() const {
        if (recording.on())
            throw InputError("a recording is under way, which no other state can be set in: " +
                             recording.files());
    }

    [[nodiscard]] std::string place() const {
        return scene.name + ", step " + std::to_string(sim.state.step);
    }

    void drop_history() {
        sim.guess.clear();
        sim.guess.joints.assign(sim.model.joints.size(), kNoGuess);
        sim.contact_workspace.contradicted = false;
        stepped = shown = false;
    }

    Scene scene;
    LiveSettings settings;
    SceneControls controls;
    Simulation sim;
    std::vector<WorldControl> list;
    std::vector<double> asked, acting;  // live/scene_controls.h
    bool moving = false;                // acting values are on their way
    bool stepped = false;               // the frame is of the step that led to this state
    bool shown = false;                 // `contacts` are those of the frame
    std::vector<WorldContact> contacts;
    std::optional<FrameRecorder> frames;
    Recording recording;
};

World::World(const std::string& scene, const WorldOptions& options)
    : impl_(std::make_unique<Impl>(load_world(scene, options), options.threads)) {}
World::World(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

World World::copy() const {
    World twin(std::make_unique<Impl>(impl_->scene, impl_->settings.threads));
    twin.impl_->change(impl_->settings);
    twin.restore(snapshot());
    return twin;
}

const std::string& World::name() const { return impl_->scene.name; }
const std::string& World::path() const { return impl_->scene.path; }
const std::string& World::description() const { return impl_->scene.description; }
const std::map<std::string, double>& World::parameters() const { return impl_->scene.parameters; }
double World::duration() const { return impl_->scene.duration; }
const std::vector<std::string>& World::warnings() const { return impl_->scene.warnings; }
const Model& World::model() const { return impl_->sim.model; }
const State& World::state() const { return impl_->sim.state; }
const Simulation& World::simulation() const { return impl_->sim; }
const Camera& World::camera() const { return impl_->scene.camera; }
std::uint64_t World::state_hash() const { return stiction::state_hash(state()); }
Energy World::energy() const { return stiction::energy(model(), state()); }

std::int64_t World::run(std::int64_t steps, const std::function<bool()>& go_on) {
    for (std::int64_t i = 0; i < steps; ++i) {
        if (i > 0 && go_on && !go_on()) return i;
        impl_->take_step();
    }
    return std::max<std::int64_t>(steps, 0);
}

void World::step() { impl_->take_step(); }

void World::reset() {
    Impl& m = *impl_;
    m.refuse_while_recording();
    m.sim.state = m.scene.state;
    m.sim.motion = {};
    m.drop_history();
    m.start_controls();
    m.apply();
}

void World::set_state(const State& state) {
    Impl& m = *impl_;
    m.refuse_while_recording();
    check_state(m.sim.model, m.sim.state, state);
    m.sim.state = state;
    m.drop_history();
}

WorldSnapshot World::snapshot() const {
    const Impl& m = *impl_;
    return WorldSnapshot(std::make_unique<WorldSnapshot::Impl>(
        WorldSnapshot::Impl{m.sim.state, m.sim.guess, m.sim.contact_workspace.contradicted, m.asked,
                            m.acting, m.moving}));
}

void World::restore(const WorldSnapshot& snapshot) {
    Impl& m = *impl_;
    m.refuse_while_recording();
    const WorldSnapshot::Impl& from = *snapshot.impl_;
    if (from.acting.size() != m.acting.size() ||
        from.guess.joints.size() != m.sim.model.joints.size())
        throw InputError("the snapshot is of another scene");
    check_state(m.sim.model, m.sim.state, from.state);
    m.drop_history();
    m.sim.state = from.state;
    m.sim.guess = from.guess;
    m.sim.contact_workspace.contradicted = from.contradicted;
    m.asked = from.asked;
    m.acting = from.acting;
    m.moving = from.moving;
    m.controls.apply(m.acting, m.sim.model, m.sim.controls);
}

void World::save_state(const std::string& path) const {
    stiction::save_state(path, impl_->scene.name, impl_->sim);
}

void World::load_state(const std::string& path) {
    impl_->refuse_while_recording();
    const WorldSnapshot before = snapshot();
    impl_->drop_history();
    try {
        stiction::load_state(path, impl_->scene.name, impl_->sim);
    } catch (...) {
        restore(before);
        throw;
    }
}

const std::vector<WorldContact>& World::contacts() {
    Impl& m = *impl_;
    if (m.shown) return m.contacts;
    const Frame& frame = m.sim.frame;
    m.contacts.resize(m.stepped ? frame.problem.contacts.size() : 0);
    for (std::size_t i = 0; i < m.contacts.size(); ++i) {
        const ContactRow& row = frame.problem.contacts[i];
        const Vec6 u = link_velocity(frame.problem.system, frame.problem.system.links[at(row.link)],
                                     frame.solution.v);
        WorldContact& contact = m.contacts[i];
        static_cast<Contact&>(contact) = frame.contacts.contacts[i];
        contact.mu = row.mu_c;
        contact.s = row.s.head<3>();
        contact.t = row.t.head<3>();
        contact.c = {frame.solution.c_n[i], frame.solution.c_s[i], frame.solution.c_t[i]};
        contact.slip = row.s.dot(u) * contact.s + row.t.dot(u) * contact.t;
    }
    m.shown = true;
    return m.contacts;
}

StepReport World::report() const {
    if (!impl_->stepped) return {};
    const Frame& frame = impl_->sim.frame;
    const ContactSolution& s = frame.solution;
    return {s.status,
            std::string(s.solver),
            static_cast<int>(frame.problem.contacts.size()),
            s.iterations,
            s.failures,
            s.fallbacks,
            s.residual,
            frame.step_seconds};
}

const ContactProblem& World::contact_problem() const {
    if (!impl_->stepped)
        throw InputError(impl_->place() + ": no step has led to this state; take one first");
    if (!has_frames(impl_->sim))
        throw InputError(impl_->place() +
                         ": a step at the acceleration level is more than one problem");
    return impl_->sim.frame.problem;
}

ConeProblem World::cone_problem() const { return frame_cone(contact_problem(), impl_->place()); }

const ContactModel& World::contact_model() const { return impl_->settings.contact; }
const StepSettings& World::settings() const { return impl_->settings.step; }

void World::set_contact_model(const ContactModel& model) {
    LiveSettings next = impl_->settings;
    next.contact = model;
    impl_->change(next);
}

void World::set_contact_model(const std::string& text) {
    ContactModel model = contact_model();
    read_contact_text(text, model);
    set_contact_model(model);
}

void World::set_settings(const StepSettings& settings) {
    LiveSettings next = impl_->settings;
    next.step = settings;
    impl_->change(next);
}

void World::set_settings(const std::string& text) {
    StepSettings step = settings();
    read_step_text(text, step);
    set_settings(step);
}

void World::set_narrowphase(const std::string& name) {
    StepSettings step = settings();
    choose_narrowphase(name, step);
    set_settings(step);
}

void World::set_threads(int threads) {
    LiveSettings next = impl_->settings;
    next.threads = threads;
    impl_->change(next);
}

void World::set_friction(std::optional<double> mu_c, std::optional<double> mu_v,
                         std::optional<double> eps) {
    LiveSettings next = impl_->settings;
    next.mu_c = mu_c;
    next.mu_v = mu_v;
    next.eps = eps;
    impl_->change(next);
}

const std::vector<WorldControl>& World::controls() const { return impl_->list; }
std::span<const double> World::control_values() const { return impl_->asked; }

void World::set_controls(std::span<const double> values) {
    Impl& m = *impl_;
    if (values.size() != m.asked.size())
        throw InputError("controls: got " + std::to_string(values.size()) + " values; expected " +
                         std::to_string(m.asked.size()));
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i]))
            throw InputError("control '" + m.list[i].name + "': must be finite");
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] == m.asked[i]) continue;
        m.asked[i] = m.controls.allowed(i, values[i]);
        if (m.controls.at_once(i)) m.acting[i] = m.asked[i];
        m.moving = true;
    }
    if (m.moving) m.controls.apply(m.acting, m.sim.model, m.sim.controls);
}

void World::record(const WorldOutputs& outputs) {
    Impl& m = *impl_;
    if (m.recording.on())
        throw InputError("a recording is under way already: " + m.recording.files());
    OutputPaths paths;
    paths.csv = outputs.csv;
    paths.trajectory = outputs.trajectory;
    paths.json = outputs.json;
    paths.trajectory_every = outputs.trajectory_every;
    paths.quality = outputs.quality;
    check_distinct(output_files(paths), m.scene.files);
    m.sim.keep_account = outputs.quality;  // the table has its columns from the start
    m.recording.start(paths, m.scene, m.sim);
    if (!m.recording.on()) throw OutputError(m.recording.error());
}

bool World::is_recording() const { return impl_->recording.on(); }

void World::finish_recording() {
    Impl& m = *impl_;
    if (!m.recording.on()) throw InputError("nothing is being recorded");
    m.recording.finish(m.sim);
    if (!m.recording.error().empty()) throw OutputError(m.recording.error());
}

void World::record_dataset(const std::string& path, std::int64_t every) {
    Impl& m = *impl_;
    if (m.frames) throw InputError("a dataset is being recorded already; finish it first");
    FrameOutput output;
    output.path = path;
    output.every = every;
    DatasetManifest manifest;
    manifest.description = m.scene.name + ": " + m.scene.description;
    manifest.command = "(a program that uses the library)";
    manifest.date = date_now();
    manifest.version = STICTION_VERSION;
    m.frames.emplace(output, manifest, m.sim);
}

std::int64_t World::finish_dataset() {
    if (!impl_->frames) throw InputError("no dataset is being recorded");
    impl_->frames->finish();
    const std::int64_t count = impl_->frames->frames();
    impl_->frames.reset();
    return count;
}

}  // namespace stiction

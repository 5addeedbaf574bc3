// live_scene.cpp - takes steps forward and back; its parts do the rest.
#include "live/live_scene.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <iterator>
#include <utility>

#include "core/error.h"
#include "live/convergence.h"
#include "live/frame_recording.h"
#include "live/ghost.h"
#include "live/history.h"
#include "live/peers.h"
#include "live/recording.h"
#include "live/scene_controls.h"
#include "live/shown_contacts.h"
#include "live/shown_joints.h"
#include "live/step_inputs.h"
#include "live/touches.h"
#include "live/watch.h"
#include "record/state_file.h"
#include "step/simulation.h"

namespace stiction {

namespace {

constexpr std::size_t kKeptRecords = 100'000;  // kept for take_records, which may never come

LiveSettings settings_of(const Scene& scene, int threads) {
    LiveSettings settings;
    settings.contact = scene.contact;
    settings.step = scene.step;
    settings.threads = threads;
    return settings;
}

}  // namespace

struct LiveScene::Impl {
    Impl(Scene loaded, int threads);

    // What the next step is asked to do: the same object as long as nothing changes.
    const std::shared_ptr<const StepInputs>& inputs();
    void apply(const std::shared_ptr<const StepInputs>& next);
    bool take_step();  // with what was applied; fills `record`
    void step_ghost();
    void step_peers();
    void start_controls();
    void go_to_controls(const StepInputs& of);
    void start_over();  // from the state in sim: nothing leads to it
    void go_to(HistoryEntry& entry);
    void take_up(const HistoryEntry& entry);  // the settings of its step
    const std::shared_ptr<const LiveSettings>& kept_settings();
    void keep_record();
    void keep_sample();
    void go_before(std::size_t k);
    void fill_step(Snapshot& snapshot);
    void fill_drag(Snapshot& snapshot) const;

    Scene scene;
    SceneControls controls;
    Simulation sim;
    LiveSettings settings;
    std::shared_ptr<const LiveSettings>
        kept;                // a copy of them for the history; null after a change
    bool retracing = false;  // went back, and nothing was changed since: steps ahead have their own
                             // settings
    std::vector<double> asked;   // per control
    std::vector<double> acting;  // what acts in the next step (live/scene_controls.h)
    std::optional<Drag> drag;
    std::shared_ptr<const StepInputs> wanted;   // null after a change
    std::shared_ptr<const StepInputs> applied;  // that `sim` has
    Vec3 drag_force = Vec3::Zero();             // of the last step [N]
    std::optional<Ghost> ghost;
    std::int64_t ghosts = 0;  // made so far
    Peers peers;
    History history;
    Recording recording;
    FrameRecording frames;
    Convergence convergence;
    QualityMeter meter;
    std::string failure;
    bool stepped = false;  // sim.frame and `record` are of the step that led to sim.state
    StepRecord record;
    std::vector<StepRecord> records;
    Touches touches;
    Touches::Change touched;  // by the last step
    Watch watch;
    std::vector<StepSample> samples;
};

LiveScene::Impl::Impl(Scene loaded, int threads)
    : scene(std::move(loaded)),
      controls(scene.model, scene.controls),
      sim(make_simulation(scene.model, scene.state, scene.controls, scene.contact, scene.step,
                          threads)),
      settings(settings_of(scene, threads)) {
    sim.keep_account = settings.account;
    start_controls();
}

void LiveScene::Impl::start_controls() {
    acting = controls.start();
    asked.assign(acting.begin(),
                 acting.begin() + static_cast<std::ptrdiff_t>(controls.list().size()));
}

// Before the step that `of` describes: controls that act at once keep what is asked for now.
void LiveScene::Impl::go_to_controls(const StepInputs& of) {
    acting = of.controls;
    for (std::size_t i = 0; i < asked.size(); ++i) {
        if (controls.at_once(i)) acting[i] = asked[i];
    }
}

const std::shared_ptr<const StepInputs>& LiveScene::Impl::inputs() {
    if (wanted) return wanted;
    StepInputs now{settings.contact, settings.step, settings.mu_c, settings.mu_v,
                   settings.eps,     acting,        drag};
    // A change that was taken back is none.
    if (applied && now == *applied) {
        wanted = applied;
    } else {
        wanted = std::make_shared<const StepInputs>(std::move(now));
    }
    return wanted;
}

void LiveScene::Impl::apply(const std::shared_ptr<const StepInputs>& next) {
    apply_contact(next->contact, sim);
    if (next == applied) return;
    apply_inputs(*next, scene, controls, sim);
    if (ghost) ghost->apply(*next, scene, controls);
    peers.apply(*next, scene, controls);
    applied = next;
}

bool LiveScene::Impl::take_step() {
    drag_force = apply_drag(*applied, scene, sim);
    const Observer observe = [this](const Simulation& s) {
        if (recording.on()) recording.observe(s);
        record = recording.on() ? recording.last() : make_step_record(s);
        record.settings = settings.changes;
        frames.observe(s);
    };
    frames.before_step(sim);
    if (step(sim, observe) != StepOutcome::kDone) return false;
    add_step_times(sim, record);
    touched = touches.look(sim);
    stepped = true;
    convergence = {};
    return true;
}

void LiveScene::Impl::step_ghost() {
    if (ghost) ghost->step(*applied, scene);
}

void LiveScene::Impl::step_peers() { peers.step(*applied, scene); }

void LiveScene::Impl::start_over() {
    history.clear();
    touches.clear();
    retracing = false;
    failure.clear();
    stepped = false;
    convergence = {};
    record = {};
    drag_force.setZero();
    if (ghost) ghost->restart(sim);
    peers.restart(sim);
}

// State and warm starts before the entry's step, with the inputs of that step in place.
void LiveScene::Impl::go_to(HistoryEntry& entry) {
    apply(entry.inputs);
    sim.state = entry.scene.state;
    sim.guess = entry.scene.guess;
}

const std::shared_ptr<const LiveSettings>& LiveScene::Impl::kept_settings() {
    if (!kept) kept = std::make_shared<const LiveSettings>(settings);
    return kept;
}

// What a step had is what is shown and acts again; how many threads there are and what is measured
// stays.
void LiveScene::Impl::take_up(const HistoryEntry& entry) {
    if (entry.settings == kept) return;
    LiveSettings then = *entry.settings;
    then.threads = settings.threads;
    then.quality = settings.quality;
    then.account = settings.account;
    then.asked = settings.asked;
    settings = then;
    kept = entry.settings;
    wanted.reset();
}

void LiveScene::Impl::keep_record() {
    if (records.size() >= 2 * kKeptRecords)
        records.erase(records.begin(), records.end() - kKeptRecords);
    records.push_back(record);
}

void LiveScene::Impl::keep_sample() {
    if (samples.size() >= 2 * kKeptRecords)
        samples.erase(samples.begin(), samples.end() - kKeptRecords);
    samples.push_back({sim.state.step, sim.state.time, touched.made, touched.lost, false, 0, {}});
    watch.sample(sim, record, samples.back());
}

// Before the k-th step kept. The step that led there is taken again, so that its contacts and forces
// are there.
void LiveScene::Impl::go_before(std::size_t k) {
    const bool end = k == history.taken() + history.ahead();
    stepped = false;
    convergence = {};
    touches.clear();
    if (k > 0) {
        HistoryEntry& earlier = history.kept(k - 1);
        go_to(earlier);
        const bool restored = ghost && ghost->restore(earlier);
        const bool all = peers.restore(earlier);
        take_step();
        record.settings = earlier.settings->changes;
        if (restored) step_ghost();
        if (all) {
            step_peers();
        } else {
            peers.clear_records();
        }
        if (end) {
            go_to_controls(*earlier.inputs);
            take_up(earlier);
            controls.approach(asked, sim.state.time, sim.settings.h, acting);
        }
    } else {
        go_to(history.kept(0));
        record = {};
        if (ghost) ghost->clear_record();
        peers.clear_records();
    }
    if (!end) {
        HistoryEntry& target = history.kept(k);
        sim.state = target.scene.state;
        if (ghost && !ghost->restore(target) && !ghost->failed()) ghost->restart(sim);
        if (!peers.restore(target)) peers.restart(sim);
        go_to_controls(*target.inputs);
        take_up(target);
    }
    retracing = true;
    wanted.reset();
    history.move_to(k);
}

LiveScene::LiveScene(Scene scene, int threads)
    : impl_(std::make_unique<Impl>(std::move(scene), threads)) {}

LiveScene::~LiveScene() {
    stop_recording();
    stop_frames();
}

void LiveScene::abandon() {
    std::exception_ptr failed;  // one that cannot be written does not cost the other
    try {
        impl_->recording.abandon(impl_->sim.model);
    } catch (const std::exception&) {
        failed = std::current_exception();
    }
    impl_->frames.abandon();
    if (failed) std::rethrow_exception(failed);
}

const Scene& LiveScene::scene() const { return impl_->scene; }
const Simulation& LiveScene::simulation() const { return impl_->sim; }
double LiveScene::time() const { return impl_->sim.state.time; }
double LiveScene::h() const { return impl_->settings.step.h; }
const LiveSettings& LiveScene::settings() const { return impl_->settings; }

bool LiveScene::forward() {
    Impl& m = *impl_;
    if (!m.failure.empty()) return false;
    if (m.retracing && m.history.ahead() > 0) m.take_up(m.history.next());
    const std::shared_ptr<const StepInputs> wanted = m.inputs();
    // A budget in time gives up that a step can be taken again with the same bits.
    const bool again = m.history.ahead() > 0 && *wanted == *m.history.next().inputs &&
                       wanted->step.time_budget <= 0;
    m.apply(wanted);
    if (again) {
        m.sim.guess = m.history.next().scene.guess;
        if (m.ghost) m.ghost->restore(m.history.next());
        m.peers.restore(m.history.next());
        m.history.advance();
    } else {
        HistoryEntry& entry = m.history.push();
        entry.scene.state = m.sim.state;
        entry.scene.guess = m.sim.guess;
        entry.ghost_id = 0;
        if (m.ghost) m.ghost->store(entry);
        m.peers.store(entry);
        m.peers.forget_partings_after(m.sim.state.step);
        entry.inputs = wanted;
        entry.settings = m.kept_settings();
        m.history.filled();
    }
    if (m.take_step()) {
        m.recording.step_ended(m.sim);
        m.keep_record();
        m.keep_sample();
        m.step_ghost();
        m.step_peers();
        m.peers.compare(m.sim);
        if (m.controls.approach(m.asked, m.sim.state.time, m.sim.settings.h, m.acting))
            m.wanted.reset();
        return true;
    }
    m.failure = describe_failure(m.sim);
    m.recording.finish(m.sim, m.failure);
    m.frames.finish();
    m.sim.guess = m.history.before(1).scene.guess;
    m.history.pop();
    m.stepped = false;
    m.convergence = {};
    return false;
}

bool LiveScene::back() {
    Impl& m = *impl_;
    m.failure.clear();
    if (m.history.taken() == 0) return false;
    seek(m.sim.state.step - 1);
    return true;
}

void LiveScene::seek(std::int64_t step) {
    Impl& m = *impl_;
    const auto taken = static_cast<std::int64_t>(m.history.taken());
    const auto ahead = static_cast<std::int64_t>(m.history.ahead());
    const std::int64_t k =
        std::clamp<std::int64_t>(taken + step - m.sim.state.step, 0, taken + ahead);
    if (k == taken) return;
    m.failure.clear();
    m.recording.cut(m.sim, "the recording ended before the scene went back");
    m.frames.cut("the dataset ended before the scene went back");
    m.go_before(static_cast<std::size_t>(k));
}

void LiveScene::reset() {
    Impl& m = *impl_;
    m.recording.cut(m.sim, "the recording ended before the scene was reset");
    m.frames.cut("the dataset ended before the scene was reset");
    m.sim.state = m.scene.state;
    switch_contact_model(m.sim, m.sim.contact_model);
    m.start_controls();
    m.drag.reset();
    m.wanted.reset();
    m.start_over();
}

void LiveScene::set_settings(const LiveSettings& settings) {
    check_settings(settings);
    Impl& m = *impl_;
    m.settings = settings;
    m.kept.reset();
    m.retracing = false;
    apply_threads(settings.threads, m.sim);
    m.sim.keep_account = settings.account;
    if (m.ghost) m.ghost->set_threads(settings.threads);
    m.peers.set_threads(settings.threads);
    m.wanted.reset();
    m.failure.clear();
}

void LiveScene::set_control(std::size_t control, double value) {
    Impl& m = *impl_;
    if (control >= m.asked.size())
        throw InputError("there is no control " + std::to_string(control));
    if (!std::isfinite(value))
        throw InputError(m.controls.list()[control].name + ": must be a finite number");
    m.retracing = false;
    m.asked[control] = m.controls.allowed(control, value);
    if (m.controls.at_once(control)) m.acting[control] = m.asked[control];
    m.wanted.reset();
    m.failure.clear();
}

void LiveScene::set_drag(const std::optional<Drag>& drag) {
    Impl& m = *impl_;
    if (drag) check_drag(m.sim.model, *drag);
    m.drag = drag;
    m.retracing = false;
    m.wanted.reset();
    m.failure.clear();
}

void LiveScene::set_ghost(const std::optional<ContactModel>& contact,
                          std::optional<NarrowphaseKind> narrowphase) {
    Impl& m = *impl_;
    m.history.drop_ahead();  // of another ghost
    m.ghost.reset();
    if (!contact) return;
    m.ghost.emplace(++m.ghosts, *contact, m.sim, narrowphase);
    if (m.applied) m.ghost->apply(*m.applied, m.scene, m.controls);
}

void LiveScene::set_peers(const std::vector<PeerSettings>& peers) {
    Impl& m = *impl_;
    m.history.drop_ahead();  // of other peers
    m.peers.start(peers, m.sim);
    if (m.applied) m.peers.apply(*m.applied, m.scene, m.controls);
}

void LiveScene::trace_convergence() {
    Impl& m = *impl_;
    m.convergence = {};
    if (m.stepped && m.history.taken() > 0)
        m.convergence = stiction::trace_convergence(m.sim, m.history.before(1).scene.guess);
}

void LiveScene::start_recording(const OutputPaths& paths) {
    stop_recording();
    impl_->recording.start(paths, impl_->scene, impl_->sim);
}

void LiveScene::stop_recording() { impl_->recording.finish(impl_->sim); }

void LiveScene::start_frames(const std::string& path, int every, const DatasetManifest& manifest) {
    impl_->frames.start(path, every, manifest, impl_->sim);
}

void LiveScene::stop_frames() { impl_->frames.finish(); }

void LiveScene::save_frame(const std::string& path, const DatasetManifest& manifest) {
    if (!impl_->stepped) throw InputError("no step was taken yet: there is no contact problem");
    impl_->frames.save(path, manifest, impl_->sim);
}

void LiveScene::save_state(const std::string& path) {
    check_writable(path);
    stiction::save_state(path, impl_->scene.name, impl_->sim);
}

void LiveScene::load_state(const std::string& path) {
    Impl& m = *impl_;
    // Warm starts in the file serve the model that makes the next step.
    m.apply(m.inputs());
    m.recording.cut(m.sim, "the recording ended before a state was loaded");
    m.frames.cut("the dataset ended before a state was loaded");
    if (!stiction::load_state(path, m.scene.name, m.sim))
        switch_contact_model(m.sim, m.sim.contact_model);
    m.start_over();
}

void LiveScene::take_records(std::vector<StepRecord>& records) {
    std::vector<StepRecord>& mine = impl_->records;
    records.insert(records.end(), mine.begin(), mine.end());
    mine.clear();
}

void LiveScene::take_samples(std::vector<StepSample>& samples) {
    std::vector<StepSample>& mine = impl_->samples;
    std::move(mine.begin(), mine.end(), std::back_inserter(samples));
    mine.clear();
}

void LiveScene::watch(std::vector<Quantity> quantities, std::int64_t serial) {
    Impl& m = *impl_;
    m.watch.set(std::move(quantities), serial);
    if (m.watch.empty()) return;
    for (std::size_t k = 0; k < m.history.taken() + m.history.ahead(); ++k) {
        const State& state = m.history.kept(k).scene.state;
        if (state.step == m.sim.state.step) continue;
        m.samples.push_back({state.step, state.time, 0, 0, true, 0, {}});
        m.watch.sample(m.sim.model, state, m.samples.back());
    }
    m.samples.push_back({m.sim.state.step, m.sim.state.time, 0, 0, true, 0, {}});
    if (m.stepped) {
        m.watch.sample(m.sim, m.record, m.samples.back());
    } else {
        m.watch.sample(m.sim.model, m.sim.state, m.samples.back());
    }
}

void LiveScene::Impl::fill_step(Snapshot& snapshot) {
    snapshot.record = stepped ? record : StepRecord{};
    snapshot.model = stepped ? record.model : std::string_view();
    snapshot.islands.clear();
    snapshot.contacts.clear();
    snapshot.drives.clear();
    snapshot.island_of.assign(sim.model.bodies.size(), kNone);
    if (!stepped || !settings.quality) snapshot.quality = {};
    if (!stepped) return;
    snapshot.islands = sim.frame.solution.islands;
    find_island_of(sim, snapshot.island_of);
    if (settings.quality) {
        record.quality = measure_step(sim.frame.problem, sim.frame.solution, meter);
        snapshot.record.quality = record.quality;
        if (!records.empty() && records.back().step == record.step)
            records.back().quality = record.quality;
        snapshot.quality = meter.quality;
    }
    show_contacts(sim, snapshot.quality, snapshot.contacts);
    show_drives(sim, snapshot.drives);
}

void LiveScene::Impl::fill_drag(Snapshot& snapshot) const {
    snapshot.drag.reset();
    if (!drag) return;
    const Vec3 point = sim.state.pose[at(drag->body)] * drag->point_B;
    snapshot.drag = DragView{drag->body, point, drag->target, drag_force};
}

void LiveScene::fill(Snapshot& snapshot) {
    Impl& m = *impl_;
    snapshot.state = m.sim.state;
    snapshot.stepped = m.stepped;
    snapshot.settings = m.settings;
    m.fill_step(snapshot);
    snapshot.joints.clear();
    for (const Joint& joint : m.sim.model.joints)
        snapshot.joints.push_back(joint_coordinate(m.sim.state, joint));
    snapshot.controls = m.controls.list();
    for (std::size_t i = 0; i < snapshot.controls.size(); ++i)
        snapshot.controls[i].value = m.asked[i];
    snapshot.convergence = m.convergence;
    if (!m.ghost) {
        snapshot.ghost.reset();
    } else {
        if (!snapshot.ghost) snapshot.ghost.emplace();
        m.ghost->fill(m.sim, *snapshot.ghost);
    }
    m.peers.fill(m.sim, snapshot);
    m.fill_drag(snapshot);
    snapshot.history = m.history.span();
    snapshot.duration = 0;
    snapshot.recorded = false;
    snapshot.frame.reset();
    snapshot.failure = m.failure;
    snapshot.writing = m.recording.files();
    snapshot.write_error = m.recording.error();
    snapshot.writing_frames = m.frames.state();
    snapshot.frames_error = m.frames.error();
}

}  // namespace stiction

// replay.cpp - walks through the samples of a trajectory.
#include "live/replay.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "contact/contact_model.h"
#include "core/error.h"
#include "live/shown_contacts.h"
#include "live/watch.h"

namespace stiction {

namespace {

template <class Items>
void check_names(const std::string& kind, const Items& items,
                 const std::vector<std::string>& found) {
    if (items.size() != found.size()) {
        throw InputError("the recording has " + std::to_string(found.size()) + " " + kind +
                         ", the scene has " + std::to_string(items.size()));
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].name == found[i]) continue;
        throw InputError("the recording has '" + found[i] + "' among its " + kind +
                         " where the scene has '" + items[i].name + "'");
    }
}

// The name with static storage: records outlive the trajectory.
std::string_view static_name(const std::string& model) {
    const auto it = std::find(kContactModelNames.begin(), kContactModelNames.end(), model);
    return it == kContactModelNames.end() ? std::string_view("none") : *it;
}

}  // namespace

struct Replay::Impl {
    Model model;
    LiveSettings settings;
    Trajectory trajectory;
    std::size_t at = 0;
    std::vector<StepRecord> records;
    std::vector<StepSample> samples;

    [[nodiscard]] const TrajectorySample& sample() const { return trajectory.samples[at]; }
    [[nodiscard]] State state() const {
        return {sample().time, sample().step, sample().pose, sample().twist, {}};
    }
    // Poses when the sample's step began, where that was sampled too.
    [[nodiscard]] const std::vector<Pose>& before() const {
        const bool known = at > 0 && trajectory.samples[at - 1].step + 1 == sample().step;
        return known ? trajectory.samples[at - 1].pose : sample().pose;
    }
    [[nodiscard]] StepRecord record() const;
};

// What a trajectory knows of a step: no times and nothing of the solver.
StepRecord Replay::Impl::record() const {
    const State now = state();
    StepRecord r;
    r.step = now.step;
    r.t = now.time;
    const Energy energies = energy(model, now);
    r.kinetic = energies.kinetic;
    r.potential = energies.potential;
    const Momentum momenta = momentum(model, now);
    for (int i = 0; i < 3; ++i) {
        r.momentum[static_cast<std::size_t>(i)] = momenta.linear[i];
        r.angular[static_cast<std::size_t>(i)] = momenta.angular[i];
    }
    r.contacts = static_cast<int>(sample().contacts.size());
    for (const ContactForce& contact : sample().contacts) {
        const double depth = std::max(0.0, -contact.gap);
        r.penetration = std::max(r.penetration, depth);
        r.penetration_sum += depth;
    }
    r.model = static_name(trajectory.header.model);
    if (trajectory.header.narrowphase == name(NarrowphaseKind::kBullet))
        r.narrowphase = name(NarrowphaseKind::kBullet);
    return r;
}

Replay::Replay(const Scene& scene, Trajectory trajectory) : impl_(std::make_unique<Impl>()) {
    check_names("bodies", scene.model.bodies, trajectory.header.bodies);
    check_names("joints", scene.model.joints, trajectory.header.joints);
    if (trajectory.samples.empty()) throw InputError("the recording holds no complete sample");
    impl_->model = scene.model;
    impl_->settings.contact = scene.contact;
    impl_->settings.step = scene.step;
    impl_->trajectory = std::move(trajectory);
}

Replay::~Replay() = default;

double Replay::time() const { return impl_->sample().time; }

double Replay::h() const {
    const std::vector<TrajectorySample>& samples = impl_->trajectory.samples;
    if (impl_->at + 1 < samples.size()) return samples[impl_->at + 1].time - time();
    return samples.size() > 1 ? time() - samples[impl_->at - 1].time : impl_->settings.step.h;
}

bool Replay::forward() {
    if (impl_->at + 1 >= impl_->trajectory.samples.size()) return false;
    ++impl_->at;
    impl_->records.push_back(impl_->record());
    return true;
}

bool Replay::back() {
    if (impl_->at == 0) return false;
    --impl_->at;
    return true;
}

void Replay::reset() { impl_->at = 0; }

void Replay::seek(std::int64_t step) {
    const std::vector<TrajectorySample>& samples = impl_->trajectory.samples;
    const auto after = std::upper_bound(
        samples.begin(), samples.end(), step,
        [](std::int64_t s, const TrajectorySample& sample) { return s < sample.step; });
    impl_->at =
        after == samples.begin() ? 0 : static_cast<std::size_t>(after - samples.begin()) - 1;
}

// All of the recording at once: it is known.
void Replay::watch(std::vector<Quantity> quantities, std::int64_t serial) {
    if (quantities.empty()) return;
    Watch watch;
    watch.set(std::move(quantities), serial);
    const std::size_t at = impl_->at;
    Snapshot snapshot;
    for (impl_->at = 0; impl_->at < impl_->trajectory.samples.size(); ++impl_->at) {
        fill(snapshot);
        impl_->samples.push_back({snapshot.state.step, snapshot.state.time, 0, 0, true, 0, {}});
        watch.sample(impl_->model, snapshot, impl_->samples.back());
    }
    impl_->at = at;
}

void Replay::take_samples(std::vector<StepSample>& samples) {
    std::move(impl_->samples.begin(), impl_->samples.end(), std::back_inserter(samples));
    impl_->samples.clear();
}

void Replay::seek_time(double time) {
    const std::vector<TrajectorySample>& samples = impl_->trajectory.samples;
    const auto after =
        std::upper_bound(samples.begin(), samples.end(), time,
                         [](double t, const TrajectorySample& sample) { return t < sample.time; });
    impl_->at =
        after == samples.begin() ? 0 : static_cast<std::size_t>(after - samples.begin()) - 1;
}

void Replay::fill(Snapshot& snapshot) {
    const Impl& m = *impl_;
    const auto count = static_cast<std::int64_t>(m.trajectory.samples.size());
    const std::int64_t serial = snapshot.scene_serial;
    const std::int64_t epoch = snapshot.epoch;
    snapshot = {};
    snapshot.scene_serial = serial;
    snapshot.epoch = epoch;
    snapshot.state = m.state();
    snapshot.stepped = m.at > 0;
    snapshot.recorded = true;
    snapshot.record = m.record();
    snapshot.settings = m.settings;
    snapshot.model = snapshot.record.model;
    snapshot.island_of.assign(m.model.bodies.size(), kNone);
    show_contacts(m.sample(), m.before(), snapshot.quality.thresholds, snapshot.contacts);
    snapshot.joints = m.sample().joints;
    const auto at = static_cast<std::int64_t>(m.at);
    snapshot.history = {at, count - 1 - at, count - 1};
    snapshot.duration = m.trajectory.samples.back().time;
}

void Replay::take_records(std::vector<StepRecord>& records) {
    records.insert(records.end(), impl_->records.begin(), impl_->records.end());
    impl_->records.clear();
}

}  // namespace stiction

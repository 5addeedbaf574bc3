// dataset_player.cpp - reads frames, solves them again, shows an answer.
#include "live/dataset_player.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "contact/contact_model.h"
#include "core/error.h"
#include "live/shown_contacts.h"
#include "problem_files/dataset_writer.h"
#include "problem_files/frame_solver.h"

namespace stiction {

namespace {

constexpr double kFrameTime = 0.1;  // that each is shown for [s]

// Per contact of the frame; the solver measured rows of its problem.
void order_errors(const FrameProblem& from, ContactQuality& quality) {
    std::vector<ContactErrors> each(from.row_of.size());
    for (std::size_t i = 0; i < each.size(); ++i) {
        if (from.row_of[i] != kNone && at(from.row_of[i]) < quality.each.size())
            each[i] = quality.each[at(from.row_of[i])];
    }
    quality.each = std::move(each);
}

// The name with static storage, which records have.
std::string_view static_model(const std::string& answer) {
    for (const std::string_view model : kContactModelNames) {
        if (answer.starts_with(std::string(model) + ".")) return model;
    }
    return "none";
}

}  // namespace

struct DatasetPlayer::Impl {
    std::shared_ptr<const Dataset> dataset;
    std::size_t at = 0;
    ProblemFrame frame;
    std::optional<FrameProblem> problem;  // made when it is first solved
    std::size_t stored = 0;               // answers that the frame came with
    std::size_t shown = 0;                // answer
    FrameScene scene;
    FrameSolver solver;
    std::vector<StepRecord> records;

    void read(std::size_t index);
    [[nodiscard]] bool has(std::size_t index) const;
    void fill_state(State& state) const;
    [[nodiscard]] StepRecord record() const;
    [[nodiscard]] FrameView view() const;
    [[nodiscard]] const FrameAnswer* answer() const {
        return frame.answers.empty() ? nullptr : &frame.answers[shown];
    }
};

void DatasetPlayer::Impl::read(std::size_t index) {
    ProblemFrame next = dataset->read(index);
    measure_answers(next);
    if (!scene.bodies.empty() && next.bodies.size() != scene.bodies.size())
        throw InputError(dataset->path() + ": " + dataset->name(index) + ": has " +
                         std::to_string(next.bodies.size()) + " bodies, the frames before have " +
                         std::to_string(scene.bodies.size()) + "; choose it in the list");
    frame = std::move(next);
    problem.reset();
    at = index;
    stored = frame.answers.size();
    shown = 0;
}

bool DatasetPlayer::Impl::has(std::size_t index) const {
    return index < dataset->size() && dataset->simulation(index) == dataset->simulation(at);
}

// Poses at the start of the step, where the contacts were found; velocities after it.
void DatasetPlayer::Impl::fill_state(State& state) const {
    state = scene.scene.state;
    state.spin_P.clear();
    state.step = frame.step ? frame.step->step : static_cast<std::int64_t>(at) + 1;
    state.time = frame.step ? frame.step->time : frame.h * static_cast<double>(at + 1);
    for (std::size_t k = 0; k < frame.bodies.size(); ++k) {
        const auto body = stiction::at(scene.bodies[k]);
        state.pose[body] = {frame.bodies[k].p, frame.bodies[k].q};
        const bool answered = answer() != nullptr && k < answer()->velocities.size();
        state.twist[body] = answered ? answer()->velocities[k] : frame.bodies[k].twist;
    }
}

StepRecord DatasetPlayer::Impl::record() const {
    StepRecord r;
    State state;
    fill_state(state);
    r.step = state.step;
    r.t = state.time;
    r.contacts = static_cast<int>(frame.contacts.size());
    for (const FrameContact& contact : frame.contacts) {
        r.penetration = std::max(r.penetration, -contact.gap);
        r.penetration_sum += std::max(0.0, -contact.gap);
    }
    if (answer() == nullptr) return r;
    r.iterations = answer()->iterations;
    r.residual = answer()->residual;
    r.status = answer()->status;
    r.failures = r.status == SolveStatus::kSolved ? 0 : 1;
    r.model = static_model(answer()->name);
    return r;
}

FrameView DatasetPlayer::Impl::view() const {
    FrameView view;
    view.frame = at;
    view.name = dataset->name(at);
    view.shown = shown;
    for (std::size_t i = 0; i < frame.answers.size(); ++i) {
        const FrameAnswer& from = frame.answers[i];
        ShownAnswer& to = view.answers.emplace_back();
        to.name = from.name;
        to.solver = from.solver;
        to.stored = i < stored;
        to.status = from.status;
        to.iterations = from.iterations;
        to.residual = from.residual;
        to.seconds = from.seconds;
        to.apart = i == 0 ? 0 : distance_from_stored(frame, from);
        to.quality = from.quality;
        to.quality.each.clear();
        show_contacts(frame, from, scene.bodies, scene.world(), to.contacts);
    }
    return view;
}

DatasetPlayer::DatasetPlayer(std::shared_ptr<const Dataset> dataset, std::size_t frame)
    : impl_(std::make_unique<Impl>()) {
    impl_->dataset = std::move(dataset);
    impl_->read(frame);
    impl_->scene = make_frame_scene(*impl_->dataset, frame, impl_->frame);
}

DatasetPlayer::~DatasetPlayer() = default;

const FrameScene& DatasetPlayer::scene() const { return impl_->scene; }

const ContactModel& DatasetPlayer::model() const {
    static const ContactModel kOtherwise = CoulombCone{};
    return impl_->frame.step ? impl_->frame.step->model : kOtherwise;
}

double DatasetPlayer::time() const { return kFrameTime * static_cast<double>(impl_->at); }
double DatasetPlayer::h() const { return kFrameTime; }

bool DatasetPlayer::forward() {
    if (!impl_->has(impl_->at + 1)) return false;
    impl_->read(impl_->at + 1);
    impl_->records.push_back(impl_->record());
    return true;
}

bool DatasetPlayer::back() {
    if (impl_->at == 0 || !impl_->has(impl_->at - 1)) return false;
    impl_->read(impl_->at - 1);
    return true;
}

void DatasetPlayer::reset() {
    std::size_t first = impl_->at;
    while (first > 0 && impl_->has(first - 1)) --first;
    impl_->read(first);
}

void DatasetPlayer::show(std::size_t frame) { impl_->read(frame); }

void DatasetPlayer::solve(const ContactModel& model, bool warm) {
    Impl& m = *impl_;
    if (!m.problem)
        m.problem = make_frame_problem(m.frame, m.dataset->path() + ": " + m.dataset->name(m.at));
    FrameSolveSettings settings;
    settings.model = model;
    settings.alone = true;
    settings.warm = warm;
    FrameAnswer answer = m.solver.solve(m.frame, *m.problem, settings);
    order_errors(*m.problem, answer.quality);
    const auto own = m.frame.answers.begin() + static_cast<std::ptrdiff_t>(m.stored);
    const auto same = std::find_if(own, m.frame.answers.end(), [&answer](const FrameAnswer& other) {
        return other.name == answer.name;
    });
    if (same != m.frame.answers.end()) m.frame.answers.erase(same);
    m.frame.answers.push_back(std::move(answer));
    m.shown = m.frame.answers.size() - 1;
}

void DatasetPlayer::show_answer(std::size_t answer) {
    if (answer < impl_->frame.answers.size()) impl_->shown = answer;
}

void DatasetPlayer::fill(Snapshot& snapshot) {
    const Impl& m = *impl_;
    const std::int64_t serial = snapshot.scene_serial;
    const std::int64_t epoch = snapshot.epoch;
    snapshot = {};
    snapshot.scene_serial = serial;
    snapshot.epoch = epoch;
    m.fill_state(snapshot.state);
    snapshot.stepped = true;
    snapshot.recorded = true;
    snapshot.record = m.record();
    snapshot.model = snapshot.record.model;
    snapshot.settings.contact = model();
    snapshot.settings.step.h = m.frame.h;
    snapshot.island_of.assign(m.scene.scene.model.bodies.size(), kNone);
    snapshot.frame = m.view();
    if (m.answer() == nullptr) {
        show_contacts(m.frame, {}, m.scene.bodies, m.scene.world(), snapshot.contacts);
    } else {
        snapshot.contacts = snapshot.frame->answers[m.shown].contacts;
        snapshot.quality = m.answer()->quality;
        snapshot.quality.contacts = static_cast<int>(m.frame.contacts.size());
    }
    for (const Joint& joint : m.scene.scene.model.joints)
        snapshot.joints.push_back(joint_coordinate(snapshot.state, joint));
    const auto at = static_cast<std::int64_t>(m.at);
    const auto count = static_cast<std::int64_t>(m.dataset->size());
    snapshot.history = {at, count - 1 - at, count - 1};
}

void DatasetPlayer::take_records(std::vector<StepRecord>& records) {
    records.insert(records.end(), impl_->records.begin(), impl_->records.end());
    impl_->records.clear();
}

}  // namespace stiction

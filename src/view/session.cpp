// session.cpp - opens scenes, keeps what was asked for, gathers what the runner shows.
#include "view/session.h"

#include <algorithm>
#include <utility>

#include "contact/contact_model.h"
#include "core/error.h"
#include "live/live_scene.h"
#include "live/replay.h"

namespace stiction {

namespace {

constexpr double kLookEvery = 0.5;  // at the scene file [s]: an edit shows soon
constexpr double kNoticeTime = 5;   // that a message which is no error stays [s]: time to read it
constexpr std::size_t kMaxNotices = 6;  // they cover the view
constexpr std::int64_t kNotShown = -1;  // serial of a scene that the runner has not shown yet

std::filesystem::file_time_type time_of(const std::string& path) {
    std::error_code none;
    const auto time = std::filesystem::last_write_time(path, none);
    return none ? std::filesystem::file_time_type{} : time;
}

}  // namespace

Session::Session(SceneLoader load, int threads) : load_(std::move(load)), threads_(threads) {
    for (std::size_t i = 0; i < models_.size(); ++i)
        models_[i] = make_contact_model(kContactModelNames[i]);
}

void Session::open(const std::string& path, const ParameterTexts& parameters,
                   const std::string& state) {
    const auto before = time_of(path);  // a change while it is read is then seen as one
    Scene scene = load_(path, parameters);
    auto player = std::make_unique<LiveScene>(scene, threads_);
    if (!state.empty()) player->load_state(state);
    path_ = path;
    parameters_ = parameters;
    replay_ = false;
    wanted_ = player->settings();
    models_[scene.contact.index()] = scene.contact;
    const bool known = before != std::filesystem::file_time_type{};
    file_time_ = known ? before : time_of(scene.path);  // it was given by its name only
    put_on(std::move(scene), std::move(player));
}

void Session::show(const Scene& scene, Trajectory trajectory) {
    auto player = std::make_unique<Replay>(scene, std::move(trajectory));
    path_.clear();
    replay_ = true;
    put_on(scene, std::move(player));
}

void Session::put_on(Scene scene, std::unique_ptr<Player> player) {
    // Shown until the runner is done with its step and shows the new scene itself.
    const auto first = std::make_shared<Snapshot>();
    player->fill(*first);
    first->scene_serial = kNotShown;
    first->epoch = snapshot_->epoch;
    scene_ = std::move(scene);
    meshes_ = make_scene_meshes(scene_.model, scene_.state);
    if (runner_) {
        runner_->replace(std::move(player));
    } else {
        runner_ = std::make_unique<Runner>(std::move(player));
    }
    ++serial_;
    timeline_.clear();
    ghost_plots_.clear();
    ghost_.reset();
    failure_.clear();
    scene_error_.clear();
    std::erase_if(notices_, [](const Notice& notice) { return notice.error; });
    snapshot_ = first;
    pace_ = runner_->pace();
}

void Session::try_open(const std::string& path, const ParameterTexts& parameters) {
    try {
        open(path, parameters);
    } catch (const InputError& error) {
        scene_error_ = error.what();
    }
}

void Session::reload() {
    if (path_.empty()) return;
    const std::size_t model = wanted_.contact.index();
    const bool switched = model != scene_.contact.index();
    file_time_ = time_of(scene_.path);
    try_open(path_, parameters_);
    if (!scene_error_.empty()) return;
    notify("read " + scene_.path);
    if (switched) choose_model(model);  // what was chosen in the window stays
}

bool Session::reload_if_changed() {
    if (path_.empty() || seconds_ < next_look_) return false;
    next_look_ = seconds_ + kLookEvery;
    const auto time = time_of(scene_.path);
    if (time == file_time_ || time == std::filesystem::file_time_type{}) return false;
    reload();
    return true;
}

void Session::update(double dt) {
    seconds_ += dt;
    std::erase_if(notices_, [this](const Notice& n) { return n.until > 0 && n.until < seconds_; });
    if (!runner_) return;
    take_what_is_shown();
    pace_ = runner_->pace();
    if (pace_.error_serial != error_serial_) {
        error_serial_ = pace_.error_serial;
        if (!pace_.error.empty()) complain(pace_.error);
    }
    if (snapshot_->failure != failure_) {
        failure_ = snapshot_->failure;
        if (!failure_.empty()) complain(failure_);
    }
}

// The runner counts scenes from 0. Records that come with the first snapshot of a scene may be of
// the one before.
void Session::take_what_is_shown() {
    const std::shared_ptr<const Snapshot> latest = runner_->snapshot();
    records_.clear();
    runner_->take_records(records_);
    if (latest->scene_serial != serial_ - 1) return;
    const bool first = snapshot_->scene_serial == kNotShown;
    if (!first) {
        for (const StepRecord& record : records_) timeline_.add(record);
    }
    if (latest != snapshot_) ghost_plots_.add(*latest);
    snapshot_ = latest;
}

void Session::ask(const LiveSettings& settings) {
    wanted_ = settings;
    models_[settings.contact.index()] = settings.contact;
    if (runner_) post([settings](LiveScene& live) { live.set_settings(settings); });
}

void Session::choose_model(std::size_t index) {
    if (replay_ || index >= models_.size()) return;
    LiveSettings settings = wanted_;
    settings.contact = models_[index];
    ask(settings);
}

void Session::choose_next_solver() {
    if (replay_) return;
    LiveSettings settings = wanted_;
    const auto names = solver_names(settings.contact);
    const auto found = std::find(names.begin(), names.end(), solver_name(settings.contact));
    const auto next = static_cast<std::size_t>(found - names.begin() + 1) % names.size();
    set_solver(settings.contact, names[next]);
    ask(settings);
}

void Session::set_ghost(const std::optional<ContactModel>& contact) {
    if (replay_) return;
    ghost_ = contact;
    ghost_plots_.clear();
    post([contact](LiveScene& live) { live.set_ghost(contact); });
}

void Session::trace_convergence() {
    post([](LiveScene& live) { live.trace_convergence(); });
}

void Session::post(std::function<void(LiveScene&)> command) {
    runner_->post([command = std::move(command)](Player& player) {
        if (auto* live = dynamic_cast<LiveScene*>(&player)) command(*live);
    });
}

void Session::notify(std::string text) {
    notices_.push_back({std::move(text), false, seconds_ + kNoticeTime});
    if (notices_.size() > kMaxNotices) notices_.erase(notices_.begin());
}

void Session::complain(std::string text) {
    notices_.push_back({std::move(text), true, 0});
    if (notices_.size() > kMaxNotices) notices_.erase(notices_.begin());
}

void Session::dismiss(std::size_t notice) {
    if (notice < notices_.size())
        notices_.erase(notices_.begin() + static_cast<std::ptrdiff_t>(notice));
}

void Session::dismiss_errors() {
    std::erase_if(notices_, [](const Notice& notice) { return notice.error; });
}

}  // namespace stiction

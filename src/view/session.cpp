// session.cpp - opens scenes, keeps what was asked for, gathers what the runner shows.
#include "view/session.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <future>
#include <utility>

#include "contact/contact_model.h"
#include "core/error.h"
#include "live/dataset_player.h"
#include "live/frame_index.h"
#include "live/live_scene.h"
#include "live/peers.h"
#include "live/replay.h"
#include "problem_files/problem_file.h"
#include "view/step_light.h"

namespace stiction {

namespace {

constexpr double kLookEvery = 0.5;  // at the scene file [s]: an edit shows soon
constexpr double kNoticeTime = 5;   // that a message which is no error stays [s]: time to read it
constexpr std::size_t kMaxNotices = 6;  // they cover the view
constexpr double kBannerTime = 3;       // that the banner stays after the last unsolved step [s]
constexpr double kOneChange =
    0.5;  // settings changed within this time are one change: a slider [s]
constexpr std::chrono::milliseconds kMeanwhile{20};  // between two looks while a file is read
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

Session::~Session() {
    if (reader_.joinable()) reader_.join();
}

// What `read` returns or throws.
template <class Read>
auto Session::aside(Read read) {
    if (!meanwhile_) return read();
    std::packaged_task<decltype(read())()> task(std::move(read));
    auto result = task.get_future();
    reader_ = std::thread(std::move(task));
    while (result.wait_for(kMeanwhile) != std::future_status::ready) meanwhile_();
    reader_.join();
    return result.get();
}

void Session::end_run() { runner_.reset(); }

void Session::open(const std::string& path, const ParameterTexts& parameters,
                   const std::string& state) {
    if (std::filesystem::is_regular_file(path) && (starts_as_hdf5(path) || is_dataset(path))) {
        if (!state.empty()) throw InputError("--load-state: a dataset does not go on from a state");
        open_dataset(path);
        return;
    }
    const auto before = time_of(path);  // a change while it is read is then seen as one
    auto [scene, player] = aside([load = load_, path, parameters, state, threads = threads_] {
        Scene read = load(path, parameters);
        auto live = std::make_unique<LiveScene>(read, threads);
        if (!state.empty()) live->load_state(state);
        return std::pair(std::move(read), std::move(live));
    });
    const bool again = path == path_;  // the models keep what was set in the window
    path_ = path;
    parameters_ = parameters;
    replay_ = false;
    forget_dataset();
    wanted_ = player->settings();
    for (std::size_t i = 0; i < models_.size() && !again; ++i)
        models_[i] = make_contact_model(kContactModelNames[i], scene.contact);
    models_[scene.contact.index()] = scene.contact;
    const bool known = before != std::filesystem::file_time_type{};
    file_time_ = known ? before : time_of(scene.path);  // it was given by its name only
    put_on(std::move(scene), std::move(player));
}

void Session::show(const Scene& scene, Trajectory trajectory) {
    StepTrack track;
    track.show(trajectory);
    auto player = std::make_unique<Replay>(scene, std::move(trajectory));
    path_.clear();
    replay_ = true;
    forget_dataset();
    put_on(scene, std::move(player));
    track_ = std::move(track);
}

void Session::open_dataset(const std::string& path, std::size_t frame) {
    const bool same = dataset_ && dataset_->path() == path && frame < dataset_->size();
    auto [dataset, player] = aside([known = same ? dataset_ : nullptr, path, frame] {
        auto read = known ? known : std::make_shared<const Dataset>(path);
        if (frame >= read->size())
            throw InputError(path + ": there is no frame " + std::to_string(frame + 1) +
                             "; it has " + std::to_string(read->size()));
        auto frames = std::make_unique<DatasetPlayer>(read, frame);
        return std::pair(std::move(read), std::move(frames));
    });
    const FrameScene shown = player->scene();
    const ContactModel model = player->model();
    path_.clear();
    replay_ = true;
    frame_shapes_ = shown.has_shapes;
    put_on(shown.scene, std::move(player));
    runner_->pause();
    if (same && frames_) return;
    wanted_.contact = models_[model.index()] = model;
    dataset_ = dataset;
    frames_ = std::make_unique<FrameIndex>(dataset);
}

// Other simulations may have other bodies, and so may frames that came without shapes.
void Session::show_frame(std::size_t frame) {
    if (!frames_) return;
    runner_->pause();
    if (frame_shapes_ &&
        dataset_->simulation(frame) == dataset_->simulation(snapshot_->frame->frame)) {
        runner_->post([frame](Player& player) {
            if (auto* frames = dynamic_cast<DatasetPlayer*>(&player)) frames->show(frame);
        });
        return;
    }
    try {
        open_dataset(dataset_->path(), frame);
    } catch (const InputError& error) {
        complain(error.what());
    }
}

void Session::show_answer(std::size_t answer) {
    runner_->post([answer](Player& player) {
        if (auto* frames = dynamic_cast<DatasetPlayer*>(&player)) frames->show_answer(answer);
    });
}

void Session::solve_frame(bool warm) {
    runner_->post([model = wanted_.contact, warm](Player& player) {
        if (auto* frames = dynamic_cast<DatasetPlayer*>(&player)) frames->solve(model, warm);
    });
}

void Session::put_on(Scene scene, std::unique_ptr<Player> player) {
    // Shown until the runner is done with its step and shows the new scene itself.
    const auto first = std::make_shared<Snapshot>();
    player->fill(*first);
    first->scene_serial = kNotShown;
    first->epoch = snapshot_->epoch;
    const Scene before = std::exchange(scene_, std::move(scene));
    meshes_ = make_scene_meshes(scene_.model, scene_.state);
    if (runner_) {
        runner_->replace(std::move(player));
    } else {
        runner_ = std::make_unique<Runner>(std::move(player));
    }
    set_at_end(at_end_);
    ++serial_;
    timeline_.clear();
    track_.clear();
    wanted_step_.reset();
    show_graphs(before);
    banner_.clear();
    banner_until_ = 0;
    ghost_plots_.clear();
    ghost_.reset();
    peers_.clear();
    undo_.clear();
    failure_.clear();
    scene_error_.clear();
    std::erase_if(notices_, [](const Notice& notice) { return notice.error; });
    snapshot_ = first;
    pace_ = runner_->pace();
}

// The same file again: the graphs stay, as far as what they show is there.
void Session::show_graphs(const Scene& before) {
    std::vector<std::vector<Quantity>> wanted = scene_.plots;
    if (before.path == scene_.path && serial_ > 1) {
        wanted.clear();
        for (const Graph& graph : graphs_.list()) {
            std::vector<Quantity> lines;
            for (const Quantity& line : graph.lines) {
                try {
                    lines.push_back(
                        parse_quantity(quantity_text(line, before.model), scene_.model));
                } catch (const InputError&) {  // gone with its body
                }
            }
            if (!lines.empty()) wanted.push_back(std::move(lines));
        }
    }
    graphs_.show(std::move(wanted));
    watch_serial_ = -1;
}

void Session::forget_dataset() {
    frames_.reset();
    dataset_.reset();
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
        complain(pace_.last_error);
    }
    send_orders();
    watch_trouble();
    watch_end();
    if (snapshot_->failure != failure_) {
        failure_ = snapshot_->failure;
        if (!failure_.empty()) complain(failure_);
    }
}

// The runner counts scenes from 0.
void Session::take_what_is_shown() {
    records_.clear();
    samples_.clear();
    const std::shared_ptr<const Snapshot> latest = runner_->take_records(records_, &samples_);
    if (latest->scene_serial != serial_ - 1) return;
    for (const StepRecord& record : records_) timeline_.add(record, seconds_);
    if (!replay_) {
        for (const StepRecord& record : records_) track_.add(record);
    }
    for (const StepSample& sample : samples_) {
        track_.add(sample);
        graphs_.add(sample);
    }
    if (latest != snapshot_) ghost_plots_.add(*latest);
    snapshot_ = latest;
    if (!replay_) keep_what_can_be_gone_back_to();
    // Going back brings the settings of the steps back, unless others are on their way.
    if (!replay_ && snapshot_->settings.asked == wanted_.asked) {
        wanted_ = snapshot_->settings;
        models_[wanted_.contact.index()] = wanted_.contact;
    }
}

void Session::keep_what_can_be_gone_back_to() {
    const std::int64_t step = snapshot_->state.step;
    const HistorySpan& history = snapshot_->history;
    track_.keep(step - history.at + 1, step + history.ahead);
    graphs_.keep(step - history.at, step + history.ahead);
}

// The player belongs to another thread.
void Session::send_orders() {
    if (graphs_.serial() != watch_serial_ && !frames_) {
        watch_serial_ = graphs_.serial();
        runner_->post([quantities = graphs_.watched(), serial = watch_serial_](Player& player) {
            player.watch(quantities, serial);
        });
        if (!replay_) graphs_.add(timeline_, scene_.model);
    }
    if (!wanted_step_ || pace_.waiting > 0) return;
    if (pace_.playing) runner_->pause();
    runner_->post([step = *wanted_step_](Player& player) { player.seek(step); });
    wanted_step_.reset();
}

void Session::seek(std::int64_t step) { wanted_step_ = step; }

void Session::watch_trouble() {
    const bool shown = light_of(*snapshot_) == StepLight::kUnsolved;
    if (shown) {
        if (const auto trouble = trouble_of(timeline_)) banner_ = describe(*trouble);
        banner_until_ = seconds_ + kBannerTime;
    }
    if (seconds_ < banner_until_) return;
    banner_.clear();
    banner_hidden_ = false;
}

void Session::hide_banner() { banner_hidden_ = true; }

void Session::watch_end() {
    if (pace_.at_end && !end_told_) {
        char text[160];
        std::snprintf(text, sizeof text,
                      "Stopped at the scene's duration, %.4g s. Space goes on, Backspace starts "
                      "again.",
                      scene_.duration);
        notify(text);
        end_notice_ = text;
    }
    if (end_told_ && !pace_.at_end)
        std::erase_if(notices_, [this](const Notice& n) { return n.text == end_notice_; });
    end_told_ = pace_.at_end;
}

void Session::set_at_end(AtEnd what) {
    at_end_ = what;
    if (runner_) runner_->set_end(replay_ ? 0 : scene_.duration, what);
}

void Session::ask(LiveSettings settings) {
    if (!replay_) undo_.settings(wanted_, settings, seconds_);
    act_on(std::move(settings));
}

void Session::set_control(std::size_t control, double value) {
    if (control >= snapshot_->controls.size()) return;
    const Control& now = snapshot_->controls[control];
    undo_.control(control, now.name, now.value, value, seconds_);
    post([control, value](LiveScene& live) { live.set_control(control, value); });
}

void Session::make(const Edit& edit, bool back) {
    notify((back ? "taken back: " : "made again: ") + edit.name);
    if (edit.settings_before) {
        act_on(back ? *edit.settings_before : *edit.settings_after);
        return;
    }
    post([control = edit.control, value = back ? edit.before : edit.after](LiveScene& live) {
        live.set_control(control, value);
    });
}

void Session::undo() {
    if (const auto edit = undo_.back()) make(*edit, true);
}

void Session::redo() {
    if (const auto edit = undo_.again()) make(*edit, false);
}

// Counts of requests and of changes go on, whatever the settings were made from.
void Session::act_on(LiveSettings settings) {
    settings.asked = wanted_.asked;
    settings.changes = wanted_.changes;
    LiveSettings compared = settings;  // but for what has a mark of its own
    compared.contact = wanted_.contact;
    compared.step.narrowphase = wanted_.step.narrowphase;
    const bool same_model = settings.contact.index() == wanted_.contact.index() &&
                            solver_name(settings.contact) == solver_name(wanted_.contact);
    const bool other_settings = (same_model && !(settings.contact == wanted_.contact)) ||
                                !(compared.step == wanted_.step) || settings.mu_c != wanted_.mu_c ||
                                settings.mu_v != wanted_.mu_v || settings.eps != wanted_.eps;
    if (other_settings && (changed_at_ < 0 || seconds_ > changed_at_ + kOneChange))
        ++settings.changes;
    if (other_settings) changed_at_ = seconds_;
    ++settings.asked;
    wanted_ = settings;
    models_[settings.contact.index()] = settings.contact;
    if (!runner_) return;
    post([settings](LiveScene& live) { live.set_settings(settings); });
    go_on();
}

void Session::go_on() {
    if (pace_.at_end) runner_->play();
}

void Session::choose_model(std::size_t index) {
    if ((replay_ && !frames_) || index >= models_.size()) return;
    LiveSettings settings = wanted_;
    settings.contact = models_[index];
    ask(settings);
}

void Session::choose_next_solver() {
    if (replay_ && !frames_) return;
    LiveSettings settings = wanted_;
    const auto names = solver_names(settings.contact);
    const auto found = std::find(names.begin(), names.end(), solver_name(settings.contact));
    const auto next = static_cast<std::size_t>(found - names.begin() + 1) % names.size();
    set_solver(settings.contact, names[next]);
    ask(settings);
}

void Session::set_ghost(const std::optional<ContactModel>& contact,
                        std::optional<NarrowphaseKind> narrowphase) {
    if (replay_) return;
    ghost_ = contact;
    ghost_narrowphase_ = narrowphase;
    ghost_plots_.clear();
    post([contact, narrowphase](LiveScene& live) { live.set_ghost(contact, narrowphase); });
    go_on();
}

void Session::set_peers(std::vector<PeerSettings> peers) {
    if (replay_) return;
    peers_ = std::move(peers);
    post([peers = peers_](LiveScene& live) { live.set_peers(peers); });
    go_on();
}

void Session::add_peer() {
    if (peers_.size() >= kMostPeers) return;
    std::vector<PeerSettings> peers = peers_;
    // Models in this order, the first that is not among them.
    for (const std::string_view model :
         {"coulomb_cone", "no_slip", "coulomb_lcp", "friction_box", "max_dissipation", "viscous"}) {
        const ContactModel contact = make_contact_model(model);
        bool used = contact.index() == wanted_.contact.index();
        for (const PeerSettings& peer : peers)
            used = used || peer.contact.index() == contact.index();
        if (used) continue;
        peers.push_back({models_[contact.index()], {}, 1});
        break;
    }
    set_peers(std::move(peers));
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
    std::erase_if(notices_, [&text](const Notice& n) { return n.text == text; });
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

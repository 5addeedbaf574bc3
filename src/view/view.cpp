// view.cpp - the loop of the window: events, simulation, picture, panels.
#include "view/view.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>

#include "core/stopwatch.h"
#include "core/thread_clock.h"
#include "draw/gl_debug.h"
#include "draw/offscreen.h"
#include "live/frame_index.h"
#include "view/input/actions.h"
#include "view/input/mouse.h"
#include "view/panels/graph_strip.h"
#include "view/panels/panels.h"
#include "view/panels/timeline_bar.h"
#include "view/preferences.h"
#include "view/state_log.h"
#include "view/subject.h"
#include "view/ui.h"
#include "view/view_grid.h"
#include "view/window.h"

namespace stiction {

namespace {

constexpr double kFrameTime = 1.0 / 60;  // least time from one frame to the next [s]
constexpr double kIdleTime = 0.1;        // the same while nothing moves: the processor rests [s]
constexpr double kSmooth = 0.05;         // weight of a frame in the costs shown: about 20 frames
constexpr std::chrono::milliseconds kEndTime{50};  // that a step has to end by itself
constexpr int kOpeningFrames = 3;     // until all parts of the window have been measured
constexpr double kKeepDrawing = 0.5;  // after an event: popups and fades settle [s]

struct ClosedWhileReading {};  // thrown through the frame that asked for the file

std::string layout_file() {
    const std::string folder = config_folder();
    if (folder.empty()) return "";
    std::error_code none;
    std::filesystem::create_directories(folder, none);
    return none ? "" : folder + "/layout.ini";
}

class View {
  public:
    View(const ViewOptions& options, Session& session)
        : window_({.title = "Stiction",
                   .width = options.width,
                   .height = options.height,
                   .debug = options.debug_gl}),
          preferences_(load_preferences()),
          ui_({.window = window_.handle(),
               .scale = (options.scale > 0 ? options.scale : preferences_.scale) *
                        window_.content_scale(),
               .layout_file = layout_file()}),
          session_(session),
          recorder_(options.output_folder.empty() ? data_folder() : options.output_folder),
          shipped_(options.shipped),
          log_file_(options.state_log),
          stop_(options.stop) {
        if (options.debug_gl) watch_gl_errors();
        software_ = is_software_renderer();
        if (software_ && !preferences_.told_software) {
            preferences_.told_software = true;
            session_.notify(
                "No graphics card was found: edges are smoothed in videos only, not in the "
                "window.");
        }
        if (!options.paused && session_.frames() == nullptr) session_.runner().play();
        session_.set_meanwhile([this] { meanwhile(); });
        if (options.gallery) {
            preferences_.layout.chooser = true;
            session_.set_at_end(AtEnd::kLoop);  // something moves
            looping_ = true;
        }
    }

    ~View() {
        session_.set_meanwhile({});
        if (recorder_.filming()) recorder_.stop_video(session_);
        preferences_.scale = ui_.scale() / window_.content_scale();
        save_preferences(preferences_);
    }

    void run() {
        Stopwatch clock;
        while (!window_.closing() && !(stop_ && stop_())) {
            const double dt = clock.lap();
            smooth(costs_.frame, dt);
            session_.update(dt);
            session_.reload_if_changed();
            frame();
            window_.swap();
            ++frames_;
            window_.poll(std::max(1e-4, pause_time() - clock.elapsed()));
        }
    }

    // From another thread, while a frame does not end: completes the video and the tables.
    void abandon() {
        recorder_.abandon();
        session_.runner().abandon();
    }

  private:
    // A file is being read, which may take long: of what is done meanwhile the wish to close is heard.
    void meanwhile() {
        window_.poll(0);
        const auto quits = [](const WindowEvent& event) {
            const auto* key = std::get_if<KeyEvent>(&event);
            return key != nullptr && action_for(key->key, key->mods) == Action::kQuit;
        };
        if (window_.closing() || (stop_ && stop_()) || std::ranges::any_of(window_.events(), quits))
            throw ClosedWhileReading{};
    }

    // Nothing moves: no need to draw sixty times a second.
    [[nodiscard]] double pause_time() const {
        const bool still = !session_.pace().playing && session_.pace().waiting == 0 &&
                           session_.seconds() > busy_until_ && session_.notices().empty();
        return still ? kIdleTime : kFrameTime;
    }

    static void smooth(double& value, double now) {
        value = value == 0 ? now : value + kSmooth * (now - value);
    }

    Desk desk() {
        return {session_,
                recorder_,
                shipped_,
                preferences_.layout,
                preferences_.draw,
                camera_,
                selection_,
                forces_,
                costs_,
                plan_,
                widgets_,
                preferences_.files,
                track_range_,
                session_.graphs(),
                plot_menu_,
                gallery_,
                anchor_,
                contact_history_,
                closed_bodies_,
                search_,
                ui_.scale()};
    }

    void frame() {
        Desk d = desk();
        if (session_.serial() != shown_serial_) start_showing(d);
        handle_events(d);
        watch_contact();
        build_ui(d);
        follow();
        draw_view();
        recorder_.film(session_, renderer_, picture_);
        recorder_.watch_tables(session_);
        recorder_.write_frames(session_, renderer_, picture_);
        bind_window(window_.width(), window_.height());  // a film draws elsewhere
        ui_.draw();
        if (wishes_.picture) {
            read_pixels(0, window_.width(), window_.height(), image_);
            recorder_.save_picture(session_, image_);
        }
        wishes_ = {};
        log_file_.note(d, frames_, gl_error_count());
    }

    // A scene that was not shown before.
    void start_showing(Desk& d) {
        shown_serial_ = session_.serial();
        mouse_.let_go(d);
        renderer_.set_meshes(session_.meshes().meshes);
        const Extent all = extent(session_.scene().model, session_.scene().state);
        start_ = subject(session_.scene().model, session_.scene().state);
        const bool new_file = shown_path_ != session_.scene().path;
        if (new_file) {
            if (looping_ && !shown_path_.empty()) {  // the visitor has picked a scene
                looping_ = false;
                session_.set_at_end(AtEnd::kStop);
            }
            camera_ = make_camera(session_.scene().camera, all.radius);
            preferences_.layout.keep = true;
            opening_ = kOpeningFrames;
        }
        shown_path_ = session_.scene().path;
        if (session_.frames() != nullptr && new_file) preferences_.draw.errors = true;
        if (!session_.is_replay() || session_.frames() != nullptr)
            remember_file(shown_path_, preferences_.files.recent);
        selection_ = {};
        closed_bodies_.clear();
        anchor_.let_go();
        contact_history_.clear();
        track_range_ = {};
        forces_ = {};
        numbers_ = {};
        recorder_.scene_changed();
        window_.set_title(session_.scene().name + " - Stiction");
    }

    void handle_events(Desk& d) {
        for (const WindowEvent& event : window_.take_events()) {
            busy_until_ = session_.seconds() + kKeepDrawing;
            if (const auto* key = std::get_if<KeyEvent>(&event)) press_key(d, *key);
            if (const auto* press = std::get_if<ButtonEvent>(&event)) press_button(d, *press);
            if (const auto* move = std::get_if<MoveEvent>(&event)) mouse_.move(d, area_, *move);
            if (const auto* scroll = std::get_if<ScrollEvent>(&event); scroll && !ui_.wants_mouse())
                mouse_.scroll(d, *scroll);
            if (const auto* drop = std::get_if<DropEvent>(&event); drop && !drop->paths.empty())
                session_.try_open(drop->paths.front());
        }
    }

    // Half the size of a body: a contact that jumps further is another one.
    void watch_contact() {
        const ContactAnchor before = anchor_;
        anchor_.follow(session_.now(), 0.5 * session_.meshes().size, selection_);
        const bool same = before.body_a == anchor_.body_a && before.body_b == anchor_.body_b &&
                          (before.index != kNone || anchor_.index == kNone);
        if (!anchor_.held() || (!same && before.held())) contact_history_.clear();
        if (anchor_.held()) contact_history_.add(session_.now(), anchor_.index);
    }

    void press_key(Desk& d, const KeyEvent& event) {
        if (ui_.wants_text()) return;
        const std::optional<Action> action = action_for(event.key, event.mods);
        if (!action) return;
        const bool steps = *action == Action::kForward || *action == Action::kBack;
        if (!event.repeat || steps) perform(*action, d, window_, ui_, wishes_);
    }

    void press_button(Desk& d, const ButtonEvent& event) {
        if (!event.pressed) {
            mouse_.release(d, area_, event);
        } else if (!ui_.wants_mouse()) {
            area_ = area_of(
                cells_[cell_at(cells_, static_cast<float>(event.x), static_cast<float>(event.y))]);
            mouse_.press(d, area_, event);
        }
    }

    // Two answers to a frame of a dataset, each with half of the view.
    [[nodiscard]] bool split() const {
        const Snapshot& now = session_.now();
        return preferences_.layout.side_by_side && now.frame && now.frame->answers.size() > 1;
    }

    // How many pictures the view shows.
    [[nodiscard]] std::size_t pictures() const {
        return split() ? 2 : 1 + session_.now().peers.size();
    }

    // Where each is. Scenes side by side leave room for the overlay's line.
    [[nodiscard]] std::vector<Rectangle> cells() const {
        Rectangle area = plan_.view;
        if (pictures() > 1 && !split()) {
            area.top = std::max(area.top, plan_.notices.bottom);
            if (!plan_.overlay.empty()) area.bottom = plan_.overlay.top - kViewMargin * ui_.scale();
        }
        return view_grid(area, pictures());
    }

    // The free part of the first picture, from its own corner.
    [[nodiscard]] Rectangle free_part() const {
        const Rectangle cell = cells()[0];
        if (pictures() > 1 && !split()) {
            const float head = std::min(title_height_, 0.4F * cell.height());
            return {0, head, cell.width(), cell.height()};
        }
        Rectangle free{plan_.free.left - cell.left, plan_.free.top - cell.top,
                       plan_.free.right - cell.left, plan_.free.bottom - cell.top};
        if (!split()) return free;
        free.right = std::min(free.right, cell.width());
        if (free.left >= cell.width()) free.left = 0;
        return free;
    }

    void follow() {
        Layout& layout = preferences_.layout;
        const Rectangle cell = cells()[0];
        const double width = cell.width(), height = cell.height();
        if (cell.empty()) return;
        const Model& model = session_.scene().model;
        const State& state = session_.now().state;
        if (wishes_.frame_all) {
            layout.keep = true;
            frame_in(camera_, opening_view(model, state), free_part(), width, height);
        }
        if (layout.follow && selection_.body != kNone) {
            camera_.target = state.pose[at(selection_.body)].p;
            return;
        }
        if (!layout.keep) return;
        Extent ball = subject(model, state, start_);
        for (const PeerView& peer : session_.now().peers)
            ball = around(ball, subject(model, peer.ghost.state, start_));
        if (opening_ > 0) {
            --opening_;
            open_view(ball, width, height);
        }
        if (camera_.distance != share_distance_) {  // zoomed
            share_distance_ = camera_.distance;
            share_ = share_of(camera_, ball, free_part(), width, height);
        }
        keep_in_view(camera_, ball, free_part(), width, height, share_);
    }

    // A camera that is given says how large the subject is in a view of its own; where panels and
    // overlay leave less than that, the camera goes back.
    void open_view(const Extent& ball, double width, double height) {
        const Scene& scene = session_.scene();
        if (!scene.camera.given) {
            frame_in(camera_, opening_view(scene.model, session_.now().state), free_part(), width,
                     height);
            share_distance_ = -1;
            return;
        }
        camera_ = make_camera(scene.camera, extent(scene.model, scene.state).radius);
        const Rectangle whole{0, 0, static_cast<float>(width), static_cast<float>(height)};
        share_ = share_of(camera_, ball, whole, width, height);
        fit_in(camera_, ball, free_part(), width, height, std::max(share_, 1.0));
        share_distance_ = camera_.distance;
    }

    // Sizes of what lies over the view are those of the last frame.
    void plan(const ImVec2& size) {
        const Layout& layout = preferences_.layout;
        ScreenWishes wishes;
        wishes.width = size.x;
        wishes.height = size.y;
        wishes.scale = ui_.scale();
        wishes.left = layout.left;
        wishes.right = layout.right;
        wishes.preferred = layout.preferred;
        if (layout.overlay) wishes.overlay = overlay_size_;
        wishes.line = line_size_;
        const bool beside = !session_.now().peers.empty();
        wishes.folded = layout.line || beside;
        wishes.whole = layout.whole;
        if (!beside) wishes.legend = legend_size_;
        wishes.notices = notices_size_.height;
        if (layout.timeline && session_.frames() == nullptr) wishes.timeline = timeline_height();
        wishes.graphs = graph_strip_height(desk());
        wishes.gallery = layout.chooser;
        plan_ = plan_screen(wishes);
    }

    void overlay() {
        Layout& layout = preferences_.layout;
        if (!layout.overlay || plan_.overlay.empty()) return;
        const float margin = kViewMargin * ui_.scale();
        const OverlayResult result =
            draw_overlay(numbers_, session_.now(), session_.pace().achieved,
                         {.left = plan_.view.left + margin,
                          .bottom = plan_.view.bottom - margin,
                          .width = std::min(overlay_width(), plan_.view.width() - 2 * margin),
                          .line = plan_.folded,
                          .can_open = plan_.can_open && session_.now().peers.empty()},
                         widgets_);
        (plan_.folded ? line_size_ : overlay_size_).height = result.height;
        if (result.fold) fold_overlay(plan_, layout);
        if (result.next_axis) next_axis(session_.timeline());
        if (result.dismiss_before) numbers_.dismiss_before();
        if (result.plot) plot_menu_.asked = {*result.plot};
    }

    // The first guess of sizes that no frame has measured.
    void guess_sizes() {
        const float letter = ImGui::GetFontSize();
        overlay_size_.width = line_size_.width = overlay_width();
        if (measured_scale_ == ui_.scale()) return;
        measured_scale_ = ui_.scale();
        overlay_size_.height = 22 * letter;
        line_size_.height = 2.2F * letter;
    }

    void build_ui(Desk& d) {
        const double start = cpu_now();
        widgets_.clear();
        ui_.set_light(preferences_.layout.light);
        ui_.begin();
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        guess_sizes();
        plan(size);
        left_panel(d);
        right_panel(d);
        timeline_bar(d);
        graph_strip(d);
        numbers_.refresh(session_.timeline(), session_.seconds(), session_.now().state.step);
        overlay();
        legend_size_ = legend(d);
        notices_size_ = notice_bar(d);
        help_window(d);
        scene_chooser(d);
        plot_menu(d);
        if (split()) name_halves();
        name_peers(d);
        ui_.end();
        const float pixels = static_cast<float>(window_.width()) / std::max(size.x, 1.0F);
        cells_.clear();
        for (const Rectangle& cell : cells())
            cells_.push_back(
                {cell.left * pixels, cell.top * pixels, cell.right * pixels, cell.bottom * pixels});
        if (!mouse_.holds()) area_ = area_of(cells_[0]);
        smooth(costs_.ui, cpu_now() - start);
    }

    [[nodiscard]] static ViewArea area_of(const Rectangle& cell) {
        return {cell.left, cell.top, std::max(cell.width(), 1.0F), std::max(cell.height(), 1.0F)};
    }

    // Over each of the scenes side by side.
    void name_peers(Desk& d) {
        if (session_.now().peers.empty()) return;
        const std::vector<Rectangle> places = cells();
        title_height_ = 0;
        for (std::size_t i = 0; i < places.size(); ++i)
            title_height_ = std::max(title_height_, peer_title(d, i, places[i]));
    }

    // Which answers are in the halves of the view: the stored one, and the one of the table beside it.
    [[nodiscard]] std::array<std::size_t, 2> halves() const {
        const FrameView& frame = *session_.now().frame;
        return {0, frame.shown > 0 ? frame.shown : frame.answers.size() - 1};
    }

    void name_halves() {
        const FrameView& frame = *session_.now().frame;
        ImDrawList& list = *ImGui::GetBackgroundDrawList();
        const float half = 0.5F * plan_.view.width(), letter = ImGui::GetFontSize();
        float x = plan_.view.left;
        for (const std::size_t k : halves()) {
            const std::string& text = frame.answers[k].name;
            const float width = ImGui::CalcTextSize(text.c_str()).x;
            const float from = x + 0.5F * (half - width), y = plan_.notices.bottom + 0.4F * letter;
            list.AddRectFilled({from - 0.5F * letter, y},
                               {from + width + 0.5F * letter, y + 1.4F * letter},
                               IM_COL32(30, 33, 38, 220), 0.3F * letter);
            list.AddText({from, y + 0.2F * letter}, IM_COL32_WHITE, text.c_str());
            x += half;
        }
        x = plan_.view.left + half;
        list.AddLine({x, plan_.view.top}, {x, plan_.view.bottom}, IM_COL32(30, 33, 38, 255), 2);
    }

    void draw_view() {
        costs_.draw_calls = 0;
        if (pictures() == 1) {
            draw_part(session_.now(), cells_[0]);
            return;
        }
        clear_window(window_.width(), window_.height());
        for (std::size_t i = 0; i < cells_.size() && i < pictures(); ++i) {
            part_ = session_.now();
            if (split()) {
                part_.contacts = part_.frame->answers[halves()[i]].contacts;
            } else if (i > 0) {
                become_peer(part_.peers[i - 1]);
            }
            draw_part(part_, cells_[i]);
        }
    }

    void become_peer(const PeerView& peer) {
        part_.state = peer.ghost.state;
        part_.contacts = peer.contacts;
        part_.record = peer.ghost.record;
        part_.model = name(peer.settings.contact);
        part_.settings.contact = peer.settings.contact;
        part_.ghost.reset();
    }

    void draw_part(const Snapshot& snapshot, const Rectangle& cell) {
        picture_.view = camera_.viewpoint();
        fill_picture(session_.scene().model, session_.meshes(), snapshot, preferences_.draw,
                     selection_, forces_, picture_);
        const int width = std::max(static_cast<int>(cell.width()), 1);
        const int height = std::max(static_cast<int>(cell.height()), 1);
        if (!buffer_ || buffer_->width() != width || buffer_->height() != height)
            buffer_ = std::make_unique<FrameBuffer>(width, height, software_ ? 1 : 4);
        renderer_.draw(picture_, width, height, buffer_->id());
        costs_.draw_calls += renderer_.counts().calls;
        buffer_->resolve();
        buffer_->show(static_cast<int>(cell.left),
                      window_.height() - static_cast<int>(cell.top) - height);
    }

    Window window_;
    Preferences preferences_;
    Ui ui_;
    Renderer renderer_;
    std::unique_ptr<FrameBuffer> buffer_;
    Session& session_;
    ViewRecorder recorder_;
    std::vector<SceneSummary> shipped_;
    StateLog log_file_;
    std::function<bool()> stop_;

    OrbitCamera camera_;
    Highlight selection_;
    ForceScale forces_;
    FrameCosts costs_;
    OverlayNumbers numbers_;
    WidgetLog widgets_;
    std::set<int> closed_bodies_;
    std::string search_;
    Mouse mouse_;
    LoopWishes wishes_;
    ViewArea area_;
    std::vector<Rectangle> cells_{{0, 0, 1, 1}};  // of the pictures in the window [pixels]
    Snapshot part_;                               // that one of them shows
    ScreenPlan plan_;
    TrackRange track_range_;
    PlotMenu plot_menu_;
    GalleryState gallery_;
    ContactAnchor anchor_;
    ContactHistory contact_history_;
    Extent start_;  // of the subject, when the scene was opened
    PartSize overlay_size_, line_size_, legend_size_, notices_size_;
    float title_height_ = 0;      // of the scenes side by side
    float measured_scale_ = 0;    // of letters, when sizes were last guessed
    int opening_ = 0;             // frames in which a scene that was opened takes its place
    double share_ = 1;            // of the free part that its subject fills,
    double share_distance_ = -1;  // at this distance of the camera [m]
    Picture picture_;
    Image image_;
    std::int64_t shown_serial_ = 0;
    std::string shown_path_;
    std::int64_t frames_ = 0;
    double busy_until_ = kKeepDrawing;
    bool software_ = false;
    bool looping_ = false;  // the scene below the gallery at the start
};

}  // namespace

void show_window(const ViewOptions& options) {
    Session session(options.load, options.threads);  // bad input is told before a window opens
    if (options.replay) {
        session.show(options.replay->scene, options.replay->trajectory);
    } else if (options.frame > 0) {
        session.open_dataset(options.scene, static_cast<std::size_t>(options.frame - 1));
    } else {
        session.open(options.scene, {}, options.load_state);
    }
    bool reading = false;  // a file, when it was closed
    {
        View view(options, session);
        if (options.opened) options.opened([&view] { view.abandon(); });
        try {
            view.run();
        } catch (const ClosedWhileReading&) {
            reading = true;
        }
        if (options.closing) options.closing();
    }
    if (!options.leave) return;
    if (!session.runner().end(kEndTime)) {
        session.runner().abandon();
    } else if (reading) {
        session.end_run();
    } else {
        return;
    }
    options.leave();
}

}  // namespace stiction

// view.cpp - the loop of the window: events, simulation, picture, panels.
#include "view/view.h"

#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>

#include "core/stopwatch.h"
#include "core/thread_clock.h"
#include "draw/gl_debug.h"
#include "draw/offscreen.h"
#include "view/input/actions.h"
#include "view/input/mouse.h"
#include "view/panels/panels.h"
#include "view/preferences.h"
#include "view/state_log.h"
#include "view/ui.h"
#include "view/window.h"

namespace stiction {

namespace {

constexpr double kFrameTime = 1.0 / 60;  // least time from one frame to the next [s]
constexpr double kIdleTime = 0.1;        // the same while nothing moves: the processor rests [s]
constexpr double kSmooth = 0.05;         // weight of a frame in the costs shown: about 20 frames
constexpr std::chrono::milliseconds kEndTime{50};  // that a step has to end by itself
constexpr double kKeepDrawing = 0.5;               // after an event: popups and fades settle [s]

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
        if (!options.paused) session_.runner().play();
    }

    ~View() {
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

  private:
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
                widgets_,
                ui_.scale()};
    }

    void frame() {
        Desk d = desk();
        if (session_.serial() != shown_serial_) start_showing(d);
        handle_events(d);
        follow();
        build_ui(d);
        draw_view();
        recorder_.film(session_, renderer_, picture_);
        recorder_.watch_tables(session_);
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
        if (shown_path_ != session_.scene().path)
            camera_ = make_camera(session_.scene().camera, all.radius);
        shown_path_ = session_.scene().path;
        selection_ = {};
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
            mouse_.press(d, area_, event);
        }
    }

    void follow() {
        if (wishes_.frame_all) {
            const Extent all = extent(session_.scene().model, session_.now().state);
            camera_.frame(all.centre, all.radius, area_.width / area_.height);
        }
        if (!preferences_.layout.follow || selection_.body == kNone) return;
        camera_.target = session_.now().state.pose[at(selection_.body)].p;
    }

    void build_ui(Desk& d) {
        const double start = cpu_now();
        widgets_.clear();
        ui_.begin();
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        Layout& layout = preferences_.layout;
        const float left = layout.left ? left_panel(d, size.y) : 0;
        const float right = size.x - (layout.right ? right_panel(d, size.x, size.y) : 0);
        numbers_.refresh(session_.timeline(), session_.seconds());
        const float margin = 10 * ui_.scale();
        if (layout.overlay) {
            draw_overlay(numbers_, session_.now(), session_.pace().achieved,
                         {left + margin, size.y - margin, true}, widgets_);
        }
        // Where the overlay takes the whole width, the legend goes to the top.
        const bool top = layout.overlay && right - left < 750 * ui_.scale();
        legend(d, right - margin, top ? margin : size.y - margin, top);
        notice_bar(d, left, right);
        help_window(d);
        scene_chooser(d);
        ui_.end();
        const float pixels = static_cast<float>(window_.width()) / std::max(size.x, 1.0F);
        area_ = {left * pixels, 0, std::max((right - left) * pixels, 1.0F),
                 std::max(size.y * pixels, 1.0F)};
        smooth(costs_.ui, cpu_now() - start);
    }

    void draw_view() {
        picture_.view = camera_.viewpoint();
        fill_picture(session_.scene().model, session_.meshes(), session_.now(), preferences_.draw,
                     selection_, forces_, picture_);
        const int width = std::max(static_cast<int>(area_.width), 1);
        const int height = std::max(static_cast<int>(area_.height), 1);
        if (!buffer_ || buffer_->width() != width || buffer_->height() != height)
            buffer_ = std::make_unique<FrameBuffer>(width, height, software_ ? 1 : 4);
        renderer_.draw(picture_, width, height, buffer_->id());
        costs_.draw_calls = renderer_.counts().calls;
        buffer_->resolve();
        buffer_->show(static_cast<int>(area_.x), 0);
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
    Mouse mouse_;
    LoopWishes wishes_;
    ViewArea area_;
    Picture picture_;
    Image image_;
    std::int64_t shown_serial_ = 0;
    std::string shown_path_;
    std::int64_t frames_ = 0;
    double busy_until_ = kKeepDrawing;
    bool software_ = false;
};

}  // namespace

void show_window(const ViewOptions& options) {
    Session session(options.load, options.threads);  // bad input is told before a window opens
    if (options.replay) {
        session.show(options.replay->scene, options.replay->trajectory);
    } else {
        session.open(options.scene, {}, options.load_state);
    }
    if (options.opened) options.opened([&session] { session.runner().abandon(); });
    {
        View view(options, session);
        view.run();
        if (options.closing) options.closing();
    }
    if (!options.leave || session.runner().end(kEndTime)) return;
    session.runner().abandon();
    options.leave();
}

}  // namespace stiction

// actions.cpp - one case per action of keys.h.
#include "view/input/actions.h"

#include <algorithm>
#include <cmath>

#include "view/panels/draw_choices.h"
#include "view/panels/panels.h"
#include "view/panels/widgets.h"

namespace stiction {

namespace {

constexpr double kSpeedStep = 2;                       // factor per key press
constexpr double kSlowest = 1.0 / 128, kFastest = 64;  // times real time; hardly moves, hardly seen
constexpr float kScaleStep = 1.1F;                     // of letters, per key press

void change_speed(Session& session, double factor) {
    const double now = session.runner().pace().speed;  // of the press before, too
    const double speed = now > 0 ? now : kFastest;
    session.runner().set_speed(std::clamp(speed * factor, kSlowest, kFastest));
}

void toggle_play(Session& session) {
    session.pace().playing ? session.runner().pause() : session.runner().play();
}

// The model that differs most in kind: no_slip beside Coulomb, Coulomb beside the others.
void toggle_ghost(Session& session) {
    if (session.ghost()) {
        session.set_ghost(std::nullopt);
        return;
    }
    const ContactModel& now = session.wanted().contact;
    const bool coulomb = std::holds_alternative<CoulombCone>(now);
    session.set_ghost(make_contact_model(coulomb ? "no_slip" : "coulomb_cone", now));
}

void flip(bool& value) { value = !value; }

// Of the selected body, else of all.
void next_contact(Desk& desk) {
    const std::vector<ShownContact>& contacts = desk.session.now().contacts;
    const auto count = static_cast<int>(contacts.size());
    for (int k = 1; k <= count; ++k) {
        const int i = (std::max(desk.selection.contact, -1) + k) % count;
        const int body = desk.selection.body;
        if (body != kNone && contacts[at(i)].body_a != body && contacts[at(i)].body_b != body)
            continue;
        show_contact(desk, i);
        return;
    }
}

void plot_something(Desk& desk) {
    if (desk.selection.body != kNone) {
        desk.graphs.add({QuantityOf::kBody, 6, desk.selection.body, kNone});
        return;
    }
    desk.graphs.add({QuantityOf::kStep, 7, kNone, kNone});
    desk.graphs.add_to(desk.graphs.list().size() - 1, {QuantityOf::kStep, 5, kNone, kNone});
}

// One that is wanted and has no room opens in place of the other.
void toggle_panel(Side side, bool& wanted, bool shown, Layout& layout) {
    wanted = !shown;
    if (wanted) layout.preferred = side;
}

// Closes what is open, else selects nothing.
void escape(Desk& desk) {
    if (close_lists()) return;
    if (desk.layout.help || desk.layout.chooser) {
        desk.layout.help = desk.layout.chooser = false;
        return;
    }
    desk.session.dismiss_errors();
    desk.session.dismiss_scene_error();
    desk.selection = {};
    desk.anchor.let_go();
    desk.layout.follow = false;
}

// Actions that only flip a choice of what is drawn.
bool draw_choice(Action action, DrawOptions& draw) {
    for (const DrawChoice& choice : kDrawChoices) {
        if (choice.action != action) continue;
        flip(draw.*choice.value);
        return true;
    }
    return false;
}

bool run_action(Action action, Desk& desk) {
    Session& session = desk.session;
    switch (action) {
        case Action::kPlay:
            toggle_play(session);
            return true;
        case Action::kForward:
            session.runner().forward(1);
            return true;
        case Action::kBack:
            session.runner().back(1);
            return true;
        case Action::kReset:
            session.runner().reset();
            session.timeline().clear();
            return true;
        case Action::kUndo:
            session.undo();
            return true;
        case Action::kRedo:
            session.redo();
            return true;
        case Action::kSlower:
            change_speed(session, 1 / kSpeedStep);
            return true;
        case Action::kFaster:
            change_speed(session, kSpeedStep);
            return true;
        case Action::kReload:
            session.reload();
            return true;
        case Action::kGhost:
            toggle_ghost(session);
            return true;
        case Action::kNextSolver:
            session.choose_next_solver();
            return true;
        case Action::kAddPeer:
            session.add_peer();
            return true;
        case Action::kNoPeers:
            session.set_peers({});
            return true;
        case Action::kParting:
            go_to_parting(desk);
            return true;
        case Action::kConvergence:
            session.trace_convergence();
            return true;
        default:
            return false;
    }
}

bool record_action(Action action, Desk& desk) {
    ViewRecorder& recorder = desk.recorder;
    Session& session = desk.session;
    switch (action) {
        case Action::kVideo:
            recorder.filming() ? recorder.stop_video(session) : recorder.start_video(session);
            return true;
        case Action::kTable:
            recorder.writing_tables() ? recorder.stop_tables(session)
                                      : recorder.start_tables(session);
            return true;
        case Action::kSaveFrame:
            recorder.save_frame();
            return true;
        case Action::kFrames:
            recorder.toggle_frames();
            return true;
        case Action::kSaveState:
            recorder.save_state(session);
            return true;
        case Action::kLoadState:
            recorder.load_state(session);
            return true;
        default:
            return false;
    }
}

}  // namespace

void fold_overlay(const ScreenPlan& plan, Layout& layout) {
    const bool folded = layout.overlay ? plan.folded : layout.line;
    layout.line = !folded;
    layout.whole = folded;
}

void perform(Action action, Desk& desk, Window& window, Ui& ui, LoopWishes& wishes) {
    if (draw_choice(action, desk.draw) || run_action(action, desk) || record_action(action, desk))
        return;
    if (action >= Action::kModel1 && action <= Action::kModel6) {
        desk.layout.used_models = true;
        desk.session.choose_model(static_cast<std::size_t>(action) -
                                  static_cast<std::size_t>(Action::kModel1));
        return;
    }
    switch (action) {
        case Action::kOpen:
            flip(desk.layout.chooser);
            break;
        case Action::kQuit:
            window.close();
            break;
        case Action::kHelp:
            flip(desk.layout.help);
            desk.layout.used_help = true;
            break;
        case Action::kOverlay:
            flip(desk.layout.overlay);
            break;
        case Action::kOverlayLine:
            fold_overlay(desk.plan, desk.layout);
            break;
        case Action::kTimeAxis:
            next_axis(desk.session.timeline());
            break;
        case Action::kNextContact:
            next_contact(desk);
            break;
        case Action::kTheme:
            flip(desk.layout.light);
            break;
        case Action::kTimeline:
            flip(desk.layout.timeline);
            break;
        case Action::kPlot:
            plot_something(desk);
            break;
        case Action::kClosePlots:
            desk.graphs.close_all();
            break;
        case Action::kPinForces:
            flip(desk.forces.pinned);
            break;
        case Action::kKeep:
            flip(desk.layout.keep);
            break;
        case Action::kLeftPanel:
            toggle_panel(Side::kLeft, desk.layout.left, !desk.plan.left.empty(), desk.layout);
            break;
        case Action::kRightPanel:
            toggle_panel(Side::kRight, desk.layout.right, !desk.plan.right.empty(), desk.layout);
            break;
        case Action::kFullScreen:
            window.toggle_full_screen();
            break;
        case Action::kLarger:
            ui.set_scale(ui.scale() * kScaleStep);
            break;
        case Action::kSmaller:
            ui.set_scale(ui.scale() / kScaleStep);
            break;
        case Action::kFrameAll:
            wishes.frame_all = true;
            break;
        case Action::kFollow:
            flip(desk.layout.follow);
            break;
        case Action::kWorst:
            show_worst_contact(desk);
            break;
        case Action::kDeselect:
            escape(desk);
            break;
        case Action::kPicture:
            wishes.picture = true;
            break;
        default:
            break;
    }
}

}  // namespace stiction

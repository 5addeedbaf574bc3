// panel_run.cpp - play, pause, step, rewind, speed.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <vector>

#include "live/frame_index.h"
#include "live/replay.h"
#include "view/input/keys.h"
#include "view/panels/panels.h"

namespace stiction {

namespace {

void tip(const char* what, Action action) {
    hint((std::string(what) + " (" + key_text(action) + ")").c_str());
}

void buttons(Desk& desk) {
    Runner& runner = desk.session.runner();
    const Pace& pace = desk.session.pace();
    if (button(desk.log, "reset", "|<")) {
        runner.reset();
        desk.session.timeline().clear();
    }
    tip("Back to the start", Action::kReset);
    ImGui::SameLine();
    if (button(desk.log, "back", "<", desk.session.now().history.at > 0)) runner.back(1);
    tip("One step back", Action::kBack);
    ImGui::SameLine();
    if (button(desk.log, "play", pace.playing ? "Pause" : " Play ")) {
        pace.playing ? runner.pause() : runner.play();
    }
    tip("Play or pause", Action::kPlay);
    ImGui::SameLine();
    if (button(desk.log, "forward", ">")) runner.forward(1);
    tip("One step on", Action::kForward);
}

void speed_choice(Desk& desk) {
    constexpr std::array<double, 9> kSpeeds = {0.01, 0.03, 0.1, 0.25, 0.5, 1, 2, 5, 0};
    constexpr std::array<std::string_view, 9> kNames = {
        "1/100", "3/100", "1/10", "1/4", "1/2", "real time", "x 2", "x 5", "as fast as it goes"};
    std::vector<double> speeds(kSpeeds.begin(), kSpeeds.end());
    std::vector<std::string_view> names(kNames.begin(), kNames.end());
    const double speed = desk.session.pace().speed;
    auto index =
        static_cast<std::size_t>(std::find(speeds.begin(), speeds.end(), speed) - speeds.begin());
    char own[32];  // one that the keys came to
    std::snprintf(own, sizeof own, "x %.3g", speed);
    if (index == speeds.size()) {
        speeds.push_back(speed);
        names.emplace_back(own);
    }
    if (choose(desk.log, "speed", "speed", names, index))
        desk.session.runner().set_speed(speeds[index]);
}

void end_choice(Desk& desk) {
    constexpr std::array<std::string_view, 3> kNames = {"stop", "begin again", "go on"};
    auto index = static_cast<std::size_t>(desk.session.at_end());
    char label[48];
    std::snprintf(label, sizeof label, "at %.4g s", desk.session.scene().duration);
    if (choose(desk.log, "at end", label, kNames, index))
        desk.session.set_at_end(static_cast<AtEnd>(index));
    hint("At the scene's duration, and at every multiple of it. Play goes on from a stop.");
}

void history_slider(Desk& desk) {
    const HistorySpan& history = desk.session.now().history;
    const auto span = static_cast<int>(history.at + history.ahead);
    int at = static_cast<int>(history.at);
    ImGui::BeginDisabled(span == 0);
    char label[48];
    std::snprintf(label, sizeof label, "%d of %d steps", at, span);
    if (ImGui::SliderInt("history", &at, 0, std::max(span, 1), label)) {
        desk.session.seek(desk.session.now().state.step + at - static_cast<int>(history.at));
    }
    desk.log.mark("history");
    ImGui::EndDisabled();
    char text[96];
    std::snprintf(text, sizeof text, "Recent steps that can be taken back; at most %lld are kept.",
                  static_cast<long long>(history.length));
    hint(text);
}

void seek_slider(Desk& desk) {
    const Snapshot& now = desk.session.now();
    double time = now.state.time;
    const double low = 0;
    if (ImGui::SliderScalar("time", ImGuiDataType_Double, &time, &low, &now.duration, "%.3f s")) {
        desk.session.runner().pause();
        desk.session.runner().post([time](Player& player) {
            if (auto* replay = dynamic_cast<Replay*>(&player)) replay->seek_time(time);
        });
    }
    desk.log.mark("seek");
}

void frame_slider(Desk& desk) {
    const auto last = static_cast<int>(desk.session.frames()->dataset().size());
    int frame = static_cast<int>(desk.session.now().history.at) + 1;
    if (ImGui::SliderInt("frame", &frame, 1, last))
        desk.session.show_frame(static_cast<std::size_t>(std::clamp(frame, 1, last) - 1));
    desk.log.mark("frame slider");
}

}  // namespace

void run_panel(Desk& desk) {
    if (!section(desk.log, "section/run", "Run")) return;
    const Snapshot& now = desk.session.now();
    const Pace& pace = desk.session.pace();
    buttons(desk);
    ImGui::SameLine();
    ImGui::Text("t = %.3f s", now.state.time);
    speed_choice(desk);
    if (desk.session.frames() != nullptr) {
        frame_slider(desk);
        return;
    }
    if (desk.session.is_replay()) {
        seek_slider(desk);
    } else {
        history_slider(desk);
    }
    if (!desk.session.is_replay()) end_choice(desk);
    row("step", "%lld%s", static_cast<long long>(now.state.step),
        pace.stepping && pace.step_running > 0.3 ? "  (computing the next)" : "");
    row("speed now", "%.3g x real time", pace.achieved);
}

}  // namespace stiction

// panel_recorder.cpp - starts and stops recordings, shows how they go.
#include <imgui.h>

#include <array>

#include "view/input/keys.h"
#include "view/palette.h"
#include "view/panels/panels.h"

namespace stiction {

namespace {

void video_settings(Desk& desk) {
    struct Size {
        std::string_view name;
        int width, height;
    };
    constexpr std::array<Size, 3> kSizes = {
        {{"1280 x 720", 1280, 720}, {"1920 x 1080", 1920, 1080}, {"640 x 360", 640, 360}}};
    constexpr std::array<std::string_view, 3> kNames = {kSizes[0].name, kSizes[1].name,
                                                        kSizes[2].name};
    VideoSettings& settings = desk.recorder.settings();
    std::size_t index = 0;
    for (std::size_t i = 0; i < kSizes.size(); ++i) {
        if (kSizes[i].height == settings.film.height) index = i;
    }
    ImGui::BeginDisabled(desk.recorder.filming());
    if (choose(desk.log, "video size", "size", kNames, index)) {
        settings.film.width = kSizes[index].width;
        settings.film.height = kSizes[index].height;
    }
    whole_number(desk.log, "video rate", "frames per second", settings.frames_per_second, 1, 120,
                 5);
    number(desk.log, "video speed", "simulated s per s", settings.speed, 1e-4, 1e3);
    toggle(desk.log, "video overlay", "with the timing overlay", settings.film.overlay);
    ImGui::EndDisabled();
}

}  // namespace

void recorder_panel(Desk& desk) {
    if (!section(desk.log, "section/record", "Record")) return;
    ViewRecorder& recorder = desk.recorder;
    Session& session = desk.session;
    if (recorder.filming()) {
        if (button(desk.log, "video", "Stop the video")) recorder.stop_video(session);
    } else if (button(desk.log, "video", "Video")) {
        recorder.start_video(session);
    }
    hint(("Simulated time, whatever the computer takes (" + key_text(Action::kVideo) + ").")
             .c_str());
    ImGui::SameLine();
    if (button(desk.log, "tables", recorder.writing_tables() ? "Stop the tables" : "Tables",
               !session.is_replay())) {
        recorder.writing_tables() ? recorder.stop_tables(session) : recorder.start_tables(session);
    }
    hint(("CSV of every step, JSON summary, HDF5 trajectory (" + key_text(Action::kTable) + ").")
             .c_str());
    ImGui::SameLine();
    if (button(desk.log, "save state", "State", !session.is_replay())) recorder.save_state(session);
    hint(("A state file from which a run goes on exactly (" + key_text(Action::kSaveState) + "); " +
          key_text(Action::kLoadState) + " goes back to it.")
             .c_str());
    if (button(desk.log, "save frame", "This step's problem", !session.is_replay()))
        recorder.save_frame();
    hint(("The contact problem of the step shown, as a dataset of one frame (" +
          key_text(Action::kSaveFrame) + ").")
             .c_str());
    ImGui::SameLine();
    if (button(desk.log, "frames", recorder.writing_frames() ? "Stop the dataset" : "Dataset",
               !session.is_replay()))
        recorder.toggle_frames();
    hint(("Contact problems of the steps from here on, as HDF5 (" + key_text(Action::kFrames) +
          "); stiction solve and compare take them, and so does this window.")
             .c_str());
    whole_number(desk.log, "frames every", "steps per frame", recorder.frames_every(), 1, 1000000);
    const bool settings = ImGui::TreeNode("Video settings");
    desk.log.mark("tree/video");
    if (settings) {
        video_settings(desk);
        ImGui::TreePop();
    }
    if (recorder.filming()) {
        const VideoWriter& video = recorder.video();
        row("video", "%lld frames, %.1f s, %.2f MB", static_cast<long long>(video.frames()),
            static_cast<double>(video.frames()) / recorder.settings().frames_per_second,
            1e-6 * static_cast<double>(video.bytes()));
    }
    if (!session.now().writing.empty()) grey_text(session.now().writing);
    if (!session.now().writing_frames.empty()) grey_text(session.now().writing_frames);
    if (!session.now().write_error.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, packed(palette::kOrange));
        wrapped_text(session.now().write_error);
        ImGui::PopStyleColor();
    }
    grey_text("Files go to " + recorder.folder());
}

}  // namespace stiction

// desk.h - what the panels work with during one frame.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"
#include "view/file_browser.h"
#include "view/film/view_recorder.h"
#include "view/orbit_camera.h"
#include "view/panels/overlay.h"
#include "view/panels/widgets.h"
#include "view/scene_picture.h"
#include "view/screen_plan.h"
#include "view/session.h"

namespace stiction {

// What is shown where; kept in the preferences where it says so.
struct Layout {
    bool left = true, right = true;  // panels
    Side preferred = Side::kLeft;    // where there is room for one panel alone: the last opened
    bool overlay = true;
    bool line = false;  // the overlay is folded to one line
    bool keep = true;   // the camera keeps what moves in view
    bool help = false;
    bool chooser = false;      // list of scenes
    bool follow = false;       // the camera moves with the selected body
    bool side_by_side = true;  // two answers to a frame, each in half of the view
};

struct FrameCosts {    // of the last frames, smoothed [s]
    double ui = 0;     // panels and overlay, until their triangles are ready
    double frame = 0;  // from picture to picture
    int draw_calls = 0;
};

struct Desk {
    Session& session;
    ViewRecorder& recorder;
    const std::vector<SceneSummary>& shipped;
    Layout& layout;
    DrawOptions& draw;
    OrbitCamera& camera;
    Highlight& selection;
    ForceScale& forces;
    const FrameCosts& costs;
    const ScreenPlan& plan;
    WidgetLog& log;
    FileBrowser& files;
    std::string& search;  // in the list of bodies and joints
    float scale = 1;
};

}  // namespace stiction

// desk.h - what the panels work with during one frame.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"
#include "view/film/view_recorder.h"
#include "view/orbit_camera.h"
#include "view/panels/overlay.h"
#include "view/panels/widgets.h"
#include "view/scene_picture.h"
#include "view/session.h"

namespace stiction {

// What is shown where; kept in the preferences where it says so.
struct Layout {
    bool left = true, right = true;  // panels
    bool overlay = true;
    bool help = false;
    bool chooser = false;  // list of scenes
    bool follow = false;   // the camera moves with the selected body
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
    const ForceScale& forces;
    const FrameCosts& costs;
    WidgetLog& log;
    float scale = 1;
};

}  // namespace stiction

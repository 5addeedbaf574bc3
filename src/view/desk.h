// desk.h - what the panels work with during one frame.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "scene/scene.h"
#include "view/file_browser.h"
#include "view/film/view_recorder.h"
#include "view/microscope.h"
#include "view/orbit_camera.h"
#include "view/panels/overlay.h"
#include "view/panels/widgets.h"
#include "view/scene_picture.h"
#include "view/screen_plan.h"
#include "view/session.h"
#include "view/step_track.h"

namespace stiction {

// What is shown where; kept in the preferences where it says so.
struct Layout {
    bool left = true, right = true;  // panels
    Side preferred = Side::kLeft;    // where there is room for one panel alone: the last opened
    bool overlay = true;
    bool line = false;     // the overlay is folded to one line
    bool whole = false;    // it was opened where there was no room for it and the legend
    bool timeline = true;  // across the window
    bool light = false;    // panels and what lies over the view
    bool keep = true;      // the camera keeps what moves in view
    bool help = false;
    bool chooser = false;                         // list of scenes
    bool used_models = false, used_help = false;  // keys that need no more hint
    bool follow = false;                          // the camera moves with the selected body
    bool side_by_side = true;  // two answers to a frame, each in half of the view
};

struct FrameCosts {    // of the last frames, smoothed [s]
    double ui = 0;     // panels and overlay, until their triangles are ready
    double frame = 0;  // from picture to picture
    int draw_calls = 0;
};

class PictureSheet;

struct GalleryState {
    std::string typed;                       // search
    std::shared_ptr<PictureSheet> pictures;  // of all shipped scenes; null until it is first open
};

// What a graph draws, kept for a few frames: it is made from all steps that are kept.
struct GraphLines {
    double from = 0, to = 0;  // of time [s]
    int count = 0;            // of columns
    std::int64_t serial = -1;
    double made = -1;  // when [s]
    std::vector<std::vector<GraphColumn>> lines;
};

struct PlotMenu {
    std::vector<Quantity> asked, offered;  // numbers that graphs are offered of
    std::array<GraphLines, Graphs::kMostGraphs> drawn;
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
    TrackRange& track_range;
    Graphs& graphs;
    PlotMenu& plots;
    GalleryState& gallery;
    ContactAnchor& anchor;
    ContactHistory& contact_history;
    std::set<int>& closed_bodies;  // rows of the tree whose children are hidden
    std::string& search;           // in the list of bodies and joints
    float scale = 1;
};

}  // namespace stiction

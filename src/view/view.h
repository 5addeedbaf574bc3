// view.h - the window: shows a scene while it runs, or a recorded run.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "record/trajectory.h"
#include "scene/scene.h"
#include "view/session.h"

namespace stiction {

struct RecordedRun {
    Scene scene;
    Trajectory trajectory;
};

struct ViewOptions {
    SceneLoader load;
    std::string scene;                  // path to open
    std::optional<RecordedRun> replay;  // instead of a scene
    std::vector<SceneSummary> shipped;  // to choose from
    int threads = 1;
    bool paused = false;        // at the start
    bool gallery = false;       // is open at the start, while the scene runs again and again
    std::string output_folder;  // of recordings; empty: the user's data folder
    std::string load_state;     // to go on from; empty: the scene's start
    std::int64_t frame = 0;     // of a dataset, from 1; 0: the first, or a scene
    float scale = 0;            // of letters; 0: as it was last time
    int width = 0, height = 0;  // 0: as the screen allows
    std::string state_log;      // for tests; empty: none
    bool debug_gl = false;
    // These may be empty. What is asked once per frame: true closes the window.
    std::function<bool()> stop;
    // Told when the window has a scene, with what completes its tables from another thread.
    std::function<void(const std::function<void()>& abandon)> opened;
    std::function<void()> closing;  // told when the loop has ended, before files are completed
    // Ends the program at once: a step or the reading of a file is under way that does not end, and all
    // tables are complete.
    std::function<void()> leave;
};

// Returns when the window is closed. Throws InputError (scene), std::runtime_error (no display).
void show_window(const ViewOptions& options);

}  // namespace stiction

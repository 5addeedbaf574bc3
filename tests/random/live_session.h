// live_session.h - a person at the window, from a seed: what is done to a random scene while it
// runs. Models, solvers and budgets are switched, step size, drift correction and coefficients
// changed, controls moved, bodies dragged, states saved and loaded, steps taken back; every step is
// held against the checks of island_checks.h.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "random/check_run.h"

namespace stiction {

enum class Deed {
    kModel,
    kStep,
    kCoefficients,
    kControl,
    kDrag,
    kRelease,
    kGhost,
    kReload,
    kBack,
    kReset
};
inline constexpr std::array<std::string_view, 10> kDeedNames = {
    "model",   "step",  "coefficients", "control", "drag",
    "release", "ghost", "reload",       "back",    "reset"};

// What the numbers mean depends on the deed:
//   model         name, solver, max_iterations (0: the solver's own)
//   step          h [s], stabilisation
//   coefficients  mu_c and eps of all pairs of materials; negative: the scene's
//   control       index, modulo how many there are; where in its range, 0 ... 1
//   drag          index of a dynamic body, modulo; strength; by where the target is off [m]
//   ghost         name; "none" ends it
//   reload        after so many steps the state is loaded from before them, and they are taken again
//   back          so many steps, but not beyond the last change, and forward again
struct Action {
    int step = 0;  // steps before it
    Deed deed = Deed::kReset;
    std::string name, solver;
    int count = 0;
    double first = 0, second = 0;
    Vec3 offset = Vec3::Zero();
};

struct Session {
    SceneSketch scene;  // its own change in the middle is one of the actions
    std::vector<Action> actions;
};

[[nodiscard]] Session random_session(std::uint64_t seed);

// A step that takes longer than this hangs: the slowest of 10,000 seeds took 2 [s].
inline constexpr double kLongestStep = 10;

[[nodiscard]] RunReport run_session(const Session& session, const RunOptions& options = {});

// Twice more, the last time on two threads: the same bits.
[[nodiscard]] RunReport repeat_session(const Session& session, const RunOptions& options = {});

// The scene with the actions as comments at its top; and back from such a file.
[[nodiscard]] std::string to_text(const Session& session);
[[nodiscard]] bool is_session(const std::string& text);  // has actions
[[nodiscard]] RunReport run_session_file(const std::string& path, int steps,
                                         const RunOptions& options = {});

// First the actions that are not needed go, then what is not needed of the scene.
[[nodiscard]] Session shrink_session(const Session& session,
                                     const std::function<bool(const Session&)>& fails,
                                     int max_attempts);

}  // namespace stiction

// keys.h - every action of the window with its key and its words: one table that the window obeys,
// the help (F1) lists and the manual repeats.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace stiction {

enum class Action {
    kPlay,
    kForward,
    kBack,
    kReset,
    kReload,
    kUndo,
    kRedo,
    kSlower,
    kFaster,
    kOpen,
    kQuit,
    kModel1,
    kModel2,
    kModel3,
    kModel4,
    kModel5,
    kModel6,
    kNextSolver,
    kGhost,
    kAddPeer,
    kNoPeers,
    kParting,
    kConvergence,
    kHelp,
    kOverlay,
    kOverlayLine,
    kTimeAxis,
    kTimeline,
    kPlot,
    kClosePlots,
    kLeftPanel,
    kRightPanel,
    kFullScreen,
    kLarger,
    kSmaller,
    kContacts,
    kNormals,
    kForces,
    kPinForces,
    kCones,
    kErrors,
    kIslands,
    kJoints,
    kCentres,
    kWireframe,
    kTransparent,
    kShadows,
    kGrid,
    kPivots,
    kTheme,
    kFrameAll,
    kKeep,
    kFollow,
    kWorst,
    kNextContact,
    kDeselect,
    kVideo,
    kPicture,
    kTable,
    kSaveFrame,
    kFrames,
    kSaveState,
    kLoadState,
};

struct KeyBinding {
    Action action;
    int key;   // GLFW_KEY_*
    int mods;  // GLFW_MOD_CONTROL, GLFW_MOD_SHIFT
    std::string_view group;
    std::string_view text;
};

[[nodiscard]] std::span<const KeyBinding> key_bindings();

// The action of a key press; an action may have several keys.
[[nodiscard]] std::optional<Action> action_for(int key, int mods);

// "Ctrl+L", "Space".
[[nodiscard]] std::string key_text(const KeyBinding& binding);
[[nodiscard]] std::string key_text(Action action);  // of its first key

}  // namespace stiction

// keys.cpp - the table of keys. Where MuJoCo's viewer has a key for the same thing, it is that one.
#include "view/input/keys.h"

#include <GLFW/glfw3.h>

#include <array>

namespace stiction {

namespace {

constexpr int kPlain = 0;
constexpr int kCtrl = GLFW_MOD_CONTROL;
constexpr int kShift = GLFW_MOD_SHIFT;

constexpr auto kBindings = std::to_array<KeyBinding>({
    {Action::kPlay, GLFW_KEY_SPACE, kPlain, "Run", "Play or pause"},
    {Action::kForward, GLFW_KEY_RIGHT, kPlain, "Run", "One step on"},
    {Action::kBack, GLFW_KEY_LEFT, kPlain, "Run", "One step back"},
    {Action::kReset, GLFW_KEY_BACKSPACE, kPlain, "Run", "Back to the start"},
    {Action::kSlower, GLFW_KEY_MINUS, kPlain, "Run", "Slower"},
    {Action::kFaster, GLFW_KEY_EQUAL, kPlain, "Run", "Faster"},
    {Action::kUndo, GLFW_KEY_Z, kCtrl, "Run", "Take the last edit of settings or controls back"},
    {Action::kRedo, GLFW_KEY_Y, kCtrl, "Run", "Make it again"},
    {Action::kReload, GLFW_KEY_L, kCtrl, "Scene", "Read the scene file again"},
    {Action::kOpen, GLFW_KEY_O, kCtrl, "Scene", "Choose a scene"},
    {Action::kQuit, GLFW_KEY_Q, kCtrl, "Scene", "Close the window"},
    {Action::kModel1, GLFW_KEY_1, kPlain, "Contact", "Model viscous"},
    {Action::kModel2, GLFW_KEY_2, kPlain, "Contact", "Model no_slip"},
    {Action::kModel3, GLFW_KEY_3, kPlain, "Contact", "Model coulomb_lcp"},
    {Action::kModel4, GLFW_KEY_4, kPlain, "Contact", "Model max_dissipation"},
    {Action::kModel5, GLFW_KEY_5, kPlain, "Contact", "Model friction_box"},
    {Action::kModel6, GLFW_KEY_6, kPlain, "Contact", "Model coulomb_cone"},
    {Action::kNextSolver, GLFW_KEY_TAB, kCtrl, "Contact", "Next solver of the model"},
    {Action::kGhost, GLFW_KEY_B, kPlain, "Contact", "Compare: ghost under a second model"},
    {Action::kAddPeer, GLFW_KEY_B, kShift, "Contact", "Side by side: one more view, another model"},
    {Action::kNoPeers, GLFW_KEY_B, kCtrl, "Contact", "One view again"},
    {Action::kParting, GLFW_KEY_Q, kShift, "Contact", "Go to where two views part first"},
    {Action::kConvergence, GLFW_KEY_L, kPlain, "Contact",
     "Trace the convergence of the last solve"},
    {Action::kHelp, GLFW_KEY_F1, kPlain, "Window", "This help"},
    {Action::kOverlay, GLFW_KEY_F3, kPlain, "Window", "Timing overlay"},
    {Action::kOverlayLine, GLFW_KEY_F3, kShift, "Window", "Timing overlay in one line"},
    {Action::kTimeAxis, GLFW_KEY_X, kPlain, "Window", "Timing plot over steps or time"},
    {Action::kTimeline, GLFW_KEY_H, kPlain, "Window", "Timeline across the window"},
    {Action::kPlot, GLFW_KEY_Y, kPlain, "Window", "Graph: speed of the selected body, else energy"},
    {Action::kClosePlots, GLFW_KEY_Y, kShift, "Window", "Close all graphs"},
    {Action::kFullScreen, GLFW_KEY_F5, kPlain, "Window", "Full screen"},
    {Action::kLeftPanel, GLFW_KEY_TAB, kPlain, "Window", "Left panel"},
    {Action::kRightPanel, GLFW_KEY_TAB, kShift, "Window", "Right panel"},
    {Action::kLarger, GLFW_KEY_EQUAL, kCtrl, "Window", "Larger letters"},
    {Action::kSmaller, GLFW_KEY_MINUS, kCtrl, "Window", "Smaller letters"},
    {Action::kContacts, GLFW_KEY_C, kPlain, "Draw", "Contact points"},
    {Action::kNormals, GLFW_KEY_N, kPlain, "Draw", "Contact normals"},
    {Action::kForces, GLFW_KEY_F, kPlain, "Draw", "Contact forces"},
    {Action::kPinForces, GLFW_KEY_F, kShift, "Draw", "Hold the scale of the forces"},
    {Action::kCones, GLFW_KEY_K, kPlain, "Draw", "Friction sets with the forces in them"},
    {Action::kErrors, GLFW_KEY_E, kPlain, "Draw", "Contact points by their error"},
    {Action::kIslands, GLFW_KEY_I, kPlain, "Draw", "Islands by colour"},
    {Action::kJoints, GLFW_KEY_J, kPlain, "Draw", "Joint frames and limits"},
    {Action::kCentres, GLFW_KEY_M, kPlain, "Draw", "Centres of mass"},
    {Action::kWireframe, GLFW_KEY_W, kPlain, "Draw", "Wireframe"},
    {Action::kTransparent, GLFW_KEY_T, kPlain, "Draw", "Transparent bodies"},
    {Action::kShadows, GLFW_KEY_S, kPlain, "Draw", "Shadows"},
    {Action::kGrid, GLFW_KEY_G, kPlain, "Draw", "Grid"},
    {Action::kPivots, GLFW_KEY_J, kShift, "Draw", "Pivots of joints and fixed bases"},
    {Action::kTheme, GLFW_KEY_F4, kPlain, "Draw", "Light or dark"},
    {Action::kFrameAll, GLFW_KEY_A, kPlain, "Camera", "Show everything"},
    {Action::kKeep, GLFW_KEY_Z, kPlain, "Camera", "Keep what moves in view"},
    {Action::kFollow, GLFW_KEY_ENTER, kPlain, "Camera", "Follow the selected body"},
    {Action::kWorst, GLFW_KEY_Q, kPlain, "Camera", "Show me the worst contact"},
    {Action::kNextContact, GLFW_KEY_O, kPlain, "Camera",
     "Next contact under the microscope (of the selected body)"},
    {Action::kDeselect, GLFW_KEY_ESCAPE, kPlain, "Camera", "Select nothing; close what is open"},
    {Action::kVideo, GLFW_KEY_V, kPlain, "Record", "Start or stop a video"},
    {Action::kPicture, GLFW_KEY_P, kPlain, "Record", "Picture of the window"},
    {Action::kTable, GLFW_KEY_R, kPlain, "Record", "Start or stop tables (CSV, JSON, trajectory)"},
    {Action::kSaveFrame, GLFW_KEY_D, kPlain, "Record", "Save this step's contact problem"},
    {Action::kFrames, GLFW_KEY_D, kShift, "Record", "Start or stop a dataset of contact problems"},
    {Action::kSaveState, GLFW_KEY_S, kCtrl, "Record", "Save the state"},
    {Action::kLoadState, GLFW_KEY_R, kCtrl, "Record", "Go on from the state saved last"},
});

struct KeyName {
    int key;
    std::string_view name;
};
constexpr auto kNames = std::to_array<KeyName>({{GLFW_KEY_SPACE, "Space"},
                                                {GLFW_KEY_RIGHT, "Right"},
                                                {GLFW_KEY_LEFT, "Left"},
                                                {GLFW_KEY_BACKSPACE, "Backspace"},
                                                {GLFW_KEY_MINUS, "-"},
                                                {GLFW_KEY_EQUAL, "="},
                                                {GLFW_KEY_TAB, "Tab"},
                                                {GLFW_KEY_ENTER, "Enter"},
                                                {GLFW_KEY_ESCAPE, "Esc"}});

std::string name_of(int key) {
    for (const KeyName& entry : kNames) {
        if (entry.key == key) return std::string(entry.name);
    }
    if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F25)
        return "F" + std::to_string(key - GLFW_KEY_F1 + 1);
    return {static_cast<char>(key)};  // letters and digits are their own codes
}

// Keys of the number pad and of other layouts that mean the same.
int canonical(int key) {
    switch (key) {
        case GLFW_KEY_KP_ADD:
            return GLFW_KEY_EQUAL;
        case GLFW_KEY_KP_SUBTRACT:
            return GLFW_KEY_MINUS;
        case GLFW_KEY_KP_ENTER:
            return GLFW_KEY_ENTER;
        default:
            return key;
    }
}

}  // namespace

std::span<const KeyBinding> key_bindings() { return kBindings; }

std::optional<Action> action_for(int key, int mods) {
    const int wanted = mods & (GLFW_MOD_CONTROL | GLFW_MOD_SHIFT | GLFW_MOD_ALT);
    for (const KeyBinding& binding : kBindings) {
        if (binding.key == canonical(key) && binding.mods == wanted) return binding.action;
    }
    // "+" is Shift and "=" on many keyboards.
    if (canonical(key) == GLFW_KEY_EQUAL && (wanted & GLFW_MOD_SHIFT) != 0)
        return action_for(key, wanted & ~GLFW_MOD_SHIFT);
    return std::nullopt;
}

std::string key_text(const KeyBinding& binding) {
    std::string text;
    if ((binding.mods & GLFW_MOD_CONTROL) != 0) text += "Ctrl+";
    if ((binding.mods & GLFW_MOD_SHIFT) != 0) text += "Shift+";
    return text + name_of(binding.key);
}

std::string key_text(Action action) {
    for (const KeyBinding& binding : kBindings) {
        if (binding.action == action) return key_text(binding);
    }
    return "";
}

}  // namespace stiction

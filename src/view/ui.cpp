// ui.cpp - fonts, colours and backends of Dear ImGui.
#include "view/ui.h"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace stiction {

namespace {

constexpr float kFontSize = 15;  // pixels at scale 1

// Latin with accents, Greek letters of the equations, a few signs.
constexpr std::array<ImWchar, 9> kGlyphs = {0x0020, 0x00FF, 0x0391, 0x03C9, 0x2013,
                                            0x2026, 0x2032, 0x2033, 0};

std::string find_font(const std::string& name) {
    if (const char* folder = std::getenv("STICTION_FONTS")) return std::string(folder) + "/" + name;
    for (const char* folder : {"/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF",
                               "/usr/share/fonts/truetype/roboto/unhinted",
                               "/usr/share/fonts/truetype/roboto", "/usr/share/fonts/roboto"}) {
        const std::string path = std::string(folder) + "/" + name;
        if (std::filesystem::exists(path)) return path;
    }
    return "";
}

void load_fonts(float scale) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    const float size = std::round(kFontSize * scale);
    const std::string path = find_font("Roboto-Regular.ttf");
    if (path.empty() || !std::filesystem::exists(path)) {
        spdlog::warn(
            "the font Roboto was not found (package fonts-roboto-unhinted); a plain one "
            "is used instead");
        ImFontConfig config;
        config.SizePixels = std::round(13 * scale);
        atlas.AddFontDefault(&config);
        return;
    }
    ImFontConfig config;
    config.OversampleH = 2;
    config.OversampleV = 1;
    atlas.AddFontFromFileTTF(path.c_str(), size, &config, kGlyphs.data());
}

void set_dark_colours(ImGuiStyle& style);
void set_light_colours(ImGuiStyle& style);

void set_looks(float scale, bool light) {
    ImGuiStyle style;
    light ? ImGui::StyleColorsLight(&style) : ImGui::StyleColorsDark(&style);
    style.WindowRounding = 6;
    style.FrameRounding = 4;
    style.GrabRounding = 4;
    style.PopupRounding = 4;
    style.ScrollbarSize = 12;
    style.WindowBorderSize = 0;
    style.WindowPadding = {10, 8};
    style.FramePadding = {7, 3};
    style.ItemSpacing = {7, 5};
    style.IndentSpacing = 14;
    light ? set_light_colours(style) : set_dark_colours(style);
    style.ScaleAllSizes(scale);
    ImGui::GetStyle() = style;
}

void set_light_colours(ImGuiStyle& style) {
    const auto set = [&style](ImGuiCol which, float r, float g, float b, float a) {
        style.Colors[which] = {r, g, b, a};
    };
    set(ImGuiCol_Text, 0.10F, 0.11F, 0.13F, 1);
    set(ImGuiCol_TextDisabled, 0.36F, 0.38F, 0.42F, 1);
    set(ImGuiCol_WindowBg, 0.95F, 0.955F, 0.96F, 0.96F);
    set(ImGuiCol_PopupBg, 0.99F, 0.99F, 0.99F, 0.98F);
    set(ImGuiCol_FrameBg, 0.86F, 0.87F, 0.89F, 1);
    set(ImGuiCol_FrameBgHovered, 0.80F, 0.83F, 0.87F, 1);
    set(ImGuiCol_FrameBgActive, 0.74F, 0.79F, 0.85F, 1);
    set(ImGuiCol_Header, 0.84F, 0.87F, 0.90F, 1);
    set(ImGuiCol_HeaderHovered, 0.76F, 0.84F, 0.91F, 1);
    set(ImGuiCol_HeaderActive, 0.68F, 0.80F, 0.90F, 1);
    set(ImGuiCol_Button, 0.80F, 0.84F, 0.88F, 1);
    set(ImGuiCol_ButtonHovered, 0.66F, 0.80F, 0.91F, 1);
    set(ImGuiCol_ButtonActive, 0.52F, 0.73F, 0.89F, 1);
    set(ImGuiCol_CheckMark, 0.00F, 0.45F, 0.70F, 1);
    set(ImGuiCol_SliderGrab, 0.30F, 0.55F, 0.72F, 1);
    set(ImGuiCol_SliderGrabActive, 0.00F, 0.45F, 0.70F, 1);
    set(ImGuiCol_Separator, 0.75F, 0.77F, 0.80F, 1);
    set(ImGuiCol_TitleBg, 0.86F, 0.88F, 0.90F, 1);
    set(ImGuiCol_TitleBgActive, 0.78F, 0.84F, 0.89F, 1);
    set(ImGuiCol_PlotHistogram, 0.62F, 0.76F, 0.86F, 1);  // bars of joints
    set(ImGuiCol_TableHeaderBg, 0.87F, 0.88F, 0.90F, 1);
    set(ImGuiCol_TableRowBgAlt, 0, 0, 0, 0.03F);
}

void set_dark_colours(ImGuiStyle& style) {
    const auto set = [&style](ImGuiCol which, float r, float g, float b, float a) {
        style.Colors[which] = {r, g, b, a};
    };
    set(ImGuiCol_WindowBg, 0.12F, 0.13F, 0.15F, 0.94F);
    set(ImGuiCol_PopupBg, 0.14F, 0.15F, 0.17F, 0.98F);
    set(ImGuiCol_FrameBg, 0.21F, 0.23F, 0.26F, 1);
    set(ImGuiCol_FrameBgHovered, 0.26F, 0.29F, 0.33F, 1);
    set(ImGuiCol_FrameBgActive, 0.30F, 0.34F, 0.39F, 1);
    set(ImGuiCol_Header, 0.19F, 0.22F, 0.26F, 1);
    set(ImGuiCol_HeaderHovered, 0.24F, 0.31F, 0.38F, 1);
    set(ImGuiCol_HeaderActive, 0.20F, 0.36F, 0.48F, 1);
    set(ImGuiCol_Button, 0.22F, 0.27F, 0.32F, 1);
    set(ImGuiCol_ButtonHovered, 0.20F, 0.40F, 0.54F, 1);
    set(ImGuiCol_ButtonActive, 0.10F, 0.45F, 0.64F, 1);
    set(ImGuiCol_CheckMark, 0.34F, 0.71F, 0.91F, 1);
    set(ImGuiCol_SliderGrab, 0.34F, 0.60F, 0.76F, 1);
    set(ImGuiCol_SliderGrabActive, 0.34F, 0.71F, 0.91F, 1);
    set(ImGuiCol_Separator, 0.28F, 0.30F, 0.33F, 1);
    set(ImGuiCol_TitleBg, 0.17F, 0.20F, 0.23F, 1);
    set(ImGuiCol_TitleBgActive, 0.19F, 0.25F, 0.31F, 1);
    set(ImGuiCol_PlotHistogram, 0.24F, 0.42F, 0.53F, 1);  // bars of joints
    set(ImGuiCol_TableRowBgAlt, 1, 1, 1, 0.03F);
}

// Dear ImGui draws into one context at a time. A film has its own, and may begin or end by a click
// in the middle of the window's panels: what was in use before is in use again afterwards.
class ContextInUse {
  public:
    explicit ContextInUse(ImGuiContext* wanted) : before_(ImGui::GetCurrentContext()) {
        ImGui::SetCurrentContext(wanted);
    }
    ~ContextInUse() { ImGui::SetCurrentContext(before_); }
    ContextInUse(const ContextInUse&) = delete;
    ContextInUse& operator=(const ContextInUse&) = delete;

  private:
    ImGuiContext* before_;
};

}  // namespace

struct Ui::Impl {
    ImGuiContext* context = nullptr;
    ImGuiContext* before = nullptr;  // in use when a frame of this one began
    bool window = false;
    float scale = 1;
    float wanted_scale = 1;
    bool light = false, wanted_light = false;
    std::string layout_file;

    void begin_use() {
        before = ImGui::GetCurrentContext();
        ImGui::SetCurrentContext(context);
    }
    void end_use() const { ImGui::SetCurrentContext(before); }

    // Tab is ours: where no text is being typed, ImGui would put the cursor into the next text
    // field of the panel that was clicked last, and every key after it would be taken for text.
    static void keep_tab() {
        ImGuiIO& io = ImGui::GetIO();
        if (!io.WantTextInput) io.KeysDown[io.KeyMap[ImGuiKey_Tab]] = false;
    }

    void apply_light() {
        if (light == wanted_light) return;
        light = wanted_light;
        set_looks(scale, light);
    }

    void apply_scale() {
        if (scale == wanted_scale) return;
        scale = wanted_scale;
        load_fonts(scale);
        set_looks(scale, light);
        ImGui_ImplOpenGL3_DestroyFontsTexture();
        ImGui_ImplOpenGL3_CreateFontsTexture();
    }
};

Ui::Ui(const UiOptions& options) : impl_(std::make_unique<Impl>()) {
    ImGuiContext* const before = ImGui::GetCurrentContext();
    impl_->context = ImGui::CreateContext();
    ImGui::SetCurrentContext(impl_->context);
    impl_->window = options.window != nullptr;
    impl_->scale = impl_->wanted_scale = std::clamp(options.scale, kSmallestScale, kLargestScale);
    impl_->layout_file = options.layout_file;
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = impl_->layout_file.empty() ? nullptr : impl_->layout_file.c_str();
    io.LogFilename = nullptr;
    io.ConfigWindowsMoveFromTitleBarOnly = false;
    load_fonts(impl_->scale);
    set_looks(impl_->scale, impl_->light);
    if (impl_->window) ImGui_ImplGlfw_InitForOpenGL(options.window, true);
    ImGui_ImplOpenGL3_Init("#version 330 core");
    if (before != nullptr) ImGui::SetCurrentContext(before);
}

Ui::~Ui() {
    ImGuiContext* const before = ImGui::GetCurrentContext();
    ImGui::SetCurrentContext(impl_->context);
    ImGui_ImplOpenGL3_Shutdown();
    if (impl_->window) ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext(impl_->context);
    if (before != impl_->context) ImGui::SetCurrentContext(before);
}

void Ui::begin() {
    impl_->begin_use();
    impl_->apply_scale();
    impl_->apply_light();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    Impl::keep_tab();
    ImGui::NewFrame();
}

void Ui::begin(int width, int height, double dt) {
    impl_->begin_use();
    impl_->apply_scale();
    ImGui_ImplOpenGL3_NewFrame();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
    io.DisplayFramebufferScale = {1, 1};
    io.DeltaTime = static_cast<float>(std::max(dt, 1e-4));
    ImGui::NewFrame();
}

void Ui::end() {
    ImGui::Render();
    impl_->end_use();
}

void Ui::draw() {
    const ContextInUse use(impl_->context);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

float Ui::scale() const { return impl_->wanted_scale; }

void Ui::set_scale(float scale) {
    impl_->wanted_scale = std::clamp(scale, kSmallestScale, kLargestScale);
}

void Ui::set_light(bool light) { impl_->wanted_light = light; }

bool Ui::wants_mouse() const {
    const ContextInUse use(impl_->context);
    return ImGui::GetIO().WantCaptureMouse;
}

bool Ui::wants_text() const {
    const ContextInUse use(impl_->context);
    return ImGui::GetIO().WantTextInput;
}

}  // namespace stiction

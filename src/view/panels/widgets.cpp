// widgets.cpp - thin layers over Dear ImGui that log where they drew.
#include "view/panels/widgets.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>

namespace stiction {

void WidgetLog::mark(std::string_view name) {
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    if (ImGui::IsItemVisible())
        places_.insert_or_assign(std::string(name), Rectangle{low.x, low.y, high.x, high.y});
}

unsigned packed(const Colour& colour) {
    return ImGui::ColorConvertFloat4ToU32({colour.r, colour.g, colour.b, colour.a});
}

unsigned legible(const Colour& colour) {
    constexpr float kDarker = 0.62F;
    const ImVec4& ground = ImGui::GetStyleColorVec4(ImGuiCol_WindowBg);
    const float k = ground.x > 0.5F ? kDarker : 1;
    return packed({k * colour.r, k * colour.g, k * colour.b, colour.a});
}

bool choose(WidgetLog& log, const char* id, const char* label,
            std::span<const std::string_view> names, std::size_t& index) {
    bool changed = false;
    const std::string shown(index < names.size() ? names[index] : "");
    const bool open = ImGui::BeginCombo(label, shown.c_str());
    if (!open) log.mark(id);
    if (!open) return false;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string text(names[i]);
        if (ImGui::Selectable(text.c_str(), i == index) && i != index) {
            index = i;
            changed = true;
        }
        log.mark(std::string(id) + "/" + text);
    }
    ImGui::EndCombo();
    return changed;
}

bool button(WidgetLog& log, const char* id, const std::string& label, bool enabled) {
    ImGui::BeginDisabled(!enabled);
    ImGui::PushID(id);
    const bool pressed = ImGui::Button(label.c_str());
    ImGui::PopID();
    log.mark(id);
    ImGui::EndDisabled();
    return pressed;
}

bool toggle(WidgetLog& log, const char* id, const char* label, bool& value) {
    const bool changed = ImGui::Checkbox(label, &value);
    log.mark(id);
    return changed;
}

namespace {

// What is typed into a number field until it is left: the field shows it, the value waits.
class Pending {
  public:
    explicit Pending(const char* label)
        : storage_(*ImGui::GetStateStorage()), id_(ImGui::GetID(label)) {}

    [[nodiscard]] double get(double otherwise) const {
        if (!storage_.GetBool(id_)) return otherwise;
        const auto low = static_cast<std::uint32_t>(storage_.GetInt(id_ + 1));
        const auto high = static_cast<std::uint32_t>(storage_.GetInt(id_ + 2));
        return std::bit_cast<double>(std::uint64_t{high} << 32U | low);
    }
    void set(double value) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        storage_.SetBool(id_, true);
        storage_.SetInt(id_ + 1, static_cast<int>(bits & 0xFFFFFFFFU));
        storage_.SetInt(id_ + 2, static_cast<int>(bits >> 32U));
    }
    void drop() { storage_.SetBool(id_, false); }

  private:
    ImGuiStorage& storage_;
    ImGuiID id_;
};

}  // namespace

bool number(WidgetLog& log, const char* id, const char* label, double& value, double low,
            double high, const char* format) {
    Pending pending(label);
    double edited = pending.get(value);
    if (ImGui::InputDouble(label, &edited, 0, 0, format)) pending.set(edited);
    const bool done = ImGui::IsItemDeactivatedAfterEdit();
    if (ImGui::IsItemDeactivated()) pending.drop();
    log.mark(id);
    if (!done || !std::isfinite(edited)) return false;
    edited = std::clamp(edited, low, high);
    const bool changed = edited != value;
    value = edited;
    return changed;
}

bool whole_number(WidgetLog& log, const char* id, const char* label, int& value, int low, int high,
                  int step) {
    int edited = value;
    const bool touched = ImGui::InputInt(label, &edited, step, 10 * step);
    log.mark(id);
    if (!touched) return false;
    edited = std::clamp(edited, low, high);
    const bool changed = edited != value;
    value = edited;
    return changed;
}

bool section(WidgetLog& log, const char* id, const char* label, bool open) {
    const bool shown = ImGui::CollapsingHeader(label, open ? ImGuiTreeNodeFlags_DefaultOpen : 0);
    log.mark(id);
    return shown;
}

bool close_lists() {
    if (ImGui::GetCurrentContext()->OpenPopupStack.empty()) return false;
    ImGui::ClosePopupToLevel(0, true);
    return true;
}

void place_dialog(float letters) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Appearing, {0.5F, 0.5F});
    ImGui::SetNextWindowSizeConstraints({0, 0}, {0.96F * display.x, 0.96F * display.y});
    ImGui::SetNextWindowSize({std::min(letters * ImGui::GetFontSize(), 0.96F * display.x), 0});
    ImGui::SetNextWindowBgAlpha(1);
}

void hint(const char* text) {
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(25 * ImGui::GetFontSize());
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

void row(const char* name, const char* format, ...) {
    ImGui::TextDisabled("%s", name);
    ImGui::SameLine(8.5F * ImGui::GetFontSize());
    va_list arguments;
    va_start(arguments, format);
    ImGui::PushTextWrapPos(0);
    ImGui::TextV(format, arguments);
    ImGui::PopTextWrapPos();
    va_end(arguments);
}

void grey_text(const std::string& text) {
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    wrapped_text(text);
    ImGui::PopStyleColor();
}

void wrapped_text(const std::string& text) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
}

namespace {

struct UnitPrefix {
    double factor;
    const char* text;
};
constexpr std::array<UnitPrefix, 6> kUnitPrefixes = {
    {{1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "\xC2\xB5"}, {1e-9, "n"}}};

// The largest that is not above the value; none for what is smaller than all of them.
const UnitPrefix& prefix_for(double size) {
    for (const UnitPrefix& prefix : kUnitPrefixes) {
        if (size >= 0.9995 * prefix.factor) return prefix;
    }
    return kUnitPrefixes[2];
}

}  // namespace

void triple_row(const char* name, const std::array<double, 3>& v, std::string_view unit) {
    ImGui::TextDisabled("%s", name);
    ImGui::SameLine(8.5F * ImGui::GetFontSize());
    const std::string given(unit);
    std::array<char, 96> text{};
    std::snprintf(text.data(), text.size(), "%.4g  %.4g  %.4g %s", v[0], v[1], v[2], given.c_str());
    if (!given.empty() && ImGui::CalcTextSize(text.data()).x > ImGui::GetContentRegionAvail().x) {
        double most = 0;
        for (const double x : v) most = std::max(most, std::abs(x));
        const UnitPrefix& prefix = prefix_for(most);
        const auto digits = [&](double x) {  // three, of the largest
            std::array<char, 32> number{};
            const double shown = x / prefix.factor, largest = most / prefix.factor;
            std::snprintf(number.data(), number.size(), "%.*f",
                          largest >= 100  ? 0
                          : largest >= 10 ? 1
                                          : 2,
                          shown);
            return std::string(number.data());
        };
        std::snprintf(text.data(), text.size(), "%s  %s  %s %s%s", digits(v[0]).c_str(),
                      digits(v[1]).c_str(), digits(v[2]).c_str(), prefix.text, given.c_str());
    }
    ImGui::TextUnformatted(text.data());
}

std::string with_unit(double value, std::string_view unit) {
    const UnitPrefix& chosen = prefix_for(std::abs(value));
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.3g %s%.*s", value / chosen.factor, chosen.text,
                  static_cast<int>(unit.size()), unit.data());
    return text.data();
}

}  // namespace stiction

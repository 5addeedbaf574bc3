// widgets.h - the few widgets the panels share, and where on the screen each one was drawn: tests
// that work the window with the mouse find them by name.
#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "draw/picture.h"

namespace stiction {

class WidgetLog {
  public:
    using Rectangle = std::array<float, 4>;  // left, top, right, bottom [pixels of the window]

    void clear() { places_.clear(); }
    void mark(std::string_view name);  // the widget drawn last
    void place(std::string_view name, const Rectangle& where) {
        places_.insert_or_assign(std::string(name), where);
    }
    [[nodiscard]] const std::map<std::string, Rectangle, std::less<>>& places() const {
        return places_;
    }

  private:
    std::map<std::string, Rectangle, std::less<>> places_;
};

[[nodiscard]] unsigned packed(const Colour& colour);  // ImGui's 32 bits
// Of letters and thin lines on a panel: darker where panels are light.
[[nodiscard]] unsigned legible(const Colour& colour);

// Each returns whether the user changed the value. `id` is the name in the log, and unique.
bool choose(WidgetLog& log, const char* id, const char* label,
            std::span<const std::string_view> names, std::size_t& index);
bool button(WidgetLog& log, const char* id, const std::string& label, bool enabled = true);
bool toggle(WidgetLog& log, const char* id, const char* label, bool& value);
bool number(WidgetLog& log, const char* id, const char* label, double& value, double low,
            double high, const char* format = "%.4g");
bool whole_number(WidgetLog& log, const char* id, const char* label, int& value, int low, int high,
                  int step = 1);
bool section(WidgetLog& log, const char* id, const char* label, bool open = true);

bool close_lists();  // that are open (between frames); returns whether there were any

// The window that begins next is in the middle, so many letters wide, and covers the overlay.
void place_dialog(float letters);
void hint(const char* text);  // shown when the mouse rests on the widget before
// The text is wrapped where it is too long for the panel.
void row(const char* name, const char* format, ...) __attribute__((format(printf, 2, 3)));
void grey_text(const std::string& text);
void wrapped_text(const std::string& text);

// Three numbers as wide as there is room for: with four digits, or three and a common prefix.
void triple_row(const char* name, const std::array<double, 3>& v, std::string_view unit);

// A length, time, force with three digits and a prefix: "1.23 ms".
[[nodiscard]] std::string with_unit(double value, std::string_view unit);

}  // namespace stiction

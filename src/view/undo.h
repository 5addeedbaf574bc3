// undo.h - edits of a running scene, to be taken back and made again: settings, and numbers of its
// controls.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "live/live_settings.h"

namespace stiction {

struct Edit {
    std::string name;  // "model no_slip to coulomb_cone"
    std::optional<LiveSettings> settings_before, settings_after;
    std::size_t control = 0;  // where there are no settings
    double before = 0, after = 0;
    double at = 0;  // when it was last added to [s]
};

class Undo {
  public:
    // Edits of the same thing within a moment of each other are one: a slider that is dragged.
    void settings(const LiveSettings& before, const LiveSettings& after, double now);
    void control(std::size_t control, const std::string& name, double before, double after,
                 double now);
    void clear();

    // The edit to take back, or to make again; empty: there is none.
    [[nodiscard]] std::optional<Edit> back();
    [[nodiscard]] std::optional<Edit> again();
    [[nodiscard]] std::size_t made() const { return at_; }
    [[nodiscard]] std::size_t ahead() const { return edits_.size() - at_; }

  private:
    void push(Edit edit);

    std::vector<Edit> edits_;
    std::size_t at_ = 0;  // edits before it are made
};

}  // namespace stiction

// overlay.h - the timing overlay: stage times stacked over the last seconds, what each stage costs
// now, in the mean and at worst, before and after a switch. The same widget is drawn in the window
// and into videos and pictures.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "live/snapshot.h"
#include "scene/quantity.h"
#include "view/panels/plots.h"
#include "view/panels/widgets.h"
#include "view/timeline.h"

namespace stiction {

// What the overlay shows of the timeline, taken anew several times a second: it goes through all
// steps of the span.
class OverlayNumbers {
  public:
    static constexpr std::int64_t kLastStep = std::numeric_limits<std::int64_t>::max();

    // now: any clock [s]; step: the one on show, of whose model and settings the numbers are.
    void refresh(const Timeline& timeline, double now, std::int64_t step = kLastStep);
    void refresh_now(const Timeline& timeline);
    [[nodiscard]] const CostSummary& present() const { return present_; }
    // Of the steps before the last switch (of model, solver, narrowphase or settings); stays until
    // the next switch or until it is dismissed.
    [[nodiscard]] const std::optional<CostSummary>& before() const { return before_; }
    void dismiss_before() { before_.reset(); }
    [[nodiscard]] const StagePlot& plot() const { return plot_; }

  private:
    void sum_up(const Timeline& timeline, std::int64_t step);

    CostSummary present_;
    std::optional<CostSummary> before_;
    StagePlot plot_;
    double next_plot_ = -1, next_sum_ = -1;
    std::int64_t shown_step_ = -1;   // when it was summed up last
    std::int64_t switch_step_ = -1;  // first step after the switch that before_ belongs to
};

struct OverlayPlace {
    float left = 0, bottom = 0;  // of its corner [pixels]
    float width = 0;             // most that it may take; 0: what it wants
    bool live = true;            // can be clicked; a film's cannot
    bool line = false;           // folded to one line,
    bool can_open = true;        // and there is room for the whole
};

// What was clicked in it, and how large it is.
struct OverlayResult {
    bool fold = false, next_axis = false, dismiss_before = false;
    std::optional<Quantity> plot;  // right clicked
    float width = 0, height = 0;
};

[[nodiscard]] float overlay_width();  // of the whole one, with the present letters [pixels]
OverlayResult draw_overlay(const OverlayNumbers& numbers, const Snapshot& snapshot, double achieved,
                           const OverlayPlace& place, WidgetLog& log);

}  // namespace stiction

// overlay.h - the timing overlay: stage times stacked over the last seconds, what each stage costs
// now, in the mean and at worst, before and after a switch of the model. The same widget is drawn
// in the window and into videos and pictures.
#pragma once

#include <optional>

#include "live/snapshot.h"
#include "view/panels/plots.h"
#include "view/panels/widgets.h"
#include "view/timeline.h"

namespace stiction {

// What the overlay shows of the timeline, taken anew several times a second: it goes through all
// steps of the span.
class OverlayNumbers {
  public:
    void refresh(const Timeline& timeline, double now);  // now: any clock [s]
    void refresh_now(const Timeline& timeline);
    [[nodiscard]] const CostSummary& present() const { return present_; }
    // Of the model that ran before the last switch.
    [[nodiscard]] const std::optional<CostSummary>& before() const { return before_; }
    [[nodiscard]] const StagePlot& plot() const { return plot_; }

  private:
    void sum_up(const Timeline& timeline);

    CostSummary present_;
    std::optional<CostSummary> before_;
    StagePlot plot_;
    double next_plot_ = -1, next_sum_ = -1;
    std::string_view model_;
};

struct OverlayPlace {
    float x = 0, y = 0;  // where it starts out, of its lower left corner [pixels]
    bool movable = true;
};

void draw_overlay(const OverlayNumbers& numbers, const Snapshot& snapshot, double achieved,
                  const OverlayPlace& place, WidgetLog& log);

}  // namespace stiction

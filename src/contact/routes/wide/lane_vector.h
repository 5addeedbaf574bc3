// lane_vector.h - numbers that start on a cache line, for the kernels of a sweep.
#pragma once

#include <vector>

#include "contact/routes/wide/sweep_pack.h"
#include "core/types.h"

namespace stiction {

class LaneVector {
  public:
    // Nothing is kept.
    void set_zero(std::size_t size) {
        size_ = size;
        lines_.assign((size + kLanes - 1) / kLanes, Line{});
    }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] double* data() { return lines_.empty() ? nullptr : lines_.front().x; }
    [[nodiscard]] const double* data() const { return lines_.empty() ? nullptr : lines_.front().x; }
    [[nodiscard]] Eigen::Map<VecX> all() { return {data(), static_cast<Eigen::Index>(size_)}; }
    [[nodiscard]] Eigen::Map<const VecX> all() const {
        return {data(), static_cast<Eigen::Index>(size_)};
    }

  private:
    struct alignas(64) Line {
        double x[kLanes] = {};
    };
    std::vector<Line> lines_;
    std::size_t size_ = 0;
};

}  // namespace stiction

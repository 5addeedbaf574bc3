// frame_index.h - the frames of a dataset as a list: names and contacts are there at once, how good
// their answers are follows, read by a thread of its own.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "problem_files/dataset.h"
#include "problem_files/frame_summary.h"

namespace stiction {

class FrameIndex {
  public:
    explicit FrameIndex(std::shared_ptr<const Dataset> dataset);
    ~FrameIndex();  // ends after the frame at hand
    FrameIndex(const FrameIndex&) = delete;
    FrameIndex& operator=(const FrameIndex&) = delete;

    [[nodiscard]] const Dataset& dataset() const { return *dataset_; }
    [[nodiscard]] std::size_t read() const { return read_; }  // frames so far
    // Empty where it was not read yet, or holds no answer that can be read.
    [[nodiscard]] std::optional<FrameSummary> summary(std::size_t frame) const;

  private:
    void work();

    std::shared_ptr<const Dataset> dataset_;
    std::atomic<bool> ended_ = false;
    std::atomic<std::size_t> read_ = 0;
    mutable std::mutex mutex_;
    std::vector<std::optional<FrameSummary>> summaries_;
    std::thread thread_;
};

}  // namespace stiction

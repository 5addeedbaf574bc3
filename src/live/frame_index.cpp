// frame_index.cpp - reads the answers of all frames, one after the other.
#include "live/frame_index.h"

#include <sys/resource.h>
#include <unistd.h>

#include <utility>

#include "core/error.h"

namespace stiction {

FrameIndex::FrameIndex(std::shared_ptr<const Dataset> dataset)
    : dataset_(std::move(dataset)), summaries_(dataset_->size()) {
    thread_ = std::thread([this] { work(); });
}

FrameIndex::~FrameIndex() {
    ended_ = true;
    thread_.join();
}

std::optional<FrameSummary> FrameIndex::summary(std::size_t frame) const {
    const std::lock_guard lock(mutex_);
    return summaries_[frame];
}

// A frame that cannot be read says so when it is shown. The list, and all that is drawn, comes first:
// Linux gives every thread, and the processes that it starts, a priority of its own.
void FrameIndex::work() {
    constexpr int kBehindAllOthers = 19;
    (void)setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kBehindAllOthers);
    try {
        summarise_frames(*dataset_,
                         [this](std::size_t k, const std::optional<FrameSummary>& found) {
                             const std::lock_guard lock(mutex_);
                             summaries_[k] = found;
                             read_ = k + 1;
                             return !ended_;
                         });
    } catch (const InputError&) {  // the file is gone
        read_ = dataset_->size();
    }
}

}  // namespace stiction

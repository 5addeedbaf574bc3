// snapshot_pool.h - snapshots that are used again when nobody looks at them any more, so that a
// run's snapshots do not allocate all their lists anew.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "live/snapshot.h"

namespace stiction {

class SnapshotPool {
  public:
    // Its content is that of an earlier snapshot or empty.
    [[nodiscard]] std::shared_ptr<Snapshot> take() {
        std::unique_ptr<Snapshot> snapshot;
        {
            const std::lock_guard lock(shelf_->mutex);
            if (!shelf_->spare.empty()) {
                snapshot = std::move(shelf_->spare.back());
                shelf_->spare.pop_back();
            }
        }
        if (!snapshot) snapshot = std::make_unique<Snapshot>();
        // The shelf lives as long as the last snapshot, also beyond the pool.
        return {snapshot.release(), [shelf = shelf_](Snapshot* s) {
                    std::unique_ptr<Snapshot> back(s);
                    const std::lock_guard lock(shelf->mutex);
                    if (shelf->spare.size() < kMaxSpare) shelf->spare.push_back(std::move(back));
                }};
    }

  private:
    static constexpr std::size_t kMaxSpare = 3;  // one shown, one published, one being filled
    struct Shelf {
        std::mutex mutex;
        std::vector<std::unique_ptr<Snapshot>> spare;
    };
    std::shared_ptr<Shelf> shelf_ = std::make_shared<Shelf>();
};

}  // namespace stiction

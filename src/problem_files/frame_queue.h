// frame_queue.h - frames on their way to a file: a bounded queue, and a thread of its own that empties it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "problem_files/problem_frame.h"

namespace stiction {

class FrameQueue {
  public:
    // The thread calls `begin` and then `write` with each frame, until one of them throws an OutputError
    // or an InputError, or memory runs out; `name` is for that message.
    FrameQueue(std::string name, std::function<void()> begin,
               std::function<void(ProblemFrame& frame)> write);
    ~FrameQueue();  // stop()
    FrameQueue(const FrameQueue&) = delete;
    FrameQueue& operator=(const FrameQueue&) = delete;

    void add(ProblemFrame&& frame);  // waits where too many are on their way
    // What went wrong on the thread; empty: nothing.
    [[nodiscard]] std::string failure() const;
    [[nodiscard]] std::size_t waiting() const;  // frames
    void stop();                                // when all frames are written

  private:
    void work();
    template <class Work>
    [[nodiscard]] std::string problem_of(const Work& work) const;

    std::string name_;
    std::function<void()> begin_;
    std::function<void(ProblemFrame& frame)> write_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<ProblemFrame> waiting_;
    std::size_t waiting_bytes_ = 0;
    bool ended_ = false;
    std::string failure_;
    std::thread thread_;
};

}  // namespace stiction

// frame_queue.cpp - what waits is bounded by its bytes, not by its frames.
#include "problem_files/frame_queue.h"

#include <new>
#include <utility>

#include "core/error.h"
#include "record/output_file.h"

namespace stiction {

namespace {

// Of frames that wait for the thread; one may be larger by itself.
constexpr std::size_t kMostWaitingBytes = std::size_t{64} << 20U;

// What a frame takes, roughly: the rows of its problem are most of it.
std::size_t bytes_of(const ProblemFrame& frame) {
    std::size_t bytes = sizeof(FrameBody) * frame.bodies.size() +
                        (sizeof(FrameContact) + 100) * frame.contacts.size();
    if (frame.step) {
        const ContactProblem& problem = frame.step->problem;
        bytes += sizeof(ContactRow) * problem.contacts.size() +
                 sizeof(Link) * problem.system.links.size() +
                 sizeof(InertiaBlock) * problem.system.blocks.size() +
                 sizeof(double) * problem.system.pool.size();
    }
    return bytes;
}

}  // namespace

FrameQueue::FrameQueue(std::string name, std::function<void()> begin,
                       std::function<void(ProblemFrame& frame)> write)
    : name_(std::move(name)),
      begin_(std::move(begin)),
      write_(std::move(write)),
      thread_([this] { work(); }) {}

FrameQueue::~FrameQueue() { stop(); }

void FrameQueue::stop() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void FrameQueue::add(ProblemFrame&& frame) {
    const std::size_t bytes = bytes_of(frame);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
        return waiting_.empty() || waiting_bytes_ + bytes <= kMostWaitingBytes || !failure_.empty();
    });
    if (!failure_.empty()) return;
    waiting_bytes_ += bytes;
    waiting_.push_back(std::move(frame));
    lock.unlock();
    changed_.notify_all();
}

std::string FrameQueue::failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
}

std::size_t FrameQueue::waiting() const {
    const std::lock_guard lock(mutex_);
    return waiting_.size();
}

template <class Work>
std::string FrameQueue::problem_of(const Work& work) const {
    try {
        work();
    } catch (const std::bad_alloc&) {
        return "out of memory while '" + name_ + "' was written";
    } catch (const std::runtime_error& error) {  // of output, or of the name
        return error.what();
    }
    return {};
}

void FrameQueue::work() {
    std::string problem = problem_of(begin_);
    std::unique_lock lock(mutex_);
    while (true) {
        failure_ = problem;
        if (!failure_.empty()) {  // others would have no place either
            waiting_.clear();
            changed_.notify_all();
            return;
        }
        changed_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        ProblemFrame frame = std::move(waiting_.front());
        waiting_.pop_front();
        waiting_bytes_ -= bytes_of(frame);
        lock.unlock();
        changed_.notify_all();
        problem = problem_of([&] { write_(frame); });
        lock.lock();
    }
}

}  // namespace stiction

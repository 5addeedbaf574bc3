// thread_pool.cpp - workers look for a new round, then sleep; indices come from a shared counter.
#include "core/thread_pool.h"

#include <atomic>
#include <thread>
#include <vector>

namespace stiction {

namespace {

constexpr int kLooks = 300;    // of some 50 ns: what it takes to wake a thread that sleeps
constexpr int kTogether = -1;  // instead of a count: once per thread

void pause() {
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

// Returns when x is no longer `old`.
template <typename T>
void wait_while(const std::atomic<T>& x, T old, int looks) {
    for (int i = 0; i < looks; ++i) {
        if (x.load(std::memory_order_acquire) != old) return;
        pause();
    }
    x.wait(old, std::memory_order_acquire);
}

}  // namespace

struct ThreadPool::Impl {
    explicit Impl(int threads)
        : looks(threads <= static_cast<int>(std::thread::hardware_concurrency()) ? kLooks : 0) {
        for (int worker = 1; worker < threads; ++worker)
            workers.emplace_back([this, worker] { work(worker); });
    }
    ~Impl() {
        stop.store(true, std::memory_order_relaxed);
        begin_round();
        for (std::thread& worker : workers) worker.join();
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    int looks;
    std::vector<std::thread> workers;
    Task task = nullptr;
    void* context = nullptr;
    int count = 0;
    std::atomic<unsigned> round{0};  // number of the current loop
    std::atomic<int> next{0};        // index
    std::atomic<int> busy{0};        // workers still inside the current loop
    std::atomic<bool> running{false};
    std::atomic<bool> stop{false};
    std::atomic<int> here{0};  // members that wait for the others
    std::atomic<unsigned> meeting{0};

    void take_part(int worker) {
        if (count == kTogether) {
            task(context, worker, static_cast<int>(workers.size()) + 1);
            return;
        }
        for (int i = next.fetch_add(1, std::memory_order_relaxed); i < count;
             i = next.fetch_add(1, std::memory_order_relaxed)) {
            task(context, i, worker);
        }
    }

    void work(int worker) {
        for (unsigned seen = 0;; ++seen) {
            wait_while(round, seen, looks);
            if (stop.load(std::memory_order_relaxed)) return;
            take_part(worker);
            if (busy.fetch_sub(1, std::memory_order_acq_rel) == 1) busy.notify_one();
        }
    }

    void begin_round() {
        round.fetch_add(1, std::memory_order_release);
        round.notify_all();
    }

    void run_round(int how_many, Task the_task, void* the_context) {
        task = the_task;
        context = the_context;
        count = how_many;
        next.store(0, std::memory_order_relaxed);
        busy.store(static_cast<int>(workers.size()), std::memory_order_relaxed);
        begin_round();
        take_part(0);
        for (int left = busy.load(std::memory_order_acquire); left != 0;
             left = busy.load(std::memory_order_acquire)) {
            wait_while(busy, left, looks);
        }
        running.store(false, std::memory_order_release);
    }

    // Whether the caller may start a loop on all threads.
    bool take() { return !workers.empty() && !running.exchange(true, std::memory_order_acquire); }
};

ThreadPool::ThreadPool(int threads) : impl_(std::make_unique<Impl>(threads)) {}
ThreadPool::~ThreadPool() = default;
ThreadPool::ThreadPool(ThreadPool&&) noexcept = default;
ThreadPool& ThreadPool::operator=(ThreadPool&&) noexcept = default;

int ThreadPool::threads() const { return static_cast<int>(impl_->workers.size()) + 1; }

void ThreadPool::run(int count, Task task, void* context) {
    if (count > 1 && impl_->take()) {
        impl_->run_round(count, task, context);
        return;
    }
    for (int i = 0; i < count; ++i) task(context, i, 0);
}

void ThreadPool::run_together(Task task, void* context) {
    if (impl_->take()) {
        impl_->run_round(kTogether, task, context);
    } else {
        task(context, 0, 1);
    }
}

void ThreadPool::Member::meet() {
    if (size_ == 1) return;
    Impl& pool = *pool_.impl_;
    const unsigned now = pool.meeting.load(std::memory_order_relaxed);
    if (pool.here.fetch_add(1, std::memory_order_acq_rel) + 1 < size_) {
        wait_while(pool.meeting, now, pool.looks);
        return;
    }
    pool.here.store(0, std::memory_order_relaxed);
    pool.meeting.store(now + 1, std::memory_order_release);
    pool.meeting.notify_all();
}

}  // namespace stiction

// thread_pool.cpp - every thread has a range of the pieces of its own, the same in every loop of as
// many, so that it finds in its cache what it worked on the last time; whoever is done takes from the
// ranges of others. So the calling thread never waits for a worker that has not begun, only for pieces
// that are being worked on, and a loop of a few microseconds costs little even where other programs
// have the processors.
#include "core/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace stiction {

namespace {

// Of some 25 ns: what it takes to wake a thread that sleeps, in a virtual machine above all.
constexpr int kLooks = 2000;

// The ticket of a range is the number of the loop, the end of the range, and the next of its pieces. A
// worker that was stopped with an old ticket in hand cannot take a piece with it.
constexpr int kBits = 20;
constexpr std::uint64_t kMost = (std::uint64_t{1} << kBits) - 1;

void pause() {
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

// What one thread writes and others look at lies on a line of its own.
constexpr std::size_t kLine = 64;

struct alignas(kLine) Range {
    std::atomic<std::uint64_t> ticket{0};
};

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
        : looks(threads <= static_cast<int>(std::thread::hardware_concurrency()) ? kLooks : 0),
          ranges(static_cast<std::size_t>(threads)) {
        for (int worker = 1; worker < threads; ++worker)
            workers.emplace_back([this, worker] { work(worker); });
    }
    ~Impl() {
        stop.store(true, std::memory_order_relaxed);
        call();
        for (std::thread& worker : workers) worker.join();
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    int looks;
    std::vector<std::thread> workers;
    std::vector<Range> ranges;  // per thread
    // Of the current loop: written before its tickets, read by those who hold a piece of it.
    Task task = nullptr;
    void* context = nullptr;
    int first = 0;
    std::uint64_t count = 0;
    std::uint64_t round = 0;
    alignas(kLine) std::atomic<std::uint64_t> done{0};  // pieces
    alignas(kLine) std::atomic<unsigned> calls{0};      // what workers that sleep wait for
    std::atomic<bool> stop{false};
    alignas(kLine) std::atomic<bool> running{false};

    // False if there is none left in the range.
    bool take_piece(Range& range, int worker) {
        std::uint64_t t = range.ticket.load(std::memory_order_acquire);
        do {
            if ((t & kMost) >= ((t >> kBits) & kMost)) return false;
        } while (!range.ticket.compare_exchange_weak(t, t + 1, std::memory_order_acq_rel,
                                                     std::memory_order_acquire));
        // The loop cannot end, nor another one begin, before this piece is done.
        const std::uint64_t all = count;
        task(context, first + static_cast<int>(t & kMost), worker);
        if (done.fetch_add(1, std::memory_order_acq_rel) + 1 == all) done.notify_one();
        return true;
    }

    // Its own range first.
    void take_pieces(int worker) {
        for (std::size_t k = 0; k < ranges.size(); ++k) {
            Range& range = ranges[(static_cast<std::size_t>(worker) + k) % ranges.size()];
            while (take_piece(range, worker)) {
            }
        }
    }

    void call() {
        calls.fetch_add(1, std::memory_order_release);
        calls.notify_all();
    }

    void work(int worker) {
        for (;;) {
            const unsigned seen = calls.load(std::memory_order_acquire);
            take_pieces(worker);
            if (stop.load(std::memory_order_relaxed)) return;
            wait_while(calls, seen, looks);
        }
    }

    void run_round(int begin, std::uint64_t pieces, Task the_task, void* the_context) {
        task = the_task;
        context = the_context;
        first = begin;
        count = pieces;
        done.store(0, std::memory_order_relaxed);
        ++round;
        const std::uint64_t parts = ranges.size();
        for (std::uint64_t k = 0; k < parts; ++k) {
            const std::uint64_t next = pieces * k / parts, end = pieces * (k + 1) / parts;
            ranges[k].ticket.store((round << (2 * kBits)) | (end << kBits) | next,
                                   std::memory_order_release);
        }
        call();
        take_pieces(0);
        for (std::uint64_t now = done.load(std::memory_order_acquire); now != pieces;
             now = done.load(std::memory_order_acquire)) {
            wait_while(done, now, looks);
        }
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
    if (count <= 1 || !impl_->take()) {
        for (int i = 0; i < count; ++i) task(context, i, 0);
        return;
    }
    constexpr int kPieces = static_cast<int>(kMost);
    for (int begin = 0; begin < count; begin += kPieces) {
        const int pieces = std::min(kPieces, count - begin);
        impl_->run_round(begin, static_cast<std::uint64_t>(pieces), task, context);
    }
    impl_->running.store(false, std::memory_order_release);
}

}  // namespace stiction

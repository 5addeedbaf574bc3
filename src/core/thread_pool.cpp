// thread_pool.cpp - indices are taken from a ticket by whoever is awake: the calling thread never
// waits for a worker that has not begun, only for pieces that are being worked on. So a loop of a
// few microseconds costs little even where other programs have the processors.
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

// A ticket is the number of the loop, how many pieces it has, and the next of them. A worker that
// was stopped with an old ticket in hand cannot take a piece with it.
constexpr int kBits = 20;
constexpr std::uint64_t kMost = (std::uint64_t{1} << kBits) - 1;

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
        call();
        for (std::thread& worker : workers) worker.join();
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    int looks;
    std::vector<std::thread> workers;
    // Of the current loop: written before its ticket, read by those who hold a piece of it.
    Task task = nullptr;
    void* context = nullptr;
    int first = 0;
    std::uint64_t round = 0;
    std::atomic<std::uint64_t> ticket{0};
    std::atomic<std::uint64_t> done{0};  // pieces
    std::atomic<unsigned> calls{0};      // what workers that sleep wait for
    std::atomic<bool> running{false};
    std::atomic<bool> stop{false};

    // False if there is none.
    bool take_piece(int worker) {
        std::uint64_t t = ticket.load(std::memory_order_acquire);
        std::uint64_t count = 0;
        do {
            count = (t >> kBits) & kMost;
            if ((t & kMost) >= count) return false;
        } while (!ticket.compare_exchange_weak(t, t + 1, std::memory_order_acq_rel,
                                               std::memory_order_acquire));
        task(context, first + static_cast<int>(t & kMost), worker);
        if (done.fetch_add(1, std::memory_order_acq_rel) + 1 == count) done.notify_one();
        return true;
    }

    void call() {
        calls.fetch_add(1, std::memory_order_release);
        calls.notify_all();
    }

    void work(int worker) {
        for (;;) {
            const unsigned seen = calls.load(std::memory_order_acquire);
            while (take_piece(worker)) {
            }
            if (stop.load(std::memory_order_relaxed)) return;
            wait_while(calls, seen, looks);
        }
    }

    void run_round(int begin, std::uint64_t count, Task the_task, void* the_context) {
        task = the_task;
        context = the_context;
        first = begin;
        done.store(0, std::memory_order_relaxed);
        ++round;
        ticket.store((round << (2 * kBits)) | (count << kBits), std::memory_order_release);
        call();
        while (take_piece(0)) {
        }
        for (std::uint64_t now = done.load(std::memory_order_acquire); now != count;
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

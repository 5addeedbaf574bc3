// thread_pool.cpp - workers sleep on a condition variable and take indices from a shared counter.
#include "core/thread_pool.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace stiction {

struct ThreadPool::Impl {
    std::mutex mutex;
    std::condition_variable wake, finished;
    std::vector<std::thread> workers;
    Task task = nullptr;
    void* context = nullptr;
    int count = 0;
    int busy = 0;    // workers still inside the current loop
    long round = 0;  // number of the current loop
    bool stop = false;
    std::atomic<int> next{0};

    void drain(Task the_task, void* the_context, int the_count, int worker) {
        for (int i = next.fetch_add(1); i < the_count; i = next.fetch_add(1)) {
            the_task(the_context, i, worker);
        }
    }

    void work(int worker) {
        long seen = 0;
        std::unique_lock lock(mutex);
        for (;;) {
            wake.wait(lock, [&] { return stop || round != seen; });
            if (stop) return;
            seen = round;
            const Task the_task = task;
            void* the_context = context;
            const int the_count = count;
            lock.unlock();
            drain(the_task, the_context, the_count, worker);
            lock.lock();
            if (--busy == 0) finished.notify_one();
        }
    }
};

ThreadPool::ThreadPool(int threads) : impl_(std::make_unique<Impl>()) {
    for (int worker = 1; worker < threads; ++worker) {
        impl_->workers.emplace_back([impl = impl_.get(), worker] { impl->work(worker); });
    }
}

ThreadPool::~ThreadPool() {
    if (!impl_) return;
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->stop = true;
    }
    impl_->wake.notify_all();
    for (std::thread& worker : impl_->workers) worker.join();
}

ThreadPool::ThreadPool(ThreadPool&&) noexcept = default;
ThreadPool& ThreadPool::operator=(ThreadPool&&) noexcept = default;

int ThreadPool::threads() const { return static_cast<int>(impl_->workers.size()) + 1; }

void ThreadPool::run(int count, Task task, void* context) {
    Impl& pool = *impl_;
    if (pool.workers.empty() || count <= 1) {
        for (int i = 0; i < count; ++i) task(context, i, 0);
        return;
    }
    {
        const std::lock_guard lock(pool.mutex);
        pool.task = task;
        pool.context = context;
        pool.count = count;
        pool.next = 0;
        pool.busy = static_cast<int>(pool.workers.size());
        ++pool.round;
    }
    pool.wake.notify_all();
    pool.drain(task, context, count, 0);
    std::unique_lock lock(pool.mutex);
    pool.finished.wait(lock, [&] { return pool.busy == 0; });
}

}  // namespace stiction

// thread_pool.h - runs independent pieces of work on a fixed number of threads.
// Which thread takes which piece is left to chance, so pieces must not depend on one another: then
// results are bit-identical for any number of threads. Running a loop allocates nothing.
//
// Threads that wait look again for some microseconds and then sleep, so that loops may be short.
// With more threads than processors they sleep at once.
#pragma once

#include <memory>

namespace stiction {

inline constexpr int kMaxThreads = 256;  // more than machines have; a mistyped number costs stacks

class ThreadPool {
  public:
    explicit ThreadPool(int threads);  // 1: everything runs on the calling thread
    ~ThreadPool();
    ThreadPool(ThreadPool&&) noexcept;
    ThreadPool& operator=(ThreadPool&&) noexcept;

    [[nodiscard]] int threads() const;

    // Calls body(i, worker) for every i in [0, count); worker is in [0, threads()). Returns when
    // all are done. A loop within a loop runs on the thread that asks for it.
    template <class Body>
    void for_each(int count, Body&& body) {
        run(
            count,
            [](void* context, int i, int worker) { (*static_cast<Body*>(context))(i, worker); },
            const_cast<void*>(static_cast<const void*>(&body)));
    }

  private:
    using Task = void (*)(void* context, int i, int worker);
    void run(int count, Task task, void* context);

    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace stiction

// worker.h - a reader that calls libraries of others, in a copy of this process that takes one input
// after the other. In the program a child reads such files, and what a library does there is a message
// of ours; here it ends the worker, is counted, and the next worker goes on.
#pragma once

#include <sys/types.h>

#include <set>
#include <string>
#include <string_view>

#include "fuzz/targets.h"

namespace stiction {

class Worker {
  public:
    // Faults of our own code that an input repeats alone are written to FINDS-fault-PROCESS-N, each stack
    // once, with the sanitizer's report beside it.
    Worker(const FuzzTarget& target, std::string finds)
        : target_(target), finds_(std::move(finds)) {}
    ~Worker() { take_report(); }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    // False when the worker ended on it.
    bool read(std::string_view bytes);

    [[nodiscard]] int ended_in_library() const { return ended_in_library_; }
    [[nodiscard]] int faults() const { return static_cast<int>(faults_.size()); }

  private:
    void start();
    void stop();
    [[noreturn]] void work(int socket) const;
    [[nodiscard]] bool passes(std::string_view bytes);
    std::string take_report();
    void keep(std::string_view bytes, const std::string& report);

    const FuzzTarget& target_;
    std::string finds_;
    pid_t pid_ = -1;
    int socket_ = -1;
    int inputs_ = 0;  // of this worker
    int ended_in_library_ = 0;
    std::set<std::string> faults_;  // their stacks
};

}  // namespace stiction

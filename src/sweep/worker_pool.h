// worker_pool.h - processes that stay alive and answer lines with lines: a line goes in, the worker
// computes, a line comes back. A worker that dies is replaced, and what it had is reported.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace stiction {

// What came of a task.
struct WorkerEvent {
    enum class Kind {
        kAnswered,
        kCrashed,   // the worker ended by itself while it was at it
        kKilled,    // the same by a signal that programs do not send themselves
        kReturned,  // the worker ended before it came to it
    };
    std::int64_t task = 0;
    Kind kind = Kind::kAnswered;
    std::string text;  // the answer, or how the worker ended
};

class WorkerPool {
  public:
    // `words` start the program of a worker, which talks on its standard input (serve_lines). Throws
    // std::runtime_error when no process can be started.
    WorkerPool(std::vector<std::string> words, int workers);
    ~WorkerPool();  // ends them
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    // Has a worker less than `depth` tasks, the one that it is at included? With two it need not wait
    // for the next.
    [[nodiscard]] bool has_room(std::size_t depth) const;
    [[nodiscard]] bool has_busy() const;
    void give(std::int64_t task, const std::string& line);  // to the one with the fewest
    // Waits until something came of a task, at most `milliseconds`.
    [[nodiscard]] std::vector<WorkerEvent> wait(int milliseconds);

  private:
    struct Worker {
        pid_t process = -1;
        int socket = -1;
        std::deque<std::int64_t> tasks;  // the first is the one it is at
        std::string received;
    };

    void start(Worker& worker);
    void end(Worker& worker);
    void receive(Worker& worker, std::vector<WorkerEvent>& events);
    void bury(Worker& worker, std::vector<WorkerEvent>& events);
    [[nodiscard]] std::size_t least_busy() const;

    std::vector<std::string> words_;
    std::vector<Worker> workers_;
};

// The worker's side: answers every line of standard input until its end. What is printed meanwhile
// goes nowhere.
void serve_lines(const std::function<std::string(const std::string& line)>& answer);

}  // namespace stiction

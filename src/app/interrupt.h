// interrupt.h - what SIGINT, SIGTERM and SIGHUP do.
//
// A thread of its own waits for them. A command asks interrupted() between steps and then ends by
// itself, with all its files. One that has not begun to end after kGrace, because a step, a solve or
// a load takes longer, is ended where it is: its keeper completes the files with what was recorded,
// on the thread that waited, and the program ends there and then. No result depends on any of this.
//
// Further signals change nothing: supervisors often send the same one twice (to a process and to
// its group), which must not cost the files. kPatience after the first the program ends in any
// case, a file that could not be completed by then (its disk hangs, nobody reads its pipe) stays
// under NAME.part.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>

namespace stiction {

inline constexpr std::chrono::milliseconds kGrace{50};
inline constexpr std::chrono::seconds kPatience{8};  // below the 10 s that containers are given

// Once, at the start of the program, before any other thread. A write to a pipe without reader or
// beyond the limit on a file's size (SIGPIPE, SIGXFSZ) is from here on an error of that write.
// SIGHUP stays ignored where it is (nohup).
void watch_signals();

[[nodiscard]] bool interrupted();

// From here on the program ends by itself. Does not return when it is being ended already. May be
// called again.
void end_by_itself();

// What a command keeps when it is ended where it is. There is one at a time.
class Keeper {
  public:
    // `keep` completes the outputs and words what happened; what it throws is shown. It runs on
    // another thread while the command computes, and reads only what is changed under lock().
    explicit Keeper(std::function<void()> keep, std::chrono::milliseconds grace = kGrace);
    ~Keeper();
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;

    // While it is held, nothing is ended. Does not return once it is being ended.
    [[nodiscard]] static std::unique_lock<std::mutex> lock();
};

}  // namespace stiction

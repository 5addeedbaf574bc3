// child_process.h - libraries that may crash, hang or eat the memory on a file that somebody
// brought work in a process of their own: whatever they do there is a message here.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stiction {

struct ChildLimits {
    int seconds = 2;                    // of computing
    int silence = 20;                   // of waiting for the next byte [s]
    std::size_t memory = 400ULL << 20;  // [bytes] beyond what the program has already

    // What a file of so many bytes is given: time in proportion to its length.
    [[nodiscard]] static ChildLimits for_file(const std::string& path,
                                              std::uint64_t bytes_per_second);
};

// The child's end: bytes for the parent, in order. Small ones are gathered, so that long lists of them
// do not take a call of the system each.
class ChildOutput {
  public:
    explicit ChildOutput(int pipe) : pipe_(pipe) {}

    void write(const void* data, std::size_t bytes);
    template <class T>
    void number(T value) {
        write(&value, sizeof value);
    }
    void text(std::string_view value) {
        number<std::uint64_t>(value.size());
        write(value.data(), value.size());
    }
    template <class T>
    void values(std::span<const T> list) {
        number<std::uint64_t>(list.size());
        write(list.data(), list.size_bytes());
    }

    void flush();

  private:
    int pipe_;
    std::vector<char> waiting_;
};

// What a child does: `work`, then the end of what is sent, or where it throws a message instead.
void work_as_child(int pipe, const std::string& subject, const ChildLimits& limits,
                   const std::function<void(ChildOutput&)>& work);

// Runs `work` in a copy of this process. An InputError that it throws is thrown here by the next
// read; a crash, too much memory or time become "SUBJECT: ... ". What arrives is as untrusted as the
// file itself: every count is given the most that it may be.
class ChildProcess {
  public:
    ChildProcess(std::string subject, const ChildLimits& limits,
                 const std::function<void(ChildOutput&)>& work);
    ~ChildProcess();  // ends the child
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    void read(void* data, std::size_t bytes);
    template <class T>
    T number() {
        T value{};
        read(&value, sizeof value);
        return value;
    }
    [[nodiscard]] std::uint64_t count(std::uint64_t most);
    [[nodiscard]] std::string text(std::uint64_t most);
    template <class T>
    std::vector<T> values(std::uint64_t most) {
        std::vector<T> list(count(most));
        read(list.data(), list.size() * sizeof(T));
        return list;
    }
    void finish();  // the child must have ended well and sent nothing more

  private:
    std::size_t next_frame();  // its length; throws what the child sent instead
    void read_pipe(void* data, std::size_t bytes);
    [[noreturn]] void fail(const std::string& what);
    [[noreturn]] void report_death();

    std::string subject_;
    ChildLimits limits_;
    pid_t pid_ = -1;
    int pipe_ = -1;
    std::size_t left_ = 0;       // of the frame at hand
    std::vector<char> arrived_;  // from the pipe,
    std::size_t taken_ = 0;      // and how many of these bytes were read
};

}  // namespace stiction

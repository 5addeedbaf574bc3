// child_process.cpp - frames over a pipe: a length and as many bytes. The largest length announces a
// message instead, length 0 the end.
#include "core/child_process.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <new>
#include <utility>

#include "core/error.h"

namespace stiction {

namespace {

constexpr std::uint64_t kMessageFollows = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kMaxChildMessage = 4096;  // [bytes]
constexpr std::size_t kGathered = 1U << 15U;      // [bytes] that a call of the system is worth
constexpr std::uint64_t kLargestFrame = std::uint64_t{1} << 40U;

// Retried after signals; a parent that is gone ends the child.
void write_all(int pipe, const void* data, std::size_t bytes) {
    const auto* at = static_cast<const char*>(data);
    while (bytes > 0) {
        const ssize_t written = ::write(pipe, at, bytes);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) _exit(1);
        at += written;
        bytes -= static_cast<std::size_t>(written);
    }
}

void send_message(int pipe, std::string_view text) {
    text = text.substr(0, kMaxChildMessage);
    const std::uint64_t head[] = {kMessageFollows, text.size()};
    write_all(pipe, head, sizeof head);
    write_all(pipe, text.data(), text.size());
}

}  // namespace

ChildLimits ChildLimits::for_file(const std::string& path, std::uint64_t bytes_per_second) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error) throw InputError(path + ": cannot be read: " + error.message());
    constexpr std::uint64_t kMaxSeconds = 600;
    ChildLimits limits;
    limits.seconds += static_cast<int>(std::min(size / bytes_per_second, kMaxSeconds));
    return limits;
}

void ChildOutput::write(const void* data, std::size_t bytes) {
    if (bytes == 0) return;
    const auto* from = static_cast<const char*>(data);
    if (bytes < kGathered) {
        waiting_.insert(waiting_.end(), from, from + bytes);
        if (waiting_.size() >= kGathered) flush();
        return;
    }
    flush();
    const std::uint64_t length = bytes;
    write_all(pipe_, &length, sizeof length);
    write_all(pipe_, data, bytes);
}

void ChildOutput::flush() {
    if (waiting_.empty()) return;
    const std::uint64_t length = waiting_.size();
    write_all(pipe_, &length, sizeof length);
    write_all(pipe_, waiting_.data(), waiting_.size());
    waiting_.clear();
}

void work_as_child(int pipe, const std::string& subject, const ChildLimits& limits,
                   const std::function<void(ChildOutput&)>& work) {
    ChildOutput out(pipe);
    try {
        work(out);
        out.flush();
        constexpr std::uint64_t kEnd = 0;
        write_all(pipe, &kEnd, sizeof kEnd);
    } catch (const std::bad_alloc&) {
        send_message(pipe, subject + ": reading it takes more than " +
                               std::to_string(limits.memory >> 20U) + " MiB of memory");
    } catch (const std::exception& error) {
        send_message(pipe, error.what());
    }
}

void ChildProcess::fail(const std::string& what) { throw InputError(subject_ + ": " + what); }

void ChildProcess::read_pipe(void* data, std::size_t bytes) {
    auto* at = static_cast<char*>(data);
    while (bytes > 0) {
        if (taken_ < arrived_.size()) {
            const std::size_t now = std::min(bytes, arrived_.size() - taken_);
            std::memcpy(at, arrived_.data() + taken_, now);
            taken_ += now;
            at += now;
            bytes -= now;
            continue;
        }
        const bool direct = bytes >= kGathered;  // past the buffer
        if (!direct) arrived_.resize(kGathered);
        taken_ = arrived_.size();
        pollfd ready{pipe_, POLLIN, 0};
        const int found = poll(&ready, 1, 1000 * limits_.silence);
        if (found < 0 && errno == EINTR) continue;
        if (found <= 0) fail("nothing came of it for " + std::to_string(limits_.silence) + " s");
        const ssize_t got =
            direct ? ::read(pipe_, at, bytes) : ::read(pipe_, arrived_.data(), arrived_.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) report_death();
        if (direct) {
            at += got;
            bytes -= static_cast<std::size_t>(got);
        } else {
            arrived_.resize(static_cast<std::size_t>(got));
            taken_ = 0;
        }
    }
}

std::size_t ChildProcess::next_frame() {
    std::uint64_t length = 0;
    read_pipe(&length, sizeof length);
    if (length != kMessageFollows) {
        if (length > kLargestFrame) report_death();
        return length;
    }
    std::uint64_t size = 0;
    read_pipe(&size, sizeof size);
    std::string message(std::min(size, kMaxChildMessage), '\0');
    read_pipe(message.data(), message.size());
    throw InputError(message);
}

void ChildProcess::read(void* data, std::size_t bytes) {
    auto* at = static_cast<char*>(data);
    while (bytes > 0) {
        if (left_ == 0) left_ = next_frame();
        if (left_ == 0) fail("its reader stopped in the middle; the file is damaged");
        const std::size_t now = std::min(bytes, left_);
        read_pipe(at, now);
        at += now;
        bytes -= now;
        left_ -= now;
    }
}

std::uint64_t ChildProcess::count(std::uint64_t most) {
    const auto n = number<std::uint64_t>();
    if (n > most)
        fail("holds " + std::to_string(n) + " of what may be at most " + std::to_string(most));
    return n;
}

std::string ChildProcess::text(std::uint64_t most) {
    std::string value(count(most), '\0');
    read(value.data(), value.size());
    return value;
}

void ChildProcess::finish() {
    if (left_ != 0 || next_frame() != 0) fail("its reader sent more than was expected");
}

}  // namespace stiction

// A child process: its values arrive, and whatever it does wrong is one message.
#include "core/child_process.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "core/error.h"

namespace stiction {
namespace {

std::string error_of(const std::function<void(ChildOutput&)>& work,
                     const ChildLimits& limits = {}) {
    try {
        ChildProcess child("file", limits, work);
        (void)child.values<double>(100);
        child.finish();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(ChildProcess, ValuesArrive) {
    const std::vector<double> sent = {1, 2.5, -3};
    ChildProcess child("file", {}, [&](ChildOutput& out) {
        out.text("name");
        out.values<double>(sent);
        out.number(std::int32_t{7});
    });
    EXPECT_EQ(child.text(10), "name");
    EXPECT_EQ(child.values<double>(3), sent);
    EXPECT_EQ(child.number<std::int32_t>(), 7);
    child.finish();
}

// More than a pipe holds.
TEST(ChildProcess, ManyValuesArrive) {
    const std::vector<double> sent(1'000'000, 0.25);
    ChildProcess child("file", {}, [&](ChildOutput& out) { out.values<double>(sent); });
    EXPECT_EQ(child.values<double>(1'000'000), sent);
    child.finish();
}

TEST(ChildProcess, ErrorsAreHandedOn) {
    EXPECT_EQ(error_of([](ChildOutput&) { throw InputError("file:3: no"); }), "file:3: no");
    EXPECT_EQ(error_of([](ChildOutput& out) {
                  out.number<std::uint64_t>(2);
                  throw InputError("file:4: no");
              }),
              "file:4: no");
}

TEST(ChildProcess, DeathIsAMessage) {
    const std::string crash = error_of([](ChildOutput&) { std::raise(SIGKILL); });
    EXPECT_EQ(crash, "file: its reader ended on it (Killed); the file is damaged");
    EXPECT_EQ(error_of([](ChildOutput&) { _exit(3); }),
              "file: its reader ended on it (status 3); the file is damaged");
}

TEST(ChildProcess, TimeIsLimited) {
    const auto forever = [](ChildOutput&) {
        std::atomic<bool> go = true;
        while (go) {
        }
    };
    EXPECT_EQ(error_of(forever, {.seconds = 1}), "file: reading it takes more than 1 s");
    const auto silent = [](ChildOutput&) { std::this_thread::sleep_for(std::chrono::seconds(30)); };
    EXPECT_EQ(error_of(silent, {.silence = 1}), "file: nothing came of it for 1 s");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(ChildProcess, MemoryIsLimited) {
    const auto greedy = [](ChildOutput& out) {
        const std::vector<double> much(100'000'000, 1.0);
        out.values<double>(much);
    };
    EXPECT_EQ(error_of(greedy, {.memory = 100U << 20}),
              "file: reading it takes more than 100 MiB of memory");
}
#endif

TEST(ChildProcess, CountsAreNotBelieved) {
    EXPECT_EQ(error_of([](ChildOutput& out) { out.number<std::uint64_t>(1ULL << 60); }),
              "file: holds 1152921504606846976 of what may be at most 100");
    EXPECT_EQ(error_of([](ChildOutput& out) { out.number<std::uint64_t>(2); }),
              "file: its reader stopped in the middle; the file is damaged");
    EXPECT_EQ(error_of([](ChildOutput& out) {
                  out.number<std::uint64_t>(0);
                  out.number(1.0);
              }),
              "file: its reader sent more than was expected");
}

}  // namespace
}  // namespace stiction

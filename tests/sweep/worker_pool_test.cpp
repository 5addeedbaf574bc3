// worker_pool_test.cpp - shells as workers: answers come back, deaths are told and made good.
#include "sweep/worker_pool.h"

#include <gtest/gtest.h>

#include <map>

namespace stiction::test {
namespace {

// Answers on the socket that is its standard input.
std::vector<std::string> shell(const std::string& script) {
    return {"/bin/sh", "-c", "while read -r line; do " + script + "; done"};
}

std::map<std::int64_t, WorkerEvent> collect(WorkerPool& pool, std::size_t count) {
    std::map<std::int64_t, WorkerEvent> all;
    for (int i = 0; i < 1000 && all.size() < count; ++i) {
        for (const WorkerEvent& event : pool.wait(100)) all.emplace(event.task, event);
    }
    return all;
}

TEST(WorkerPool, EveryTaskGetsItsAnswer) {
    WorkerPool pool(shell("echo \"<$line>\" >&0"), 3);
    std::map<std::int64_t, WorkerEvent> all;
    for (std::int64_t task = 1; task <= 50;) {
        while (pool.has_room(2) && task <= 50) {
            pool.give(task, "line " + std::to_string(task));
            ++task;
        }
        for (const WorkerEvent& event : pool.wait(1000)) all.emplace(event.task, event);
    }
    all.merge(collect(pool, 50 - all.size()));
    ASSERT_EQ(all.size(), 50U);
    for (const auto& [task, event] : all) {
        EXPECT_EQ(event.kind, WorkerEvent::Kind::kAnswered);
        EXPECT_EQ(event.text, "<line " + std::to_string(task) + ">");
    }
    EXPECT_FALSE(pool.has_busy());
}

TEST(WorkerPool, ADeathIsToldAndTheNextTaskIsAnswered) {
    WorkerPool pool(shell("case $line in kill) kill -9 $$;; crash) kill -SEGV $$;; leave) exit 3;; "
                          "*) echo ok >&0;; esac"),
                    1);
    const std::vector<std::pair<std::string, std::string>> ways = {
        {"kill", "its worker ended: Killed"},
        {"crash", "its worker ended: Segmentation fault"},
        {"leave", "its worker ended with status 3"}};
    std::int64_t task = 0;
    for (const auto& [line, how] : ways) {
        pool.give(++task, line);
        const auto died = collect(pool, 1);
        ASSERT_EQ(died.count(task), 1U) << line;
        EXPECT_EQ(died.at(task).text, how);
        EXPECT_EQ(died.at(task).kind,
                  line == "kill" ? WorkerEvent::Kind::kKilled : WorkerEvent::Kind::kCrashed);
        pool.give(++task, "go");
        EXPECT_EQ(collect(pool, 1).at(task).text, "ok");
    }
}

TEST(WorkerPool, WhatAWorkerHadNotBegunIsReturnedWithoutBlame) {
    WorkerPool pool(shell("kill -9 $$"), 1);
    pool.give(1, "x");
    pool.give(2, "y");
    EXPECT_FALSE(pool.has_room(2));
    const auto events = collect(pool, 2);
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events.at(1).kind, WorkerEvent::Kind::kKilled);
    EXPECT_EQ(events.at(2).kind, WorkerEvent::Kind::kReturned);
    EXPECT_TRUE(pool.has_room(1));
}

TEST(WorkerPool, AProgramThatIsNotThereIsADeath) {
    WorkerPool pool({"/nonexistent/program"}, 1);
    pool.give(1, "x");
    const auto died = collect(pool, 1);
    ASSERT_EQ(died.count(1), 1U);
    EXPECT_EQ(died.at(1).text, "its worker ended with status 127");
}

}  // namespace
}  // namespace stiction::test

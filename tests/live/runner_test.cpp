// runner_test.cpp - a player on a thread of its own: order, counts, lock step, and that a slow step
// holds up nobody. Waits are for events; no test asserts a time.
#include "live/runner.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "live/live_scenes.h"
#include "step/simulation.h"

namespace stiction {
namespace {

using namespace std::chrono_literals;

constexpr double kStep = 0.01;

// A gate that steps wait at while it is shut.
class Gate {
  public:
    void shut() { set(false); }
    void open() { set(true); }
    void pass() {
        std::unique_lock lock(mutex_);
        ++waiting_;
        changed_.notify_all();
        changed_.wait(lock, [this] { return open_; });
        --waiting_;
    }
    void wait_for_somebody() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return waiting_ > 0; });
    }

  private:
    void set(bool open) {
        const std::lock_guard lock(mutex_);
        open_ = open;
        changed_.notify_all();
    }
    std::mutex mutex_;
    std::condition_variable changed_;
    bool open_ = true;
    int waiting_ = 0;
};

// Counts its steps; goes up to `last`.
class Counter : public Player {
  public:
    explicit Counter(std::int64_t last = 1'000'000'000, Gate* gate = nullptr)
        : last_(last), gate_(gate) {}

    [[nodiscard]] double time() const override { return kStep * static_cast<double>(step_); }
    [[nodiscard]] double h() const override { return kStep; }
    bool forward() override {
        if (gate_ != nullptr) gate_->pass();
        if (step_ >= last_) return false;
        ++step_;
        StepRecord record;
        record.step = step_;
        records_.push_back(record);
        return true;
    }
    bool back() override {
        if (step_ == 0) return false;
        --step_;
        return true;
    }
    void reset() override { step_ = 0; }
    void fill(Snapshot& snapshot) override {
        snapshot.state.step = step_;
        snapshot.state.time = time();
    }
    void take_records(std::vector<StepRecord>& records) override {
        records.insert(records.end(), records_.begin(), records_.end());
        records_.clear();
    }

  private:
    std::int64_t step_ = 0;
    std::int64_t last_;
    Gate* gate_;
    std::vector<StepRecord> records_;
};

template <class Condition>
void wait_until(const Condition& condition) {
    while (!condition()) std::this_thread::sleep_for(100us);
}

void finish_commands(const Runner& runner) {
    wait_until([&] { return runner.pace().waiting == 0; });
}

std::int64_t step_of(const Runner& runner) { return runner.snapshot()->state.step; }

TEST(Runner, HasASnapshotFromTheBeginningAndWaits) {
    const Runner runner(std::make_unique<Counter>());
    ASSERT_NE(runner.snapshot(), nullptr);
    EXPECT_EQ(step_of(runner), 0);
    EXPECT_FALSE(runner.pace().playing);
    EXPECT_EQ(runner.pace().waiting, 0U);
}

TEST(Runner, TakesAsManyStepsAsToldForwardAndBack) {
    Runner runner(std::make_unique<Counter>(100));
    runner.forward(7);
    finish_commands(runner);
    EXPECT_EQ(step_of(runner), 7);
    runner.back(3);
    finish_commands(runner);
    EXPECT_EQ(step_of(runner), 4);
    runner.forward(5);
    runner.back(2);
    runner.forward(1);
    finish_commands(runner);
    EXPECT_EQ(step_of(runner), 8);
    runner.back(50);  // ends at the beginning
    runner.forward(2);
    finish_commands(runner);
    EXPECT_EQ(step_of(runner), 2);
    runner.forward(1000);  // ends at the last step
    finish_commands(runner);
    EXPECT_EQ(step_of(runner), 100);
    runner.reset();
    finish_commands(runner);
    EXPECT_EQ(step_of(runner), 0);
}

TEST(Runner, PlaysUntilPausedAndForwardPauses) {
    Runner runner(std::make_unique<Counter>());
    runner.set_speed(0);
    runner.play();
    wait_until([&] { return step_of(runner) > 100; });
    EXPECT_TRUE(runner.pace().playing);
    EXPECT_GT(runner.pace().achieved, 0);
    runner.pause();
    finish_commands(runner);
    EXPECT_FALSE(runner.pace().playing);
    EXPECT_EQ(runner.pace().achieved, 0);
    const std::int64_t at = step_of(runner);
    std::this_thread::sleep_for(5ms);
    EXPECT_EQ(step_of(runner), at);
    runner.play();
    wait_until([&] { return step_of(runner) > at; });
    runner.forward(1);
    finish_commands(runner);
    EXPECT_FALSE(runner.pace().playing);
    const std::int64_t stopped = step_of(runner);
    std::this_thread::sleep_for(5ms);
    EXPECT_EQ(step_of(runner), stopped);
}

TEST(Runner, PlayingPausesAtTheEnd) {
    Runner runner(std::make_unique<Counter>(50));
    runner.set_speed(0);
    runner.play();
    wait_until([&] { return step_of(runner) == 50 && !runner.pace().playing; });
}

// At the duration and at every multiple of it, to the step.
TEST(Runner, StopsOrBeginsAgainAtTheDuration) {
    Runner runner(std::make_unique<Counter>());
    runner.set_speed(0);
    runner.set_end(40 * kStep, AtEnd::kStop);
    for (const std::int64_t stop : {40, 80}) {
        runner.play();
        wait_until([&] { return runner.pace().at_end && step_of(runner) >= stop; });
        EXPECT_FALSE(runner.pace().playing);
        EXPECT_EQ(step_of(runner), stop);
    }
    runner.forward(1);  // steps that are ordered go past it
    finish_commands(runner);
    EXPECT_FALSE(runner.pace().at_end);
    EXPECT_EQ(step_of(runner), 81);
    runner.set_end(40 * kStep, AtEnd::kLoop);
    const std::int64_t epoch = runner.snapshot()->epoch;
    runner.play();
    wait_until([&] { return runner.snapshot()->epoch >= epoch + 3; });
    EXPECT_TRUE(runner.pace().playing);
    EXPECT_LE(step_of(runner), 40);
    runner.set_end(40 * kStep, AtEnd::kGoOn);
    wait_until([&] { return step_of(runner) > 200; });
}

TEST(Runner, PacedRunMovesOn) {
    Runner runner(std::make_unique<Counter>());
    runner.set_speed(20);
    runner.play();
    wait_until([&] { return step_of(runner) >= 100; });
    runner.set_speed(0.5);
    EXPECT_EQ(runner.pace().speed, 0.5);
    const std::int64_t at = step_of(runner);
    wait_until([&] { return step_of(runner) > at; });
}

TEST(Runner, WaitsAtTheStepThatReachesTheHorizon) {
    Runner runner(std::make_unique<Counter>());
    runner.set_speed(1e-9);  // the clock would not let it move
    runner.set_horizon(0.0);
    runner.play();
    std::int64_t expected = 0;
    for (const double horizon : {0.0455, 0.052, 0.0601, 0.2995, 0.30999, 0.995}) {
        runner.set_horizon(horizon);
        expected = static_cast<std::int64_t>(std::ceil(horizon / kStep));
        wait_until([&] { return step_of(runner) >= expected; });
        runner.post([](Player&) {});
        finish_commands(runner);
        EXPECT_EQ(step_of(runner), expected);
        EXPECT_GE(runner.snapshot()->state.time, horizon);
        EXPECT_TRUE(runner.pace().playing);
    }
    EXPECT_EQ(step_of(runner), 100);
}

// A horizon that was chosen before the run was set back would let it race there.
TEST(Runner, WaitsForANewHorizonWhenTheRunIsSetBack) {
    Runner runner(std::make_unique<Counter>());
    runner.set_horizon(0.495);
    runner.play();
    wait_until([&] { return step_of(runner) == 50; });
    const std::int64_t epoch = runner.snapshot()->epoch;
    runner.reset();
    runner.set_horizon(0.525, epoch);  // by somebody who has not seen the reset
    finish_commands(runner);
    runner.set_horizon(0.535, epoch);
    runner.post([](Player&) {});
    finish_commands(runner);
    EXPECT_EQ(step_of(runner), 0);
    EXPECT_TRUE(runner.pace().playing);
    EXPECT_GT(runner.snapshot()->epoch, epoch);
    runner.set_horizon(0.025, runner.snapshot()->epoch);
    wait_until([&] { return step_of(runner) == 3; });
    runner.back(1);
    finish_commands(runner);
    EXPECT_GT(runner.snapshot()->epoch, epoch + 1);
}

TEST(Runner, CarriesOutCommandsInOrderBetweenSteps) {
    Runner runner(std::make_unique<Counter>());
    std::vector<std::int64_t> seen;  // the runner's thread writes, this one reads when it is done
    const auto note = [&seen](Player& player) {
        seen.push_back(std::lround(player.time() / kStep));
    };
    for (int i = 0; i < 100; ++i) {
        runner.post(note);
        runner.forward(2);
    }
    runner.post(note);
    finish_commands(runner);
    ASSERT_EQ(seen.size(), 101U);
    for (std::size_t i = 0; i < seen.size(); ++i)
        EXPECT_EQ(seen[i], static_cast<std::int64_t>(2 * i));
}

TEST(Runner, ReportsTheErrorOfACommandAndGoesOn) {
    Runner runner(std::make_unique<Counter>());
    EXPECT_EQ(runner.pace().error, "");
    runner.post([](Player&) { throw std::runtime_error("no such thing"); });
    finish_commands(runner);
    EXPECT_EQ(runner.pace().error, "no such thing");
    EXPECT_EQ(runner.pace().error_serial, 1);
    runner.post([](Player&) {});
    runner.forward(3);
    finish_commands(runner);
    EXPECT_EQ(runner.pace().error, "");
    EXPECT_EQ(runner.pace().error_serial, 1);
    EXPECT_EQ(step_of(runner), 3);
}

// The step is held at a gate: all the calls below return although it does not end.
TEST(Runner, ASlowStepHoldsUpNobody) {
    Gate gate;
    gate.shut();
    Runner runner(std::make_unique<Counter>(1'000'000'000, &gate));
    runner.set_speed(0);
    runner.play();
    gate.wait_for_somebody();
    const Pace pace = runner.pace();
    EXPECT_TRUE(pace.stepping);
    EXPECT_GE(pace.step_running, 0);
    EXPECT_EQ(step_of(runner), 0);
    std::atomic<bool> done = false;
    runner.post([&done](Player&) { done = true; });
    runner.forward(2);
    runner.pause();
    runner.set_speed(1);
    std::vector<StepRecord> records;
    runner.take_records(records);
    EXPECT_TRUE(records.empty());
    EXPECT_GE(runner.pace().waiting, 1U);
    EXPECT_FALSE(done);
    gate.open();
    finish_commands(runner);
    EXPECT_TRUE(done);
    EXPECT_FALSE(runner.pace().playing);
}

TEST(Runner, PauseDropsStepsThatWereOrdered) {
    Gate gate;
    gate.shut();
    Runner runner(std::make_unique<Counter>(1'000'000'000, &gate));
    runner.forward(1'000'000'000);
    gate.wait_for_somebody();
    runner.pause();
    gate.open();
    finish_commands(runner);
    EXPECT_EQ(step_of(runner), 1);
}

TEST(Runner, EndsAfterTheStepAtHand) {
    Gate gate;
    gate.shut();
    auto runner = std::make_unique<Runner>(std::make_unique<Counter>(1'000'000'000, &gate));
    runner->set_speed(0);
    runner->play();
    gate.wait_for_somebody();
    std::thread ending([&runner] { runner.reset(); });
    gate.open();
    ending.join();
}

TEST(Runner, HandsOutAllRecordsOnce) {
    Runner runner(std::make_unique<Counter>());
    std::vector<StepRecord> records;
    runner.forward(10);
    finish_commands(runner);
    runner.take_records(records);
    ASSERT_EQ(records.size(), 10U);
    runner.forward(3);
    finish_commands(runner);
    runner.take_records(records);
    ASSERT_EQ(records.size(), 13U);
    for (std::size_t i = 0; i < records.size(); ++i)
        EXPECT_EQ(records[i].step, static_cast<std::int64_t>(i) + 1);
}

TEST(Runner, KeepsTheLastHundredThousandRecords) {
    Runner runner(std::make_unique<Counter>(250'000));
    runner.set_speed(0);
    runner.play();
    wait_until([&] { return step_of(runner) == 250'000; });
    runner.post([](Player&) {});
    finish_commands(runner);
    std::vector<StepRecord> records;
    runner.take_records(records);
    ASSERT_EQ(records.size(), 100'000U);
    EXPECT_EQ(records.front().step, 150'001);
    EXPECT_EQ(records.back().step, 250'000);
}

TEST(Runner, AnotherPlayerTakesOver) {
    Runner runner(std::make_unique<Counter>());
    runner.forward(5);
    finish_commands(runner);
    const std::shared_ptr<const Snapshot> old = runner.snapshot();
    runner.replace(std::make_unique<Counter>());
    finish_commands(runner);
    EXPECT_EQ(step_of(runner), 0);
    EXPECT_GT(runner.snapshot()->scene_serial, old->scene_serial);
    EXPECT_EQ(old->state.step, 5);  // what is looked at stays as it was
    runner.set_speed(0);
    runner.play();
    wait_until([&] { return step_of(runner) > 10; });
    runner.replace(std::make_unique<Counter>());
    finish_commands(runner);
    EXPECT_TRUE(runner.pace().playing);
}

// Snapshots are looked at while steps and commands go on; under the thread sanitizer this shows
// what is shared without a lock.
TEST(Runner, RunsALiveSceneWhileItIsLookedAt) {
    auto scene = std::make_unique<LiveScene>(shipped_scene("stack", {{"boxes", "3"}}), 2);
    Runner runner(std::move(scene));
    runner.set_speed(0);
    runner.play();
    const auto with = [&runner](const auto& act) {
        runner.post([act](Player& player) { act(dynamic_cast<LiveScene&>(player)); });
    };
    std::shared_ptr<const Snapshot> kept = runner.snapshot();
    for (int i = 0; i < 60; ++i) {
        with([i](LiveScene& live) {
            use_model(live,
                      make_contact_model(kContactModelNames[static_cast<std::size_t>(i) % 6]));
            if (i == 20) live.set_ghost(ContactModel(NoSlip{}));
            live.set_drag(Drag{.body = 1, .target = {0, 0, 0.1 + 0.001 * i}});
            live.trace_convergence();
        });
        const std::int64_t at = step_of(runner);
        wait_until([&] { return step_of(runner) > at; });
        const std::shared_ptr<const Snapshot> now = runner.snapshot();
        EXPECT_TRUE(is_finite(now->state));
        EXPECT_EQ(now->island_of.size(), now->state.pose.size());
        if (i == 30) kept = now;
        std::vector<StepRecord> records;
        runner.take_records(records);
    }
    runner.back(3);
    runner.forward(3);
    finish_commands(runner);
    EXPECT_TRUE(is_finite(kept->state));
    EXPECT_TRUE(runner.snapshot()->ghost.has_value());
    EXPECT_EQ(runner.pace().error, "");
}

// Played in any portions, the bits are those of plain steps.
TEST(Runner, GivesTheBitsOfPlainSteps) {
    const Scene scene = shipped_scene("wall");
    Simulation sim = simulate(scene, scene.contact);
    for (int i = 0; i < 40; ++i) ASSERT_EQ(step(sim), StepOutcome::kDone);
    Runner runner(std::make_unique<LiveScene>(scene, 1));
    runner.set_horizon(39.5 * scene.step.h);
    runner.play();
    wait_until([&] { return step_of(runner) == 40; });
    EXPECT_EQ(state_hash(runner.snapshot()->state), state_hash(sim.state));
}

}  // namespace
}  // namespace stiction

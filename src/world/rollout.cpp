// rollout.cpp - worlds on threads; a queue of runs.
#include "world/rollout.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "core/error.h"
#include "core/thread_pool.h"

namespace stiction {

namespace {

// Controls of one run: how many numbers belong to a step, and whether they change from step to step.
struct RunControls {
    std::span<const double> values;
    std::size_t count = 0;

    [[nodiscard]] bool given(std::int64_t step) const {
        return !values.empty() && (step == 0 || values.size() > count);
    }
    [[nodiscard]] std::span<const double> at_step(std::int64_t step) const {
        return values.size() == count
                   ? values
                   : values.subspan(static_cast<std::size_t>(step) * count, count);
    }
};

void check_controls(const std::vector<std::vector<double>>& controls, std::size_t count,
                    std::size_t runs, std::int64_t steps) {
    if (controls.empty()) return;
    if (controls.size() != runs)
        throw InputError("controls of " + std::to_string(controls.size()) + " runs; expected " +
                         std::to_string(runs));
    for (const std::vector<double>& values : controls) {
        if (values.size() != count && values.size() != count * static_cast<std::size_t>(steps))
            throw InputError("a run has " + std::to_string(values.size()) + " controls; expected " +
                             std::to_string(count) + ", or as many for each of " +
                             std::to_string(steps) + " steps");
    }
}

// False where it was told to stop.
bool run_one(World& world, State state, const RunControls& controls, const RolloutOptions& options,
             const std::atomic<bool>& stop, std::vector<State>& kept) {
    world.reset();
    state.time = world.state().time;
    state.step = world.state().step;
    world.set_state(state);
    for (std::int64_t i = 0; i < options.steps; ++i) {
        if (stop.load(std::memory_order_relaxed)) return false;
        if (controls.given(i)) world.set_controls(controls.at_step(i));
        world.step();
        const bool last = i + 1 == options.steps;
        if (options.every > 0 ? (i + 1) % options.every == 0 : last) kept.push_back(world.state());
    }
    return true;
}

// The threads' shared list of work.
struct Work {
    std::atomic<std::size_t> next{0};
    std::size_t busy = 0;  // threads; with the next two
    std::mutex mutex;
    std::condition_variable ended;
    std::atomic<bool> stop{false};
    std::vector<std::exception_ptr> failed;  // per run
};

}  // namespace

std::vector<std::vector<State>> rollout(const World& world, std::span<const State> states,
                                        const std::vector<std::vector<double>>& controls,
                                        const RolloutOptions& options,
                                        const std::function<bool()>& go_on) {
    if (options.threads < 1 || options.threads > kMaxThreads)
        throw InputError("threads: must be in 1 ... " + std::to_string(kMaxThreads));
    if (options.steps < 0 || options.every < 0) throw InputError("steps: must be at least 0");
    const auto threads = std::min(static_cast<std::size_t>(options.threads), states.size());
    std::vector<World> worlds;
    for (std::size_t i = 0; i < std::max<std::size_t>(threads, 1); ++i)
        worlds.push_back(world.copy());
    const std::size_t count = worlds.front().controls().size();
    check_controls(controls, count, states.size(), options.steps);
    std::vector<std::vector<State>> kept(states.size());
    Work work;
    work.failed.resize(states.size());
    work.busy = threads;
    const auto take_runs = [&](World& mine) {
        for (std::size_t i = work.next++; i < states.size(); i = work.next++) {
            try {
                const RunControls own{controls.empty() ? std::span<const double>() : controls[i],
                                      count};
                if (!run_one(mine, states[i], own, options, work.stop, kept[i])) break;
            } catch (...) {
                work.failed[i] = std::current_exception();
            }
        }
        const std::lock_guard lock(work.mutex);
        if (--work.busy == 0) work.ended.notify_all();
    };
    {
        std::vector<std::jthread> pool;
        for (std::size_t i = 0; i < threads; ++i)
            pool.emplace_back([&, i] { take_runs(worlds[i]); });
        constexpr std::chrono::milliseconds kAskEvery{50};
        std::unique_lock lock(work.mutex);
        while (!work.ended.wait_for(lock, kAskEvery, [&] { return work.busy == 0; })) {
            if (go_on && !work.stop.load() && !go_on()) work.stop = true;
        }
    }
    for (const std::exception_ptr& failure : work.failed) {
        if (failure) std::rethrow_exception(failure);
    }
    if (work.stop.load()) kept.clear();
    return kept;
}

}  // namespace stiction

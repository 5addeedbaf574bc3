// cpu_time.h - CPU time of a call: the least of several repeats, which other load disturbs least.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/thread_clock.h"

namespace stiction {

// The least of some times [s], but for the lowest fiftieth: now and then the clock slips and a call
// seems to take next to nothing. Reorders the times.
inline double least_time(std::vector<double>& times) {
    const auto nth = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 50);
    std::nth_element(times.begin(), nth, times.end());
    return *nth;
}

// What reading the clock adds to a measured time [s]: a system call, not small beside the solve of
// one contact.
inline double clock_cost() {
    std::vector<double> times;
    for (int i = 0; i < 200; ++i) {
        const double start = cpu_now();
        times.push_back(cpu_now() - start);
    }
    return least_time(times);
}

struct Repeats {
    int most = 20;
    double seconds = 0.1;  // no further repeat after this much CPU time
};

// Least time of run(state) [s], with a new state = prepare() for each call, made outside the time
// taken: nothing is warm but the caches. Short calls are timed several together, each with a state
// of its own, for the sake of the clock.
template <class Prepare, class Run>
double best_cold_time(const Repeats& repeats, const Prepare& prepare, const Run& run) {
    constexpr double kBatch = 20e-6;  // [s]
    constexpr double kMaxStates = 4;  // at a time: more would not fit the first cache
    const double reading = clock_cost();
    double spent = 0;
    std::size_t calls = 1;
    std::vector<double> times;
    for (int i = 0; i < repeats.most && (i == 0 || spent < repeats.seconds); ++i) {
        std::vector<decltype(prepare())> states;
        states.reserve(calls);
        while (states.size() < calls) states.push_back(prepare());
        const double start = cpu_now();
        for (auto& state : states) run(state);
        const double time = std::max(cpu_now() - start - reading, 1e-9);
        spent += time;
        times.push_back(time / static_cast<double>(calls));
        calls = static_cast<std::size_t>(std::clamp(kBatch / times.back(), 1.0, kMaxStates));
    }
    return least_time(times);
}

// Least mean time of a call of run() [s], over batches long enough for the clock; the first call
// is not timed.
template <class Run>
double best_warm_time(const Repeats& repeats, const Run& run) {
    constexpr double kBatch = 50e-6;  // [s], some hundred times what reading the clock costs
    const double start = cpu_now();
    run();
    const double first = cpu_now() - start;
    const int calls = std::clamp(static_cast<int>(kBatch / std::max(first, 1e-9)), 1, 1000);
    const double reading = clock_cost();
    double spent = 0;
    std::vector<double> times;
    for (int i = 0; i < repeats.most && (i == 0 || spent < repeats.seconds); ++i) {
        const double begin = cpu_now();
        for (int k = 0; k < calls; ++k) run();
        const double time = std::max(cpu_now() - begin - reading, 1e-9);
        times.push_back(time / calls);
        spent += time;
    }
    return least_time(times);
}

}  // namespace stiction

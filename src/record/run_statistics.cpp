// run_statistics.cpp - adds one step after another.
#include "record/run_statistics.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

constexpr double kShortest = 1e-8;    // [s]: less than reading the clock costs
constexpr double kLongest = 1e4;      // [s]: a step of nearly three hours
constexpr double kBinRatio = 1.0075;  // the middle of a bin is within 0.4 % of all it holds

void add_quality(const QualityRecord& record, RunStatistics& s) {
    ++s.quality_steps;
    for (const QualityColumn& column : kQualityColumns) {
        const double x = record.*column.value;
        double& largest = s.quality_max.*column.value;
        s.quality_sum.*column.value += x;
        if (!(x <= largest) && !std::isnan(largest)) largest = x;  // NaN stays
    }
}

void add_account(const StepRecord& record, AccountStatistics& s) {
    const EnergyAccount& account = *record.account;
    if (s.steps++ == 0) s.potential_min = s.potential_max = record.potential + account.gravity;
    for (const AccountColumn& column : kAccountColumns)
        s.sum.*column.value += account.*column.value;
    s.unexplained += std::abs(account.unexplained);
    s.integrator_excess += account.integrator_excess;
    s.least = account.least;
    s.kinetic_max = std::max(s.kinetic_max, record.kinetic);
    s.potential_min = std::min(s.potential_min, record.potential);
    s.potential_max = std::max(s.potential_max, record.potential);
    if (s.lost_track_of() <= kMostUnexplained * s.largest()) {
        s.first_step = -1;
        s.first_body = kNone;
    } else if (s.first_step < 0) {
        s.first_step = record.step;
        const bool made = std::max(0.0, s.integrator_excess) > s.unexplained;
        s.first_body = made ? account.mover : account.body;
    }
}

}  // namespace

TimeHistogram::TimeHistogram()
    : counts_(static_cast<std::size_t>(std::log(kLongest / kShortest) / std::log(kBinRatio)) + 1) {}

void TimeHistogram::add(double seconds) {
    const double clamped = std::clamp(seconds, kShortest, kLongest);
    const auto bin = static_cast<std::size_t>(std::log(clamped / kShortest) / std::log(kBinRatio));
    ++counts_[std::min(bin, counts_.size() - 1)];
    ++total_;
}

double TimeHistogram::quantile(double p) const {
    if (total_ == 0) return 0;
    const auto wanted =
        std::max<std::int64_t>(1, std::llround(std::ceil(p * static_cast<double>(total_))));
    std::int64_t seen = 0;
    std::size_t bin = 0;
    while (bin < counts_.size() && (seen += counts_[bin]) < wanted) ++bin;
    return kShortest * std::pow(kBinRatio, static_cast<double>(bin) + 0.5);
}

RunStatistics start_statistics(const Energy& start) {
    RunStatistics statistics;
    statistics.kinetic_start = statistics.kinetic_end = start.kinetic;
    statistics.total_start = statistics.total_end = start.total();
    return statistics;
}

void add_step(const StepRecord& record, RunStatistics& statistics) {
    RunStatistics& s = statistics;
    ++s.steps;
    s.seconds += record.step_seconds;
    s.seconds_max = std::max(s.seconds_max, record.step_seconds);
    s.histogram.add(record.step_seconds);
    for (std::size_t i = 0; i < s.stage_seconds.size(); ++i) {
        s.stage_seconds[i] += record.seconds[i];
    }
    s.contacts += record.contacts;
    s.contacts_max = std::max(s.contacts_max, record.contacts);
    s.pairs += record.pairs;
    s.bullet_pairs += record.bullet_pairs;
    s.iterations += record.iterations;
    s.pivots += record.pivots;
    s.iterations_max = std::max(s.iterations_max, record.iterations);
    s.pivots_max = std::max(s.pivots_max, record.pivots);
    s.failures += record.failures;
    s.fallbacks += record.fallbacks;
    s.budget_steps +=
        record.status == SolveStatus::kBudget || record.projection_status == SolveStatus::kBudget;
    s.residual_max = std::max(s.residual_max, record.residual);
    s.torn_steps += record.status == SolveStatus::kTorn;
    s.contradiction_steps += record.status == SolveStatus::kContradiction;
    s.projection_unsolved_steps += record.projection_status != SolveStatus::kSolved;
    s.midpoint_fallbacks += record.midpoint_fallbacks;
    if (record.fast_body != kNone && s.fast_steps++ == 0) {
        s.first_fast_step = record.step;
        s.first_fast_body = record.fast_body;
    }
    s.joint_error_max = std::max(s.joint_error_max, record.joint_error);
    s.joint_speed_max = std::max(s.joint_speed_max, record.joint_speed);
    s.penetration_sum += record.penetration_sum;
    s.penetration_max = std::max(s.penetration_max, record.penetration);
    s.largest_gain = std::max(s.largest_gain, record.total() - s.total_end);
    s.kinetic_end = record.kinetic;
    s.total_end = record.total();
    if (!s.model.empty() && s.model != record.model)
        s.switches.push_back({record.step, record.t, s.model, record.model});
    s.model = record.model;
    if (!s.narrowphase.empty() && s.narrowphase != record.narrowphase)
        s.narrowphase_switches.push_back(
            {record.step, record.t, s.narrowphase, record.narrowphase});
    s.narrowphase = record.narrowphase;
    if (record.quality) add_quality(*record.quality, s);
    if (record.account) add_account(record, s.account);
    if (record.islands == 0) return;
    const auto known = std::find_if(s.solvers.begin(), s.solvers.end(), [&](const auto& entry) {
        return entry.first == record.solver;
    });
    if (known != s.solvers.end()) {
        ++known->second;
    } else {
        s.solvers.emplace_back(record.solver, 1);
    }
}

void add_final_contacts(const ContactSet& contacts, RunStatistics& statistics) {
    for (const Contact& contact : contacts.contacts) {
        statistics.penetration_max = std::max(statistics.penetration_max, -contact.phi);
    }
}

std::string_view main_solver(const RunStatistics& statistics) {
    const auto most =
        std::max_element(statistics.solvers.begin(), statistics.solvers.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == statistics.solvers.end() ? "none" : most->first;
}

}  // namespace stiction

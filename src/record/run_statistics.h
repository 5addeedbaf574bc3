// run_statistics.h - totals, means and extremes of the steps of a run, gathered step by step in
// fixed memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "model/state.h"
#include "problem/contact_set.h"
#include "record/step_record.h"

namespace stiction {

// How often each duration occurred, in bins of equal ratio from 10 ns to 10^4 s: quantiles to
// within 0.5 % for any number of steps.
class TimeHistogram {
  public:
    TimeHistogram();
    void add(double seconds);
    // The value that the share p of all durations does not exceed (p = 0.5: median) [s]; 0 when
    // nothing was added.
    [[nodiscard]] double quantile(double p) const;

  private:
    std::vector<std::int64_t> counts_;
    std::int64_t total_ = 0;
};

// The contact model, or the narrowphase, was changed while the run went on.
struct ModelSwitch {
    std::int64_t step = 0;  // the first that the new one made
    double t = 0;           // after it [s]
    std::string_view from, to;
};

// Sums of the accounts of energy, and whether they close.
struct AccountStatistics {
    std::int64_t steps = 0;                                        // whose account was kept
    EnergyAccount sum;                                             // [J]
    double unexplained = 0;                                        // sum of |unexplained| [J]
    double integrator_excess = 0;                                  // its sum [J]
    double kinetic_max = 0, potential_min = 0, potential_max = 0;  // [J]
    double least = 0;                                              // [J]
    std::int64_t first_step = -1;  // from which on lost_track_of() was too much; -1: it is not
    int first_body = kNone;        // with the largest share of it in that step

    // The most that was ever in the system: kinetic energy, and what potential energy varied by; at
    // least that of a fall by a micrometre.
    [[nodiscard]] double largest() const {
        return std::max(least, kinetic_max + (potential_max - potential_min));
    }
    // What came from nowhere or went there: what is unexplained, and what the integrator has made on
    // balance. What it loses beyond its formula is damping, and stands in its own column.
    [[nodiscard]] double lost_track_of() const {
        return unexplained + std::max(0.0, integrator_excess);
    }
};
// Of the largest energy: an account with more than this unexplained does not close.
inline constexpr double kMostUnexplained = 0.01;

struct RunStatistics {
    std::int64_t steps = 0;
    double seconds = 0;      // spent in steps, recording included [s]
    double seconds_max = 0;  // longest step [s]
    TimeHistogram histogram;
    StageTimes stage_seconds{};  // sums [s]
    double contacts = 0;         // sum over the steps
    int contacts_max = 0;
    std::int64_t pairs = 0;         // of shapes that were asked for contacts, over all steps
    std::int64_t bullet_pairs = 0;  // those of them that Bullet's algorithms answered
    double iterations = 0;          // sums over the steps
    double pivots = 0;
    int iterations_max = 0;
    int pivots_max = 0;
    std::int64_t failures = 0;      // islands over all steps
    std::int64_t fallbacks = 0;     // islands over all steps
    std::int64_t budget_steps = 0;  // steps that ended by a budget
    double residual_max = 0;
    std::int64_t torn_steps = 0;                 // steps after which a joint was torn
    std::int64_t contradiction_steps = 0;        // steps with rows that contradicted one another
    std::int64_t projection_unsolved_steps = 0;  // steps whose removal of drift is unfinished
    std::int64_t midpoint_fallbacks = 0;         // groups of bodies over all steps
    std::int64_t fast_steps = 0;                 // steps in which a body was too fast
    std::int64_t first_fast_step = -1;           // the first of them, -1: none; and its body
    int first_fast_body = kNone;
    double joint_error_max = 0;  // [m]
    double joint_speed_max = 0;  // [m/s]
    double penetration_sum = 0;  // over all contacts of all steps [m]
    double penetration_max = 0;  // [m]
    double kinetic_start = 0;    // [J]
    double kinetic_end = 0;
    double total_start = 0;
    double total_end = 0;
    double largest_gain = 0;  // of the total energy in one step; 0 when it never grew [J]
    std::vector<std::pair<std::string_view, std::int64_t>> solvers;  // steps that each one answered
    std::string_view model;             // of the last step; empty before the first
    std::vector<ModelSwitch> switches;  // oldest first
    std::string_view narrowphase;       // of the last step, as the model
    std::vector<ModelSwitch> narrowphase_switches;
    AccountStatistics account;
    std::int64_t quality_steps = 0;  // steps whose quality was measured
    QualityRecord quality_sum;       // over these
    QualityRecord quality_max;       // NaN once a measure was NaN
};

[[nodiscard]] RunStatistics start_statistics(const Energy& start);
void add_step(const StepRecord& record, RunStatistics& statistics);
// Contacts of the state in which the run ended: no step started from it, so no record has them.
void add_final_contacts(const ContactSet& contacts, RunStatistics& statistics);

// The solver that answered most steps; "none" when no step had an island.
[[nodiscard]] std::string_view main_solver(const RunStatistics& statistics);

}  // namespace stiction

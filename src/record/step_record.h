// step_record.h - the numbers of one step: the single source for the table, the summary and
// whatever shows a run live. Plain data of fixed size, so that recording a step allocates nothing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/status.h"
#include "record/quality_record.h"
#include "step/energy_account.h"
#include "step/stages.h"

namespace stiction {

struct Simulation;

struct StepRecord {
    std::int64_t step = 0;    // steps taken, this one included
    double t = 0;             // time after the step [s]
    StageTimes seconds{};     // per stage [s]
    double step_seconds = 0;  // whole step [s]
    double kinetic = 0;       // energies after the step [J]
    double potential = 0;
    std::array<double, 3> momentum{};  // linear [N s]
    std::array<double, 3> angular{};   // angular momentum about the world origin [N m s]
    int contacts = 0;
    int islands = 0;
    double penetration =
        0;  // largest depth max(0, -phi) over the contacts at the start of the step [m]
    double penetration_sum = 0;  // of all their depths [m]
    int iterations = 0;
    int pivots = 0;
    int passes = 0;
    int failures = 0;   // islands whose solve did not end as solved
    int fallbacks = 0;  // islands that another solver had to answer
    double residual = 0;
    SolveStatus status = SolveStatus::kSolved;
    std::string_view model =
        "none";  // contact model that made the step; a name with static storage, as the next one
    std::string_view solver = "none";  // that answered the largest island
    std::string_view asked = "none";   // solver that was asked for: `auto` leaves it to the model
    int settings = 0;  // changes of settings before the step, counted where they may change
    int projected_islands = 0;   // islands whose positions were corrected
    double projection_move = 0;  // largest displacement of the correction [m]
    double projection_gain = 0;  // potential energy it added [J]
    SolveStatus projection_status = SolveStatus::kSolved;
    double joint_error = 0;       // largest of the joints' position errors after the step [m]
    double joint_speed = 0;       // and of the velocities that their rows were left with [m/s]
    int projection_unsolved = 0;  // islands whose correction is no solution
    int fast_body = kNone;        // the first that was too fast for the step
    std::string_view narrowphase = "exact";  // that found the contacts
    int pairs = 0;                           // of shapes near enough to be asked for contacts
    int bullet_pairs = 0;                    // those that Bullet's algorithms answered
    int midpoint_fallbacks = 0;  // groups of bodies that symplectic Euler stepped instead
    std::optional<QualityRecord> quality = {};  // where it was asked for

    std::optional<EnergyAccount> account = {};  // where it is kept

    [[nodiscard]] double total() const { return kinetic + potential; }
};

// Of the step that `sim` has just taken; to be called by its observer. The time of the record stage
// and of the whole step are known only afterwards: add_step_times fills them in.
[[nodiscard]] StepRecord make_step_record(const Simulation& sim);
void add_step_times(const Simulation& sim, StepRecord& record);

}  // namespace stiction

// island_task.h - what a model and its routes see of one island, and what is kept for it between
// steps. A route's own workspace is made when the route is first taken.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "contact/island/guess.h"
#include "contact/island/island_rows.h"
#include "contact/island/triples.h"
#include "contact/routes/island_size.h"
#include "core/solve_report.h"
#include "core/thread_pool.h"

namespace stiction {

struct PivotingWorkspace;
struct SweepWorkspace;
struct NewtonRoute;
struct BodyNewton;
struct DenseRoute;
struct PolygonRoute;
struct PpmRoute;
struct PhaseTwoWorkspace;
struct PhaseTwoTriples;
struct PhaseTwoSweeps;
struct PhaseTwoNewton;
struct LeastImpulses;

// A workspace that is made on first use.
template <typename T>
class Made {
  public:
    Made() = default;
    Made(const Made&) = delete;
    Made& operator=(const Made&) = delete;
    Made(Made&&) noexcept = default;
    Made& operator=(Made&&) noexcept = default;
    ~Made() = default;

    T& operator()() {
        if (!made_) made_ = std::make_shared<T>();
        return *made_;
    }

  private:
    std::shared_ptr<T> made_;  // not unique: T need not be complete where a workspace is destroyed
};

// Impulses and velocities of an island, to be put back (safety.h).
struct KeptAnswer {
    std::vector<double> impulses;
    VecX v;
};

// A tangential row of no_slip, and what is left of it beside other rows (models/held_rows.h).
struct HeldRow {
    int row = 0;
    Vec6 rest = Vec6::Zero();
    double least = 0;  // squared length of the rest of a row that depends on others
};

struct IslandWorkspace {
    IslandRows rows;
    IslandRows more_rows;  // of a second problem beside it: rebound, joints alone
    Triples triples;
    Made<PivotingWorkspace> pivoting;
    Made<SweepWorkspace> sweeps;
    Made<NewtonRoute> newton;
    Made<BodyNewton> body_newton;
    Made<DenseRoute> dense;
    Made<PolygonRoute> polygon;
    Made<PpmRoute> ppm;
    Made<PhaseTwoWorkspace> phase_two;
    Made<PhaseTwoTriples> phase_two_triples;
    Made<PhaseTwoSweeps> phase_two_sweeps;
    Made<PhaseTwoNewton> phase_two_newton;
    Made<LeastImpulses> least_impulses;
    std::vector<int> links_per_block;
    KeptAnswer answer;  // beside another that may be better
    std::vector<HeldRow> held;
};

// Vectors over the whole problem; islands touch their own entries only.
struct SharedWorkspace {
    ContactGuess guess;                        // matched to this step's contacts
    std::vector<std::uint64_t> next_contacts;  // written by the models, per contact and per joint
    std::vector<std::uint64_t> next_joints;
    std::vector<Eigen::Vector2d> next_multipliers;  // empty where a model has none
    std::vector<char> tangential;                   // per contact: whether it has tangential rows
    std::vector<char> released;      // per contact: whether it had them and lost them in this step
    VecX momentum, v_plus, v_other;  // scratch
};

struct IslandTask {
    const ContactProblem& problem;
    const Island& island;
    const IslandSize& size;
    const Guess& guess;  // joints
    SharedWorkspace& shared;
    IslandWorkspace& workspace;
    ContactSolution& solution;  // v, impulses: this island's entries only
    // Tolerance of the model; iterations of all rungs of its ladder together, and the time.
    SolveSettings stop = {};
    bool alone = false;               // only what was asked for answers: no fallback, no net
    ThreadPool* pool = nullptr;       // threads that it may use; null: the caller's alone
    RowRevision* revision = nullptr;  // of rows that are swept
};

[[nodiscard]] inline std::span<const int> links_of(const IslandTask& task) {
    return links_of(task.problem, task.island);
}
[[nodiscard]] inline std::span<const int> blocks_of(const IslandTask& task) {
    return blocks_of(task.problem, task.island);
}

template <typename Act>
void for_each_contact(const IslandTask& task, const Act& act) {
    for (const int l : links_of(task)) {
        const LinkRows& range = task.problem.link_rows[at(l)];
        for (int i = range.contact_begin; i < range.contact_end; ++i) act(i);
    }
}

// Calls act(first, last) for the impulses of every kind of row and link of the island's solution.
template <typename Act>
void for_each_range(const IslandTask& task, const Act& act) {
    const auto range = [&](std::vector<double>& c, int begin, int end) {
        act(c.begin() + begin, c.begin() + end);
    };
    ContactSolution& solution = task.solution;
    for (const int l : links_of(task)) {
        const LinkRows& rows = task.problem.link_rows[at(l)];
        range(solution.c_n, rows.contact_begin, rows.contact_end);
        range(solution.c_s, rows.contact_begin, rows.contact_end);
        range(solution.c_t, rows.contact_begin, rows.contact_end);
        range(solution.c_j, rows.joint_begin, rows.joint_end);
        range(solution.c_l, rows.limit_begin, rows.limit_end);
        range(solution.c_b, rows.bounded_begin, rows.bounded_end);
    }
}

// Whether the budget is used up after `used` iterations: the ladder then goes straight to its last,
// safe rung.
[[nodiscard]] inline bool spent(const IslandTask& task, int used) {
    return (task.stop.max_iterations > 0 && used >= task.stop.max_iterations) ||
           task.stop.deadline.passed();
}

// The task after `used` iterations: what is left, but at least one (0 would be no limit).
[[nodiscard]] inline IslandTask after(const IslandTask& task, int used) {
    IslandTask rest = task;
    if (task.stop.max_iterations > 0)
        rest.stop.max_iterations = std::max(1, task.stop.max_iterations - used);
    return rest;
}

// Rows of the task's island into task.workspace.rows.
void build_rows(const IslandTask& task, const RowChoice& choice);
// Rows with all tangents, and their triples with last step's impulses as the first guess.
void build_warm_triples(const IslandTask& task);

// Impulses of rows.c into the solution, in place of what stood there.
void set_impulses(const IslandTask& task, const IslandRows& rows);
// Impulses and velocities of triples.r.
void commit_triples(const IslandTask& task);
void clear_impulses(const IslandTask& task);

[[nodiscard]] IslandResult island_result(std::string_view solver, const SolveReport& report,
                                         int pivots = 0);

}  // namespace stiction

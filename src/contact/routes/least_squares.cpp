// least_squares.cpp - the rows of an island, softened, by the proximal Newton method.
#include "contact/routes/least_squares.h"

#include <algorithm>

#include "contact/routes/newton.h"

namespace stiction {

namespace {

constexpr double kAccuracy = 1e-9;  // of soft rows, far below what the softness leaves
constexpr int kSteps = 200;         // factorisations; soft rows need ten
// Of the mean over the link: what a row feels that moves nothing, such as one across the plane of a
// plane linkage.
constexpr double kLeastResponse = 1e-6;

void soften(const ContactProblem& problem, double softness, IslandRows& rows) {
    const LinkSystem& system = problem.system;
    for (std::size_t l = 0; l < rows.links.size(); ++l) {
        const Link& link = system.links[at(rows.links[l])];
        const Mat6 D = delassus_block(system, link, link);
        for (int r = rows.begin[l]; r < rows.begin[l + 1]; ++r) {
            Row& row = rows.rows[at(r)];
            if (row.compliance > 0) continue;
            const double own = row.g.dot(D * row.g);
            row.compliance = softness * std::max(own, kLeastResponse * D.trace() / 6);
        }
    }
}

SolveReport solve_soft(const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    const SolveReport report =
        newton_rows(task.problem, task.island, {kAccuracy, kSteps, task.stop.deadline},
                    task.problem.v_free, task.workspace.body_newton(), rows, task.solution.v);
    set_impulses(task, rows);
    return report;
}

// Whether the model has friction at a contact with this normal impulse.
bool has_friction(const ContactModel& model, const ContactRow& contact, double c_n) {
    if (c_n <= 0) return false;
    if (const auto* viscous = std::get_if<Viscous>(&model))
        return contact.mu_v > 0 && viscous->level == ViscousLevel::kVelocity;
    return std::holds_alternative<NoSlip>(model) || contact.mu_c > 0;
}

// What the model's friction may do, given the normal impulse.
void bound_friction(const ContactModel& model, const ContactProblem& problem,
                    const ContactRow& contact, double c_n, Row& row) {
    if (std::holds_alternative<NoSlip>(model)) return;
    if (std::holds_alternative<Viscous>(model)) {
        row.compliance = 1 / (problem.h * contact.mu_v);
        return;
    }
    row.hi = contact.mu_c * c_n;
    row.lo = -row.hi;
}

}  // namespace

IslandResult probe_rows(const IslandTask& task) {
    build_rows(task, {});
    soften(task.problem, kProbe, task.workspace.rows);
    return island_result("least_squares", solve_soft(task));
}

IslandResult solve_least_squares(const ContactModel& model, const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    build_rows(task, {});
    soften(task.problem, kSoftness, rows);
    SolveReport report = solve_soft(task);
    bool friction = false;
    for_each_contact(task, [&](int i) {
        const bool has =
            has_friction(model, task.problem.contacts[at(i)], task.solution.c_n[at(i)]);
        task.shared.tangential[at(i)] = has ? 1 : 0;
        friction = friction || has;
    });
    if (friction && report.status == SolveStatus::kSolved) {
        const int used = report.iterations;
        build_rows(task, {.tangential = task.shared.tangential});
        for (std::size_t r = 0; r < rows.source.size(); ++r) {
            if (!is_tangential(rows.source[r])) continue;
            const int i = rows.source[r].index;
            bound_friction(model, task.problem, task.problem.contacts[at(i)],
                           task.solution.c_n[at(i)], rows.rows[r]);
        }
        soften(task.problem, kSoftness, rows);
        report = solve_soft(task);
        report.iterations += used;
    }
    return island_result("least_squares", report);
}

}  // namespace stiction

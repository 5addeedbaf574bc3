// island_task.cpp - rows, triples and impulses of one island's task.
#include "contact/island/island_task.h"

#include "contact/island/operators.h"

namespace stiction {

void build_rows(const IslandTask& task, const RowChoice& choice) {
    build_island_rows(task.problem, task.island, choice, task.workspace.rows);
}

void build_warm_triples(const IslandTask& task) {
    build_rows(task, {.all_tangential = true});
    const IslandRows& rows = task.workspace.rows;
    Triples& triples = task.workspace.triples;
    build_triples(task.problem, rows, triples);
    const Guess& guess = task.guess;
    const bool same_joints = guess.joint_impulses.size() == task.problem.joints.size();
    const bool same_bounded = guess.bounded_impulses.size() == task.problem.bounded.size();
    for (std::size_t a = 0; a < triples.all.size(); ++a) {
        const Triple& triple = triples.all[a];
        auto r = triples.r.segment<3>(3 * static_cast<Eigen::Index>(a));
        if (triple.contact != kNone) {
            r = jacobian(rows, triple).leftCols<3>() *
                task.shared.guess.impulses[at(triple.contact)];
            continue;
        }
        for (int k = 0; k < 3 && triple.row[at(k)] != kNone; ++k) {
            const RowSource& source = rows.source[at(triple.row[at(k)])];
            if (source.kind == RowSource::Kind::kJoint && same_joints) {
                r[k] = guess.joint_impulses[at(source.index)];
            } else if (source.kind == RowSource::Kind::kBounded && same_bounded) {
                r[k] = guess.bounded_impulses[at(source.index)];
            }
        }
    }
}

void clear_impulses(const IslandTask& task) {
    for_each_range(task, [](auto begin, auto end) { std::fill(begin, end, 0.0); });
}

void set_impulses(const IslandTask& task, const IslandRows& rows) {
    clear_impulses(task);
    add_impulses(rows, task.solution);
}

void commit_triples(const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    spread_impulses(task.workspace.triples, rows);
    apply_impulses(task.problem.system, rows, task.workspace.triples, task.problem.v_free,
                   task.shared.momentum, task.solution.v);
    set_impulses(task, rows);
}

IslandResult island_result(std::string_view solver, const SolveReport& report, int pivots) {
    IslandResult result;
    static_cast<SolveReport&>(result) = report;
    result.solver = solver;
    result.pivots = pivots;
    return result;
}

}  // namespace stiction

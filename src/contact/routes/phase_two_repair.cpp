// phase_two_repair.cpp - an answer of phase II that does not keep its constraints: friction
// impulses are kept, normal and joint impulses solved for again without friction, friction cut back
// where it then lies outside its cone, until all constraints hold.
#include "contact/island/operators.h"
#include "contact/island/row_states.h"
#include "contact/routes/convex.h"
#include "contact/routes/phase_one.h"
#include "contact/routes/phase_two.h"

namespace stiction {

namespace {

// How a repair goes.
struct Repair {
    int rounds;    // enough for friction to be halved to nothing
    double cut;    // of all friction where the sum exceeds kappa
    double slack;  // relative, on cones and kappa: the accuracy of the normal impulses
};
constexpr Repair kExact = {20, 0.5, 1e-7};
constexpr Repair kSwept = {6, 0.2, 1e-3};  // of large piles, whose rounds are dear
constexpr int kRepairSweeps = 40;          // of a round there
constexpr double kInside = 0.999;          // of the cone: where friction is cut back to

Eigen::Index place(std::size_t triple) { return 3 * static_cast<Eigen::Index>(triple); }

template <typename Act>
void for_each_friction(const IslandTask& task, const Act& act) {
    const std::vector<Triple>& triples = task.workspace.triples.all;
    for (std::size_t a = 0; a < triples.size(); ++a) {
        if (triples[a].contact != kNone) act(triples[a].contact, place(a) + 1);
    }
}

// Velocity of the friction impulses of x alone, in v_other.
void friction_velocity(const IslandTask& task, const VecX& x) {
    Triples& triples = task.workspace.triples;
    triples.r.setZero();
    for_each_friction(task, [&](int, Eigen::Index tangential) {
        triples.r.segment<2>(tangential) = x.segment<2>(tangential);
    });
    apply_impulses(task.problem.system, task.workspace.rows, triples, task.problem.v_free,
                   task.shared.momentum, task.shared.v_other);
}

// Whether the friction of x and the normal impulses of `rows` keep to the constraints. Cuts x back
// where not.
bool cut_back(const IslandTask& task, const Repair& repair, const IslandRows& rows, VecX& x) {
    const PhaseTwoWorkspace& ws = task.workspace.phase_two();
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        if (rows.source[r].kind == RowSource::Kind::kNormal)
            task.solution.c_n[at(rows.source[r].index)] = rows.c[r];
    }
    bool feasible = sum_of_normals(rows) <= ws.kappa * (1 + repair.slack);
    const double scale = feasible ? 1.0 : repair.cut;
    for_each_friction(task, [&](int contact, Eigen::Index place_of_s) {
        auto tangential = x.segment<2>(place_of_s);
        const double most =
            task.problem.contacts[at(contact)].mu_c * task.solution.c_n[at(contact)] +
            ws.bound(contact);
        const double size = tangential.norm();
        const bool inside = size <= most * (1 + repair.slack);
        feasible = feasible && inside;
        tangential *= scale * (inside ? 1.0 : kInside * most / size);
    });
    return feasible;
}

}  // namespace

bool repair_phase_two(const IslandTask& task) {
    VecX& x = task.workspace.phase_two().first_order.x;
    x = task.workspace.triples.r;
    IslandRows& rows = task.workspace.more_rows;  // without tangents: those of x stay as they are
    build_island_rows(task.problem, task.island, {}, rows);
    guess_row_states(task, task.shared.next_contacts, task.shared.next_joints, rows);
    const bool pile = is_large_pile(task.size);
    const Repair& repair = pile ? kSwept : kExact;
    IslandTask normals = task;
    if (pile) {
        guess_impulses(task, rows);
        normals.stop.max_iterations = kRepairSweeps;
    }
    for (int k = 0; k < repair.rounds && !(k > 0 && task.stop.deadline.passed()); ++k) {
        friction_velocity(task, x);
        const SolveStatus status =
            solve_normal_rows(normals, task.shared.v_other, rows, task.solution.v).status;
        const bool swept = status == SolveStatus::kIterationLimit && pile;
        if (status != SolveStatus::kSolved && !swept) return false;
        if (!cut_back(task, repair, rows, x)) continue;
        set_impulses(task, rows);
        for_each_friction(task, [&](int contact, Eigen::Index tangential) {
            task.solution.c_s[at(contact)] = x[tangential];
            task.solution.c_t[at(contact)] = x[tangential + 1];
        });
        return true;
    }
    return false;
}

}  // namespace stiction

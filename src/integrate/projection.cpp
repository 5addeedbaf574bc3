// projection.cpp - position projection, island by island, with the block-sparse program of
// contact/routes/pivoting.h.
#include "integrate/projection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>

#include "contact/routes/island_size.h"
#include "dynamics/free_body.h"
#include "dynamics/tree.h"
#include "integrate/joint_error.h"
#include "problem/link_motion.h"

namespace stiction {

namespace {

// Of islands that are not factored: what the sweeps leave is corrected in the next step.
constexpr double kSweepAccuracy = 1e-3;
constexpr int kMaxSweeps = 30;
// Of others: pivoting ends soon or not at all; the errors are those of a linear picture anyway, and
// an answer that takes longer can wait for the next step.
constexpr int kFactorisations = 25;
constexpr double kNewtonAccuracy = 1e-6;
constexpr int kNewtonSteps = 200;
// Rows are those of the start of the step: where links turn fast, a correction leaves part of the
// error. Further rounds, for joints alone, until it is this part of the tolerance on joints.
constexpr double kHeld = 5e-4;
constexpr int kRounds = 8;  // each leaves what the links turn by in a step, some hundredths
// Of the largest error: levers and wedges move a body farther than what they correct, but not by
// this much; rows that nearly depend on one another, with masses that differ by 1e12, do.
constexpr double kLever = 1e3;
// Drift below this part of the link's length is left alone: nothing shows it, and no projection
// is spent on it.
constexpr double kDrift = 1e-9;

// A point fixed to a body, after the body has moved.
Vec3 carried(const State& before, const State& after, int body, const Vec3& p) {
    const Pose& old = before.pose[at(body)];
    const Pose& now = after.pose[at(body)];
    if (old.q.coeffs() == now.q.coeffs()) return p + (now.p - old.p);
    return now * (old.q.conjugate() * (p - old.p));
}

// Where the coordinate's limit rows stand after the step.
double limit_gap(const Model& model, const ContactProblem& problem, const State& state,
                 const LimitRow& row) {
    const Joint& joint = model.joints[at(row.joint)];
    const double position = joint_coordinate(state, joint).position;
    const double unit =
        joint.kind == JointKind::kRevolute ? problem.system.links[at(row.link)].length : 1.0;
    return unit * (row.upper ? joint.upper - position : position - joint.lower);
}

// Gaps of one link's contacts after the step. phi + h n.u is exact but for the turning of the
// bodies, which adds at most |h w|^2 times the lever; only where that could matter are the witness
// points carried along.
void measure_gaps(const ContactSet& contacts, const ContactProblem& problem, const VecX& v_move,
                  std::size_t l, const State& before, const State& state,
                  std::vector<double>& gaps) {
    const LinkRows& range = problem.link_rows[l];
    if (range.contact_begin == range.contact_end) return;
    const Link& link = problem.system.links[l];
    const Vec6 u = problem.h * link_velocity(problem.system, link, v_move);
    const Contact& first = contacts.contacts[at(range.contact_begin)];
    double turn = 0;
    for (const int body : {first.body_a, first.body_b}) {
        const double angle = problem.h * state.twist[at(body)].w.norm();
        const double lever = (first.p() - state.pose[at(body)].p).norm() + 4 * link.length;
        turn += 2 * angle * angle * lever;
    }
    const double slack = kDrift * link.length;
    for (int i = range.contact_begin; i < range.contact_end; ++i) {
        const double linear = problem.contacts[at(i)].phi + problem.contacts[at(i)].n.dot(u);
        if (linear - turn >= -0.5 * slack || turn <= 0.5 * slack) {
            gaps[at(i)] = linear;
            continue;
        }
        const Contact& c = contacts.contacts[at(i)];
        gaps[at(i)] = c.n.dot(carried(before, state, c.body_a, c.p_A) -
                              carried(before, state, c.body_b, c.p_B));
    }
}

void measure_drift(const Model& model, const ContactSet& contacts, const ContactProblem& problem,
                   const VecX& v_move, std::span<const double> gaps, const State& before,
                   const State& state, ProjectionWorkspace& ws) {
    ws.gaps.assign(gaps.begin(), gaps.end());
    ws.gaps.resize(problem.contacts.size());
    ws.joint_errors.resize(problem.joints.size());
    for (std::size_t l = 0; l < problem.link_rows.size(); ++l) {
        if (gaps.empty()) measure_gaps(contacts, problem, v_move, l, before, state, ws.gaps);
        const LinkRows& range = problem.link_rows[l];
        if (range.joint_begin == range.joint_end) continue;
        joint_row_errors(
            model, problem, l, state,
            std::span(ws.joint_errors)
                .subspan(at(range.joint_begin), at(range.joint_end - range.joint_begin)));
    }
    ws.limit_gaps.resize(problem.limits.size());
    for (std::size_t i = 0; i < problem.limits.size(); ++i) {
        ws.limit_gaps[i] = limit_gap(model, problem, state, problem.limits[i]);
    }
}

bool has_drift(const ContactProblem& problem, const Island& island, const ProjectionWorkspace& ws) {
    for (int k = island.link_begin; k < island.link_end; ++k) {
        const int l = problem.island_links[at(k)];
        const LinkRows& range = problem.link_rows[at(l)];
        const double slack = kDrift * problem.system.links[at(l)].length;
        for (int i = range.contact_begin; i < range.contact_end; ++i) {
            if (ws.gaps[at(i)] < -slack) return true;
        }
        for (int i = range.joint_begin; i < range.joint_end; ++i) {
            if (std::abs(ws.joint_errors[at(i)]) > slack) return true;
        }
        for (int i = range.limit_begin; i < range.limit_end; ++i) {
            if (ws.limit_gaps[at(i)] < -slack) return true;
        }
    }
    return false;
}

// Errors of one island after it was moved by ws.d: those of joints and limits as they are, gaps by
// the motion of their links. Returns the largest of a joint [m].
double update_drift(const Model& model, const ContactProblem& problem, const Island& island,
                    const State& state, ProjectionWorkspace& ws) {
    double apart = 0;
    for (const int l : links_of(problem, island)) {
        const LinkRows& range = problem.link_rows[at(l)];
        const Link& link = problem.system.links[at(l)];
        const Vec6 u = link_velocity(problem.system, link, ws.d) - link.u0;
        for (int i = range.contact_begin; i < range.contact_end; ++i)
            ws.gaps[at(i)] += problem.contacts[at(i)].n.dot(u);
        for (int i = range.limit_begin; i < range.limit_end; ++i)
            ws.limit_gaps[at(i)] = limit_gap(model, problem, state, problem.limits[at(i)]);
        if (range.joint_begin == range.joint_end) continue;
        const std::span<double> errors =
            std::span(ws.joint_errors)
                .subspan(at(range.joint_begin), at(range.joint_end - range.joint_begin));
        joint_row_errors(model, problem, at(l), state, errors);
        for (const double error : errors) apart = std::max(apart, std::abs(error));
    }
    return apart;
}

// What a row is to move by.
double wanted_move(const ProjectionWorkspace& ws, const RowSource& source, double deepest) {
    switch (source.kind) {
        case RowSource::Kind::kJoint:
            return -ws.joint_errors[at(source.index)];
        case RowSource::Kind::kLimit:
            return std::min(-ws.limit_gaps[at(source.index)], deepest);
        default:
            return std::min(-ws.gaps[at(source.index)], deepest);
    }
}

// Rows of one island; the unknown is the displacement d, so targets are lengths.
void build_rows(const ContactProblem& problem, const Island& island, double deepest,
                ProjectionWorkspace& ws) {
    IslandRows& rows = ws.rows;
    build_island_rows(problem, island, {.bounded = false}, rows);
    for (std::size_t l = 0; l < rows.links.size(); ++l) {
        // u0 is prescribed motion, which projection does not move: cancel it in every target.
        const Vec6& u0 = problem.system.links[at(rows.links[l])].u0;
        for (int r = rows.begin[l]; r < rows.begin[l + 1]; ++r) {
            Row& row = rows.rows[at(r)];
            row.target = wanted_move(ws, rows.source[at(r)], deepest) + row.g.dot(u0);
            if (!is_equality(row))
                rows.state[at(r)] = row.target < 0 ? BoundState::kLower : BoundState::kFree;
        }
    }
}

// Turns a body by r and keeps its angular momentum, as integrate() does: were w kept instead, I w
// would drift with every correction of a body that spins (a top loses its lean five times faster).
void turn_body(const Body& body, const Vec3& r, Pose& pose, Twist& twist) {
    const Quat before = pose.q;
    pose.q = rotated(pose.q, r);
    if (body.isotropic || twist.w.isZero(0.0)) return;
    const Vec3 L = before * Vec3(body.inertia_B * (before.conjugate() * twist.w));
    twist.w = pose.q * Vec3(body.inv_inertia_B * (pose.q.conjugate() * L));
}

// What a correction did.
struct Moved {
    double farthest = 0;        // of a centre of mass [m]
    double potential_gain = 0;  // [J]
};

// A tree keeps its velocities, those of base and joints.
void shift_tree(const Model& model, const DofBlock& block, ProjectionWorkspace& ws, State& state,
                Moved& moved) {
    const Tree& tree = model.trees[at(block.tree)];
    ws.tree_v.resize(tree.dofs);
    tree_velocities(model, tree, state, ws.tree_v);
    for (const Tree::Node& node : tree.nodes) ws.tree_before.push_back(state.pose[at(node.body)].p);
    move_tree(model, tree, ws.d.segment(block.offset, block.size), 1, ws.tree_v, state);
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const Body& body = model.bodies[at(tree.nodes[i].body)];
        const Vec3 shift = state.pose[at(tree.nodes[i].body)].p - ws.tree_before[i];
        moved.potential_gain -= body.gravity_scale * body.mass * model.gravity.dot(shift);
        moved.farthest = std::max(moved.farthest, shift.norm());
    }
    ws.tree_before.clear();
}

Moved move_bodies(const Model& model, ProjectionWorkspace& ws, State& state) {
    Moved moved;
    for (const int b : ws.rows.blocks) {
        const DofBlock& block = model.blocks[at(b)];
        if (block.tree != kNone) {
            shift_tree(model, block, ws, state, moved);
            continue;
        }
        const Vec3 shift = ws.d.segment<3>(block.offset);
        const Body& body = model.bodies[at(block.body)];
        Pose& pose = state.pose[at(block.body)];
        pose.p += shift;
        turn_body(body, ws.d.segment<3>(block.offset + 3), pose, state.twist[at(block.body)]);
        moved.potential_gain -= body.gravity_scale * body.mass * model.gravity.dot(shift);
        moved.farthest = std::max(moved.farthest, shift.norm());
    }
    return moved;
}

// Bodies on trees whose joints are all fixed to the ground have no velocities.
bool can_move(const ContactProblem& problem, const Island& island) {
    const std::span<const int> blocks = blocks_of(problem, island);
    return std::any_of(blocks.begin(), blocks.end(),
                       [&](int b) { return problem.system.blocks[at(b)].size > 0; });
}

// A correction ws.d of an island and how it ended. What sweeps over a pile leave at their limit is
// no solution, but on the way to one: it is used, and said to be unsolved.
struct Correction {
    SolveStatus status = SolveStatus::kSolved;
    bool swept = false;
};

// d of one island; `i` is its number.
Correction solve_rows(const ContactProblem& problem, const Island& island, std::size_t i,
                      Deadline deadline, ProjectionWorkspace& ws) {
    if (!is_large_pile(measure(problem, island, ws.links_per_block))) {
        const SolveStatus status =
            solve_by_pivoting(problem.system, {kPivotingTolerance, kFactorisations, deadline},
                              ws.zero, ws.islands[i], ws.rows, ws.momentum, ws.d)
                .status;
        if (status == SolveStatus::kSolved || status == SolveStatus::kNotFinite) return {status};
        std::fill(ws.rows.c.begin(), ws.rows.c.end(), 0.0);
        return {newton_rows(problem, island, {kNewtonAccuracy, kNewtonSteps, deadline}, ws.zero,
                            ws.newton, ws.rows, ws.d)
                    .status};
    }
    // At least one: the residual is relative to the gaps, which are larger than drift may be.
    const SweepSettings settings{{kSweepAccuracy, kMaxSweeps, deadline}, 0, nullptr, 1};
    return {sweep_rows(problem, island, settings, ws.zero, ws.sweeps, ws.rows, ws.d).status, true};
}

// How far a row is from where it should be after it has moved by `move` [m].
double row_error(const ProjectionWorkspace& ws, const RowSource& source, double move) {
    switch (source.kind) {
        case RowSource::Kind::kJoint:
            return std::abs(ws.joint_errors[at(source.index)] + move);
        case RowSource::Kind::kLimit:
            return -(ws.limit_gaps[at(source.index)] + move);
        default:
            return -(ws.gaps[at(source.index)] + move);
    }
}

// Farthest that ws.d moves a body [m]; of a tree: a joint, which may move a body farther or less.
double farthest_move(const ContactProblem& problem, const ProjectionWorkspace& ws) {
    double move = 0;
    for (const int b : ws.rows.blocks) {
        const InertiaBlock& block = problem.system.blocks[at(b)];
        const auto d = ws.d.segment(block.offset, block.size);
        move = std::max(move, block.free_body ? d.head(3).norm() : d.lpNorm<Eigen::Infinity>());
    }
    return move;
}

void shorten(const ContactProblem& problem, double factor, ProjectionWorkspace& ws) {
    for (const int b : ws.rows.blocks) {
        const InertiaBlock& block = problem.system.blocks[at(b)];
        ws.d.segment(block.offset, block.size) *= factor;
    }
}

// Cuts ws.d back so that no body moves farther. Gaps that are open stay open: they lie between
// those of no correction and of the whole.
void hold_back(const ContactProblem& problem, double farthest, ProjectionWorkspace& ws) {
    const double move = farthest_move(problem, ws);
    if (move > farthest) shorten(problem, farthest / move, ws);
}

// Calls f(body) for all that the correction moves.
template <class F>
void for_each_moved(const Model& model, const ProjectionWorkspace& ws, const F& f) {
    for (const int b : ws.rows.blocks) {
        const DofBlock& block = model.blocks[at(b)];
        if (block.tree == kNone) {
            f(at(block.body));
        } else {
            for (const Tree::Node& node : model.trees[at(block.tree)].nodes) f(at(node.body));
        }
    }
}

void keep_bodies(const Model& model, const State& state, ProjectionWorkspace& ws) {
    ws.bodies_before.clear();
    for_each_moved(model, ws, [&](std::size_t body) {
        ws.bodies_before.emplace_back(state.pose[body], state.twist[body]);
    });
}

void put_bodies_back(const Model& model, const ProjectionWorkspace& ws, State& state) {
    auto from = ws.bodies_before.begin();
    for_each_moved(model, ws, [&](std::size_t body) {
        std::tie(state.pose[body], state.twist[body]) = *from++;
    });
}

// Of joints and their limits.
double largest_joint_error(const ContactProblem& problem, const Island& island,
                           const ProjectionWorkspace& ws) {
    double error = 0;
    for (const int l : links_of(problem, island)) {
        const LinkRows& range = problem.link_rows[at(l)];
        for (int i = range.joint_begin; i < range.joint_end; ++i)
            error = std::max(error, std::abs(ws.joint_errors[at(i)]));
        for (int i = range.limit_begin; i < range.limit_end; ++i)
            error = std::max(error, -ws.limit_gaps[at(i)]);
    }
    return error;
}

double largest_overlap(const ContactProblem& problem, const Island& island,
                       const ProjectionWorkspace& ws) {
    double depth = 0;
    for (const int l : links_of(problem, island)) {
        const LinkRows& range = problem.link_rows[at(l)];
        for (int i = range.contact_begin; i < range.contact_end; ++i)
            depth = std::max(depth, -ws.gaps[at(i)]);
    }
    return depth;
}

// d of one island. Overlaps in a row add up: where a body would be moved by more than `deepest`
// because every pair below it parts by that, they all part by less; what is still too much is cut
// back. Joints are put together and back to their limits all the same: a motor may drive a coordinate
// beyond its limit at any speed.
Correction solve_island(const ContactProblem& problem, const Island& island, std::size_t i,
                        double deepest, Deadline deadline, ProjectionWorkspace& ws) {
    build_rows(problem, island, deepest, ws);
    Correction found = solve_rows(problem, island, i, deadline, ws);
    if (found.status != SolveStatus::kSolved || deepest <= 0) return found;
    const double move = farthest_move(problem, ws);
    const double less = deepest * deepest / move;
    if (move > deepest && largest_overlap(problem, island, ws) > less) {
        build_rows(problem, island, less, ws);
        found = solve_rows(problem, island, i, deadline, ws);
    }
    const double overlap = std::min(deepest, kLever * largest_overlap(problem, island, ws));
    hold_back(problem, std::max(overlap, kLever * largest_joint_error(problem, island, ws)), ws);
    return found;
}

// Cuts back ws.d, which is no solution; false if it is not to be used at all: where it would make
// the worst error worse, unless sweeps are on their way.
bool make_safe(const ContactProblem& problem, const Correction& found, double farthest,
               ProjectionWorkspace& ws) {
    if (found.status == SolveStatus::kNotFinite) return false;
    const IslandRows& rows = ws.rows;
    double before = 0, after = 0;
    for (std::size_t l = 0; l < rows.links.size(); ++l) {
        const Link& link = problem.system.links[at(rows.links[l])];
        const Vec6 u = link_velocity(problem.system, link, ws.d) - link.u0;
        for (int r = rows.begin[l]; r < rows.begin[l + 1]; ++r) {
            const RowSource& source = rows.source[at(r)];
            before = std::max(before, row_error(ws, source, 0));
            after = std::max(after, row_error(ws, source, rows.rows[at(r)].g.dot(u)));
        }
    }
    if (!(after <= before) && !found.swept) return false;
    hold_back(problem, farthest, ws);
    return true;
}

// Largest error of a joint in the state [m].
double joint_error_in(const Model& model, const ContactProblem& problem, const Island& island,
                      const State& state, ProjectionWorkspace& ws) {
    double apart = 0;
    for (const int l : links_of(problem, island)) {
        const LinkRows& range = problem.link_rows[at(l)];
        ws.tried_errors.resize(at(range.joint_end - range.joint_begin));
        if (ws.tried_errors.empty()) continue;
        joint_row_errors(model, problem, at(l), state, ws.tried_errors);
        for (const double error : ws.tried_errors) apart = std::max(apart, std::abs(error));
    }
    return apart;
}

// Moves the bodies by ws.d, or by so much of it that no centre of mass goes farther than `farthest`
// and no joint comes apart: rows are those of small turns, and joints that are far apart ask for
// large ones. Leaves in ws.d what was done, which may be nothing.
Moved move_with_care(const Model& model, const ContactProblem& problem, const Island& island,
                     double farthest, ProjectionWorkspace& ws, State& state) {
    constexpr int kTries = 8;
    constexpr double kSame = 1.01;  // times what is allowed: curvature of the paths
    const double before = joint_error_in(model, problem, island, state, ws);
    keep_bodies(model, state, ws);
    for (int i = 0; i < kTries; ++i) {
        const Moved moved = move_bodies(model, ws, state);
        const bool far = moved.farthest > kSame * farthest;
        if (!far &&
            (before == 0 || joint_error_in(model, problem, island, state, ws) <= kSame * before))
            return moved;
        put_bodies_back(model, ws, state);
        shorten(problem, far ? farthest / moved.farthest : 0.5, ws);
    }
    shorten(problem, 0, ws);
    return {};
}

}  // namespace

ProjectionResult project_positions(const Model& model, const ContactSet& contacts,
                                   const ContactProblem& problem, const VecX& v_move,
                                   std::span<const double> gaps, const StepSettings& settings,
                                   const State& before, ProjectionWorkspace& workspace,
                                   State& state, Deadline deadline) {
    ProjectionResult result;
    ProjectionWorkspace& ws = workspace;
    ws.joint_errors.clear();
    if (settings.stabilisation != Stabilisation::kProjection || problem.islands.empty())
        return result;
    measure_drift(model, contacts, problem, v_move, gaps, before, state, ws);
    ws.zero.setZero(problem.v.size());
    ws.momentum.resize(problem.v.size());
    ws.d.resize(problem.v.size());
    if (ws.islands.size() < problem.islands.size()) ws.islands.resize(problem.islands.size());
    const double deepest = settings.h * settings.max_depenetration;
    for (std::size_t i = 0; i < problem.islands.size(); ++i) {
        if (!can_move(problem, problem.islands[i])) continue;
        if (!has_drift(problem, problem.islands[i], ws)) continue;
        bool moved = false;
        for (int round = 0; round < kRounds; ++round) {
            // Overlaps are corrected once a step: later rounds only keep them from growing.
            const Correction found = solve_island(problem, problem.islands[i], i,
                                                  round == 0 ? deepest : 0.0, deadline, ws);
            const bool solved = found.status == SolveStatus::kSolved;
            if (round > 0 && !solved) break;
            result.status = worse(result.status, found.status);
            result.unsolved += solved ? 0 : 1;
            if (!solved && !make_safe(problem, found, deepest, ws)) {
                ++result.refused;
                break;
            }
            const bool torn =
                largest_joint_error(problem, problem.islands[i], ws) > settings.joint_tolerance;
            const double farthest = solved ? std::numeric_limits<double>::infinity() : deepest;
            const Moved move = solved && !torn ? move_bodies(model, ws, state)
                                               : move_with_care(model, problem, problem.islands[i],
                                                                farthest, ws, state);
            result.largest_move = std::max(result.largest_move, move.farthest);
            result.potential_gain += move.potential_gain;
            if (!solved) result.unsolved_move = std::max(result.unsolved_move, move.farthest);
            moved = true;
            const double apart = update_drift(model, problem, problem.islands[i], state, ws);
            if (!solved || apart <= kHeld * settings.joint_tolerance) break;
        }
        result.islands += moved ? 1 : 0;
    }
    return result;
}

}  // namespace stiction

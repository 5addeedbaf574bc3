// sweeps.cpp - matrix-free Gauss-Seidel by blocks of three rows.
#include "contact/sweeps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/one_contact.h"

namespace stiction {

namespace {

constexpr int kJudgeEvery = 6;    // sweeps between judgements of the rate
constexpr int kLeastSweeps = 12;  // before the first may end them

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// J = G X and P = M^-1 J' of one side; X = [I, -[p]x; 0, length I] for a point at p.
void set_side(const InertiaBlock& body, const Vec3& p, double length, double sign,
              const Eigen::Matrix<double, 3, 6>& G, Eigen::Matrix<double, 3, 6>& J,
              Eigen::Matrix<double, 6, 3>& P) {
    for (int k = 0; k < 3; ++k) {
        const Vec3 linear = G.row(k).head<3>();
        const Vec3 angular = G.row(k).tail<3>();
        const Vec3 moment = p.cross(linear) + length * angular;
        J.row(k).head<3>() = sign * linear.transpose();
        J.row(k).tail<3>() = sign * moment.transpose();
    }
    P.topRows<3>() = body.inv_mass * J.leftCols<3>().transpose();
    P.bottomRows<3>().noalias() = body.inv_inertia * J.rightCols<3>().transpose();
}

void prepare(const ContactProblem& problem, const RowBlocks& rows, SweepWorkspace& workspace) {
    const LinkSystem& system = problem.system;
    workspace.blocks.resize(rows.blocks.size());
    for (std::size_t b = 0; b < rows.blocks.size(); ++b) {
        const RowBlock& row = rows.blocks[b];
        const Link& link = system.links[at(row.link)];
        SweepBlock& block = workspace.blocks[b];
        block.W = row.compliance.asDiagonal();
        block.v_a = block.v_b = kNone;
        if (link.a != kNone) {
            const InertiaBlock& body = system.blocks[at(link.a)];
            set_side(body, link.r_a, link.length, 1, row.G, block.J_a, block.P_a);
            block.v_a = body.offset;
            block.W.noalias() += block.J_a * block.P_a;
        }
        if (link.b != kNone) {
            const InertiaBlock& body = system.blocks[at(link.b)];
            set_side(body, link.r_b, link.length, -1, row.G, block.J_b, block.P_b);
            block.v_b = body.offset;
            block.W.noalias() += block.J_b * block.P_b;
        }
        block.offset = row.G * link.u0 + row.offset;
        const double trace = block.W.trace();
        block.weight = trace > 0 ? trace / 3 : 1.0;
        block.lambda = 0;
    }
}

inline Vec3 velocity(const SweepBlock& block, const VecX& v) {
    Vec3 u = block.offset;
    if (block.v_a != kNone) u.noalias() += block.J_a * v.segment<6>(block.v_a);
    if (block.v_b != kNone) u.noalias() += block.J_b * v.segment<6>(block.v_b);
    return u;
}

// One pass; returns |weight dr|.
double pass(const SweepSettings& settings, SweepWorkspace& workspace, RowBlocks& rows, VecX& v) {
    double change = 0;
    for (std::size_t b = 0; b < rows.blocks.size(); ++b) {
        const RowBlock& row = rows.blocks[b];
        SweepBlock& block = workspace.blocks[b];
        const auto at_b = 3 * static_cast<Eigen::Index>(b);
        const Vec3 old = rows.r.segment<3>(at_b);
        Vec3 q = velocity(block, v);
        q += row.compliance.cwiseProduct(old);
        q.noalias() -= block.W * old;
        const Vec3 now = row.bounded ? solve_bounded_rows(block.W, q, row.lo, row.hi, old)
                         : settings.polygon
                             ? solve_polygon_contact(block.W, q, row.mu, *settings.polygon)
                             : solve_one_contact(block.W, q, row.mu, block.lambda);
        const Vec3 dr = now - old;
        if (dr.isZero(0)) continue;
        rows.r.segment<3>(at_b) = now;
        if (block.v_a != kNone) v.segment<6>(block.v_a).noalias() += block.P_a * dr;
        if (block.v_b != kNone) v.segment<6>(block.v_b).noalias() += block.P_b * dr;
        change += block.weight * block.weight * dr.squaredNorm();
    }
    return std::sqrt(change);
}

Vec3 project(const SweepSettings& settings, const RowBlock& row, double weight, const Vec3& x) {
    if (row.bounded) return x.cwiseMax(weight * row.lo).cwiseMin(weight * row.hi);
    if (settings.polygon) return project_on_polygon(row.mu, *settings.polygon, x);
    return project_on_cone(row.mu, x);
}

ConeResidual measure(const SweepSettings& settings, const SweepWorkspace& workspace,
                     const RowBlocks& rows, const VecX& v, double q_norm) {
    double natural = 0;
    double scaled = 0;
    for (std::size_t b = 0; b < rows.blocks.size(); ++b) {
        const RowBlock& row = rows.blocks[b];
        const SweepBlock& block = workspace.blocks[b];
        const Vec3 r = rows.r.segment<3>(3 * static_cast<Eigen::Index>(b));
        Vec3 u = velocity(block, v) + row.compliance.cwiseProduct(r);
        if (!row.bounded) {
            u = settings.polygon
                    ? polygon_dual(row.mu, *settings.polygon, u)
                    : Vec3(u[0] + row.mu * std::sqrt(u[1] * u[1] + u[2] * u[2]), u[1], u[2]);
        }
        natural += (r - project(settings, row, 1, r - u)).squaredNorm();
        const Vec3 x = block.weight * r;
        scaled += (x - project(settings, row, block.weight, x - u)).squaredNorm();
    }
    ConeResidual result;
    result.natural = std::sqrt(natural) / std::max(1.0, q_norm);
    result.scaled = q_norm > 0 ? std::sqrt(scaled) / q_norm : std::sqrt(scaled);
    return result;
}

double free_norm(const ContactProblem& problem, const SweepWorkspace& workspace) {
    double sum = 0;
    for (const SweepBlock& block : workspace.blocks) {
        sum += velocity(block, problem.v_free).squaredNorm();
    }
    return std::sqrt(sum);
}

}  // namespace

bool can_sweep(const ContactProblem& problem, const Island& island) {
    for (int k = island.block_begin; k < island.block_end; ++k) {
        if (!problem.system.blocks[at(problem.island_blocks[at(k)])].free_body) return false;
    }
    return true;
}

SweepResult sweep(const ContactProblem& problem, const SweepSettings& settings,
                  SweepWorkspace& workspace, RowBlocks& rows, VecX& v) {
    prepare(problem, rows, workspace);
    const double q_norm = free_norm(problem, workspace);
    const double size = std::max(q_norm, std::numeric_limits<double>::min());
    SweepResult result;
    result.residual = measure(settings, workspace, rows, v, q_norm);
    result.solved = result.residual.worst() <= settings.tolerance;
    double before = 0;  // estimate kJudgeEvery sweeps ago
    while (!result.solved && result.sweeps < settings.max_sweeps) {
        const double estimate = pass(settings, workspace, rows, v) / size;
        ++result.sweeps;
        const bool judged = result.sweeps % kJudgeEvery == 0;
        if (judged || estimate <= 2 * settings.tolerance || result.sweeps == settings.max_sweeps) {
            result.residual = measure(settings, workspace, rows, v, q_norm);
            result.solved = result.residual.worst() <= settings.tolerance;
        }
        if (!judged) continue;
        const double rate = std::log(estimate / before) / kJudgeEvery;
        const double ahead = std::log(settings.tolerance / estimate) / rate;
        before = estimate;
        if (settings.give_up_ahead > 0 && result.sweeps >= kLeastSweeps &&
            !(rate < 0 && ahead < settings.give_up_ahead)) {
            break;
        }
    }
    return result;
}

}  // namespace stiction

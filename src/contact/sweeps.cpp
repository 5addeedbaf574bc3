// sweeps.cpp - matrix-free Gauss-Seidel by blocks of three rows, combined over a short history.
#include "contact/sweeps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/one_contact.h"

namespace stiction {

namespace {

constexpr int kJudgeEvery = 6;      // sweeps between judgements of the residual and the rate
constexpr int kLeastSweeps = 12;    // before the rate may end them, and before they are combined
constexpr int kPerCombination = 2;  // sweeps
constexpr double kWorse = 3;        // than the best: the combinations have gone astray

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// A = sign * (p x linear + length * angular) row by row, P = I^-1 A'.
void set_side(const InertiaBlock& body, const Vec3& p, double length, double sign,
              const Eigen::Matrix<double, 3, 6>& G, Mat3& A, Mat3& P) {
    for (int k = 0; k < 3; ++k) {
        const Vec3 linear = G.row(k).head<3>();
        const Vec3 angular = G.row(k).tail<3>();
        A.row(k) = (sign * (p.cross(linear) + length * angular)).transpose();
    }
    P.noalias() = body.inv_inertia * A.transpose();
}

void prepare(const ContactProblem& problem, const Island& island, const RowBlocks& rows,
             SweepWorkspace& workspace) {
    const LinkSystem& system = problem.system;
    const int prescribed = 6 * (island.block_end - island.block_begin);
    workspace.blocks.resize(rows.blocks.size());
    for (std::size_t i = 0; i < rows.blocks.size(); ++i) {
        const RowBlock& row = rows.blocks[i];
        const Link& link = system.links[at(row.link)];
        SweepBlock& block = workspace.blocks[i];
        block.D = row.G.leftCols<3>();
        block.A_a = block.A_b = block.P_a = block.P_b = Mat3::Zero();
        block.inv_mass_a = block.inv_mass_b = 0;
        block.a = block.b = prescribed;
        block.W = row.compliance.asDiagonal();
        if (link.a != kNone) {
            const InertiaBlock& body = system.blocks[at(link.a)];
            set_side(body, link.r_a, link.length, 1, row.G, block.A_a, block.P_a);
            block.inv_mass_a = body.inv_mass;
            block.a = 6 * (problem.block_place[at(link.a)] - island.block_begin);
            block.W.noalias() += block.A_a * block.P_a;
        }
        if (link.b != kNone) {
            const InertiaBlock& body = system.blocks[at(link.b)];
            set_side(body, link.r_b, link.length, -1, row.G, block.A_b, block.P_b);
            block.inv_mass_b = body.inv_mass;
            block.b = 6 * (problem.block_place[at(link.b)] - island.block_begin);
            block.W.noalias() += block.A_b * block.P_b;
        }
        block.W.noalias() += (block.inv_mass_a + block.inv_mass_b) * block.D * block.D.transpose();
        block.offset = row.G * link.u0 + row.offset;
        block.compliance = row.compliance;
        block.mu = row.mu;
        block.bounded = row.bounded;
        const double trace = block.W.trace();
        block.weight = trace > 0 ? trace / 3 : 1.0;
        block.lambda = 0;
    }
}

template <class Copy>
void for_each_body(const ContactProblem& problem, const Island& island, const Copy& copy) {
    for (int k = island.block_begin; k < island.block_end; ++k) {
        const auto block = at(problem.island_blocks[at(k)]);
        copy(6 * (k - island.block_begin), problem.system.blocks[block].offset);
    }
}

void gather(const ContactProblem& problem, const Island& island, const VecX& v, VecX& local) {
    local.resize(6 * (island.block_end - island.block_begin + 1));
    for_each_body(problem, island,
                  [&](int to, int from) { local.segment<6>(to) = v.segment<6>(from); });
    local.tail<6>().setZero();
}

void scatter(const ContactProblem& problem, const Island& island, const VecX& local, VecX& v) {
    for_each_body(problem, island,
                  [&](int from, int to) { v.segment<6>(to) = local.segment<6>(from); });
}

inline Vec3 velocity(const SweepBlock& block, const VecX& v) {
    Vec3 u = block.offset;
    u.noalias() += block.D * (v.segment<3>(block.a) - v.segment<3>(block.b));
    u.noalias() += block.A_a * v.segment<3>(block.a + 3);
    u.noalias() += block.A_b * v.segment<3>(block.b + 3);
    return u;
}

inline void apply(const SweepBlock& block, const Vec3& dr, VecX& v) {
    const Vec3 p = block.D.transpose() * dr;
    v.segment<3>(block.a) += block.inv_mass_a * p;
    v.segment<3>(block.b) -= block.inv_mass_b * p;
    v.segment<3>(block.a + 3).noalias() += block.P_a * dr;
    v.segment<3>(block.b + 3).noalias() += block.P_b * dr;
}

// One pass; returns |weight dr|.
double pass(const SweepSettings& settings, SweepWorkspace& workspace, RowBlocks& rows) {
    VecX& v = workspace.v;
    double change = 0;
    for (std::size_t b = 0; b < workspace.blocks.size(); ++b) {
        SweepBlock& block = workspace.blocks[b];
        const auto at_b = 3 * static_cast<Eigen::Index>(b);
        const Vec3 old = rows.r.segment<3>(at_b);
        Vec3 q = velocity(block, v) + block.compliance.cwiseProduct(old);
        q.noalias() -= block.W * old;
        const Vec3 now =
            block.bounded
                ? solve_bounded_rows(block.W, q, rows.blocks[b].lo, rows.blocks[b].hi, old)
            : settings.polygon ? solve_polygon_contact(block.W, q, block.mu, *settings.polygon)
                               : solve_one_contact(block.W, q, block.mu, block.lambda);
        const Vec3 dr = now - old;
        if (dr.isZero(0)) continue;
        rows.r.segment<3>(at_b) = now;
        apply(block, dr, v);
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
                     const RowBlocks& rows, double q_norm) {
    double natural = 0;
    double scaled = 0;
    for (std::size_t b = 0; b < rows.blocks.size(); ++b) {
        const RowBlock& row = rows.blocks[b];
        const SweepBlock& block = workspace.blocks[b];
        const Vec3 r = rows.r.segment<3>(3 * static_cast<Eigen::Index>(b));
        Vec3 u = velocity(block, workspace.v) + block.compliance.cwiseProduct(r);
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

double velocity_norm(const SweepWorkspace& workspace) {
    double sum = 0;
    for (const SweepBlock& block : workspace.blocks) {
        sum += velocity(block, workspace.v).squaredNorm();
    }
    return std::sqrt(sum);
}

// Sweeps, their combination, and the best iterate so far.
class Iteration {
  public:
    Iteration(const SweepSettings& settings, SweepWorkspace& workspace, RowBlocks& rows,
              double q_norm)
        : settings_(settings), ws_(workspace), rows_(rows), q_norm_(q_norm) {
        judge();
    }

    [[nodiscard]] double best() const { return best_.worst(); }
    [[nodiscard]] bool solved() const { return best() <= settings_.tolerance; }
    [[nodiscard]] const ConeResidual& residual() const { return best_; }

    double advance() {  // |weight dr| of one sweep
        const bool combining = sweeps_ >= kLeastSweeps;
        if (sweeps_ == kLeastSweeps) start(ws_.history, rows_.r.size(), ws_.v.size());
        if (combining && sweeps_ % kPerCombination == 0) ws_.r = rows_.r;
        const double change = pass(settings_, ws_, rows_);
        ++sweeps_;
        combine_next_ = combining && sweeps_ % kPerCombination == 0;
        return change;
    }

    // Measures; the combination comes after, so that what is judged is the outcome of a sweep.
    void judge() {
        const ConeResidual now = measure(settings_, ws_, rows_, q_norm_);
        if (now.worst() < best_.worst() || sweeps_ == 0) {
            best_ = now;
            ws_.best_r = rows_.r;
            ws_.best_v = ws_.v;
        } else if (now.worst() > kWorse * best_.worst()) {
            return_to_best();
            forget(ws_.history);
            combine_next_ = false;
        }
    }

    void combine() {
        if (combine_next_) accelerate(ws_.history, ws_.r, rows_.r, ws_.v);
    }

    void return_to_best() {
        rows_.r = ws_.best_r;
        ws_.v = ws_.best_v;
    }

  private:
    const SweepSettings& settings_;
    SweepWorkspace& ws_;
    RowBlocks& rows_;
    double q_norm_;
    ConeResidual best_;
    int sweeps_ = 0;
    bool combine_next_ = false;
};

}  // namespace

bool can_sweep(const ContactProblem& problem, const Island& island) {
    for (int k = island.block_begin; k < island.block_end; ++k) {
        if (!problem.system.blocks[at(problem.island_blocks[at(k)])].free_body) return false;
    }
    return true;
}

SweepResult sweep(const ContactProblem& problem, const Island& island,
                  const SweepSettings& settings, SweepWorkspace& workspace, RowBlocks& rows,
                  VecX& v) {
    prepare(problem, island, rows, workspace);
    gather(problem, island, problem.v_free, workspace.v);
    const double q_norm = velocity_norm(workspace);
    gather(problem, island, v, workspace.v);
    const double size = std::max(q_norm, std::numeric_limits<double>::min());
    Iteration iteration(settings, workspace, rows, q_norm);
    SweepResult result;
    double before = 0;  // estimate kJudgeEvery sweeps ago
    while (!iteration.solved() && result.sweeps < settings.max_sweeps) {
        const double estimate = iteration.advance() / size;
        ++result.sweeps;
        const bool judged = result.sweeps % kJudgeEvery == 0;
        result.late = settings.deadline.passed();
        if (judged || estimate <= 2 * settings.tolerance || result.sweeps == settings.max_sweeps ||
            result.late) {
            iteration.judge();
            if (iteration.solved() || result.late) break;
        }
        iteration.combine();
        if (!judged) continue;
        const double rate = std::log(estimate / before) / kJudgeEvery;
        const double ahead = std::log(settings.tolerance / estimate) / rate;
        before = estimate;
        if (settings.give_up_ahead > 0 && result.sweeps >= kLeastSweeps &&
            !(rate < 0 && ahead < settings.give_up_ahead)) {
            break;
        }
    }
    iteration.return_to_best();
    result.solved = iteration.solved();
    result.residual = iteration.residual();
    scatter(problem, island, workspace.v, v);
    return result;
}

}  // namespace stiction

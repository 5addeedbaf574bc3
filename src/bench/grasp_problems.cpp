// grasp_problems.cpp - picks rows, eliminates motors, builds the pyramid's LCP.
#include "bench/grasp_problems.h"

#include <Eigen/Cholesky>
#include <cmath>

namespace stiction {

namespace {

using Eigen::Index;

constexpr double kAtBound = 1e-9;  // of the distance of the bounds, or absolute [N s]
constexpr Index kSides = 4;

// Rows in use: of contacts, then the others.
std::vector<Index> rows_in_use(const RowBlocks& rows) {
    std::vector<Index> used;
    for (const bool contacts : {true, false}) {
        for (std::size_t b = 0; b < rows.blocks.size(); ++b) {
            const RowBlock& block = rows.blocks[b];
            if ((block.contact != kNone) != contacts) continue;
            for (int k = 0; k < (contacts ? 3 : block.rows); ++k)
                used.push_back(3 * static_cast<Index>(b) + k);
        }
    }
    return used;
}

BoundState state_at(double z, double lo, double hi) {
    const double near = kAtBound * (std::isfinite(hi - lo) ? hi - lo : 1.0);
    if (z - lo <= near) return BoundState::kLower;
    return hi - z <= near ? BoundState::kUpper : BoundState::kFree;
}

}  // namespace

GraspProblem take_rows(const IslandWorkspace& island) {
    const std::vector<Index> used = rows_in_use(island.cone.rows);
    const BoxLcp& from = island.dense_rows.lcp;
    GraspProblem problem;
    problem.box = {from.A(used, used), from.b(used), from.lo(used), from.hi(used)};
    problem.guess = island.dense_rows.z(used);
    for (const RowBlock& block : island.cone.rows.blocks) {
        if (block.contact != kNone) problem.mu.push_back(block.mu);
    }
    return problem;
}

VecX take_answer(const IslandWorkspace& island) {
    return island.cone.rows.r(rows_in_use(island.cone.rows));
}

GraspProblem keep_contacts(const GraspProblem& rows, const VecX& answer) {
    const BoxLcp& from = rows.box;
    const Index contact_rows = 3 * static_cast<Index>(rows.mu.size());
    std::vector<Index> contacts, free;
    for (Index i = 0; i < contact_rows; ++i) contacts.push_back(i);
    VecX b = from.b;
    for (Index i = contact_rows; i < from.b.size(); ++i) {
        const BoundState state = state_at(answer[i], from.lo[i], from.hi[i]);
        if (state == BoundState::kFree) {
            free.push_back(i);
        } else {
            b += bound(from, i, state) * from.A.col(i);
        }
    }
    GraspProblem problem;
    problem.mu = rows.mu;
    problem.guess = rows.guess.head(contact_rows);
    problem.box = {from.A(contacts, contacts), b(contacts), from.lo(contacts), from.hi(contacts)};
    if (free.empty()) return problem;
    const Eigen::LLT<MatX> eliminated(MatX(from.A(free, free)));
    const MatX across = from.A(free, contacts);
    problem.box.A -= across.transpose() * eliminated.solve(across);
    problem.box.b -= across.transpose() * eliminated.solve(VecX(b(free)));
    problem.box.A = 0.5 * (problem.box.A + problem.box.A.transpose()).eval();
    return problem;
}

Lcp make_coulomb_lcp(const GraspProblem& contacts) {
    const auto nc = static_cast<Index>(contacts.mu.size());
    const Index first_beta = nc, first_lambda = nc + kSides * nc;
    MatX P = MatX::Zero(3 * nc, first_lambda);  // impulses of the rows from (c_n, beta)
    Lcp lcp;
    lcp.A.setZero(first_lambda + nc, first_lambda + nc);
    lcp.b.setZero(first_lambda + nc);
    for (Index i = 0; i < nc; ++i) {
        P(3 * i, i) = 1;
        for (Index side = 0; side < kSides; ++side) {
            const Index beta = first_beta + kSides * i + side;
            P(3 * i + 1 + side / 2, beta) = side % 2 == 0 ? 1 : -1;
            lcp.A(beta, first_lambda + i) = 1;
            lcp.A(first_lambda + i, beta) = -1;
        }
        lcp.A(first_lambda + i, i) = contacts.mu[at(i)];
    }
    lcp.A.topLeftCorner(first_lambda, first_lambda) = P.transpose() * contacts.box.A * P;
    lcp.b.head(first_lambda) = P.transpose() * contacts.box.b;
    return lcp;
}

std::vector<BoundState> guess_states(const GraspProblem& problem) {
    std::vector<BoundState> states;
    for (Index i = 0; i < problem.guess.size(); ++i)
        states.push_back(state_at(problem.guess[i], problem.box.lo[i], problem.box.hi[i]));
    return states;
}

}  // namespace stiction

// frame_matrices.cpp - dense matrices of a frame, and sparse ones where it has no joints.
#include "problem_files/frame_matrices.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <map>

#include "core/error.h"
#include "problem/link_motion.h"
#include "solve/cone/friction_law.h"

namespace stiction {

namespace {

constexpr Eigen::Index kMostUnknowns = 6000;  // of a dense matrix: 288 MB

void refuse_size(Eigen::Index unknowns, const std::string& place) {
    if (unknowns > kMostUnknowns)
        throw InputError(place + ": " + std::to_string(unknowns) +
                         " unknowns are too many for a dense matrix; at most " +
                         std::to_string(kMostUnknowns));
}

void refuse_bounded(const ContactProblem& problem, bool limits, const std::string& place) {
    if (!problem.bounded.empty())
        throw InputError(place +
                         ": rows of motors or joint friction have two bounds, for which "
                         "this form has no place");
    if (limits && !problem.limits.empty())
        throw InputError(place + ": rows of joint limits have no place in this form");
}

// C and v_hat of the frame: what is left of M^-1 and v_free once the joints hold.
struct Free {
    MatX C;
    VecX v_hat;
};

Free free_of_joints(const ContactProblem& problem, const DenseProblem& dense) {
    Free out;
    const Eigen::LLT<MatX> M(dense.M);
    out.C = M.solve(MatX::Identity(dense.M.rows(), dense.M.cols()));
    out.v_hat = problem.v_free;
    if (dense.J.rows() == 0) return out;
    VecX bJ(dense.J.rows());
    for (Eigen::Index i = 0; i < bJ.size(); ++i) bJ[i] = problem.joints[at(i)].bias - dense.J0[i];
    const MatX R = out.C * dense.J.transpose();  // joints may be redundant
    const Eigen::CompleteOrthogonalDecomposition<MatX> A(dense.J * R);
    out.v_hat += R * A.solve(bJ - dense.J * problem.v_free);
    out.C -= R * A.solve(R.transpose());
    return out;
}

}  // namespace

Lcp frame_lcp(const ContactProblem& problem, int sides, const std::string& place) {
    refuse_bounded(problem, false, place);
    const auto nc = static_cast<Eigen::Index>(problem.contacts.size());
    const auto nl = static_cast<Eigen::Index>(problem.limits.size());
    const Eigen::Index nd = sides * nc, n = nc + nd + nc + nl;
    refuse_size(std::max<Eigen::Index>(n, problem.system.nv), place);
    const DenseProblem d = dense(problem);
    const Free free = free_of_joints(problem, d);
    FrictionDirections directions;
    set_directions(sides, directions);
    MatX R(nc + nd + nl, problem.system.nv);  // rows of N, D, L
    VecX b(nc + nd + nl);
    Lcp lcp;
    lcp.A.setZero(n, n);
    lcp.b.setZero(n);
    for (Eigen::Index i = 0; i < nc; ++i) {
        R.row(i) = d.N.row(i);
        b[i] = d.N0[i] + problem.contacts[at(i)].bias;
        lcp.A(nc + nd + i, i) = problem.contacts[at(i)].mu_c;
        for (Eigen::Index k = 0; k < sides; ++k) {
            const Eigen::Vector2d& x = directions[at(k)];
            const Eigen::Index row = nc + sides * i + k;
            R.row(row) = x[0] * d.S.row(i) + x[1] * d.T.row(i);
            b[row] = x[0] * d.S0[i] + x[1] * d.T0[i];
            lcp.A(row, nc + nd + i) = 1;
            lcp.A(nc + nd + i, row) = -1;
        }
    }
    for (Eigen::Index i = 0; i < nl; ++i) {
        R.row(nc + nd + i) = d.L.row(i);
        b[nc + nd + i] = d.L0[i] + problem.limits[at(i)].bias;
    }
    b += R * free.v_hat;
    const MatX W = R * free.C * R.transpose();
    const auto place_of = [&](Eigen::Index i) { return i < nc + nd ? i : i + nc; };
    for (Eigen::Index i = 0; i < R.rows(); ++i) {
        lcp.b[place_of(i)] = b[i];
        for (Eigen::Index j = 0; j < R.rows(); ++j) lcp.A(place_of(i), place_of(j)) += W(i, j);
    }
    return lcp;
}

namespace {

using Rows36 = Eigen::Matrix<double, 3, 6>;

Rows36 rows_of(const ContactRow& row) {
    Rows36 g;
    g << row.n.transpose(), row.s.transpose(), row.t.transpose();
    return g;
}

// Without joints: pairs of contacts whose links share a body.
BlockMatrix sparse_delassus(const ContactProblem& problem) {
    const LinkSystem& system = problem.system;
    std::map<int, std::vector<int>> links_at;  // per block
    for (std::size_t l = 0; l < system.links.size(); ++l) {
        for (const int block : {system.links[l].a, system.links[l].b}) {
            if (block != kNone) links_at[block].push_back(static_cast<int>(l));
        }
    }
    std::vector<BlockEntry> entries;
    for (std::size_t l = 0; l < system.links.size(); ++l) {
        std::map<int, Mat6> neighbours;
        for (const int block : {system.links[l].a, system.links[l].b}) {
            if (block == kNone) continue;
            for (const int other : links_at[block])
                neighbours[other] =
                    delassus_block(system, system.links[l], system.links[at(other)]);
        }
        const LinkRows& mine = problem.link_rows[l];
        for (const auto& [other, D] : neighbours) {
            const LinkRows& theirs = problem.link_rows[at(other)];
            for (int a = mine.contact_begin; a < mine.contact_end; ++a) {
                const Rows36 left = rows_of(problem.contacts[at(a)]) * D;
                for (int b = theirs.contact_begin; b < theirs.contact_end; ++b)
                    entries.push_back({a, b, left * rows_of(problem.contacts[at(b)]).transpose()});
            }
        }
    }
    return make_block_matrix(static_cast<int>(problem.contacts.size()), std::move(entries));
}

}  // namespace

ConeProblem frame_cone(const ContactProblem& problem, const std::string& place) {
    refuse_bounded(problem, true, place);
    if (problem.contacts.empty())
        throw InputError(place + ": has no contacts, of which such a problem consists");
    ConeProblem cone;
    const auto nc = static_cast<Eigen::Index>(problem.contacts.size());
    cone.mu.resize(nc);
    cone.q.resize(3 * nc);
    VecX v = problem.v_free;
    if (problem.joints.empty()) {
        cone.W = sparse_delassus(problem);
    } else {
        refuse_size(std::max<Eigen::Index>(3 * nc, problem.system.nv), place);
        const DenseProblem d = dense(problem);
        const Free free = free_of_joints(problem, d);
        MatX G(3 * nc, problem.system.nv);
        for (Eigen::Index i = 0; i < nc; ++i) {
            G.row(3 * i) = d.N.row(i);
            G.row(3 * i + 1) = d.S.row(i);
            G.row(3 * i + 2) = d.T.row(i);
        }
        cone.W = make_block_matrix(MatX(G * free.C * G.transpose()));
        v = free.v_hat;
    }
    for (Eigen::Index i = 0; i < nc; ++i) {
        const ContactRow& row = problem.contacts[at(i)];
        const Vec6 u = link_velocity(problem.system, problem.system.links[at(row.link)], v);
        cone.q.segment<3>(3 * i) << row.n.dot(u) + row.bias, row.s.dot(u), row.t.dot(u);
        cone.mu[i] = row.mu_c;
    }
    return cone;
}

}  // namespace stiction

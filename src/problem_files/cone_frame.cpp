// cone_frame.cpp - a factor of W per set of contacts, and the links that carry its rows.
#include "problem_files/cone_frame.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.h"
#include "core/ways.h"

namespace stiction {

namespace {

constexpr Eigen::Index kMostRows = 3000;  // of a dense factor, which takes some seconds
constexpr double kRounding = 1e-9;        // of the largest entry of W

// Contacts that W couples, each set in ascending order.
std::vector<std::vector<int>> coupled_sets(const BlockMatrix& W) {
    std::vector<int> root(at(W.rows()));
    std::iota(root.begin(), root.end(), 0);
    const auto find = [&root](int a) {
        while (root[at(a)] != a) a = root[at(a)] = root[at(root[at(a)])];
        return a;
    };
    for (int a = 0; a < W.rows(); ++a) {
        for (int k = W.start[at(a)]; k < W.start[at(a + 1)]; ++k) {
            const int i = find(a), j = find(W.column[at(k)]);
            root[at(std::max(i, j))] = std::min(i, j);
        }
    }
    std::vector<std::vector<int>> sets;
    std::vector<int> set_of(root.size(), kNone);
    for (int a = 0; a < W.rows(); ++a) {
        int& set = set_of[at(find(a))];
        if (set == kNone) {
            set = static_cast<int>(sets.size());
            sets.emplace_back();
        }
        sets[at(set)].push_back(a);
    }
    return sets;
}

// W of one set of contacts.
MatX dense_part(const BlockMatrix& W, const std::vector<int>& contacts) {
    std::vector<int> place(at(W.rows()), kNone);
    for (std::size_t i = 0; i < contacts.size(); ++i) place[at(contacts[i])] = static_cast<int>(i);
    const auto n = static_cast<Eigen::Index>(3 * contacts.size());
    MatX part = MatX::Zero(n, n);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const auto a = at(contacts[i]);
        for (auto k = at(W.start[a]); k < at(W.start[a + 1]); ++k)
            part.block<3, 3>(3 * static_cast<Eigen::Index>(i), 3 * place[at(W.column[k])]) =
                W.block[k];
    }
    return part;
}

// G with G G' = W: Cholesky with the largest pivot first, which ends where rounding alone is left.
MatX factor(const MatX& W, const std::string& place) {
    const double size = W.cwiseAbs().maxCoeff();
    if ((W - W.transpose()).cwiseAbs().maxCoeff() > kRounding * size)
        throw InputError(place + ": W is not symmetric, as that of masses is; it has no frame");
    const double empty =
        10 * static_cast<double>(W.rows()) * std::numeric_limits<double>::epsilon() * size;
    MatX rest = 0.5 * (W + W.transpose());
    MatX G = MatX::Zero(W.rows(), W.cols());
    Eigen::Index columns = 0, pivot = 0;
    for (; columns < W.cols(); ++columns) {
        const double largest = rest.diagonal().maxCoeff(&pivot);
        if (largest <= empty) break;
        G.col(columns) = rest.col(pivot) / std::sqrt(largest);
        rest.noalias() -= G.col(columns) * G.col(columns).transpose();
    }
    if (rest.cwiseAbs().maxCoeff() > kRounding * size)
        throw InputError(place +
                         ": W is not positive semi-definite, as that of masses is; it has no "
                         "frame");
    return G.leftCols(std::max<Eigen::Index>(columns, 1));  // of zeros, where W is zero
}

// A block of `size` velocities of mass 1; returns its number.
int add_block(int size, LinkSystem& system) {
    InertiaBlock block;
    block.offset = system.nv;
    block.size = size;
    block.free_body = false;
    block.ways = static_cast<int>(system.columns.size());
    const std::vector<int> ways = make_ways(std::vector<int>(at(size), kNone));
    system.columns.insert(system.columns.end(), ways.begin(), ways.end());
    block.pool_M = static_cast<int>(system.pool.size());
    block.pool_root = block.pool_M + size;
    system.pool.insert(system.pool.end(), at(2 * size), 1.0);
    system.blocks.push_back(block);
    system.nv += size;
    return static_cast<int>(system.blocks.size()) - 1;
}

// The side of a link whose first three rows are G, and the others zero.
GeneralSide add_side(const MatX& G, LinkSystem& system) {
    GeneralSide side;
    side.columns = static_cast<int>(system.columns.size());
    side.X = static_cast<int>(system.pool.size());
    for (Eigen::Index j = 0; j < G.cols(); ++j) {
        if (G.col(j).isZero(0.0)) continue;
        system.columns.push_back(static_cast<int>(j));
        for (Eigen::Index i = 0; i < 6; ++i) system.pool.push_back(i < 3 ? G(i, j) : 0.0);
        ++side.count;
    }
    side.Z = static_cast<int>(system.pool.size());
    system.pool.resize(system.pool.size() + at(6 * side.count));
    return side;
}

void add_links(const ConeProblem& from, const std::string& place, ContactProblem& problem) {
    problem.system.links.resize(at(from.contacts()));
    for (const std::vector<int>& contacts : coupled_sets(from.W)) {
        const auto rows = static_cast<Eigen::Index>(3 * contacts.size());
        if (rows > kMostRows)
            throw InputError(place + ": " + std::to_string(rows) +
                             " coupled rows are too many for a dense factor; at most " +
                             std::to_string(kMostRows));
        const MatX G = factor(dense_part(from.W, contacts), place);
        const int block = add_block(static_cast<int>(G.cols()), problem.system);
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            Link& link = problem.system.links[at(contacts[i])];
            link.a = block;
            link.general_a =
                add_side(G.middleRows<3>(3 * static_cast<Eigen::Index>(i)), problem.system);
            link.u0.head<3>() = from.q.segment<3>(3 * contacts[i]);
            set_root_response(problem.system, problem.system.blocks[at(block)], link.general_a);
        }
    }
}

void add_contact(int i, double mu, ContactProblem& problem) {
    ContactRow& row = problem.contacts.emplace_back();
    row.link = i;
    row.n[0] = row.s[1] = row.t[2] = 1;
    row.mu_c = mu;
    row.key.feature = static_cast<std::uint32_t>(i);
    LinkRows& rows = problem.link_rows.emplace_back();
    rows.contact_begin = i;
    rows.contact_end = i + 1;
}

}  // namespace

ProblemFrame frame_of_cone(const ConeProblem& from, const std::string& place) {
    ProblemFrame frame;
    frame.h = 1;
    RecordedStep& step = frame.step.emplace();
    step.step = 1;
    step.time = 1;
    step.model = CoulombCone{};
    ContactProblem& problem = step.problem;
    problem.h = frame.h;
    add_links(from, place, problem);
    for (int i = 0; i < from.contacts(); ++i) {
        add_contact(i, from.mu[i], problem);
        FrameContact& contact = frame.contacts.emplace_back();
        contact.n = Vec3::UnitX();
        contact.mu = from.mu[i];
    }
    problem.v.setZero(problem.system.nv);
    problem.f = problem.v_free = problem.v;
    std::vector<int> scratch;
    find_islands(problem, scratch);
    return frame;
}

}  // namespace stiction

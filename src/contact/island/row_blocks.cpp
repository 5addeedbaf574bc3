// row_blocks.cpp - rows in threes, their Delassus matrix, and the way back to velocities.
#include "contact/island/row_blocks.h"

#include <algorithm>
#include <limits>

namespace stiction {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// The block that takes the link's next bounded row.
RowBlock& bounded_block(RowBlocks& rows, int link, std::size_t first_bounded) {
    if (rows.blocks.size() == first_bounded || rows.blocks.back().rows == 3) {
        RowBlock& block = rows.blocks.emplace_back();
        block.link = link;
        block.bounded = true;
    }
    return rows.blocks.back();
}

void add_row(RowBlock& block, RowSource source, const Vec6& g, double offset, double compliance,
             double lo, double hi) {
    const int k = block.rows++;
    block.G.row(k) = g.transpose();
    block.offset[k] = offset;
    block.compliance[k] = compliance;
    block.lo[k] = lo;
    block.hi[k] = hi;
    block.source[at(k)] = source;
}

void add_link(const ContactProblem& problem, int link, RowBlocks& rows) {
    using Kind = RowSource::Kind;
    const LinkRows& range = problem.link_rows[at(link)];
    for (int i = range.contact_begin; i < range.contact_end; ++i) {
        const ContactRow& contact = problem.contacts[at(i)];
        RowBlock& block = rows.blocks.emplace_back();
        block.link = link;
        block.G.row(0) = contact.n.transpose();
        block.G.row(1) = contact.s.transpose();
        block.G.row(2) = contact.t.transpose();
        block.offset[0] = contact.bias;
        block.mu = contact.mu_c;
        block.contact = i;
        block.rows = 3;
    }
    const std::size_t first = rows.blocks.size();
    for (int i = range.joint_begin; i < range.joint_end; ++i) {
        const JointRow& row = problem.joints[at(i)];
        add_row(bounded_block(rows, link, first), {Kind::kJoint, i}, row.g, -row.bias, 0,
                -kInfinity, kInfinity);
    }
    for (int i = range.limit_begin; i < range.limit_end; ++i) {
        const LimitRow& row = problem.limits[at(i)];
        add_row(bounded_block(rows, link, first), {Kind::kLimit, i}, row.g, row.bias, 0, 0,
                kInfinity);
    }
    for (int i = range.bounded_begin; i < range.bounded_end; ++i) {
        const BoundedRow& row = problem.bounded[at(i)];
        add_row(bounded_block(rows, link, first), {Kind::kBounded, i}, row.g, -row.target,
                row.compliance, row.lo, row.hi);
    }
}

// Places of the links at each block of the system.
void list_links_of_bodies(const LinkSystem& system, const RowBlocks& rows, ConeAssembly& assembly) {
    assembly.body_start.assign(system.blocks.size() + 1, 0);
    const auto for_each_side = [&](const auto& act) {
        for (std::size_t i = 0; i < rows.links.size(); ++i) {
            const Link& link = system.links[at(rows.links[i])];
            if (link.a != kNone) act(link.a, static_cast<int>(i));
            if (link.b != kNone) act(link.b, static_cast<int>(i));
        }
    };
    for_each_side([&](int body, int) { ++assembly.body_start[at(body) + 1]; });
    for (std::size_t b = 0; b < system.blocks.size(); ++b) {
        assembly.body_start[b + 1] += assembly.body_start[b];
    }
    assembly.body_links.resize(at(assembly.body_start.back()));
    // Filled from the back, so that the starts end where they began.
    std::vector<int>& start = assembly.body_start;
    for (std::size_t b = system.blocks.size(); b > 0; --b) start[b] = start[b - 1];
    for_each_side([&](int body, int i) { assembly.body_links[at(start[at(body) + 1]++)] = i; });
}

// A link between a tree and what does not move: W of its rows is Q Q' with Q = G Z.
bool is_tree_side(const LinkSystem& system, const Link& link) {
    return link.b == kNone && link.a != kNone && !system.blocks[at(link.a)].free_body;
}

void set_Q(const LinkSystem& system, const RowBlocks& rows, ConeAssembly& assembly) {
    assembly.Q.clear();
    assembly.Q_start.assign(rows.blocks.size(), kNone);
    for (std::size_t a = 0; a < rows.blocks.size(); ++a) {
        const RowBlock& row = rows.blocks[a];
        const Link& link = system.links[at(row.link)];
        if (!is_tree_side(system, link)) continue;
        const GeneralSide& side = link.general_a;
        assembly.Q_start[a] = static_cast<int>(assembly.Q.size());
        assembly.Q.resize(assembly.Q.size() + 3 * at(side.count));
        double* Q = assembly.Q.data() + assembly.Q_start[a];
        const double* Z = system.pool.data() + side.Z;
        for (int c = 0; c < side.count; ++c, Q += 3, Z += 6)
            Eigen::Map<Vec3>{Q}.noalias() = row.G * Eigen::Map<const Vec6>(Z);
    }
}

// The block of W of two such rows.
Mat3 product_of_Q(const LinkSystem& system, const RowBlocks& rows, const ConeAssembly& assembly,
                  int a, int b) {
    const GeneralSide& side_a = system.links[at(rows.blocks[at(a)].link)].general_a;
    const GeneralSide& side_b = system.links[at(rows.blocks[at(b)].link)].general_a;
    const double* Q_a = assembly.Q.data() + assembly.Q_start[at(a)];
    const double* Q_b = assembly.Q.data() + assembly.Q_start[at(b)];
    Vec3 first = Vec3::Zero(), second = Vec3::Zero(), third = Vec3::Zero();
    for (SharedColumns shared(system, side_a, side_b); shared.next();) {
        const Vec3 x = Eigen::Map<const Vec3>(Q_a + 3 * shared.i);
        const double* y = Q_b + 3 * shared.j;
        first += y[0] * x;
        second += y[1] * x;
        third += y[2] * x;
    }
    Mat3 W;
    W << first, second, third;
    return W;
}

}  // namespace

void build_row_blocks(const ContactProblem& problem, const Island& island, RowBlocks& rows) {
    rows.blocks.clear();
    rows.links.clear();
    rows.first.clear();
    for (int k = island.link_begin; k < island.link_end; ++k) {
        const int link = problem.island_links[at(k)];
        const std::size_t before = rows.blocks.size();
        add_link(problem, link, rows);
        if (rows.blocks.size() == before) continue;
        rows.links.push_back(link);
        rows.first.push_back(static_cast<int>(before));
    }
    rows.first.push_back(static_cast<int>(rows.blocks.size()));
    rows.r = VecX::Zero(3 * static_cast<Eigen::Index>(rows.blocks.size()));
}

void add_impulses(const RowBlocks& rows, ContactSolution& solution) {
    for (std::size_t b = 0; b < rows.blocks.size(); ++b) {
        const RowBlock& block = rows.blocks[b];
        const Vec3 r = rows.r.segment<3>(3 * static_cast<Eigen::Index>(b));
        if (block.contact != kNone) {
            solution.c_n[at(block.contact)] += r[0];
            solution.c_s[at(block.contact)] += r[1];
            solution.c_t[at(block.contact)] += r[2];
            continue;
        }
        for (int k = 0; k < block.rows; ++k) {
            const RowSource& source = block.source[at(k)];
            std::vector<double>& c = source.kind == RowSource::Kind::kJoint   ? solution.c_j
                                     : source.kind == RowSource::Kind::kLimit ? solution.c_l
                                                                              : solution.c_b;
            c[at(source.index)] += r[k];
        }
    }
}

void apply_row_impulses(const ContactProblem& problem, const Island& island, const RowBlocks& rows,
                        VecX& momentum, VecX& v) {
    const LinkSystem& system = problem.system;
    for (int k = island.block_begin; k < island.block_end; ++k) {
        const InertiaBlock& block = system.blocks[at(problem.island_blocks[at(k)])];
        momentum.segment(block.offset, block.size).setZero();
    }
    for (std::size_t b = 0; b < rows.blocks.size(); ++b) {
        const RowBlock& block = rows.blocks[b];
        const Vec6 F = block.G.transpose() * rows.r.segment<3>(3 * static_cast<Eigen::Index>(b));
        add_link_impulse(system, system.links[at(block.link)], F, momentum);
    }
    for (int k = island.block_begin; k < island.block_end; ++k) {
        const InertiaBlock& block = system.blocks[at(problem.island_blocks[at(k)])];
        apply_inverse_inertia(system, block, momentum, v);
        v.segment(block.offset, block.size) += problem.v_free.segment(block.offset, block.size);
    }
}

void assemble_cone_problem(const ContactProblem& problem, const RowBlocks& rows,
                           ConeAssembly& assembly, ConeProblem& cone) {
    const LinkSystem& system = problem.system;
    const auto nc = static_cast<int>(rows.blocks.size());
    list_links_of_bodies(system, rows, assembly);
    set_Q(system, rows, assembly);

    BlockMatrix& W = cone.W;
    W.start.assign(1, 0);
    W.column.clear();
    W.block.clear();
    W.diagonal.resize(at(nc));
    assembly.seen.assign(rows.links.size(), 0);
    for (std::size_t i = 0; i < rows.links.size(); ++i) {
        const Link& link = system.links[at(rows.links[i])];
        std::vector<int>& neighbours = assembly.neighbours;
        neighbours.clear();
        for (const int body : {link.a, link.b}) {
            if (body == kNone) continue;
            for (int k = assembly.body_start[at(body)]; k < assembly.body_start[at(body) + 1];
                 ++k) {
                const int j = assembly.body_links[at(k)];
                if (assembly.seen[at(j)]) continue;
                assembly.seen[at(j)] = 1;
                neighbours.push_back(j);
            }
        }
        for (const int j : neighbours) assembly.seen[at(j)] = 0;
        std::sort(neighbours.begin(), neighbours.end());
        // W is symmetric: blocks below the diagonal are those of earlier rows.
        const auto later = std::find(neighbours.begin(), neighbours.end(), static_cast<int>(i));
        const auto has_Q = [&](std::size_t place) {
            return assembly.Q_start[at(rows.first[place])] != kNone;
        };
        assembly.delassus.resize(neighbours.size());
        for (auto j = later; j != neighbours.end(); ++j) {
            if (has_Q(i) && has_Q(at(*j))) continue;
            assembly.delassus[static_cast<std::size_t>(j - later)] =
                delassus_block(system, link, system.links[at(rows.links[at(*j)])]);
        }
        for (int a = rows.first[i]; a < rows.first[i + 1]; ++a) {
            for (auto j = neighbours.begin(); j != later; ++j) {
                for (int b = rows.first[at(*j)]; b < rows.first[at(*j) + 1]; ++b) {
                    const Mat3 mirror = W.block[at(W.find(b, a))].transpose();
                    W.column.push_back(b);
                    W.block.push_back(mirror);
                }
            }
            const RowBlock& row = rows.blocks[at(a)];
            for (auto j = later; j != neighbours.end(); ++j) {
                const bool by_Q = has_Q(i) && has_Q(at(*j));
                Eigen::Matrix<double, 3, 6> G_D;
                if (!by_Q) G_D = row.G * assembly.delassus[static_cast<std::size_t>(j - later)];
                for (int b = rows.first[at(*j)]; b < rows.first[at(*j) + 1]; ++b) {
                    if (a == b) W.diagonal[at(a)] = W.blocks();
                    W.column.push_back(b);
                    W.block.push_back(by_Q ? product_of_Q(system, rows, assembly, a, b)
                                           : Mat3(G_D * rows.blocks[at(b)].G.transpose()));
                    if (a == b) W.block.back().diagonal() += row.compliance;
                }
            }
            W.start.push_back(W.blocks());
        }
    }

    cone.q.resize(3 * nc);
    cone.mu.resize(nc);
    const bool any_bounded = std::any_of(rows.blocks.begin(), rows.blocks.end(),
                                         [](const RowBlock& block) { return block.bounded; });
    cone.bounded.assign(any_bounded ? at(nc) : 0, 0);
    cone.lo.resize(any_bounded ? 3 * nc : 0);
    cone.hi.resize(any_bounded ? 3 * nc : 0);
    for (int a = 0; a < nc; ++a) {
        const RowBlock& row = rows.blocks[at(a)];
        cone.q.segment<3>(3 * a) =
            row.G * link_velocity(system, system.links[at(row.link)], problem.v_free) + row.offset;
        cone.mu[a] = row.bounded ? 0 : row.mu;
        if (!any_bounded) continue;
        cone.bounded[at(a)] = row.bounded;
        cone.lo.segment<3>(3 * a) = row.lo;
        cone.hi.segment<3>(3 * a) = row.hi;
    }
}

}  // namespace stiction

// delassus.cpp - both matrices link by link. W is symmetric: blocks below the diagonal are those of
// earlier rows, mirrored.
#include "contact/island/delassus.h"

#include <algorithm>

#include "problem/link_motion.h"

namespace stiction {

namespace {

struct Assembly {
    const LinkSystem& system;
    const IslandRows& rows;
    const Triples& triples;
    DelassusWorkspace& ws;
    BlockMatrix& W;

    [[nodiscard]] const Link& link(std::size_t place) const {
        return system.links[at(triples.links[place])];
    }
    [[nodiscard]] bool has_Q(std::size_t place) const {
        return ws.Q_start[at(triples.first[place])] != kNone;
    }
};

// Places of the links at each block of the system.
void list_links_of_bodies(const Assembly& s) {
    std::vector<int>& start = s.ws.body_start;
    start.assign(s.system.blocks.size() + 1, 0);
    const auto for_each_side = [&](const auto& act) {
        for (std::size_t i = 0; i < s.triples.links.size(); ++i) {
            const Link& link = s.link(i);
            if (link.a != kNone) act(link.a, static_cast<int>(i));
            if (link.b != kNone) act(link.b, static_cast<int>(i));
        }
    };
    for_each_side([&](int body, int) { ++start[at(body) + 1]; });
    for (std::size_t b = 0; b < s.system.blocks.size(); ++b) start[b + 1] += start[b];
    s.ws.body_links.resize(at(start.back()));
    // Filled from the back, so that the starts end where they began.
    for (std::size_t b = s.system.blocks.size(); b > 0; --b) start[b] = start[b - 1];
    for_each_side([&](int body, int i) { s.ws.body_links[at(start[at(body) + 1]++)] = i; });
}

// A link between a tree and what does not move: W of its rows is Q Q' with Q = G Z.
bool is_tree_side(const LinkSystem& system, const Link& link) {
    return link.b == kNone && link.a != kNone && !system.blocks[at(link.a)].free_body;
}

void set_G_and_Q(const Assembly& s) {
    DelassusWorkspace& ws = s.ws;
    ws.G.resize(s.triples.all.size());
    ws.Q.clear();
    ws.Q_start.assign(s.triples.all.size(), kNone);
    for (std::size_t a = 0; a < s.triples.all.size(); ++a) {
        const Triple& triple = s.triples.all[a];
        ws.G[a] = jacobian(s.rows, triple);
        const Link& link = s.system.links[at(triple.link)];
        if (!is_tree_side(s.system, link)) continue;
        const GeneralSide& side = link.general_a;
        ws.Q_start[a] = static_cast<int>(ws.Q.size());
        ws.Q.resize(ws.Q.size() + 3 * at(side.count));
        double* Q = ws.Q.data() + ws.Q_start[a];
        const double* Z = s.system.pool.data() + side.Z;
        for (int c = 0; c < side.count; ++c, Q += 3, Z += 6)
            Eigen::Map<Vec3>{Q}.noalias() = ws.G[a] * Eigen::Map<const Vec6>(Z);
    }
}

// The block of W of two such triples.
Mat3 product_of_Q(const Assembly& s, int a, int b) {
    const GeneralSide& side_a = s.system.links[at(s.triples.all[at(a)].link)].general_a;
    const GeneralSide& side_b = s.system.links[at(s.triples.all[at(b)].link)].general_a;
    const double* Q_a = s.ws.Q.data() + s.ws.Q_start[at(a)];
    const double* Q_b = s.ws.Q.data() + s.ws.Q_start[at(b)];
    Vec3 first = Vec3::Zero(), second = Vec3::Zero(), third = Vec3::Zero();
    for (SharedColumns shared(s.system, side_a, side_b); shared.next();) {
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

// Places of the links that share a body with link i, ascending; returns where i itself stands.
std::size_t find_neighbours(const Assembly& s, std::size_t i) {
    DelassusWorkspace& ws = s.ws;
    ws.neighbours.clear();
    for (const int body : {s.link(i).a, s.link(i).b}) {
        if (body == kNone) continue;
        for (int k = ws.body_start[at(body)]; k < ws.body_start[at(body) + 1]; ++k) {
            const int j = ws.body_links[at(k)];
            if (ws.seen[at(j)]) continue;
            ws.seen[at(j)] = 1;
            ws.neighbours.push_back(j);
        }
    }
    for (const int j : ws.neighbours) ws.seen[at(j)] = 0;
    std::sort(ws.neighbours.begin(), ws.neighbours.end());
    const auto self = std::find(ws.neighbours.begin(), ws.neighbours.end(), static_cast<int>(i));
    return static_cast<std::size_t>(self - ws.neighbours.begin());
}

void set_link_blocks(const Assembly& s, std::size_t i, std::size_t self) {
    DelassusWorkspace& ws = s.ws;
    ws.D.resize(ws.neighbours.size());
    for (std::size_t k = self; k < ws.neighbours.size(); ++k) {
        const std::size_t j = at(ws.neighbours[k]);
        if (!(s.has_Q(i) && s.has_Q(j)))
            ws.D[k - self] = delassus_block(s.system, s.link(i), s.link(j));
    }
}

// The row of W of triple a, which belongs to link i.
void add_row(const Assembly& s, std::size_t i, int a, std::size_t self) {
    BlockMatrix& W = s.W;
    const Triples& t = s.triples;
    const std::vector<int>& neighbours = s.ws.neighbours;
    for (std::size_t k = 0; k < self; ++k) {
        const std::size_t j = at(neighbours[k]);
        for (int b = t.first[j]; b < t.first[j + 1]; ++b) {
            const Mat3 mirror = W.block[at(W.find(b, a))].transpose();
            W.column.push_back(b);
            W.block.push_back(mirror);
        }
    }
    for (std::size_t k = self; k < neighbours.size(); ++k) {
        const std::size_t j = at(neighbours[k]);
        const bool by_Q = s.has_Q(i) && s.has_Q(j);
        Mat36 G_D;
        if (!by_Q) G_D = s.ws.G[at(a)] * s.ws.D[k - self];
        for (int b = t.first[j]; b < t.first[j + 1]; ++b) {
            if (a == b) W.diagonal[at(a)] = W.blocks();
            W.column.push_back(b);
            W.block.push_back(by_Q ? product_of_Q(s, a, b) : Mat3(G_D * s.ws.G[at(b)].transpose()));
            if (a == b) W.block.back().diagonal() += compliance(s.rows, t.all[at(a)]);
        }
    }
    W.start.push_back(W.blocks());
}

void make_W(const Assembly& s) {
    list_links_of_bodies(s);
    set_G_and_Q(s);
    s.W.start.assign(1, 0);
    s.W.column.clear();
    s.W.block.clear();
    s.W.diagonal.resize(s.triples.all.size());
    s.ws.seen.assign(s.triples.links.size(), 0);
    for (std::size_t i = 0; i < s.triples.links.size(); ++i) {
        const std::size_t self = find_neighbours(s, i);
        set_link_blocks(s, i, self);
        for (int a = s.triples.first[i]; a < s.triples.first[i + 1]; ++a) add_row(s, i, a, self);
    }
}

// A of the rows of links i and j.
void couple(const IslandRows& rows, std::size_t i, std::size_t j, const Mat6& D, MatX& A) {
    for (int r = rows.begin[i]; r < rows.begin[i + 1]; ++r) {
        const Vec6 D_g = D.transpose() * rows.rows[at(r)].g;
        for (int s = rows.begin[j]; s < rows.begin[j + 1]; ++s)
            A(r, s) = D_g.dot(rows.rows[at(s)].g);
    }
}

}  // namespace

void make_box_lcp(const LinkSystem& system, const IslandRows& rows, const VecX& v_free,
                  BoxLcp& lcp) {
    const auto n = static_cast<Eigen::Index>(rows.rows.size());
    lcp.A.setZero(n, n);
    lcp.b.resize(n);
    lcp.lo.resize(n);
    lcp.hi.resize(n);
    for (std::size_t i = 0; i < rows.links.size(); ++i) {
        const Link& link = system.links[at(rows.links[i])];
        const Vec6 u_free = link_velocity(system, link, v_free);
        for (std::size_t j = 0; j < rows.links.size(); ++j) {
            const Link& other = system.links[at(rows.links[j])];
            if (share_block(link, other))
                couple(rows, i, j, delassus_block(system, link, other), lcp.A);
        }
        for (int r = rows.begin[i]; r < rows.begin[i + 1]; ++r) {
            const Row& row = rows.rows[at(r)];
            lcp.A(r, r) += row.compliance;
            lcp.b[r] = row.g.dot(u_free) - row.target;
            lcp.lo[r] = row.lo;
            lcp.hi[r] = row.hi;
        }
    }
}

void make_cone_laws(const IslandRows& rows, const Triples& triples, ConeLaws& laws) {
    const auto nc = static_cast<int>(triples.all.size());
    laws.mu.resize(nc);
    const bool any_bounded = std::any_of(triples.all.begin(), triples.all.end(),
                                         [](const Triple& triple) { return !triple.cone; });
    laws.bounded.assign(any_bounded ? at(nc) : 0, 0);
    laws.lo.setZero(any_bounded ? 3 * nc : 0);
    laws.hi.setZero(any_bounded ? 3 * nc : 0);
    for (int a = 0; a < nc; ++a) {
        const Triple& triple = triples.all[at(a)];
        laws.mu[a] = triple.cone ? triple.mu : 0;
        if (triple.cone) continue;
        laws.bounded[at(a)] = 1;
        laws.lo.segment<3>(3 * a) = lower_bound(rows, triple);
        laws.hi.segment<3>(3 * a) = upper_bound(rows, triple);
    }
}

void make_cone_problem(const ContactProblem& problem, const IslandRows& rows,
                       const Triples& triples, DelassusWorkspace& workspace, ConeProblem& cone) {
    make_W({problem.system, rows, triples, workspace, cone.W});
    make_cone_laws(rows, triples, cone);
    const auto nc = static_cast<int>(triples.all.size());
    cone.q.resize(3 * nc);
    for (int a = 0; a < nc; ++a) {
        const Triple& triple = triples.all[at(a)];
        const Link& link = problem.system.links[at(triple.link)];
        cone.q.segment<3>(3 * a) =
            workspace.G[at(a)] * link_velocity(problem.system, link, problem.v_free) +
            offset(rows, triple);
    }
}

}  // namespace stiction

// delassus.h - the Delassus matrix G M^-1 G' + diag(compliance) of an island, and with it its
// problem in impulses alone: dense over the rows for solve/lcp, sparse over the triples for
// solve/cone, one 3x3 block W per pair of triples whose links share a body.
#pragma once

#include <vector>

#include "contact/island/triples.h"
#include "solve/cone/cone_problem.h"
#include "solve/lcp/box_lcp.h"

namespace stiction {

// Which links of the island share a body: what the sparsity of W needs, kept between steps.
struct DelassusWorkspace {
    std::vector<int> body_start, body_links;  // per block of the system: places in Triples::links
    std::vector<int> neighbours;              // links that share a body with the present one
    std::vector<char> seen;
    std::vector<Mat6> D;       // per neighbour from the link itself on
    std::vector<Mat36> G;      // per triple
    std::vector<double> Q;     // G Z of triples on one side of a tree, 3 rows each, one by one
    std::vector<int> Q_start;  // per triple where its Q starts, kNone without one
};

// A, b = G u_free - target, and the bounds of all rows.
void make_box_lcp(const LinkSystem& system, const IslandRows& rows, const VecX& v_free,
                  BoxLcp& lcp);

// The law of every triple, as solve/cone knows it.
void make_cone_laws(const IslandRows& rows, const Triples& triples, ConeLaws& laws);

// W, q = G u_free + offset, and the laws of all triples, in O(pairs of links that share a body).
void make_cone_problem(const ContactProblem& problem, const IslandRows& rows,
                       const Triples& triples, DelassusWorkspace& workspace, ConeProblem& cone);

}  // namespace stiction

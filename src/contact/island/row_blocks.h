// row_blocks.h - the rows of one island in blocks of three, the form of solve/cone/cone_problem.h:
// a block per contact (n, s, t), and the joint, limit and bounded rows of a link in threes.
//
//   u = G u_link + offset + compliance o r      per block, u_link the velocity of its link
//
// Contacts obey the friction law of the model that asks; other blocks stay between lo and hi.
#pragma once

#include <array>
#include <vector>

#include "contact/island/island_rows.h"
#include "problem/contact_problem.h"
#include "problem/contact_solution.h"
#include "solve/cone/cone_problem.h"

namespace stiction {

struct RowBlock {
    RowBlock() {}  // written out: without it, emplace_back() sets everything to zero first

    int link = kNone;                                                     // of the system
    Eigen::Matrix<double, 3, 6> G = Eigen::Matrix<double, 3, 6>::Zero();  // unused rows are zero
    Vec3 offset = Vec3::Zero();                                           // [m/s]
    Vec3 compliance = Vec3::Zero();                                       // [1/kg]
    bool bounded = false;                                                 // else a contact with:
    double mu = 0;
    Vec3 lo = Vec3::Zero(), hi = Vec3::Zero();  // [N s]; 0 and 0 for unused rows
    int contact = kNone;                        // of the problem
    std::array<RowSource, 3> source;            // of a bounded block's rows
    int rows = 0;                               // of it in use
};

struct RowBlocks {
    std::vector<RowBlock> blocks;  // by links, in the order of the island
    std::vector<int> links;        // of the system, those with blocks
    std::vector<int> first;        // per such link its first block; one more at the end
    VecX r;                        // 3 per block, impulses
};

// Blocks of the island with r = 0.
void build_row_blocks(const ContactProblem& problem, const Island& island, RowBlocks& rows);

// Adds r to the solution's impulses (which the caller has set to zero).
void add_impulses(const RowBlocks& rows, ContactSolution& solution);

// The island's velocities for impulses r: v_free + M^-1 G'r. `momentum` is scratch.
void apply_row_impulses(const ContactProblem& problem, const Island& island, const RowBlocks& rows,
                        VecX& momentum, VecX& v);

// Which links of the island share a body: what the sparsity of W needs, kept between steps.
struct ConeAssembly {
    std::vector<int> body_start, body_links;  // per block of the system: places in RowBlocks::links
    std::vector<int> neighbours;
    std::vector<char> seen;
    std::vector<Mat6> delassus;
    std::vector<double> Q;     // G Z of blocks on one side of a tree, 3 rows each, one by one
    std::vector<int> Q_start;  // per block where its Q starts, kNone without one
};

// W, q and the laws of all blocks. W is formed in O(pairs of links that share a body).
void assemble_cone_problem(const ContactProblem& problem, const RowBlocks& rows,
                           ConeAssembly& assembly, ConeProblem& cone);

}  // namespace stiction

// solve_contact.h - ContactProblem -> ContactSolution with the chosen model: island by island,
// islands in parallel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "contact/contact_model.h"
#include "contact/island/guess.h"
#include "contact/island/island_rows.h"
#include "contact/island/row_blocks.h"
#include "contact/routes/link_qp.h"
#include "contact/routes/link_sweeps.h"
#include "contact/routes/max_dissipation_workspace.h"
#include "contact/routes/sweeps.h"
#include "core/deadline.h"
#include "core/thread_pool.h"
#include "problem/contact_problem.h"
#include "problem/contact_solution.h"
#include "solve/cone/cone_solver.h"
#include "solve/factor/independent_rows.h"
#include "solve/lcp/active_set_qp.h"
#include "solve/lcp/active_set_rows.h"
#include "solve/lcp/block_pivot.h"
#include "solve/lcp/gradient_projection.h"
#include "solve/lcp/lemke.h"
#include "solve/lcp/pgs.h"
#include "solve/lcp/pgs_sm.h"
#include "solve/lcp/ppm.h"

namespace stiction {

// Dense matrices of one island, for the paper's no-slip route. Whitened means multiplied by L^-1, M
// = L L'.
struct DenseNoSlipWorkspace {
    std::vector<int> local;  // per block of the system: offset of its velocities within the island
    std::vector<int> equalities;    // rows of the island: joints, then tangents contact by contact
    std::vector<int> inequalities;  // normals and limits
    MatX Y;                         // equality rows, whitened
    VecX b;                         // their wanted velocities (less what prescribed motion gives)
    MatX R;                         // accepted rows = R' Q', Q the orthonormal basis
    VecX s, along;                  // coordinates on Q
    VecX nu_free, nu, rest;         // whitened velocities
    VecX y;                         // one whitened row
    MatX Z;                         // whitened rows as columns, for the impulses
    IndependentRows accepted;
    IndependentRowsWorkspace independent;
    PpmProblem ppm;  // in whitened velocities: K = I - Q Q'
    PpmWorkspace pivoting;
    LcpBasis guess;
    LcpResult result;
};

// One island's rows [J; N; S; T; L; B] on their links and the matrices of its LCP.
struct CoulombLcpWorkspace {
    struct Row {
        RowSource source;
        int link = 0;  // of the system
        Vec6 g = Vec6::Zero();
        double wanted =
            0;  // r = g . u - wanted: equalities and bounded rows; -bias for unilateral ones
        double compliance = 0;
        double lo = 0, hi = 0;  // bounded rows
        int variable = kNone;   // its first LCP unknown; for a contact that of n, s and t together
    };
    std::vector<Row> rows;  // equalities first, then n, s, t per contact, limits, bounded rows
    int equalities = 0;
    std::vector<int> local;  // per block of the system: offset of its velocities within the island
    MatX whitened;           // equality rows
    VecX y;                  // one of them
    IndependentRows independent;
    IndependentRowsWorkspace independent_workspace;
    MatX W;           // Delassus matrix of the rows; after elimination: [L 0; Y' G C G']
    VecX r;           // at v_free; after elimination: [L^-1 r_J; G v_hat - wanted]
    VecX c;           // row impulses
    double unit = 1;  // [kg] impulse that LCP unknown 1 m/s stands for
    Lcp lcp;
    LcpBasis guess;
    LemkeWorkspace lemke;
    LcpResult result;
};

// Row blocks of one island, their sweeps, and the problem with W where that is needed.
struct IslandConeWorkspace {
    RowBlocks rows;
    FrictionDirections directions;  // of a friction polygon
    SweepWorkspace sweeps;
    ConeAssembly assembly;
    ConeProblem problem;
    ConeWorkspace solvers;
    ConeResult result;
};

// One island as a dense problem between bounds (dense_rows.h).
struct DenseRowsWorkspace {
    BoxLcp lcp;
    std::vector<BoundState> guess;
    VecX z;
    BoxResult result;
    ActiveSetWorkspace active_set;
    std::vector<int> local;  // as in DenseNoSlipWorkspace
    MatX Y;                  // whitened rows as columns
    ActiveSetRowsWorkspace active_set_rows;
    BlockPivotWorkspace block_pivot;
    PgsWorkspace pgs;
    PgsSmWorkspace pgs_sm;
    GradientProjectionWorkspace gradient;
    LemkeWorkspace lemke;
    LcpResult lemke_result;
};

struct IslandWorkspace {
    IslandRows rows;
    LinkQpWorkspace link_qp;
    LinkSweepWorkspace link_sweeps;
    std::vector<int> links_per_body;
    IslandRows rebound_rows;  // of phase III (restitution)
    DenseNoSlipWorkspace dense_no_slip;
    CoulombLcpWorkspace coulomb_lcp;
    IslandConeWorkspace cone;
    DenseRowsWorkspace dense_rows;
    MaxDissipationWorkspace max_dissipation;
};

// Kept by the caller between steps: a warm step allocates nothing.
struct ContactWorkspace {
    std::deque<IslandWorkspace> islands;       // a deque: they are not moved when it grows
    std::vector<std::uint64_t> contact_guess;  // matched to this step's contacts
    std::vector<Vec3> impulse_guess;           // the same, world axes [N s]
    std::vector<std::uint64_t> next_contacts;  // written by the models, per contact and per joint
    std::vector<std::uint64_t> next_joints;
    std::vector<char> tangential;      // per contact: whether it has tangential rows (no_slip.cpp)
    VecX momentum, v_plus, v_rebound;  // scratch, islands touch their own stretch only
};

// What a model's island solver sees.
struct IslandTask {
    const ContactProblem& problem;
    const Island& island;
    const Guess& guess;  // joints
    ContactWorkspace& shared;
    IslandWorkspace& workspace;
    ContactSolution& solution;  // v, impulses: this island's entries only
    // The budget: iterations of all rungs of the ladder together (0: none set), and the time.
    int max_iterations = 0;
    Deadline deadline = {};
};

// Whether the budget is used up after `used` iterations: the ladder then goes straight to its last,
// safe rung.
[[nodiscard]] inline bool spent(const IslandTask& task, int used) {
    return (task.max_iterations > 0 && used >= task.max_iterations) || task.deadline.passed();
}

// Limit of a solver that starts after `used` iterations: what is left, but at least one (0 would
// be the solver's own limit).
[[nodiscard]] inline int iterations_left(const IslandTask& task, int used) {
    return task.max_iterations > 0 ? std::max(1, task.max_iterations - used) : 0;
}

[[nodiscard]] inline std::span<const int> links_of(const IslandTask& task) {
    const Island& island = task.island;
    return std::span<const int>(task.problem.island_links)
        .subspan(static_cast<std::size_t>(island.link_begin),
                 static_cast<std::size_t>(island.link_end - island.link_begin));
}

[[nodiscard]] inline std::span<const int> blocks_of(const IslandTask& task) {
    const Island& island = task.island;
    return std::span<const int>(task.problem.island_blocks)
        .subspan(static_cast<std::size_t>(island.block_begin),
                 static_cast<std::size_t>(island.block_end - island.block_begin));
}

[[nodiscard]] IslandResult solve_island(const Viscous& model, const IslandTask& task);
[[nodiscard]] IslandResult solve_island(const NoSlip& model, const IslandTask& task);
[[nodiscard]] IslandResult solve_island(const MaxDissipation& model, const IslandTask& task);
[[nodiscard]] IslandResult solve_island(const FrictionBox& model, const IslandTask& task);
[[nodiscard]] IslandResult solve_island(const CoulombLcp& model, const IslandTask& task);
[[nodiscard]] IslandResult solve_island(const CoulombCone& model, const IslandTask& task);

// No-slip contact of one island; frictional_only: contacts with mu_c = 0 keep no tangential rows.
// Guess bit 0 of a contact says whether it presses.
[[nodiscard]] IslandResult solve_sticking(const NoSlip& model, const IslandTask& task,
                                          bool frictional_only);

// coulomb_lcp without sliding: true, with the island solved, when the no-slip answer meets the law;
// otherwise the island's impulses are zero. Guess bits of a contact then have kStuck set, and bit 0
// as solve_sticking.
inline constexpr std::uint64_t kStuck = std::uint64_t{1} << 63;
[[nodiscard]] bool try_sticking(const CoulombLcp& model, const IslandTask& task,
                                IslandResult& result);

// The dense route of no_slip [D15]; task.workspace.rows holds the island's rows with tangential
// ones in place. Fills rows.state, rows.c and the island's v. max_pivots 0: its own limit.
[[nodiscard]] IslandResult solve_dense_no_slip(const NoSlip& model, const IslandTask& task,
                                               int max_pivots);

// States of the rows from the guess (contacts that press, limits and motors at a bound; new
// contacts press where they touch), and back. Guess bit 0 of a contact says whether it presses.
void guess_row_states(const IslandTask& task, std::span<const std::uint64_t> contacts,
                      std::span<const std::uint64_t> joints, IslandRows& rows);
void keep_row_states(const IslandTask& task, const IslandRows& rows);

// The rows in workspace.rows as a convex program: block-sparse pivoting (link_qp.h, solver name
// sparse_ppm), or sweeps (link_sweeps.h, pgs) where the island is a large pile. Sets c, states, v.
[[nodiscard]] IslandResult solve_sparse_rows(const LinkQpSettings& settings,
                                             const IslandTask& task);
// The same by sweeps, whatever the size.
[[nodiscard]] IslandResult sweep_rows(const LinkQpSettings& settings, const IslandTask& task);
// Rows without friction (phase I) from other velocities than v_free, by the same choice: pivoting,
// or sweeps from rows.c. Sets c, states, v.
[[nodiscard]] LinkQpResult solve_normal_rows(const IslandTask& task, const VecX& v_free,
                                             IslandRows& rows, VecX& v);
// Impulses of the contacts in the last step into rows.c, from which sweeps start.
void guess_impulses(const IslandTask& task, IslandRows& rows);
// The other way: those of rows.c become the guess, e.g. for another pass.
void keep_impulses(const IslandTask& task, const IslandRows& rows);
// Whether the island is entangled, so that its factors fill; so large that nothing is factored.
[[nodiscard]] bool is_pile(const IslandTask& task);
[[nodiscard]] bool is_large_pile(const IslandTask& task);

// A gap below a millionth of the link's length counts as touching.
[[nodiscard]] bool touching(const ContactProblem& problem, const ContactRow& contact);

// Sets the island's impulses to zero.
void clear_impulses(const IslandTask& task);

// Frictionless normal impulses from v_free (phase I): the safe answer every ladder ends with.
// Replaces v and impulses. It has the island's budget of iterations to itself.
[[nodiscard]] IslandResult solve_frictionless(const IslandTask& task);

// Phase III: Poisson restitution at contacts that approached faster than `threshold` [m/s].
void add_restitution(const IslandTask& task, double threshold);

// Solves all islands, adds restitution, updates the guess. Velocities of blocks in no island are
// v_free. An island that ends by the model's max_iterations or at the deadline has status kBudget.
void solve_contact(const ContactModel& model, const ContactProblem& problem,
                   double restitution_threshold, ThreadPool& pool, ContactWorkspace& workspace,
                   Guess& guess, ContactSolution& solution, Deadline deadline = {});

}  // namespace stiction

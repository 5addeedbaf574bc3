// siconos.cpp - our problems as Siconos' structures, its solvers and their options.
#include "siconos.h"

#if STICTION_HAVE_SICONOS

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <lcp_cst.h>

#include <algorithm>
#include <cstdlib>
#include <span>

#include "guarded_run.h"

namespace stiction {

namespace {

struct Setting {
    const char* name;
    int solver;
    int max_iterations;
    void (*tune)(SolverOptions&);
};

constexpr double kPerSecondOfRepeats = 20;  // CPU limit of the repeats, per second asked for
constexpr int kFirstOrder = 1000000, kProximal = 10000, kNewton = 1000;  // limits of iterations

void as_is(SolverOptions&) {}

void set_local(SolverOptions& o, int solver) { solver_options_update_internal(&o, 0, solver); }

void set_full_error(SolverOptions& o) {
    o.iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] =
        SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL;
}

void set_jean_moreau(SolverOptions& o) {
    o.iparam[SICONOS_FRICTION_3D_NSN_FORMULATION] =
        SICONOS_FRICTION_3D_NSN_FORMULATION_JEANMOREAU_GENERATED;
}

void set_rho_of_norm(SolverOptions& o) {
    o.iparam[SICONOS_FRICTION_3D_ADMM_IPARAM_INITIAL_RHO] =
        SICONOS_FRICTION_3D_ADMM_INITIAL_RHO_NORM_INF;
}

void full_quartic(SolverOptions& o) {
    set_local(o, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC);
    set_full_error(o);
}
void quartic(SolverOptions& o) { set_local(o, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC); }
void projection(SolverOptions& o) {
    set_local(o, SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration);
}
void inner_sweeps(SolverOptions& o) { set_local(o, SICONOS_FRICTION_3D_NSGS); }
void inner_jean_moreau(SolverOptions& o) {
    set_local(o, SICONOS_FRICTION_3D_NSN_AC);
    set_jean_moreau(*o.internalSolvers[0]);
}
void regularisation(SolverOptions& o) {
    o.iparam[SICONOS_FRICTION_3D_PROXIMAL_IPARAM_STRATEGY] =
        SICONOS_FRICTION_3D_PROXIMAL_REGULARIZATION;
}
void sparse_lu(SolverOptions& o) {
    o.iparam[SICONOS_FRICTION_3D_NSN_LINEAR_SOLVER] = SICONOS_FRICTION_3D_NSN_USE_CSLUSOL;
}
void extragradient_start(SolverOptions& o) {
    o.iparam[SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY] =
        SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY_VI_EG_NSN;
}
void no_line_search(SolverOptions& o) {
    o.iparam[SICONOS_FRICTION_3D_NSN_LINESEARCH] = SICONOS_FRICTION_3D_NSN_LINESEARCH_NO;
}
void balancing(SolverOptions& o) {
    o.iparam[SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY] =
        SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_SCALED_RESIDUAL_BALANCING;
    set_rho_of_norm(o);
}

// Left out: NSGSV and PFP, which crash, and what solves the convex relaxation instead (SOCLCP, the
// interior-point method).
constexpr Setting kSettings[] = {
    {"PROX", SICONOS_FRICTION_3D_PROX, kProximal, as_is},
    {"NSN_AC", SICONOS_FRICTION_3D_NSN_AC, kNewton, as_is},
    {"NSGS", SICONOS_FRICTION_3D_NSGS, kFirstOrder, as_is},
    {"NSGS+full", SICONOS_FRICTION_3D_NSGS, kFirstOrder, set_full_error},
    {"NSGS+quartic", SICONOS_FRICTION_3D_NSGS, kFirstOrder, quartic},
    {"NSGS+quartic+full", SICONOS_FRICTION_3D_NSGS, kFirstOrder, full_quartic},
    {"NSGS+projection", SICONOS_FRICTION_3D_NSGS, kFirstOrder, projection},
    {"PROX+jm", SICONOS_FRICTION_3D_PROX, kProximal, inner_jean_moreau},
    {"PROX+regularisation", SICONOS_FRICTION_3D_PROX, kProximal, regularisation},
    {"PROX+nsgs", SICONOS_FRICTION_3D_PROX, kProximal, inner_sweeps},
    {"NSN_AC+lu", SICONOS_FRICTION_3D_NSN_AC, kNewton, sparse_lu},
    {"NSN_AC+jm", SICONOS_FRICTION_3D_NSN_AC, kNewton, set_jean_moreau},
    {"NSN_AC+eg", SICONOS_FRICTION_3D_NSN_AC, kNewton, extragradient_start},
    {"NSN_AC+nols", SICONOS_FRICTION_3D_NSN_AC, kNewton, no_line_search},
    {"NSN_AC_TEST", SICONOS_FRICTION_3D_NSN_AC_TEST, kNewton, as_is},
    {"NSN_FB", SICONOS_FRICTION_3D_NSN_FB, kNewton, as_is},
    {"NSN_NM", SICONOS_FRICTION_3D_NSN_NM, kNewton, as_is},
    {"ADMM", SICONOS_FRICTION_3D_ADMM, kFirstOrder, as_is},
    {"ADMM+norm", SICONOS_FRICTION_3D_ADMM, kFirstOrder, set_rho_of_norm},
    {"ADMM+balancing", SICONOS_FRICTION_3D_ADMM, kFirstOrder, balancing},
    {"EG", SICONOS_FRICTION_3D_EG, kFirstOrder, as_is},
    {"VI_EG", SICONOS_FRICTION_3D_VI_EG, kFirstOrder, as_is},
    {"VI_FPP", SICONOS_FRICTION_3D_VI_FPP, kFirstOrder, as_is},
    {"FPP", SICONOS_FRICTION_3D_FPP, kFirstOrder, as_is},
    {"HP", SICONOS_FRICTION_3D_HP, kFirstOrder, as_is},
    {"DSFP", SICONOS_FRICTION_3D_DSFP, kFirstOrder, as_is},
    {"TFP", SICONOS_FRICTION_3D_TFP, kProximal, as_is},
    {"ACLMFP", SICONOS_FRICTION_3D_ACLMFP, kProximal, as_is},
};

// The library frees nothing of these here: they live in a child process, whose end does.
template <class T>
T* allocate(std::size_t count) {
    return static_cast<T*>(std::calloc(count, sizeof(T)));
}

double* copy(const VecX& x) {
    double* const data = allocate<double>(static_cast<std::size_t>(x.size()));
    std::copy(x.begin(), x.end(), data);
    return data;
}

NumericsMatrix* dense_matrix(const MatX& A) {
    NumericsMatrix* const M =
        NM_create(NM_DENSE, static_cast<int>(A.rows()), static_cast<int>(A.cols()));
    std::copy(A.data(), A.data() + A.size(), M->matrix0);  // both by columns
    return M;
}

NumericsMatrix* block_matrix(const BlockMatrix& W) {
    const auto n = static_cast<std::size_t>(W.rows());
    SparseBlockStructuredMatrix* const M = SBM_new();
    M->nbblocks = static_cast<unsigned>(W.blocks());
    M->blocknumber0 = M->blocknumber1 = static_cast<unsigned>(n);
    M->blocksize0 = allocate<unsigned>(n);
    M->blocksize1 = allocate<unsigned>(n);
    for (std::size_t a = 0; a < n; ++a) {
        M->blocksize0[a] = M->blocksize1[a] = static_cast<unsigned>(3 * (a + 1));
    }
    M->filled1 = n + 1;
    M->filled2 = W.block.size();
    M->index1_data = allocate<std::size_t>(n + 1);
    M->index2_data = allocate<std::size_t>(W.block.size());
    std::copy(W.start.begin(), W.start.end(), M->index1_data);
    std::copy(W.column.begin(), W.column.end(), M->index2_data);
    M->block = allocate<double*>(W.block.size());
    for (std::size_t k = 0; k < W.block.size(); ++k) {
        M->block[k] = allocate<double>(9);
        std::copy(W.block[k].data(), W.block[k].data() + 9, M->block[k]);
    }
    return NM_new_SBM(3 * W.rows(), 3 * W.rows(), M);
}

struct ConeCall {
    FrictionContactProblem* problem;
    SolverOptions* options;
    double *r, *u;
};

ConeCall prepare(const ConeProblem& problem, const MatX& dense_W, const Setting& setting,
                 double tolerance) {
    NumericsMatrix* const W = dense_W.size() > 0 ? dense_matrix(dense_W) : block_matrix(problem.W);
    SolverOptions* const options = solver_options_create(setting.solver);
    setting.tune(*options);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = setting.max_iterations;
    const auto n = static_cast<std::size_t>(problem.q.size());
    return {frictionContactProblem_new_with_data(3, problem.contacts(), W, copy(problem.q),
                                                 copy(problem.mu)),
            options, allocate<double>(n), allocate<double>(n)};
}

// The first value is the time, written after the answer.
PeerRun from_shared(const std::vector<double>& shared) {
    return {shared[0], Eigen::Map<const VecX>(shared.data() + 1,
                                              static_cast<Eigen::Index>(shared.size() - 1))};
}

// Leaves the first call's answer and its time, then the least time of all.
template <class Prepare, class Call>
void measure(std::span<double> shared, const Repeats& repeats, double interesting,
             const Prepare& prepare_call, const Call& call) {
    numerics_set_verbose(0);
    const auto answer = [&](const auto& state) {
        std::copy(state.r, state.r + shared.size() - 1, shared.data() + 1);
    };
    auto first = prepare_call();
    const double start = cpu_now();
    call(first);
    const double time = cpu_now() - start;
    answer(first);
    shared[0] = time;
    if (time > interesting) return;
    // The limit was meant for one call. Making the problems takes longer than solving small ones.
    extend_guard(kPerSecondOfRepeats * (repeats.seconds + time));
    shared[0] = std::min(time, best_cold_time(repeats, prepare_call, call));
}

struct LcpCall {
    LinearComplementarityProblem* problem;
    SolverOptions* options;
    double *r, *w;
};

}  // namespace

std::vector<std::string> siconos_settings() {
    std::vector<std::string> names;
    for (const Setting& setting : kSettings) names.emplace_back(setting.name);
    return names;
}

PeerRun run_siconos(const ConeProblem& problem, std::size_t setting, PeerStorage storage,
                    double tolerance, double cpu_limit, const Repeats& repeats,
                    double interesting) {
    const MatX dense = storage == PeerStorage::kDense ? to_dense(problem.W) : MatX();
    const auto count = static_cast<std::size_t>(problem.q.size()) + 1;
    return from_shared(run_guarded(cpu_limit, count, [&](std::span<double> shared) {
        measure(
            shared, repeats, interesting,
            [&] { return prepare(problem, dense, kSettings[setting], tolerance); },
            [](ConeCall& call) { fc3d_driver(call.problem, call.r, call.u, call.options); });
    }));
}

PeerRun run_siconos_lemke(const Lcp& lcp, double cpu_limit, const Repeats& repeats) {
    const auto n = static_cast<std::size_t>(lcp.b.size());
    return from_shared(run_guarded(cpu_limit, n + 1, [&](std::span<double> shared) {
        measure(
            shared, repeats, cpu_limit,
            [&] {
                LinearComplementarityProblem* const problem = newLCP();
                problem->size = static_cast<int>(n);
                problem->M = dense_matrix(lcp.A);
                problem->q = copy(lcp.b);
                SolverOptions* const options = solver_options_create(SICONOS_LCP_LEMKE);
                options->iparam[SICONOS_IPARAM_MAX_ITER] = kFirstOrder;
                return LcpCall{problem, options, allocate<double>(n), allocate<double>(n)};
            },
            [](LcpCall& call) {
                int info = 0;
                lcp_lexicolemke(call.problem, call.r, call.w, &info, call.options);
            });
    }));
}

}  // namespace stiction

#else

namespace stiction {

std::vector<std::string> siconos_settings() { return {}; }

PeerRun run_siconos(const ConeProblem&, std::size_t, PeerStorage, double, double, const Repeats&,
                    double) {
    return {};
}

PeerRun run_siconos_lemke(const Lcp&, double, const Repeats&) { return {}; }

}  // namespace stiction

#endif

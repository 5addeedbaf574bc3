// phase_two_sweeps.cpp - primal-dual steps of a few sweeps each.
#include "contact/routes/phase_two_sweeps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/island/operators.h"
#include "contact/routes/ladder.h"
#include "contact/routes/phase_two.h"
#include "contact/routes/phase_two_triples.h"

namespace stiction {

namespace {

constexpr int kSweeps = 3;       // of each part of a step: with many, sigma swings
constexpr int kMaxSteps = 2000;  // unless told: falling piles take 20 to 200, settling ones more
constexpr int kRateEvery = 24;   // steps between looks at the rate, where Newton steps may follow
constexpr double kClose = 1e-3;  // residual from which these go on: dissipation.cpp follows it
constexpr int kJudgeEvery = 6;   // steps: a judgement costs a third of a step
constexpr double kMomentum = 0.95;  // of the way, at most: the parts are convex
constexpr double kFirstTau = 1.5;   // between 1 and 2 for most that falls
constexpr double kMinTau = 0.1;     // where neither gaps nor sum count
constexpr double kMaxTau = 4;
// Share of the error that lies in gaps and sum, below and above which tau changes, and by how much.
constexpr double kLittle = 0.3, kMost = 0.8;
constexpr double kLessTau = 0.7, kMoreTau = 1.4;
constexpr int kFirstTauSteps = 6;  // before it may: the first errors are those of the start
// omega over tau and the inverse of the sum of e over D. Contacts of a pile hang together, so that their
// sum answers to sigma some ten times as much as each by itself would.
constexpr double kSigmaStep = 0.1;
constexpr double kAstray = 30;       // times the best error: sigma swings
constexpr double kSmaller = 0.3;     // omega, then
constexpr double kKappaSlack = 0.5;  // of the tolerance, as dissipation.cpp has it

bool has_soft_rows(const IslandRows& rows) {
    return std::any_of(rows.rows.begin(), rows.rows.end(),
                       [](const Row& row) { return row.compliance != 0; });
}

class Steps {
  public:
    explicit Steps(const IslandTask& task)
        : task_(task),
          program_(phase_two_program(task)),
          ws_(task.workspace.phase_two_sweeps()),
          result_(task.workspace.phase_two_triples().result),
          kappa_(program_.kappa * (1 + kKappaSlack * task.stop.tolerance)),
          sigma_(result_.sigma),
          sum_(program_.counted.dot(result_.x)) {
        double mass = 0;
        for (Eigen::Index i = 0; i < program_.counted.size(); ++i)
            mass += program_.counted[i] / program_.D[i / 3];
        omega_ = kSigmaStep / mass;
        prepare_cones();
        prepare_gaps();
    }

    void run();

  private:
    void prepare_cones();
    void prepare_gaps();
    void place_gaps();
    void sweep(SweepSystem& sweeps, SweepMomentum& momentum);
    void take_step();
    void judge();
    void weigh();
    bool is_too_slow(int limit);
    [[nodiscard]] bool is_judged() const {
        return steps_ % kJudgeEvery == 0 || steps_ == 1 || steps_ == 2 || steps_ == 4;
    }

    const IslandTask& task_;
    const DissipationProgram program_;
    PhaseTwoSweeps& ws_;
    DissipationResult& result_;
    double kappa_;
    double sigma_, sum_;  // sum_ of the normals of x
    double tau_ = kFirstTau;
    double omega_ = 0;                         // over tau
    double error_ = 0, constraint_error_ = 0;  // of the last judgement
    double last_ = 0;                          // best error when the rate was looked at last
    int steps_ = 0;
};

void Steps::prepare_cones() {
    const IslandWorkspace& island = task_.workspace;
    const ContactProblem& problem = task_.problem;
    const ContactLaw law{nullptr, true, task_.workspace.body_newton().laws.offset};
    VecX& v = task_.shared.v_other;
    v.resize(problem.v_free.size());
    ws_.cones.wide.pool = ws_.gaps.wide.pool = task_.pool;
    apply_impulses(problem.system, island.rows, island.triples, problem.v_free,
                   task_.shared.momentum, v);
    prepare_sweeps(problem, task_.island, island.rows, island.triples, law, problem.v_free, v,
                   island.triples.all.size() >= kWideTriples, ws_.cones);
    const auto bodies = static_cast<Eigen::Index>(blocks_of(task_).size());
    for (VecX* x : {&ws_.v_hat, &ws_.v_from, &ws_.v, &ws_.V_x, &ws_.V_x_last, &ws_.V_l})
        x->resize(6 * bodies);
    for (VecX* x : {&ws_.offset, &ws_.x, &ws_.lambda}) x->setZero(program_.b.size());
    take_body_velocities(ws_.cones.v_from, ws_.v_hat);
    take_body_velocities(ws_.cones.v, ws_.V_x);
    ws_.V_x -= ws_.v_hat;
    take_offsets(ws_.cones, ws_.offset);
    for (SweepMomentum* momentum : {&ws_.cone_momentum, &ws_.gap_momentum}) {
        forget(*momentum);
        momentum->most = kMomentum;
    }
}

// Where the impulses of gap_rows stand in x: these rows are some of the island's, in the same order.
void Steps::place_gaps() {
    const IslandRows& rows = task_.workspace.rows;
    const std::vector<Triple>& all = task_.workspace.triples.all;
    ws_.place.assign(rows.rows.size(), kNone);
    for (std::size_t i = 0; i < 3 * all.size(); ++i) {
        const int r = all[i / 3].row[i % 3];
        if (r != kNone) ws_.place[at(r)] = static_cast<int>(i);
    }
    std::size_t r = 0;
    for (const RowSource& source : ws_.gap_rows.source) {
        while (rows.source[r].kind != source.kind || rows.source[r].index != source.index) ++r;
        const auto g = static_cast<std::size_t>(&source - ws_.gap_rows.source.data());
        ws_.place[g] = ws_.place[r];  // g <= r
        ++r;
    }
    const std::vector<Triple>& gaps = ws_.gap_triples.all;
    ws_.gap_row.assign(3 * gaps.size(), kNone);
    for (std::size_t i = 0; i < 3 * gaps.size(); ++i) {
        const int g = gaps[i / 3].row[i % 3];
        if (g != kNone) ws_.gap_row[i] = ws_.place[at(g)];
    }
}

void Steps::prepare_gaps() {
    const ContactProblem& problem = task_.problem;
    build_island_rows(problem, task_.island, {.bounded = false}, ws_.gap_rows);
    build_bounded_triples(problem, ws_.gap_rows, ws_.gap_triples);
    place_gaps();
    VecX& l = ws_.gap_triples.r;
    for (std::size_t i = 0; i < ws_.gap_row.size(); ++i)
        l[static_cast<Eigen::Index>(i)] =
            ws_.gap_row[i] == kNone ? 0.0 : result_.lambda[ws_.gap_row[i]] / tau_;
    VecX& v = task_.shared.v_other;
    apply_impulses(problem.system, ws_.gap_rows, ws_.gap_triples, problem.v_free,
                   task_.shared.momentum, v);
    prepare_sweeps(problem, task_.island, ws_.gap_rows, ws_.gap_triples, {}, problem.v_free, v,
                   ws_.gap_triples.all.size() >= kWideTriples, ws_.gaps);
    take_body_velocities(ws_.gaps.v, ws_.V_l);
    ws_.V_l -= ws_.v_hat;
    ws_.l.resize(l.size());
}

// Ends with a sweep: what is judged, and gives the sum, is no extrapolation.
void Steps::sweep(SweepSystem& sweeps, SweepMomentum& momentum) {
    for (int k = 0; k < kSweeps; ++k) {
        ws_.before = sweeps.r;
        sweep_once(sweeps);
        if (k + 1 < kSweeps && steps_ > 1) accelerate_each(momentum, ws_.before, sweeps);
    }
}

void Steps::take_step() {
    const double s = 1 / (1 + tau_);
    ++steps_;
    ws_.scaled = s * (ws_.offset + sigma_ * program_.counted);
    put_offsets(ws_.scaled, ws_.cones);
    ws_.v_from = s * (ws_.v_hat - tau_ * (ws_.V_x + ws_.V_l));
    ws_.v = ws_.v_from + ws_.V_x;
    put_body_velocities(ws_.v, ws_.cones.v);
    sweep(ws_.cones, ws_.cone_momentum);
    take_body_velocities(ws_.cones.v, ws_.v);
    ws_.V_x_last.swap(ws_.V_x);
    ws_.V_x = ws_.v - ws_.v_from;

    ws_.v_from = ws_.v_hat + 2 * ws_.V_x - ws_.V_x_last - ws_.V_l;
    ws_.v = ws_.v_from + ws_.V_l;
    put_body_velocities(ws_.v, ws_.gaps.v);
    sweep(ws_.gaps, ws_.gap_momentum);
    take_body_velocities(ws_.gaps.v, ws_.v);
    ws_.V_l = ws_.v - ws_.v_from;

    take_impulses(ws_.cones, ws_.x);
    const double sum = program_.counted.dot(ws_.x);
    sigma_ = std::max(0.0, sigma_ + omega_ * tau_ * (2 * sum - sum_ - kappa_));
    sum_ = sum;
}

// The error of what the sweeps have, which is kept where it is the best.
void Steps::judge() {
    BodyOperator& W = task_.workspace.body_newton().W;
    take_impulses(ws_.cones, ws_.x);
    take_impulses(ws_.gaps, ws_.l);
    for (std::size_t i = 0; i < ws_.gap_row.size(); ++i) {
        if (ws_.gap_row[i] != kNone)
            ws_.lambda[ws_.gap_row[i]] = tau_ * ws_.l[static_cast<Eigen::Index>(i)];
    }
    W.multiply(ws_.x, ws_.u);
    ws_.u += program_.b;
    W.multiply(ws_.lambda, ws_.A_lambda);
    ws_.w = ws_.u - ws_.A_lambda + sigma_ * program_.counted;
    error_ = residual(program_, ws_.x, ws_.lambda, sigma_, ws_.u, ws_.w);
    constraint_error_ = constraint_residual(program_, ws_.x, ws_.lambda, sigma_, ws_.u);
    if (!(error_ < result_.residual)) return;
    result_.residual = error_;
    result_.x = ws_.x;
    result_.lambda = ws_.lambda;
    result_.sigma = sigma_;
}

// tau for what is wrong, with l = lambda / tau; and a smaller omega where sigma swings.
void Steps::weigh() {
    if (error_ > kAstray * result_.residual) {
        omega_ *= kSmaller;
        forget(ws_.cone_momentum);
        forget(ws_.gap_momentum);
    }
    if (steps_ < kFirstTauSteps) return;
    const double before = tau_;
    if (constraint_error_ < kLittle * error_) tau_ = std::max(kMinTau, kLessTau * tau_);
    if (constraint_error_ > kMost * error_) tau_ = std::min(kMaxTau, kMoreTau * tau_);
    if (tau_ == before) return;
    ws_.V_l *= before / tau_;
    ws_.gaps.r.all() *= before / tau_;
    if (ws_.gap_momentum.begun) ws_.gap_momentum.x.all() *= before / tau_;
}

// At the rate of the best error, whether the tolerance is too far; piles that are never factored have
// no other way.
bool Steps::is_too_slow(int limit) {
    if (is_iterated(task_.size) || steps_ % kRateEvery != 0) return false;
    const double best = result_.residual;
    const double rate = std::log(best / last_) / kRateEvery;
    last_ = best;
    return !(rate < 0 && std::log(task_.stop.tolerance / best) / rate < limit - steps_);
}

void Steps::run() {
    const SolveSettings& stop = task_.stop;
    const int limit = stop.max_iterations > 0 ? stop.max_iterations : kMaxSteps;
    result_.status = SolveStatus::kIterationLimit;
    result_.residual = std::numeric_limits<double>::infinity();
    judge();
    last_ = result_.residual;
    while (result_.residual > stop.tolerance && steps_ < limit) {
        take_step();
        const bool late = stop.deadline.passed();
        if (late || is_judged() || steps_ == limit) {
            judge();
            weigh();
        }
        if (is_too_slow(limit)) break;
        if (!late) continue;
        result_.status = SolveStatus::kBudget;
        break;
    }
    result_.iterations = steps_;
    if (result_.residual <= stop.tolerance) result_.status = SolveStatus::kSolved;
    if (!std::isfinite(result_.residual)) result_.status = SolveStatus::kNotFinite;
}

}  // namespace

IslandResult sweep_phase_two(const IslandTask& task) {
    begin_phase_two(task);
    if (has_soft_rows(task.workspace.rows)) return no_answer();
    PhaseTwoTriples& ws = task.workspace.phase_two_triples();
    Steps(task).run();
    const bool goes_on = ws.result.status != SolveStatus::kSolved && !is_iterated(task.size) &&
                         !spent(task, ws.result.iterations);
    if (goes_on && !(ws.result.residual < kClose)) {  // Newton steps begin anew
        (void)restore_phase_one(task);
        IslandResult none = no_answer();
        none.iterations = ws.result.iterations;
        return none;
    }
    task.workspace.phase_two().swept = std::isfinite(ws.result.residual);
    const IslandResult result = island_result("sweeps", ws.result);
    commit_phase_two(task, result.status == SolveStatus::kSolved);
    return result;
}

}  // namespace stiction

// sweeps.cpp - matrix-free Gauss-Seidel by triples of rows, with momentum.
#include "contact/routes/sweeps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/island/operators.h"

namespace stiction {

namespace {

constexpr int kDefaultSweeps = 1000;  // unless told
constexpr int kJudgeEvery = 6;  // sweeps between judgements: one costs about as much as a sweep
constexpr int kOften = 60;      // sweeps of a large pile, after which
constexpr int kSeldom = 3;      // only each third one that might be the last is judged
constexpr int kMinSweeps = 12;  // before the rate may end them: two judgements make a rate
constexpr int kFirstCombination = 3;       // sweeps before momentum: a pile at rest ends before
constexpr double kWorse = 3;               // than the best: the combinations have gone astray
constexpr double kMuchWorse = 30;          // those of each triple find back by themselves
constexpr std::size_t kManyTriples = 300;  // below, one momentum for all is as good and costs less
// Turns with a helper.
constexpr int kBeforeTurns = 300;  // sweeps: three in four steps of a pile that collides end before
constexpr int kSweepsOfTurn = 12;  // after a step, which leaves states of single contacts wrong
constexpr int kMaxTurns = 60;      // what does not end by then gains a few per cent per turn
constexpr double kFirstRegularisation = 3e-3;  // where most steps at hand gain at once
constexpr double kMinRegularisation = 1e-5;    // a stiffer step follows states that will change
constexpr double kMaxRegularisation = 0.01;    // beyond, sweeps do as much
constexpr double kGoodTurn = 0.5;              // of the best residual, by a turn that pays
constexpr double kBolder = 0.3;  // times the regularisation, after a turn that did pay
constexpr double kHumbler = 3;   // after one that gained nothing, which is undone

// Sweeps, their combination, and the best iterate so far.
class Iteration {
  public:
    Iteration(const SweepSettings& settings, SweepWorkspace& workspace, Triples& triples)
        : settings_(settings), ws_(workspace), system_(workspace.system), triples_(triples) {
        forget_momentum();  // of another problem
        set_weights(system_, ws_.weight);
        for (const Triple& triple : triples.all) {
            if (triple.cone && triple.mu > 0) law_ = MomentumLaw::kCoulomb;
        }
        each_ = law_ == MomentumLaw::kCoulomb && triples.all.size() > kManyTriples &&
                settings.give_up_ahead == 0;
        judge();
    }

    [[nodiscard]] double best() const { return best_; }
    [[nodiscard]] bool is_large() const { return each_; }
    [[nodiscard]] bool solved() const { return best_ <= settings_.stop.tolerance; }

    double advance() {  // |weight dr| of one sweep
        combine_next_ = sweeps_ >= kFirstCombination;
        if (combine_next_) ws_.last_r = system_.r;
        change_ = sweep_once(system_);
        ++sweeps_;
        return change_;
    }

    // Measures; the combination comes after, so that what is judged is the outcome of a sweep.
    void judge() {
        const double now = measure_sweeps(system_);
        if (now < best_ || sweeps_ == 0) {
            best_ = now;
            ws_.best_r = system_.r;
            ws_.best_v = system_.v;
        } else if (now > (each_ ? kMuchWorse : kWorse) * best_ && turns_ == 0) {
            return_to_best();
            forget_momentum();
            combine_next_ = false;
        }
    }

    void combine() {
        if (!combine_next_) return;
        if (each_) {
            accelerate_each(ws_.each, ws_.last_r, system_);
        } else {
            accelerate(ws_.momentum, law_, change_, ws_.weight, ws_.last_r.all(), system_.r.all(),
                       system_.v.all());
        }
    }

    // A step of the helper, bolder or humbler than the last one by what came of that.
    void take_turn() {
        if (turns_ > 0 && best_ >= before_turn_) {
            return_to_best();
            regularisation_ = std::min(kMaxRegularisation, kHumbler * regularisation_);
        } else if (turns_ > 0 && best_ < kGoodTurn * before_turn_) {
            regularisation_ = std::max(kMinRegularisation, kBolder * regularisation_);
        }
        ++turns_;
        before_turn_ = best_;
        forget_momentum();
        take_impulses(system_, triples_.r);
        if (settings_.help->improve(regularisation_, triples_.r, ws_.dv))
            put_impulses(triples_.r, ws_.dv, system_);
    }
    [[nodiscard]] int turns() const { return turns_; }

    void return_to_best() {
        system_.r = ws_.best_r;
        system_.v = ws_.best_v;
    }

  private:
    void forget_momentum() {
        forget(ws_.momentum);
        forget(ws_.each);
    }

    const SweepSettings& settings_;
    SweepWorkspace& ws_;
    SweepSystem& system_;
    Triples& triples_;
    MomentumLaw law_ = MomentumLaw::kConvex;
    double best_ = 0;
    double change_ = 0;  // |weight dr| of the last sweep
    double before_turn_ = 0;
    double regularisation_ = kFirstRegularisation;
    int sweeps_ = 0, turns_ = 0;
    bool combine_next_ = false;
    bool each_ = false;  // triples have momentum of their own: where sweeps alone must end it
};

// At the rate between two estimates kJudgeEvery sweeps apart, whether the tolerance is too far.
bool is_too_slow(const SweepSettings& settings, double before, double estimate) {
    const double rate = std::log(estimate / before) / kJudgeEvery;
    const double ahead = std::log(settings.stop.tolerance / estimate) / rate;
    return settings.give_up_ahead > 0 && !(rate < 0 && ahead < settings.give_up_ahead);
}

// Sweeps until solved, slow, late or at the limit; returns whether it was late.
bool run(const SweepSettings& settings, double q_norm, Iteration& iteration, int& iterations) {
    const double size = std::max(q_norm, std::numeric_limits<double>::min());
    const int limit =
        settings.stop.max_iterations > 0 ? settings.stop.max_iterations : kDefaultSweeps;
    double before = 0;  // estimate kJudgeEvery sweeps ago
    int sweeps = 0;
    int next_turn = kBeforeTurns;
    while ((!iteration.solved() || sweeps < settings.at_least) && iterations < limit) {
        const double estimate = iteration.advance() / size;
        ++sweeps;
        ++iterations;
        const bool judged = sweeps % kJudgeEvery == 0;
        const bool late = settings.stop.deadline.passed();
        const bool seldom = iteration.is_large() && sweeps > kOften && sweeps % kSeldom != 0;
        const bool near = estimate <= 2 * settings.stop.tolerance && !seldom;
        if (judged || near || iterations == limit || late) {
            iteration.judge();
            if ((iteration.solved() && sweeps >= settings.at_least) || late) return late;
        }
        const bool slow = judged && sweeps >= kMinSweeps && is_too_slow(settings, before, estimate);
        if (judged) before = estimate;
        if (slow && settings.help == nullptr) break;
        const bool turn = settings.help != nullptr && judged && sweeps >= next_turn &&
                          (slow || iteration.turns() > 0);
        if (!turn) {
            iteration.combine();
            continue;
        }
        if (iteration.turns() == kMaxTurns) break;
        iteration.take_turn();
        ++iterations;
        next_turn = sweeps + kSweepsOfTurn;
    }
    return false;
}

// What was prepared, from the impulses and velocities that the system has.
SolveReport sweep_prepared(const ContactProblem& problem, const Island& island,
                           const SweepSettings& settings, SweepWorkspace& workspace,
                           Triples& triples, VecX& v) {
    SweepSystem& system = workspace.system;
    Iteration iteration(settings, workspace, triples);
    SolveReport report;
    const bool late = run(settings, system.q_norm, iteration, report.iterations);
    iteration.return_to_best();
    report.residual = iteration.best();
    report.status = iteration.solved() ? SolveStatus::kSolved
                    : late             ? SolveStatus::kBudget
                                       : SolveStatus::kIterationLimit;
    take_impulses(system, triples.r);
    take_velocities(problem, island, system, v);
    return report;
}

void prepare_system(const ContactProblem& problem, const Island& island,
                    const SweepSettings& settings, const IslandRows& rows, const VecX& v_from,
                    const Triples& triples, const VecX& v, SweepSystem& system) {
    system.wide.pool = settings.pool;
    prepare_sweeps(problem, island, rows, triples, {settings.polygon}, v_from, v,
                   triples.all.size() >= kWideTriples, system);
}

}  // namespace

SolveReport sweep(const ContactProblem& problem, const Island& island,
                  const SweepSettings& settings, const IslandRows& rows, const VecX& v_from,
                  SweepWorkspace& workspace, Triples& triples, VecX& v) {
    prepare_system(problem, island, settings, rows, v_from, triples, v, workspace.system);
    return sweep_prepared(problem, island, settings, workspace, triples, v);
}

SolveReport sweep_rows(const ContactProblem& problem, const Island& island,
                       const SweepSettings& settings, const VecX& v_from, SweepWorkspace& workspace,
                       IslandRows& rows, VecX& v, RowRevision* revision) {
    Triples& triples = workspace.triples;
    build_bounded_triples(problem, rows, triples);
    workspace.scratch.resize(v_from.size());
    apply_impulses(problem.system, rows, triples, v_from, workspace.scratch, v);
    prepare_system(problem, island, settings, rows, v_from, triples, v, workspace.system);
    SolveReport report = sweep_prepared(problem, island, settings, workspace, triples, v);
    take_bounded_triples(triples, rows);
    SweepSettings rest = settings;
    while (revision != nullptr && report.status == SolveStatus::kSolved && revision->revise()) {
        if (settings.stop.max_iterations > 0)
            rest.stop.max_iterations =
                std::max(1, settings.stop.max_iterations - report.iterations);
        clamp_bounded_triples(rows, triples);
        apply_impulses(problem.system, rows, triples, v_from, workspace.scratch, v);
        renew_sweeps(problem, island, rows, triples, v, workspace.system);
        if (rest.help != nullptr) rest.help->renew();
        const int used = report.iterations;
        report = sweep_prepared(problem, island, rest, workspace, triples, v);
        report.iterations += used;
        take_bounded_triples(triples, rows);
    }
    return report;
}

}  // namespace stiction

// compare.cpp - lets the runs take turns.
#include "compare/compare.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>
#include <utility>

#include "step/simulation.h"

namespace stiction {

namespace {

// Steps of a turn: so many that what a turn finds cold in the caches does not count, so few that
// the first run's positions during a turn (kMaxPositions) need little memory.
constexpr std::int64_t kLongestTurn = 256;
constexpr std::int64_t kShortestTurn = 8;
constexpr std::int64_t kMaxPositions = 200'000;

std::int64_t turn_length(const Model& model) {
    const auto bodies = std::max<std::int64_t>(1, static_cast<std::int64_t>(model.bodies.size()));
    return std::clamp(kMaxPositions / bodies, kShortestTurn, kLongestTurn);
}

struct Contestant {
    Simulation sim;
    ComparedRun run;
    QualityMeter meter;
    std::vector<ComparedStep> turn;  // the steps of the present turn
    // Where the first run has another narrowphase: its contacts at this run's states. One of its own,
    // so that what the run keeps between steps is not disturbed.
    std::optional<Narrowphase> reference;
    ContactSet reference_contacts;
};

Contestant make_contestant(const Scene& scene, const Variant& variant,
                           const CompareSettings& settings) {
    StepSettings step = scene.step;
    step.narrowphase = variant.narrowphase.value_or(step.narrowphase);
    Simulation sim = make_simulation(scene.model, scene.state, scene.controls, variant.contact,
                                     step, settings.threads);
    ComparedRun run;
    run.label = variant.label;
    run.info = describe_run(scene.name, scene.parameters, scene.seed, sim);
    run.info.quality = settings.thresholds;
    run.end = scene.state;
    run.statistics = start_statistics(energy(scene.model, scene.state));
    QualityMeter meter;
    meter.thresholds = settings.thresholds;
    return {std::move(sim), std::move(run), std::move(meter), {}, {}, {}};
}

// Positions of the first run's dynamic bodies after each step of a turn.
class Reference {
  public:
    void start_turn() { positions_.clear(); }

    void add(const Simulation& sim) {
        for (std::size_t i = 0; i < sim.model.bodies.size(); ++i) {
            if (is_counted(sim, i)) positions_.push_back(sim.state.pose[i].p);
        }
    }

    // `step` counts from the start of the turn.
    [[nodiscard]] Apart distance(const Simulation& sim, std::size_t step) const {
        Apart apart;
        double squares = 0;
        std::size_t count = 0;
        for (std::size_t i = 0; i < sim.model.bodies.size(); ++i) count += is_counted(sim, i);
        std::size_t at = step * count;
        if (at + count > positions_.size()) {
            constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
            return {kUnknown, kUnknown};
        }
        for (std::size_t i = 0; i < sim.model.bodies.size(); ++i) {
            if (!is_counted(sim, i)) continue;
            const double d = (sim.state.pose[i].p - positions_[at++]).norm();
            apart.largest = std::max(apart.largest, d);
            squares += d * d;
        }
        if (count > 0) apart.rms = std::sqrt(squares / static_cast<double>(count));
        return apart;
    }

  private:
    static bool is_counted(const Simulation& sim, std::size_t body) {
        return sim.model.bodies[body].kind == BodyKind::kDynamic;
    }

    std::vector<Vec3> positions_;
};

}  // namespace

struct Comparison::Impl {
    Impl(const Scene& scene, const std::vector<Variant>& variants, const CompareSettings& settings,
         const CompareObserver& observer)
        : settings_(settings), observer_(observer) {
        for (const Variant& variant : variants) {
            Contestant& added =
                contestants_.emplace_back(make_contestant(scene, variant, settings));
            if (added.sim.settings.narrowphase != narrowphase())
                added.reference.emplace(scene.model);
        }
    }

    std::vector<ComparedRun> run() {
        if (!contestants_.empty()) {
            const std::int64_t turn = turn_length(contestants_.front().sim.model);
            for (std::int64_t at = 0; at < settings_.steps && !stopped_; at += turn) {
                take_turns(std::min(turn, settings_.steps - at));
            }
        }
        for (Contestant& contestant : contestants_) measure_end(contestant);
        return finish();
    }

    std::vector<ComparedRun> so_far() {
        if (observer_.row) hand_out_rows();
        return finish();
    }

  private:
    [[nodiscard]] std::unique_lock<std::mutex> lock() const {
        return observer_.lock ? observer_.lock() : std::unique_lock<std::mutex>();
    }

    // Of the first run.
    [[nodiscard]] NarrowphaseKind narrowphase() const {
        return contestants_.front().sim.settings.narrowphase;
    }

    void take_turns(std::int64_t steps) {
        reference_.start_turn();
        for (std::size_t i = 0; i < contestants_.size() && !stopped_; ++i) take_turn(i, steps);
        const auto held = lock();
        if (observer_.row) hand_out_rows();
        for (Contestant& contestant : contestants_) contestant.turn.clear();
        handed_ = 0;
    }

    void take_turn(std::size_t index, std::int64_t steps) {
        Contestant& contestant = contestants_[index];
        for (std::int64_t i = 0; i < steps && contestant.run.info.status == "done" && !stopped_;
             ++i) {
            const StepOutcome outcome = step(contestant.sim);
            const auto held = lock();
            if (outcome == StepOutcome::kDone) {
                record(index, contestant);
                ++done_;
            } else {
                contestant.run.info.status = "failed";
                contestant.run.info.message = describe_failure(contestant.sim);
                done_ += settings_.steps - contestant.run.statistics.steps;
            }
            stopped_ = observer_.go_on && !observer_.go_on(done_, contestant.sim.state.time);
        }
    }

    void record(std::size_t index, Contestant& contestant) {
        Simulation& sim = contestant.sim;
        ComparedRun& run = contestant.run;
        ComparedStep taken;
        taken.run = index;
        taken.record = make_step_record(sim);
        add_step_times(sim, taken.record);
        taken.record.quality =
            measure_step(sim.frame.problem, sim.frame.solution, contestant.meter);
        if (index == 0) reference_.add(sim);
        taken.apart = reference_.distance(sim, contestant.turn.size());
        if (contestant.reference) {
            contestant.reference->collide(sim.model, sim.before, sim.settings.h,
                                          contestant.reference_contacts, narrowphase());
            taken.contacts = contact_difference(contestant.reference_contacts, sim.frame.contacts);
            run.contacts.add(taken.contacts);
        }
        add_step(taken.record, run.statistics);
        run.unsolved_steps += taken.record.failures > 0 ? 1 : 0;
        run.fallback_steps += taken.record.fallbacks > 0 ? 1 : 0;
        if (!std::isnan(taken.apart.largest)) {
            run.apart = taken.apart;
            run.apart_step = run.statistics.steps;
        }
        run.end = sim.state;
        contestant.turn.push_back(taken);
    }

    void hand_out_rows() {
        std::size_t longest = 0;
        for (const Contestant& c : contestants_) longest = std::max(longest, c.turn.size());
        while (handed_ < longest) {  // counted first: no row comes twice, whatever is thrown
            const std::size_t i = handed_++;
            for (const Contestant& c : contestants_) {
                if (i < c.turn.size()) observer_.row(c.turn[i]);
            }
        }
    }

    void measure_end(Contestant& contestant) const {
        Simulation& sim = contestant.sim;
        sim.narrowphase.collide(sim.model, sim.state, sim.settings.h, sim.frame.contacts,
                                sim.settings.narrowphase);
        const auto held = lock();
        add_final_contacts(sim.frame.contacts, contestant.run.statistics);
    }

    std::vector<ComparedRun> finish() {
        std::vector<ComparedRun> runs;
        for (Contestant& contestant : contestants_) {
            ComparedRun& run = runs.emplace_back(contestant.run);
            if (run.info.status != "done" || run.statistics.steps == settings_.steps) continue;
            run.info.status = "interrupted";
            run.info.message = "interrupted after step " + std::to_string(run.statistics.steps) +
                               " of " + std::to_string(settings_.steps);
        }
        return runs;
    }

    CompareSettings settings_;
    const CompareObserver& observer_;
    std::deque<Contestant> contestants_;
    Reference reference_;
    std::size_t handed_ = 0;  // steps of the turn whose rows were handed out
    std::int64_t done_ = 0;
    bool stopped_ = false;
};

Comparison::Comparison(const Scene& scene, const std::vector<Variant>& variants,
                       const CompareSettings& settings, const CompareObserver& observer)
    : impl_(std::make_unique<Impl>(scene, variants, settings, observer)) {}

Comparison::~Comparison() = default;

std::vector<ComparedRun> Comparison::run() { return impl_->run(); }

std::vector<ComparedRun> Comparison::so_far() { return impl_->so_far(); }

std::vector<ComparedRun> compare(const Scene& scene, const std::vector<Variant>& variants,
                                 const CompareSettings& settings, const CompareObserver& observer) {
    return Comparison(scene, variants, settings, observer).run();
}

double solve_share(const RunStatistics& statistics) {
    if (statistics.seconds <= 0) return 0;
    return statistics.stage_seconds[static_cast<std::size_t>(Stage::kSolve)] / statistics.seconds;
}

}  // namespace stiction

// survey.cpp - runs, counts, shrinks.
#include "random/survey.h"

#include <sstream>

#include "core/error.h"
#include "random/live_session.h"
#include "random/random_scene.h"
#include "random/shrink.h"

namespace stiction {

namespace {

void add(const RunReport& report, std::uint64_t seed, bool live, Survey& survey) {
    ++survey.seeds;
    if (report.cut) survey.cut.push_back(seed);
    for (std::size_t m = 0; m < survey.steps.size(); ++m) {
        survey.steps[m] += report.steps_of[m];
        survey.unsolved[m] += report.unsolved_of[m];
    }
    survey.islands.all += report.islands.all;
    survey.islands.solved += report.islands.solved;
    survey.islands.dissipative += report.islands.dissipative;
    survey.islands.rebounding += report.islands.rebounding;
    if (report.slowest > survey.slowest) {
        survey.slowest = report.slowest;
        survey.slowest_seed = seed;
    }
    for (const Violation& v : report.faults) survey.failed.push_back({seed, live, v});
}

// The shrinker tries hundreds of scenes: those that a solver is slow on are not worth waiting for.
constexpr double kSecondsPerAttempt = 3;

bool of_repetition(Check check) { return check == Check::kSameBits || check == Check::kThreads; }

// Only what the check needs is run again.
RunReport run_for(const SceneSketch& sketch, Check check, RunOptions options) {
    if (of_repetition(check)) return run_repeated(sketch, options);
    options.dissipation_every = check == Check::kDissipation ? 1 : 0;
    return run_checked(sketch, options);
}
RunReport run_for(const Session& session, Check check, RunOptions options) {
    if (of_repetition(check)) return repeat_session(session, options);
    options.dissipation_every = check == Check::kDissipation ? 1 : 0;
    return run_session(session, options);
}

template <typename Run>
bool still_fails(const Run& run, Check check) {
    RunOptions options;
    options.seconds = kSecondsPerAttempt;
    try {
        return find(run_for(run, check, options), check) != nullptr;
    } catch (const InputError&) {
        return false;
    }
}

RunReport run_seed(std::uint64_t seed, const SeedRange& range) {
    RunOptions options;
    options.seconds = range.seconds;
    const bool repeated =
        range.repeated_every > 0 && seed % static_cast<std::uint64_t>(range.repeated_every) == 0;
    if (range.live) {
        const Session session = random_session(seed);
        return repeated ? repeat_session(session, options) : run_session(session, options);
    }
    const SceneSketch sketch = random_scene(seed);
    return repeated ? run_repeated(sketch, options) : run_checked(sketch, options);
}

}  // namespace

Survey survey(const SeedRange& range,
              const std::function<void(const Survey&, std::uint64_t)>& each) {
    Survey result;
    for (std::uint64_t seed = range.first; seed <= range.last; ++seed) {
        add(run_seed(seed, range), seed, range.live, result);
        if (each) each(result, seed);
    }
    return result;
}

FaultCounts count_faults(const Survey& survey) {
    FaultCounts counts;
    for (const FailedSeed& failed : survey.failed)
        ++counts[{failed.violation.check, failed.violation.model}];
    return counts;
}

std::string shrunk_yaml(const FailedSeed& failed, int max_attempts) {
    const Check check = failed.violation.check;
    Session session;
    if (failed.live) {
        session = shrink_session(
            random_session(failed.seed),
            [&](const Session& candidate) { return still_fails(candidate, check); }, max_attempts);
    } else {
        session.scene =
            shrink(
                random_scene(failed.seed),
                [&](const SceneSketch& candidate) { return still_fails(candidate, check); },
                max_attempts)
                .sketch;
    }
    const RunReport report =
        failed.live ? run_for(session, check, {}) : run_for(session.scene, check, {});
    const Violation* left = find(report, check);
    std::ostringstream text;
    text << "# seed " << failed.seed << ", shrunk\n";
    if (left != nullptr) text << "# " << describe(*left) << '\n';
    text << to_text(session);
    return text.str();
}

std::string describe(const Survey& survey) {
    std::ostringstream text;
    text << survey.seeds << " seeds; slowest step " << survey.slowest << " s (seed "
         << survey.slowest_seed << "); cut short:";
    for (const std::uint64_t seed : survey.cut) text << ' ' << seed;
    text << (survey.cut.empty() ? " none" : "") << "\nsteps, and unsolved ones:";
    for (std::size_t m = 0; m < survey.steps.size(); ++m)
        text << ' ' << kContactModelNames[m] << ' ' << survey.steps[m] << ' ' << survey.unsolved[m];
    text << "\nislands " << survey.islands.all << ", solved " << survey.islands.solved
         << ", where no energy may be gained " << survey.islands.dissipative << ", rebounding "
         << survey.islands.rebounding << "\nfaults (seeds):";
    const FaultCounts counts = count_faults(survey);
    for (const auto& [kind, count] : counts)
        text << "\n  " << name(kind.first) << ' ' << kind.second << ' ' << count;
    text << (counts.empty() ? " none\n" : "\n");
    return text.str();
}

}  // namespace stiction

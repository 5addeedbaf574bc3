// frame_comparison.cpp - loads frames, solves them, keeps rows.
#include "compare/frame_comparison.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/nearest.h"
#include "core/thread_pool.h"

namespace stiction {

namespace {

constexpr int kCurveRepeats = 3;             // of a point, of which the least time counts
constexpr double kRepeatCpu = 0.2;           // [s] after which a solve is not repeated
constexpr std::size_t kFramesPerThread = 4;  // read before they are solved together

std::vector<std::string> words_of(const std::string& list) {
    std::vector<std::string> words;
    for (std::size_t from = 0; from <= list.size();) {
        const std::size_t comma = std::min(list.find(',', from), list.size());
        words.push_back(list.substr(from, comma - from));
        from = comma + 1;
    }
    return words;
}

}  // namespace

std::vector<Variant> variants_of_solvers(const std::string& list) {
    const std::vector<std::string_view> models = {"coulomb_cone",    "coulomb_lcp", "friction_box",
                                                  "max_dissipation", "no_slip",     "viscous"};
    std::vector<Variant> variants;
    std::vector<std::string_view> known;
    for (const std::string_view model : models) {
        for (const std::string_view solver : solver_names(make_contact_model(model))) {
            if (std::find(known.begin(), known.end(), solver) == known.end())
                known.push_back(solver);
        }
    }
    for (const std::string& word : words_of(list)) {
        const auto serves = [&](std::string_view model) {
            const auto names = solver_names(make_contact_model(model));
            return std::find(names.begin(), names.end(), word) != names.end();
        };
        const auto model = std::find_if(models.begin(), models.end(), serves);
        if (model == models.end())
            throw InputError("--solvers: unknown solver '" + word + "'" + suggestion(word, known));
        Variant variant{std::string(*model) + ":" + word, make_contact_model(*model)};
        set_solver(variant.contact, word);
        for (const Variant& other : variants) {
            if (other.label == variant.label)
                throw InputError("--solvers: '" + word + "' is named twice");
        }
        variants.push_back(std::move(variant));
    }
    return variants;
}

FrameComparison::FrameComparison(const std::vector<Dataset>& files,
                                 FrameComparisonSettings settings)
    : files_(files), settings_(std::move(settings)) {}

std::size_t FrameComparison::variants() const {
    return std::max<std::size_t>(settings_.variants.size(), 1);
}

std::string FrameComparison::label(std::size_t variant) const {
    return settings_.variants.empty() ? "as recorded" : settings_.variants[variant].label;
}

FrameComparison::Loaded FrameComparison::load(const FrameChosen& chosen) const {
    const Dataset& file = files_[chosen.file];
    Loaded loaded{chosen, file.read(chosen.frame), {}};
    loaded.problem = make_frame_problem(loaded.frame, file.path() + ": " + file.name(chosen.frame));
    return loaded;
}

FrameSolveSettings FrameComparison::solve_settings(const Loaded& loaded, std::size_t variant,
                                                   double cpu_budget) const {
    FrameSolveSettings settings;
    const bool recorded = settings_.variants.empty();
    settings.model = recorded ? loaded.problem.model : settings_.variants[variant].contact;
    settings.warm = recorded || settings_.warm;
    settings.alone = !recorded && settings_.alone;
    settings.time_budget = settings_.time_budget;
    settings.cpu_budget = cpu_budget;
    settings.thresholds = settings_.thresholds;
    if (settings_.max_iterations > 0)
        std::visit([&](auto& m) { m.max_iterations = settings_.max_iterations; }, settings.model);
    return settings;
}

ComparedFrame FrameComparison::solve(const Loaded& loaded, std::size_t variant, double cpu_budget,
                                     FrameSolver& solver) const {
    const FrameSolveSettings settings = solve_settings(loaded, variant, cpu_budget);
    FrameAnswer answer = solver.solve(loaded.frame, loaded.problem, settings);
    double least = answer.seconds, spent = answer.seconds;
    for (int i = 1; i < settings_.repeats && spent < kRepeatCpu; ++i) {
        answer = solver.solve(loaded.frame, loaded.problem, settings);
        least = std::min(least, answer.seconds);
        spent += answer.seconds;
    }
    ComparedFrame row;
    row.file = loaded.chosen.file;
    row.frame = loaded.chosen.frame;
    row.name = files_[row.file].name(row.frame);
    row.bodies = static_cast<int>(loaded.frame.bodies.size());
    row.contacts = static_cast<int>(loaded.frame.contacts.size());
    row.variant = variant;
    row.solver = answer.solver;
    row.status = answer.status;
    row.fallback = solver.solution().fallbacks > 0;
    row.iterations = answer.iterations;
    row.residual = answer.residual;
    row.seconds = least;
    row.apart = distance_from_stored(loaded.frame, answer);
    row.quality = std::move(answer.quality);
    row.quality.each.clear();
    row.quality.each.shrink_to_fit();
    return row;
}

void FrameComparison::run(const std::vector<FrameChosen>& frames, const Observer& observer) {
    ThreadPool pool(settings_.threads);
    std::vector<FrameSolver> solvers(at(pool.threads()));
    const std::size_t batch = kFramesPerThread * at(pool.threads());
    for (std::size_t begin = 0; begin < frames.size() && observer.go_on(begin); begin += batch) {
        const std::size_t end = std::min(frames.size(), begin + batch);
        std::vector<Loaded> loaded;
        for (std::size_t k = begin; k < end && observer.go_on(begin); ++k) {
            loaded.push_back(load(frames[k]));
            for (const std::string& remark : loaded.back().frame.remarks)
                observer.remark(files_[frames[k].file].path() + ": " +
                                    files_[frames[k].file].name(frames[k].frame),
                                remark);
        }
        std::vector<std::vector<ComparedFrame>> rows(loaded.size());
        pool.for_each(static_cast<int>(loaded.size()), [&](int i, int worker) {
            double cpu_budget = 0;
            for (std::size_t v = 0; v < variants() && observer.go_on(0); ++v) {
                rows[at(i)].push_back(solve(loaded[at(i)], v, cpu_budget, solvers[at(worker)]));
                if (settings_.equal_work && v == 0) cpu_budget = rows[at(i)].front().seconds;
            }
        });
        for (const std::vector<ComparedFrame>& of_frame : rows) {
            if (of_frame.size() < variants()) return;  // interrupted
            for (const ComparedFrame& row : of_frame) observer.row(row);
        }
    }
}

FrameComparison::Convergence FrameComparison::convergence(const FrameChosen& chosen,
                                                          std::size_t variant, int most) const {
    const Loaded loaded = load(chosen);
    FrameSolver solver;
    Convergence out;
    int last = 0;
    for (int decade = 1; decade <= most; decade *= 10) {
        for (const int step : {1, 2, 5}) {
            const int limit = step * decade;
            if (limit > most) return out;
            FrameSolveSettings settings = solve_settings(loaded, variant, 0);
            settings.alone = true;
            std::visit([&](auto& m) { m.max_iterations = limit; }, settings.model);
            FrameAnswer answer = solver.solve(loaded.frame, loaded.problem, settings);
            if (answer.iterations == last && last > 0) return out;  // it has ended
            for (int k = 1; k < kCurveRepeats && answer.seconds < kRepeatCpu; ++k) {
                const FrameAnswer again = solver.solve(loaded.frame, loaded.problem, settings);
                answer.seconds = std::min(answer.seconds, again.seconds);
            }
            last = answer.iterations;
            out.iterations.push_back(limit);
            out.seconds.push_back(answer.seconds);
            out.residual.push_back(
                std::max(answer.quality.natural.norm, answer.quality.scaled.norm));
            if (answer.status == SolveStatus::kSolved) return out;
        }
    }
    return out;
}

}  // namespace stiction

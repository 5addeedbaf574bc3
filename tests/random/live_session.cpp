// live_session.cpp - drawing actions, doing them, and writing them down.
#include "random/live_session.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "contact/island/guess.h"
#include "core/error.h"
#include "core/stopwatch.h"
#include "live/live_scene.h"
#include "live/snapshot.h"
#include "random/draw.h"
#include "random/random_scene.h"
#include "random/shrink.h"
#include "random/temporary_file.h"
#include "scene/scene.h"
#include "step/simulation.h"

namespace stiction {

namespace {

std::string random_model_name(Draw& draw) {
    const int last = static_cast<int>(kContactModelNames.size()) - 1;
    return std::string(kContactModelNames[at(draw.integer(0, last))]);
}

void draw_model(Draw& draw, Action& action) {
    action.name = random_model_name(draw);
    const auto solvers = solver_names(make_contact_model(action.name));
    action.solver = solvers[at(draw.integer(0, static_cast<int>(solvers.size()) - 1))];
    action.count = draw.chance(0.2) ? draw.integer(1, 30) : 0;
}

void draw_numbers(Draw& draw, Action& action) {
    switch (action.deed) {
        case Deed::kModel:
            return draw_model(draw, action);
        case Deed::kStep:
            action.first = draw.pick({5e-4, 1e-3, 5e-3, 1e-2, 2e-2});
            action.count = draw.integer(0, static_cast<int>(kStabilisationNames.size()) - 1);
            return;
        case Deed::kCoefficients:
            action.first = draw.pick({-1.0, 0.0, 0.1, 0.5, 1.0, 10.0});
            action.second = draw.pick({-1.0, -1.0, 0.0, 0.5, 1.0});
            return;
        case Deed::kControl:
            action.count = draw.integer(0, 99);
            action.first = draw.uniform(0, 1);
            return;
        case Deed::kDrag:
            action.count = draw.integer(0, 99);
            action.first = draw.pick({0.1, 1.0, 10.0});
            action.offset = draw.in_box(Vec3::Constant(draw.pick({0.01, 0.3, 5.0})));
            return;
        case Deed::kGhost:
            action.name = draw.chance(0.3) ? "none" : random_model_name(draw);
            return;
        case Deed::kReload:
        case Deed::kBack:
            action.count = draw.integer(1, 4);
            return;
        case Deed::kRelease:
        case Deed::kReset:
            return;
    }
}

// One session at work.
class LiveRun {
  public:
    LiveRun(const std::string& path, const RunOptions& options)
        : live_(load_scene(path), options.threads), options_(options) {}

    void act(const Action& action) {
        if (action.deed < Deed::kGhost) since_change_ = 0;
        switch (action.deed) {
            case Deed::kModel:
            case Deed::kStep:
            case Deed::kCoefficients:
                return change_settings(action);
            case Deed::kControl:
                return move_control(action);
            case Deed::kDrag:
                return drag(action);
            case Deed::kRelease:
                return live_.set_drag(std::nullopt);
            case Deed::kGhost:
                if (action.name == "none") return live_.set_ghost(std::nullopt);
                return live_.set_ghost(make_contact_model(action.name));
            case Deed::kReload:
                return reload(action.count);
            case Deed::kBack:
                return go_back(action.count);
            case Deed::kReset:
                return live_.reset();
        }
    }

    // False when the run cannot go on.
    bool take_step() {
        const Simulation& sim = live_.simulation();
        const bool switched = live_.settings().contact.index() != sim.contact_model.index();
        const Guess guess = switched ? Guess{} : sim.guess;  // another model starts without
        found_.clear();
        const bool done = live_.forward();
        if (done) {
            ++since_change_;
            const bool dissipation =
                options_.dissipation_every > 0 && report_.steps % options_.dissipation_every == 0;
            check_taken_step(sim, guess, dissipation, report_.islands, found_);
            if (sim.frame.step_seconds > kLongestStep)
                add(Check::kTime, sim.frame.step_seconds, kLongestStep, "seconds of a step");
        } else {
            Snapshot snapshot;
            live_.fill(snapshot);
            add(Check::kFinite, 1, 0, snapshot.failure);
        }
        count_step(sim, found_, report_);
        return done;
    }

    [[nodiscard]] int steps() const { return report_.steps; }

    RunReport finish(bool cut) {
        report_.cut = cut;
        report_.hash = hash();
        return report_;
    }

  private:
    [[nodiscard]] std::uint64_t hash() const { return state_hash(live_.simulation().state); }

    void add(Check check, double measured, double allowed, const std::string& detail) {
        Violation v;
        v.check = check;
        v.model = name(live_.simulation().contact_model);
        v.solver = solver_name(live_.simulation().contact_model);
        v.measured = measured;
        v.allowed = allowed;
        v.detail = detail;
        found_.push_back(v);
    }

    void change_settings(const Action& action) {
        LiveSettings settings = live_.settings();
        if (action.deed == Deed::kModel) {
            settings.contact = make_contact_model(action.name);
            set_solver(settings.contact, action.solver);
            std::visit([&](auto& model) { model.max_iterations = action.count; }, settings.contact);
        } else if (action.deed == Deed::kStep) {
            settings.step.h = action.first;
            settings.step.stabilisation = static_cast<Stabilisation>(action.count);
        } else {
            settings.mu_c = action.first < 0 ? std::nullopt : std::optional(action.first);
            settings.eps = action.second < 0 ? std::nullopt : std::optional(action.second);
        }
        live_.set_settings(settings);
    }

    void move_control(const Action& action) {
        Snapshot snapshot;
        live_.fill(snapshot);
        if (snapshot.controls.empty()) return;
        const std::size_t i = at(action.count) % snapshot.controls.size();
        const Control& control = snapshot.controls[i];
        live_.set_control(i, control.low + action.first * (control.high - control.low));
    }

    void drag(const Action& action) {
        const Simulation& sim = live_.simulation();
        std::vector<int> dynamic;
        for (std::size_t b = 0; b < sim.model.bodies.size(); ++b) {
            if (sim.model.bodies[b].kind == BodyKind::kDynamic)
                dynamic.push_back(static_cast<int>(b));
        }
        if (dynamic.empty()) return;
        Drag spring;
        spring.body = dynamic[at(action.count) % dynamic.size()];
        spring.target = sim.state.pose[at(spring.body)].p + action.offset;
        spring.strength = action.first;
        live_.set_drag(spring);
    }

    // As many steps as there are to take; returns how many.
    int take_steps(int count) {
        for (int i = 0; i < count; ++i) {
            if (!take_step()) return i;
        }
        return count;
    }

    void expect_hash(std::uint64_t expected, Check check, const char* detail) {
        if (hash() == expected) return;
        found_.clear();
        add(check, 1, 0, detail);
        found_.back().step = report_.steps;
        if (find(report_, check) == nullptr) report_.faults.push_back(found_.back());
    }

    void reload(int count) {
        const TemporaryFile file(".json");
        live_.save_state(file.path());
        const int taken = take_steps(count);
        const std::uint64_t first = hash();
        live_.load_state(file.path());
        for (int i = 0; i < taken; ++i) live_.forward();
        expect_hash(first, Check::kReload, "state after steps from a saved state");
    }

    // Steps from before a change would be taken again as they would be now.
    void go_back(int count) {
        const std::uint64_t here = hash();
        int gone = 0;
        while (gone < std::min(count, since_change_) && live_.back()) ++gone;
        for (int i = 0; i < gone; ++i) live_.forward();
        expect_hash(here, Check::kBack, "state after steps that were taken back");
    }

    LiveScene live_;
    const RunOptions& options_;
    RunReport report_;
    std::vector<Violation> found_;  // in this step
    int since_change_ = 0;          // steps
};

RunReport run(const std::string& path, const std::vector<Action>& actions, int steps,
              const RunOptions& options) {
    LiveRun run(path, options);
    const Stopwatch clock;
    std::size_t next = 0;
    while (run.steps() < steps) {
        if (options.seconds > 0 && clock.elapsed() > options.seconds) return run.finish(true);
        while (next < actions.size() && actions[next].step <= run.steps()) run.act(actions[next++]);
        if (!run.take_step()) break;
    }
    return run.finish(false);
}

constexpr std::string_view kActionMark = "# live: ";

std::vector<Action> read_actions(const std::string& text) {
    std::vector<Action> actions;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind(kActionMark, 0) != 0) continue;
        std::istringstream words(line.substr(kActionMark.size()));
        Action a;
        std::string deed;
        words >> a.step >> deed >> a.name >> a.solver >> a.count >> a.first >> a.second >>
            a.offset.x() >> a.offset.y() >> a.offset.z();
        const auto found = std::find(kDeedNames.begin(), kDeedNames.end(), deed);
        if (!words || found == kDeedNames.end()) throw InputError("'" + line + "': not understood");
        a.deed = static_cast<Deed>(found - kDeedNames.begin());
        actions.push_back(a);
    }
    return actions;
}

// Parts of `actions`, halves before single ones, that can go.
void drop_actions(Session& session, const std::function<bool(const Session&)>& fails,
                  int max_attempts, int& attempts) {
    for (std::size_t size = std::max<std::size_t>(session.actions.size() / 2, 1);; size /= 2) {
        for (std::size_t i = 0; i < session.actions.size() && attempts < max_attempts;) {
            Session less = session;
            const auto begin = less.actions.begin() + static_cast<std::ptrdiff_t>(i);
            const std::size_t end = std::min(i + size, session.actions.size());
            less.actions.erase(begin, begin + static_cast<std::ptrdiff_t>(end - i));
            ++attempts;
            if (fails(less)) {
                session = less;
            } else {
                i += size;
            }
        }
        if (size <= 1) return;
    }
}

}  // namespace

Session random_session(std::uint64_t seed) {
    Session session;
    session.scene = random_scene(seed);
    session.scene.change.reset();
    Draw draw(seed ^ 0x9e3779b97f4a7c15ULL);  // not the numbers of the scene
    const int count = draw.integer(3, 12);
    for (int i = 0; i < count; ++i) {
        Action& action = session.actions.emplace_back();
        action.step = draw.integer(0, session.scene.steps - 1);
        action.deed =
            draw.pick({Deed::kModel, Deed::kModel, Deed::kModel, Deed::kStep, Deed::kCoefficients,
                       Deed::kControl, Deed::kDrag, Deed::kDrag, Deed::kRelease, Deed::kGhost,
                       Deed::kReload, Deed::kBack, Deed::kReset});
        action.name = action.solver = "-";
        draw_numbers(draw, action);
    }
    std::stable_sort(session.actions.begin(), session.actions.end(),
                     [](const Action& a, const Action& b) { return a.step < b.step; });
    return session;
}

RunReport run_session(const Session& session, const RunOptions& options) {
    const TemporaryFile file(".yaml", to_yaml(session.scene));
    return run(file.path(), session.actions, session.scene.steps, options);
}

RunReport repeat_session(const Session& session, const RunOptions& options) {
    RunReport report = run_session(session, options);
    RunOptions again = options;
    again.dissipation_every = 0;
    for (const Check check : {Check::kSameBits, Check::kThreads}) {
        again.threads = options.threads + (check == Check::kThreads ? 1 : 0);
        const RunReport other = run_session(session, again);
        if (report.cut || other.cut || other.hash == report.hash) continue;
        Violation v;
        v.check = check;
        v.model = name(session.scene.contact);
        v.step = report.steps;
        v.measured = 1;
        v.detail = "state hash at the end of the session";
        report.faults.push_back(v);
    }
    return report;
}

std::string to_text(const Session& session) {
    std::ostringstream text;
    text.precision(17);
    for (const Action& a : session.actions)
        text << kActionMark << a.step << ' ' << kDeedNames[static_cast<std::size_t>(a.deed)] << ' '
             << a.name << ' ' << a.solver << ' ' << a.count << ' ' << a.first << ' ' << a.second
             << ' ' << a.offset.x() << ' ' << a.offset.y() << ' ' << a.offset.z() << '\n';
    text << to_yaml(session.scene);
    return text.str();
}

bool is_session(const std::string& text) { return text.find(kActionMark) != std::string::npos; }

RunReport run_session_file(const std::string& path, int steps, const RunOptions& options) {
    std::ifstream file(path);
    if (!file) throw InputError(path + ": cannot be read");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return run(path, read_actions(text), read_plan(text, steps).steps, options);
}

Session shrink_session(const Session& session, const std::function<bool(const Session&)>& fails,
                       int max_attempts) {
    Session best = session;
    int attempts = 0;
    drop_actions(best, fails, max_attempts, attempts);
    const Shrunk scene = shrink(
        best.scene,
        [&](const SceneSketch& sketch) {
            return fails({sketch, best.actions});
        },
        std::max(1, max_attempts - attempts));
    best.scene = scene.sketch;
    return best;
}

}  // namespace stiction

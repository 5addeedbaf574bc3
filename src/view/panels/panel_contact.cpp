// panel_contact.cpp - contact model, solver, narrowphase and their settings, live; coefficients;
// step.
#include <imgui.h>

#include <algorithm>
#include <map>
#include <thread>
#include <type_traits>
#include <variant>

#include "contact/contact_model.h"
#include "view/input/keys.h"
#include "view/panels/graph_strip.h"
#include "view/panels/panels.h"

namespace stiction {

namespace {

constexpr int kMaxIterations = 1'000'000;  // far above every solver's own limit

bool tolerance_field(WidgetLog& log, const char* id, const char* label, double& value) {
    const bool changed = number(log, id, label, value, 1e-15, 1, "%.1e");
    hint("The model's own residual at which the solver may stop, relative.");
    return changed;
}

template <class Model>
bool common_fields(WidgetLog& log, Model& model) {
    bool changed = tolerance_field(log, "tolerance", "tolerance", model.tolerance);
    changed |= whole_number(log, "max_iterations", "most iterations", model.max_iterations, 0,
                            kMaxIterations, 10);
    hint(
        "Budget per island; 0 is the solver's own limit. A solve that the budget ends gives its "
        "best iterate and the status 'budget'.");
    return changed;
}

template <class Enum, std::size_t n>
bool enum_field(WidgetLog& log, const char* id, const char* label,
                const std::array<std::string_view, n>& names, Enum& value) {
    auto index = static_cast<std::size_t>(value);
    if (!choose(log, id, label, names, index)) return false;
    value = static_cast<Enum>(index);
    return true;
}

// The settings that only one model has.
struct OwnFields {
    WidgetLog& log;

    bool operator()(Viscous& model) const {
        return enum_field(log, "level", "level", kViscousLevelNames, model.level);
    }
    bool operator()(NoSlip& model) const {
        const bool changed =
            toggle(log, "release", "release separating contacts", model.release_separating);
        hint(
            "Contacts that end up separating lose their tangential rows, and the step is solved "
            "again. Off is the paper's model: rows at every contact with no gap.");
        return changed;
    }
    bool operator()(CoulombLcp& model) const {
        bool changed =
            enum_field(log, "variant", "variant", kCoulombLcpVariantNames, model.variant);
        int sides = model.sides;
        if (whole_number(log, "sides", "sides of the polygon", sides, 4, 64, 2)) {
            model.sides = sides + sides % 2;
            changed = true;
        }
        return changed;
    }
    bool operator()(MaxDissipation& model) const {
        bool chosen =
            enum_field(log, "phase_one", "phase I", kPhaseOneSolverNames, model.phase_one);
        chosen |= enum_field(log, "form", "phase II", kDissipationFormNames, model.form);
        grey_text(
            "The sum of the normal impulses of an island is bounded by \xCE\xBA, that of its "
            "frictionless answer (phase I).");
        return chosen;
    }
    bool operator()(FrictionBox& model) const {
        bool changed = number(log, "cfm", "CFM [1/kg]", model.cfm, 0, 1, "%.1e");
        hint("Constraint force mixing: added to the diagonal.");
        if (model.solver == FrictionBoxSolver::kPgsSm) {
            changed |= whole_number(log, "k_pgs", "sweeps per cycle", model.k_pgs, 1, 1000, 1);
            changed |= whole_number(log, "k_sm", "subspace solves", model.k_sm, 1, 1000, 1);
        }
        return changed;
    }
    bool operator()(CoulombCone& /*model*/) const { return false; }
};

bool model_fields(WidgetLog& log, ContactModel& contact) {
    bool changed = std::visit(OwnFields{log}, contact);
    std::visit([&](auto& model) { changed |= common_fields(log, model); }, contact);
    return changed;
}

bool solver_field(WidgetLog& log, ContactModel& contact) {
    const auto names = solver_names(contact);
    auto index = static_cast<std::size_t>(
        std::find(names.begin(), names.end(), solver_name(contact)) - names.begin());
    if (!choose(log, "solver", "solver", names, index)) return false;
    set_solver(contact, names[index]);
    return true;
}

// Which solvers answered the islands of the last step, and how.
void answers(Desk& desk) {
    const Snapshot& now = desk.session.now();
    if (!now.stepped || now.islands.empty()) {
        row("answered by", "-");
        return;
    }
    struct Count {
        int islands = 0, fallbacks = 0, unsolved = 0;
    };
    std::map<std::string_view, Count> counts;
    for (const IslandResult& island : now.islands) {
        Count& count = counts[island.solver];
        ++count.islands;
        count.fallbacks += island.fallback ? 1 : 0;
        count.unsolved += island.status == SolveStatus::kSolved ? 0 : 1;
    }
    for (const auto& [solver, count] : counts) {
        row("answered by", "%.*s%s", static_cast<int>(solver.size()), solver.data(),
            count.islands > 1 ? (", " + std::to_string(count.islands) + " islands").c_str() : "");
        if (count.fallbacks > 0) {
            row("", "as fallback in %d", count.fallbacks);
        }
        if (count.unsolved > 0) {
            row("", "not solved in %d", count.unsolved);
        }
    }
    const std::string_view status = name(now.record.status);
    row("status", "%.*s", static_cast<int>(status.size()), status.data());
    row("residual", "%.2e after %d iterations", now.record.residual, now.record.iterations);
    desk.log.mark("answer/residual");
    plottable(desk, {{QuantityOf::kStep, 2, kNone, kNone}, {QuantityOf::kStep, 1, kNone, kNone}});
}

// A coefficient of all pairs: the scene's own unless the box is ticked.
bool coefficient(WidgetLog& log, const char* id, const char* label, double start, double most,
                 std::optional<double>& value) {
    bool mine = value.has_value();
    ImGui::PushID(id);
    bool changed = toggle(log, (std::string(id) + " own").c_str(), "##own", mine);
    hint("Ticked: this value for all pairs of materials. Otherwise those of the scene.");
    ImGui::PopID();
    if (changed) value = mine ? std::optional(start) : std::nullopt;
    ImGui::SameLine();
    ImGui::BeginDisabled(!value);
    double shown = value.value_or(start);
    const double low = 0;
    ImGui::SetNextItemWidth(ImGui::CalcItemWidth() - ImGui::GetFrameHeight() -
                            ImGui::GetStyle().ItemSpacing.x);
    if (ImGui::SliderScalar(label, ImGuiDataType_Double, &shown, &low, &most, "%.3g",
                            ImGuiSliderFlags_AlwaysClamp) &&
        value) {
        value = shown;
        changed = true;
    }
    log.mark(id);
    ImGui::EndDisabled();
    return changed;
}

bool coefficients(Desk& desk, LiveSettings& settings) {
    const SurfacePair& first = desk.session.scene().model.surface_pairs.front();
    bool changed = coefficient(desk.log, "mu_c", "\xCE\xBC Coulomb", first.mu_c, 2, settings.mu_c);
    changed |=
        coefficient(desk.log, "mu_v", "\xCE\xBC viscous [N s/m]", first.mu_v, 100, settings.mu_v);
    changed |= coefficient(desk.log, "eps", "restitution", first.eps, 1, settings.eps);
    return changed;
}

bool step_fields(WidgetLog& log, LiveSettings& settings) {
    StepSettings& step = settings.step;
    double milliseconds = 1e3 * step.h;
    bool changed = false;
    if (number(log, "h", "step [ms]", milliseconds, 1e-4, 1000)) {
        step.h = 1e-3 * milliseconds;
        changed = true;
    }
    auto integrator = static_cast<std::size_t>(step.integrator);
    if (choose(log, "integrator", "integrator", kIntegratorNames, integrator)) {
        step.integrator = static_cast<Integrator>(integrator);
        changed = true;
    }
    auto index = static_cast<std::size_t>(step.stabilisation);
    if (choose(log, "stabilisation", "stabilisation", kStabilisationNames, index)) {
        step.stabilisation = static_cast<Stabilisation>(index);
        changed = true;
    }
    if (step.stabilisation == Stabilisation::kBaumgarte)
        changed |= number(log, "baumgarte", "share per step", step.baumgarte, 0, 1);
    changed |= number(log, "rebound", "rebound from [m/s]", step.restitution_threshold, -1, 1e6);
    hint("Approach speed from which contacts rebound; negative: 2 g h.");
    auto impacts = static_cast<std::size_t>(step.impacts);
    if (choose(log, "impacts", "impacts", kImpactsNames, impacts)) {
        step.impacts = static_cast<Impacts>(impacts);
        changed = true;
    }
    double budget = 1e3 * step.time_budget;
    if (number(log, "time_budget", "time budget [ms]", budget, 0, 1e6)) {
        step.time_budget = 1e-3 * budget;
        changed = true;
    }
    hint("Wall-clock time of a step; 0: none. With a budget, results depend on the clock.");
    const int most = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    changed |= whole_number(log, "threads", "threads", settings.threads, 1, most);
    return changed;
}

// The model that a frame of a dataset is solved by again.
void solve_again(Desk& desk) {
    LiveSettings settings = desk.session.wanted();
    std::size_t index = settings.contact.index();
    if (choose(desk.log, "model", "model", kContactModelNames, index)) {
        desk.session.choose_model(index);
        settings = desk.session.wanted();
    }
    bool changed = solver_field(desk.log, settings.contact);
    if (ImGui::TreeNode("Settings of the model")) {
        changed |= model_fields(desk.log, settings.contact);
        ImGui::TreePop();
    }
    if (changed) desk.session.ask(settings);
    if (button(desk.log, "solve frame", "Solve this frame")) desk.session.solve_frame(false);
    hint("The solver alone, from zero. Its answer stands beside the stored one.");
    ImGui::SameLine();
    if (button(desk.log, "solve warm", "from its start")) desk.session.solve_frame(true);
    hint("From the warm start that is stored with the frame, where there is one.");
}

}  // namespace

void contact_panel(Desk& desk) {
    if (!section(desk.log, "section/contact", "Contact model")) return;
    if (desk.session.frames() != nullptr) {
        solve_again(desk);
        return;
    }
    if (desk.session.is_replay()) {
        grey_text("A recorded run, made with " + std::string(desk.session.now().model) +
                  ". Nothing is solved; times, residuals and status were not measured.");
        return;
    }
    LiveSettings settings = desk.session.wanted();
    std::size_t index = settings.contact.index();
    if (choose(desk.log, "model", "model", kContactModelNames, index)) {
        desk.session.choose_model(index);
        settings = desk.session.wanted();
    }
    hint("Acts at the next step (keys 1 to 6).");
    bool changed = solver_field(desk.log, settings.contact);
    changed |= enum_field(desk.log, "narrowphase", "narrowphase", kNarrowphaseNames,
                          settings.step.narrowphase);
    hint("Who finds the contacts: closed forms, or Bullet's algorithms. Acts at the next step.");
    const Snapshot& now = desk.session.now();
    if (now.stepped && now.model != name(settings.contact))
        grey_text("The step shown was made with " + std::string(now.model) + ".");
    answers(desk);
    if (ImGui::TreeNodeEx("Settings of the model", ImGuiTreeNodeFlags_DefaultOpen)) {
        changed |= model_fields(desk.log, settings.contact);
        ImGui::TreePop();
    }
    if (ImGui::TreeNode("Coefficients")) {
        changed |= coefficients(desk, settings);
        ImGui::TreePop();
    }
    desk.log.mark("tree/coefficients");
    if (ImGui::TreeNode("Step")) {
        changed |= step_fields(desk.log, settings);
        ImGui::TreePop();
    }
    if (changed) desk.session.ask(settings);
}

}  // namespace stiction

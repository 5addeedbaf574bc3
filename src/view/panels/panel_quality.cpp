// panel_quality.cpp - how good the last answer is, where it is worst, how the solver got there;
// energy and momentum over time.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "view/input/keys.h"
#include "view/palette.h"
#include "view/panels/graph_strip.h"
#include "view/panels/panels.h"
#include "view/panels/plots.h"

namespace stiction {

namespace {

struct Measure {
    const char* name;
    const char* unit;
    const char* meaning;
    ErrorNorm ContactQuality::*norm;
};

constexpr std::array<Measure, 8> kMeasures = {{
    {"penetration", "m", "overlap after the step", &ContactQuality::penetration},
    {"alignment", "", "friction against the sliding direction: 0 exact, 2 pushing",
     &ContactQuality::alignment},
    {"creep", "m/s", "tangential speed of contacts that stick", &ContactQuality::creep},
    {"cone", "N s", "friction beyond the cone", &ContactQuality::cone},
    {"anomalous", "J", "friction that pushes", &ContactQuality::anomalous},
    {"natural", "", "Coulomb's law, natural map", &ContactQuality::natural},
    {"scaled", "", "Coulomb's law, in units of velocity", &ContactQuality::scaled},
    {"gap", "m", "raw gaps after the step", &ContactQuality::gap},
}};

void point_at(Desk& desk, int contact) {
    const std::vector<ShownContact>& contacts = desk.session.now().contacts;
    if (contact < 0 || static_cast<std::size_t>(contact) >= contacts.size()) return;
    show_contact(desk, contact);
    desk.layout.keep = false;
    desk.camera.target = contacts[at(contact)].point;
    desk.camera.distance = std::min(desk.camera.distance, 12 * desk.session.meshes().size);
}

void measure_table(Desk& desk) {
    const ContactQuality& quality = desk.session.now().quality;
    if (!ImGui::BeginTable("quality", 3, ImGuiTableFlags_RowBg)) return;
    ImGui::TableSetupColumn("error");
    ImGui::TableSetupColumn("norm");
    ImGui::TableSetupColumn("worst contact");
    ImGui::TableHeadersRow();
    for (const Measure& measure : kMeasures) {
        const ErrorNorm& norm = quality.*measure.norm;
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(measure.name);
        hint(measure.meaning);
        ImGui::TableNextColumn();
        ImGui::Text("%.1e %s", norm.norm, measure.unit);
        ImGui::TableNextColumn();
        if (norm.contact == kNone) continue;
        ImGui::PushID(measure.name);
        char label[32];
        std::snprintf(label, sizeof label, "%d", norm.contact);
        if (ImGui::SmallButton(label)) point_at(desk, norm.contact);
        hint("Show me");
        ImGui::PopID();
    }
    ImGui::EndTable();
}

void convergence_plot(Desk& desk) {
    const Convergence& trace = desk.session.now().convergence;
    if (button(desk.log, "trace", "Trace convergence", desk.session.now().stepped))
        desk.session.trace_convergence();
    hint(("Solves the last step again with ever more iterations (" +
          key_text(Action::kConvergence) + ").")
             .c_str());
    if (trace.points.empty()) return;
    std::array<PlotLine, 3> lines = {PlotLine{"own law", palette::kYellow, {}, {}, true},
                                     PlotLine{"natural", palette::kSkyBlue, {}, {}, true},
                                     PlotLine{"scaled", palette::kOrange, {}, {}, true}};
    for (const ConvergencePoint& point : trace.points) {
        const std::array<double, 3> values = {point.own, point.natural, point.scaled};
        for (std::size_t k = 0; k < lines.size(); ++k) {
            lines[k].x.push_back(point.iterations);
            lines[k].y.push_back(values[k]);
        }
    }
    char label[64];
    std::snprintf(label, sizeof label, "%s, step %lld: iterations", trace.solver.c_str(),
                  static_cast<long long>(trace.step));
    line_plot("convergence", lines, {.height = 120, .logarithmic = true, .x_label = label});
}

// At most so many points of the timeline: a plot has no more pixels.
constexpr std::size_t kPlotPoints = 300;

template <class Value>
PlotLine over_time(const Timeline& timeline, std::string_view label, const Colour& colour,
                   const Value& value) {
    PlotLine line{label, colour, {}, {}};
    const auto& records = timeline.records();
    const std::size_t every = records.size() / kPlotPoints + 1;
    for (std::size_t i = 0; i < records.size(); i += every) {
        line.x.push_back(records[i].t);
        line.y.push_back(value(records[i]));
    }
    return line;
}

// Where energy came from and went to: in the last step, and over what the timeline holds.
void account_table(Desk& desk) {
    LiveSettings settings = desk.session.wanted();
    if (desk.session.is_replay()) return;
    if (toggle(desk.log, "account", "account of energy", settings.account))
        desk.session.ask(settings);
    if (!settings.account || !ImGui::BeginTable("account", 3, ImGuiTableFlags_RowBg)) return;
    EnergyAccount sum;
    for (const StepRecord& record : desk.session.timeline().records()) {
        if (!record.account) continue;
        for (const AccountColumn& column : kAccountColumns)
            sum.*column.value += (*record.account).*column.value;
    }
    const EnergyAccount last = desk.session.now().record.account.value_or(EnergyAccount{});
    ImGui::TableSetupColumn("energy from");
    ImGui::TableSetupColumn("last step");
    ImGui::TableSetupColumn("shown time");
    ImGui::TableHeadersRow();
    for (const AccountColumn& column : kAccountColumns) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        std::string name(column.name);
        if (name.starts_with("work_")) name.erase(0, 5);
        std::replace(name.begin(), name.end(), '_', ' ');
        ImGui::TextUnformatted(name.c_str());
        ImGui::TableNextColumn();
        ImGui::Text("%+.2e J", last.*column.value);
        ImGui::TableNextColumn();
        ImGui::Text("%+.2e J", sum.*column.value);
    }
    ImGui::EndTable();
}

Quantity of_step(int number) { return {QuantityOf::kStep, number, kNone, kNone}; }

double length(const std::array<double, 3>& a) { return std::hypot(a[0], a[1], a[2]); }

}  // namespace

void quality_panel(Desk& desk) {
    if (!section(desk.log, "section/quality", "Quality")) return;
    const Snapshot& now = desk.session.now();
    LiveSettings settings = desk.session.wanted();
    if (now.recorded && !now.frame) {
        grey_text("A recorded run: not measured.");
        return;
    }
    if (!desk.session.is_replay() &&
        toggle(desk.log, "quality", "measure every answer", settings.quality))
        desk.session.ask(settings);
    if (!settings.quality || !now.stepped) return;
    row("contacts", "%d, %d press, %d slide", now.quality.contacts, now.quality.resting,
        now.quality.sliding);
    plottable(desk, {of_step(3)});
    if (!now.frame) {
        row("joints", "%.1e m, %.1e m/s apart", now.record.joint_error, now.record.joint_speed);
        hint("Largest error of a joint after the step, and of its velocity as the solver left it.");
        plottable(desk, {of_step(11)});
    }
    measure_table(desk);
    if (button(desk.log, "worst", "Show me the worst contact", now.quality.contacts > 0))
        show_worst_contact(desk);
    hint(("By the scaled residual of Coulomb's law (" + key_text(Action::kWorst) + ").").c_str());
    if (!desk.session.is_replay()) convergence_plot(desk);
}

void show_worst_contact(Desk& desk) {
    const ContactQuality& quality = desk.session.now().quality;
    const int worst =
        quality.scaled.contact != kNone ? quality.scaled.contact : quality.penetration.contact;
    point_at(desk, worst != kNone ? worst : 0);
}

void energy_panel(Desk& desk) {
    if (!section(desk.log, "section/energy", "Energy and momentum", false)) return;
    account_table(desk);
    const Timeline& timeline = desk.session.timeline();
    const std::array<PlotLine, 3> energies = {
        over_time(timeline, "kinetic", palette::kOrange,
                  [](const StepRecord& r) { return r.kinetic; }),
        over_time(timeline, "potential", palette::kSkyBlue,
                  [](const StepRecord& r) { return r.potential; }),
        over_time(timeline, "total", palette::kYellow,
                  [](const StepRecord& r) { return r.total(); })};
    line_plot("energy", energies, {.height = 110, .y_unit = "J"});
    desk.log.mark("energy plot");
    plottable(desk, {of_step(5), of_step(6), of_step(7)});
    const std::array<PlotLine, 1> linear = {
        over_time(timeline, "linear momentum", palette::kGreen,
                  [](const StepRecord& r) { return length(r.momentum); })};
    line_plot("momentum", linear, {.height = 70, .y_unit = "N s"});
    plottable(desk, {of_step(8)});
    const std::array<PlotLine, 1> angular = {
        over_time(timeline, "angular momentum", palette::kPurple,
                  [](const StepRecord& r) { return length(r.angular); })};
    line_plot("angular", angular, {.height = 70, .x_label = "t [s]", .y_unit = "N m s"});
    plottable(desk, {of_step(9)});
}

}  // namespace stiction

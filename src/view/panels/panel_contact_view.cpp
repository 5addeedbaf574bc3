// panel_contact_view.cpp - the contact microscope: the law's set drawn to scale from the side and from
// above, force and slip in it, the law in words and symbols, and the contact's history.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "view/microscope.h"
#include "view/palette.h"
#include "view/panels/graph_strip.h"
#include "view/panels/panels.h"
#include "view/panels/plots.h"

namespace stiction {

namespace {

constexpr float kFigureHeight = 9;           // height in letters
constexpr std::size_t kHistoryPoints = 300;  // of the history's lines
constexpr float kFigureRoom = 1.25F;         // around what is drawn

struct ContactFigure {
    ImVec2 low, size, origin;
    float scale = 1;  // pixels per newton
    [[nodiscard]] ImVec2 at(double x, double y) const {
        return {origin.x + scale * static_cast<float>(x), origin.y - scale * static_cast<float>(y)};
    }
};

ContactFigure begin_figure(const char* id, float width) {
    ContactFigure figure;
    figure.low = ImGui::GetCursorScreenPos();
    figure.size = {width, kFigureHeight * ImGui::GetFontSize()};
    ImGui::InvisibleButton(id, figure.size);
    ImGui::GetWindowDrawList()->AddRectFilled(
        figure.low, {figure.low.x + figure.size.x, figure.low.y + figure.size.y},
        packed({0.5F, 0.52F, 0.56F, 0.14F}), 3);
    return figure;
}

void figure_arrow(const ImVec2& from, const ImVec2& to, const Colour& colour) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float thickness = 0.16F * ImGui::GetFontSize();
    const float dx = to.x - from.x, dy = to.y - from.y;
    const float length = std::hypot(dx, dy);
    if (length < thickness) {
        list.AddCircleFilled(from, 1.4F * thickness, packed(colour));
        return;
    }
    const float head = std::min(3.2F * thickness, length);
    const float ex = dx / length, ey = dy / length;
    const ImVec2 neck{to.x - head * ex, to.y - head * ey};
    list.AddLine(from, neck, packed(colour), thickness);
    list.AddTriangleFilled(to, {neck.x - 0.5F * head * ey, neck.y + 0.5F * head * ex},
                           {neck.x + 0.5F * head * ey, neck.y - 0.5F * head * ex}, packed(colour));
}

// Friction to the right, normal force upwards; the set between its two edges.
void side_view(const ContactView& view, const FrictionSet& set, double mu, float width) {
    ContactFigure f = begin_figure("side", width);
    f.origin = {f.low.x + 0.5F * f.size.x, f.low.y + 0.94F * f.size.y};
    const double friction = view.friction.norm();
    const double high = std::max(view.normal, 1e-12),
                 wide = std::max({friction, view.bound, 1e-12});
    f.scale =
        static_cast<float>(std::min(0.8 * f.size.y / high, 0.5 * f.size.x / (kFigureRoom * wide)));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(f.low, {f.low.x + f.size.x, f.low.y + f.size.y}, true);
    const Colour tint = palette::with_alpha(palette::kContactStates[1], 0.35F);
    if (set.kind != FrictionSetKind::kUnbounded) {
        // The box keeps its width whatever the normal force.
        const double foot = set.kind == FrictionSetKind::kBox ? view.bound : 0;
        const double top = 1.04 * high,
                     edge = set.kind == FrictionSetKind::kBox ? view.bound : mu * top;
        list.AddQuadFilled(f.at(-foot, 0), f.at(-edge, top), f.at(edge, top), f.at(foot, 0),
                           packed(tint));
    }
    list.AddLine(f.at(-1e6 / std::max(f.scale, 1e-9F), 0), f.at(1e6 / std::max(f.scale, 1e-9F), 0),
                 ImGui::GetColorU32(ImGuiCol_TextDisabled));
    figure_arrow(f.at(0, 0), f.at(0, view.normal), palette::kNormalForce);
    figure_arrow(f.at(0, 0), f.at(friction, 0), palette::kFrictionForce);
    figure_arrow(f.at(0, 0), f.at(friction, view.normal), palette::kWholeForceOnPanel);
    list.AddText({f.low.x + 4, f.low.y + 2}, ImGui::GetColorU32(ImGuiCol_TextDisabled),
                 "from the side");
    list.PopClipRect();
}

// The plane of the contact: what friction may be, what it is, and where it slides.
void plane_view(const ContactView& view, const FrictionSet& set, float width) {
    ContactFigure f = begin_figure("plane", width);
    f.origin = {f.low.x + 0.5F * f.size.x, f.low.y + 0.53F * f.size.y};
    const double friction = view.friction.norm();
    double wide = friction;
    for (const Eigen::Vector2d& corner : friction_outline(set))
        wide = std::max(wide, view.bound * corner.cwiseAbs().maxCoeff());
    wide = std::max(wide, 1e-12);
    f.scale = static_cast<float>(0.5 * std::min(f.size.x, f.size.y) / (kFigureRoom * wide));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(f.low, {f.low.x + f.size.x, f.low.y + f.size.y}, true);
    std::vector<ImVec2> outline;
    for (const Eigen::Vector2d& corner : friction_outline(set))
        outline.push_back(f.at(view.bound * corner.x(), view.bound * corner.y()));
    if (!outline.empty()) {
        list.AddConvexPolyFilled(outline.data(), static_cast<int>(outline.size()),
                                 packed(palette::with_alpha(palette::kContactStates[1], 0.35F)));
        list.AddPolyline(outline.data(), static_cast<int>(outline.size()),
                         packed(palette::kContactStates[1]), ImDrawFlags_Closed, 1.5F);
    }
    const double slip = view.slip.norm();
    if (slip > 0) {  // as long as the set is wide: its direction counts
        const Eigen::Vector2d end = wide / slip * view.slip;
        if (slip > 1e-6)
            figure_arrow(f.at(0, 0), f.at(end.x(), end.y()), palette::kContactStates[2]);
    }
    figure_arrow(f.at(0, 0), f.at(view.friction.x(), view.friction.y()), palette::kFrictionForce);
    list.AddText({f.low.x + 4, f.low.y + 2}, ImGui::GetColorU32(ImGuiCol_TextDisabled),
                 "from above");
    list.PopClipRect();
}

void contact_numbers(Desk& desk, const ShownContact& c, const ContactView& view) {
    constexpr std::array<const char*, 3> kStates = {"open", "sticks", "slides"};
    const auto of_pair = [&](int number) {
        return Quantity{QuantityOf::kContact, number, c.body_a, c.body_b};
    };
    row("does", "%s", kStates[static_cast<std::size_t>(c.state)]);
    row("normal force", "%s", with_unit(view.normal, "N").c_str());
    desk.log.mark("contact/normal");
    plottable(desk, {of_pair(0)});
    row("friction", "%s", with_unit(view.friction.norm(), "N").c_str());
    plottable(desk, {of_pair(1)});
    if (std::isfinite(view.ratio)) {
        row("of its bound", "%.1f %%  (\xCE\xBC = %.3g)", 100 * view.ratio, c.mu_c);
    } else {
        row("of its bound", "no bound");
    }
    plottable(desk, {of_pair(2)});
    row("slip", "%s", with_unit(view.slip.norm(), "m/s").c_str());
    plottable(desk, {of_pair(3)});
    row("gap", "%.3e m", c.gap);
    plottable(desk, {of_pair(4)});
    row("residual", "%.1e natural, %.1e scaled", c.errors.natural, c.errors.scaled);
}

void history_plot(const ContactHistory& history) {
    if (history.rows().size() < 2) {
        grey_text("Its forces over time are drawn here from the next step on.");
        return;
    }
    std::array<PlotLine, 2> lines = {PlotLine{"normal", palette::kNormalForce, {}, {}},
                                     PlotLine{"friction", palette::kFrictionForce, {}, {}}};
    const auto& rows = history.rows();
    const std::size_t every = rows.size() / kHistoryPoints + 1;
    for (std::size_t i = 0; i < rows.size(); i += every) {
        for (PlotLine& line : lines) line.x.push_back(rows[i].t);
        lines[0].y.push_back(rows[i].normal);
        lines[1].y.push_back(rows[i].friction);
    }
    line_plot("contact history", lines,
              {.height = 80, .x_label = "t [s]", .y_unit = "N", .from_zero = true});
}

}  // namespace

void show_contact(Desk& desk, int contact) {
    desk.selection.contact = contact;
    desk.layout.right = true;
    desk.layout.preferred = Side::kRight;
}

void contact_view_panel(Desk& desk) {
    if (!desk.anchor.held()) return;
    ImGui::SetNextItemOpen(true, ImGuiCond_Appearing);
    if (!section(desk.log, "section/microscope", "Contact")) return;
    const Snapshot& now = desk.session.now();
    const Model& model = desk.session.scene().model;
    ImGui::Text("%s on %s", model.bodies[at(desk.anchor.body_a)].name.c_str(),
                model.bodies[at(desk.anchor.body_b)].name.c_str());
    const auto i = at(desk.anchor.index);
    if (desk.anchor.index == kNone || i >= now.contacts.size()) {
        grey_text("They do not touch here now.");
    } else {
        const ShownContact& c = now.contacts[i];
        const FrictionSet set = friction_set(now.model, now.settings.contact);
        const ContactView view = look_at_contact(c, set);
        const float gap = ImGui::GetStyle().ItemSpacing.x;
        const float width = 0.5F * (ImGui::GetContentRegionAvail().x - gap);
        side_view(view, set, c.mu_c, width);
        desk.log.mark("contact/side");
        ImGui::SameLine();
        plane_view(view, set, width);
        desk.log.mark("contact/plane");
        hint("Red: friction on the first body; orange: where it slides.");
        contact_numbers(desk, c, view);
        const LawText law = law_of(now.model);
        grey_text(std::string(law.words));
        ImGui::TextUnformatted(std::string(law.symbols).c_str());
    }
    history_plot(desk.contact_history);
}

}  // namespace stiction

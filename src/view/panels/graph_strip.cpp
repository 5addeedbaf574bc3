// graph_strip.cpp - draws graphs; drags move them, the wheel zooms.
#include "view/panels/graph_strip.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>

#include "record/output_file.h"
#include "view/palette.h"
#include "view/panels/panels.h"

namespace stiction {

namespace {

constexpr float kStripHeight = 11;  // in letters
constexpr float kLeastWidth = 17;   // of a graph, in letters
constexpr double kGraphZoom = 0.8;  // of the range, per notch of the wheel
constexpr double kRefresh = 0.1;    // of what is drawn while nothing is moved [s]
constexpr Colour kGraphRule{0.5F, 0.52F, 0.56F, 0.3F};

constexpr std::array<Colour, Graphs::kMostLines> kLineColours = {
    palette::kSkyBlue, palette::kOrange,    palette::kGreen, palette::kYellow,
    palette::kPurple,  palette::kVermilion, palette::kBlue,  palette::kGrey};

struct GraphSpan {
    double low = 0, high = 1;
    [[nodiscard]] double part(double x) const { return (x - low) / (high - low); }
};

GraphSpan time_span(const Graphs& graphs, const Graph& graph) {
    if (graph.from < graph.to) return {graph.from, graph.to};
    if (graphs.rows().empty()) return {0, 1};
    const double from = graphs.rows().front().t;
    return {from, std::max(graphs.rows().back().t, from + 1e-6)};
}

struct GraphBox {
    ImVec2 low, high;
    [[nodiscard]] ImVec2 at(double x, double y) const {
        return {low.x + static_cast<float>(x) * (high.x - low.x),
                high.y - static_cast<float>(y) * (high.y - low.y)};
    }
};

// Of all lines; with some room, and wide enough where all values are the same.
GraphSpan value_span(const std::vector<std::vector<GraphColumn>>& lines) {
    GraphSpan span{INFINITY, -INFINITY};
    for (const auto& columns : lines) {
        for (const GraphColumn& c : columns) {
            if (c.empty()) continue;
            span.low = std::min(span.low, c.low);
            span.high = std::max(span.high, c.high);
        }
    }
    if (!(span.low <= span.high)) return {0, 1};
    const double room =
        std::max({0.06 * (span.high - span.low), 1e-3 * std::abs(span.high), 1e-12});
    return {span.low - room, span.high + room};
}

// A stroke per column from its least to its most, joined to the column before.
void draw_strokes(ImDrawList& list, const GraphBox& box, const std::vector<GraphColumn>& columns,
                  const GraphSpan& ys, const Colour& colour) {
    const float thickness = 0.1F * ImGui::GetFontSize();
    const auto count = static_cast<double>(columns.size());
    ImVec2 last;
    bool joined = false;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].empty()) continue;
        const double x = (static_cast<double>(i) + 0.5) / count;
        const ImVec2 low = box.at(x, ys.part(columns[i].low));
        const ImVec2 high = box.at(x, ys.part(columns[i].high));
        const ImVec2 middle{low.x, 0.5F * (low.y + high.y)};
        if (joined) list.AddLine(last, middle, legible(colour), thickness);
        list.AddLine({low.x, low.y + 0.5F * thickness}, {high.x, high.y - 0.5F * thickness},
                     legible(colour), thickness);
        last = middle;
        joined = true;
    }
}

void draw_graph_axes(ImDrawList& list, const GraphBox& box, const GraphSpan& xs,
                     const GraphSpan& ys, std::string_view unit) {
    const float letter = ImGui::GetFontSize();
    const unsigned ink = ImGui::GetColorU32(ImGuiCol_TextDisabled);
    for (const double part : {0.0, 0.5, 1.0}) {
        list.AddLine(box.at(0, part), box.at(1, part), packed(kGraphRule));
        const ImVec2 at = box.at(1, part);
        list.AddText({at.x + 4, at.y - (part > 0.9   ? 0.1F
                                        : part < 0.1 ? 0.9F
                                                     : 0.5F) *
                                           letter},
                     ink, with_unit(ys.low + part * (ys.high - ys.low), unit).c_str());
    }
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "t %.4g to %.4g s", xs.low, xs.high);
    list.AddText({box.low.x, box.high.y + 1}, ink, text.data());
}

void tell_values(Desk& desk, const Graph& graph, double t) {
    const auto& rows = desk.graphs.rows();
    auto row = std::lower_bound(rows.begin(), rows.end(), t,
                                [](const Graphs::Row& r, double x) { return r.t < x; });
    if (row == rows.end()) return;
    ImGui::BeginTooltip();
    ImGui::Text("step %lld, t %.4f s", static_cast<long long>(row->step), row->t);
    const Model& model = desk.session.scene().model;
    for (std::size_t k = 0; k < graph.lines.size(); ++k) {
        const double value = row->values[desk.graphs.column_of(graph.lines[k])];
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(legible(kLineColours[k])), "%s %.6g %s",
                           quantity_text(graph.lines[k], model).c_str(), value,
                           std::string(quantity_unit(graph.lines[k], model)).c_str());
    }
    ImGui::TextDisabled("Drag moves, the wheel zooms, a double click shows all.");
    ImGui::EndTooltip();
}

void handle_graph(Desk& desk, Graph& graph, const GraphBox& box, const GraphSpan& xs) {
    const ImGuiIO& io = ImGui::GetIO();
    const double width = box.high.x - box.low.x;
    if (ImGui::IsItemHovered()) {
        const double part = std::clamp((io.MousePos.x - box.low.x) / width, 0.0, 1.0);
        const double t = xs.low + part * (xs.high - xs.low);
        if (io.MouseWheel != 0) {
            const double size = (xs.high - xs.low) * std::pow(kGraphZoom, io.MouseWheel);
            graph.from = t - part * size;
            graph.to = graph.from + size;
        }
        if (ImGui::IsMouseDoubleClicked(0)) graph.from = graph.to = 0;
        tell_values(desk, graph, t);
    }
    if (ImGui::IsItemActive() && io.MouseDelta.x != 0) {
        const double by = -io.MouseDelta.x / width * (xs.high - xs.low);
        graph.from = xs.low + by;
        graph.to = xs.high + by;
    }
}

// Anew where another part is shown, and several times a second.
const GraphLines& lines_of(Desk& desk, std::size_t g, const GraphSpan& xs, int count) {
    GraphLines& drawn = desk.plots.drawn[g];
    const Graph& graph = desk.graphs.list()[g];
    const double now = desk.session.seconds();
    const bool moved = graph.from < graph.to && (drawn.from != xs.low || drawn.to != xs.high);
    if (!moved && drawn.count == count && drawn.serial == desk.graphs.serial() &&
        drawn.lines.size() == graph.lines.size() && now < drawn.made + kRefresh)
        return drawn;
    drawn = {xs.low, xs.high, count, desk.graphs.serial(), now, {}};
    for (const Quantity& q : graph.lines)
        drawn.lines.push_back(desk.graphs.columns(q, xs.low, xs.high, count));
    return drawn;
}

void draw_graph(Desk& desk, std::size_t g) {
    Graph& graph = desk.graphs.list()[g];
    const Model& model = desk.session.scene().model;
    const float letter = ImGui::GetFontSize();
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    ImGui::InvisibleButton("plot", room);
    desk.log.mark("graph/" + std::to_string(g));
    const GraphBox box{{low.x + 3, low.y + 2},
                       {low.x + room.x - 5 * letter, low.y + room.y - 1.2F * letter}};
    const GraphSpan xs = time_span(desk.graphs, graph);
    handle_graph(desk, graph, box, xs);
    const auto& lines = lines_of(desk, g, xs, static_cast<int>((box.high.x - box.low.x) / 2)).lines;
    const GraphSpan ys = value_span(lines);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(low, {low.x + room.x, low.y + room.y}, true);
    bool one_unit = true;
    for (const Quantity& q : graph.lines)
        one_unit = one_unit && quantity_unit(q, model) == quantity_unit(graph.lines[0], model);
    draw_graph_axes(list, box, xs, ys, one_unit ? quantity_unit(graph.lines[0], model) : "");
    for (std::size_t k = 0; k < lines.size(); ++k)
        draw_strokes(list, box, lines[k], ys, kLineColours[k]);
    const double now = xs.part(desk.session.now().state.time);
    if (now >= 0 && now <= 1)
        list.AddLine(box.at(now, 0), box.at(now, 1), ImGui::GetColorU32(ImGuiCol_Text));
    list.PopClipRect();
}

// Names of the lines on the left, buttons on the right.
void graph_head(Desk& desk, std::size_t g) {
    const Graph& graph = desk.graphs.list()[g];
    const Model& model = desk.session.scene().model;
    const float letter = ImGui::GetFontSize();
    const float buttons = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - 7.6F * letter;
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const float x = low.x + buttons - ImGui::GetCursorPosX() - 0.5F * letter;
    ImGui::PushClipRect(low, {x, low.y + 1.6F * letter}, true);
    for (std::size_t k = 0; k < graph.lines.size(); ++k) {
        if (k > 0) ImGui::SameLine();
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(legible(kLineColours[k])), "%s",
                           quantity_text(graph.lines[k], model).c_str());
        hint(quantity_text(graph.lines[k], model).c_str());
    }
    ImGui::PopClipRect();
    ImGui::SameLine(buttons);
    const std::string id = "graph/" + std::to_string(g);
    if (ImGui::SmallButton("CSV")) save_graph_table(desk, g);
    desk.log.mark(id + "/csv");
    ImGui::SameLine(0, 4);
    if (ImGui::SmallButton("SVG")) save_graph_picture(desk, g);
    desk.log.mark(id + "/svg");
    ImGui::SameLine(0, 4);
    if (ImGui::SmallButton("x")) desk.graphs.close(g);
    desk.log.mark(id + "/close");
}

template <class Write>
void save_as(Desk& desk, const char* suffix, const Write& write) {
    const std::string path = desk.recorder.free_name(desk.session.scene().name, suffix);
    try {
        write(path);
        desk.recorder.remember(path);
        desk.session.notify("wrote " + path);
    } catch (const std::exception& error) {
        desk.session.complain(error.what());
    }
}

}  // namespace

void save_graph_table(Desk& desk, std::size_t graph) {
    save_as(desk, "-graph.csv", [&](const std::string& path) {
        write_file(path, desk.graphs.csv(desk.graphs.list()[graph], desk.session.scene().model));
    });
}

void save_graph_picture(Desk& desk, std::size_t graph) {
    save_as(desk, "-graph.svg", [&](const std::string& path) {
        desk.graphs.write_svg(path, desk.graphs.list()[graph], desk.session.scene().model,
                              desk.session.scene().name);
    });
}

float graph_strip_height(const Desk& desk) {
    return desk.graphs.list().empty() ? 0 : kStripHeight * ImGui::GetFontSize();
}

void graph_strip(Desk& desk) {
    const Rectangle& place = desk.plan.graphs;
    if (place.empty()) return;
    ImGui::SetNextWindowPos({place.left, place.top});
    ImGui::SetNextWindowSize({place.width(), place.height()});
    ImGui::SetNextWindowBgAlpha(1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::Begin("graphs", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
    const std::size_t count = desk.graphs.list().size();
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float width =
        std::max((ImGui::GetContentRegionAvail().x + gap) / static_cast<float>(count) - gap,
                 kLeastWidth * ImGui::GetFontSize());
    for (std::size_t g = 0; g < desk.graphs.list().size(); ++g) {
        if (g > 0) ImGui::SameLine();
        ImGui::PushID(static_cast<int>(g));
        ImGui::BeginChild("graph", {width, 0}, false,
                          ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
        graph_head(desk, g);
        if (g < desk.graphs.list().size()) draw_graph(desk, g);
        ImGui::EndChild();
        ImGui::PopID();
    }
    ImGui::End();
}

void plottable(Desk& desk, std::initializer_list<Quantity> quantities) {
    if (!ImGui::IsItemHovered()) return;
    if (ImGui::IsMouseReleased(1)) desk.plots.asked.assign(quantities);
}

void plot_menu(Desk& desk) {
    if (!desk.plots.asked.empty()) {
        ImGui::OpenPopup("plot this");
        desk.plots.offered = std::move(desk.plots.asked);
        desk.plots.asked.clear();
    }
    if (!ImGui::BeginPopup("plot this")) return;
    const Model& model = desk.session.scene().model;
    for (const Quantity& q : desk.plots.offered) {
        const std::string text = quantity_text(q, model);
        if (ImGui::MenuItem(("Graph of " + text).c_str())) desk.graphs.add(q);
        desk.log.mark("plot/" + text);
    }
    for (std::size_t g = 0; g < desk.graphs.list().size(); ++g) {
        const std::string into = "plot into/" + std::to_string(g);
        if (!ImGui::BeginMenu(("Into graph " + std::to_string(g + 1)).c_str())) {
            desk.log.mark(into);
            continue;
        }
        for (const Quantity& q : desk.plots.offered) {
            const std::string text = quantity_text(q, model);
            if (ImGui::MenuItem(text.c_str())) desk.graphs.add_to(g, q);
            desk.log.mark(into + "/" + text);
        }
        ImGui::EndMenu();
    }
    ImGui::EndPopup();
}

}  // namespace stiction

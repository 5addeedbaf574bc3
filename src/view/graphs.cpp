// graphs.cpp - rows of values by step.
#include "view/graphs.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "live/watch.h"
#include "plot/plot.h"

namespace stiction {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

bool row_before(const Graphs::Row& row, std::int64_t step) { return row.step < step; }

// The part of the rows that a graph shows.
bool shows(const Graph& graph, double t) {
    return graph.from >= graph.to || (t >= graph.from && t <= graph.to);
}

}  // namespace

void Graphs::show(std::vector<std::vector<Quantity>> graphs) {
    list_.clear();
    for (std::vector<Quantity>& lines : graphs) {
        if (list_.size() < kMostGraphs) list_.push_back({std::move(lines), 0, 0});
    }
    rows_.clear();
    rewatch();
}

void Graphs::add(const Quantity& quantity) {
    if (list_.size() >= kMostGraphs) list_.erase(list_.begin());
    list_.push_back({{quantity}, 0, 0});
    rewatch();
}

void Graphs::add_to(std::size_t graph, const Quantity& quantity) {
    if (graph >= list_.size()) return;
    std::vector<Quantity>& lines = list_[graph].lines;
    if (lines.size() >= kMostLines ||
        std::find(lines.begin(), lines.end(), quantity) != lines.end())
        return;
    lines.push_back(quantity);
    rewatch();
}

void Graphs::close(std::size_t graph) {
    if (graph >= list_.size()) return;
    list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(graph));
    rewatch();
}

void Graphs::close_all() {
    list_.clear();
    rewatch();
}

// Values of quantities that stay are kept.
void Graphs::rewatch() {
    std::vector<Quantity> wanted;
    for (const Graph& graph : list_) {
        for (const Quantity& q : graph.lines) {
            if (std::find(wanted.begin(), wanted.end(), q) == wanted.end()) wanted.push_back(q);
        }
    }
    if (wanted == watched_) return;
    for (Row& row : rows_) {
        std::vector<double> values;
        for (const Quantity& q : wanted) {
            const std::size_t column = column_of(q);
            values.push_back(column < row.values.size() ? row.values[column] : kUnknown);
        }
        row.values = std::move(values);
    }
    watched_ = std::move(wanted);
    if (watched_.empty()) rows_.clear();
    ++serial_;
}

std::size_t Graphs::column_of(const Quantity& quantity) const {
    return static_cast<std::size_t>(std::find(watched_.begin(), watched_.end(), quantity) -
                                    watched_.begin());
}

Graphs::Row& Graphs::row_at(std::int64_t step, double t) {
    const auto place = std::lower_bound(rows_.begin(), rows_.end(), step, row_before);
    if (place != rows_.end() && place->step == step) return *place;
    return *rows_.insert(place, {step, t, std::vector<double>(watched_.size(), kUnknown)});
}

void Graphs::add(const StepSample& sample) {
    if (sample.watch != serial_ || sample.values.size() != watched_.size()) return;
    Row& row = row_at(sample.step, sample.t);
    row.t = sample.t;
    for (std::size_t i = 0; i < row.values.size(); ++i) {
        if (!sample.again || std::isnan(row.values[i])) row.values[i] = sample.values[i];
    }
}

void Graphs::add(const Timeline& timeline, const Model& model) {
    Snapshot snapshot;
    snapshot.stepped = true;
    for (const StepRecord& record : timeline.records()) {
        snapshot.record = record;
        Row* row = nullptr;
        for (std::size_t i = 0; i < watched_.size(); ++i) {
            if (watched_[i].of != QuantityOf::kStep && watched_[i].of != QuantityOf::kStage)
                continue;
            if (row == nullptr) row = &row_at(record.step, record.t);
            if (std::isnan(row->values[i])) row->values[i] = value_of(watched_[i], model, snapshot);
        }
        if (row == nullptr) return;
    }
}

void Graphs::keep(std::int64_t first, std::int64_t last) {
    while (!rows_.empty() && rows_.front().step < first) rows_.pop_front();
    while (!rows_.empty() && rows_.back().step > last) rows_.pop_back();
}

std::vector<GraphColumn> Graphs::columns(const Quantity& quantity, double from, double to,
                                         int count) const {
    std::vector<GraphColumn> columns(static_cast<std::size_t>(std::max(count, 1)));
    const std::size_t column = column_of(quantity);
    if (!(to > from)) return columns;
    const auto first = std::lower_bound(rows_.begin(), rows_.end(), from,
                                        [](const Row& row, double t) { return row.t < t; });
    for (auto row = first; row != rows_.end() && row->t <= to; ++row) {
        if (column >= row->values.size() || !std::isfinite(row->values[column])) continue;
        const double part = (row->t - from) / (to - from) * static_cast<double>(columns.size());
        GraphColumn& c = columns[std::min(static_cast<std::size_t>(part), columns.size() - 1)];
        const double value = row->values[column];
        c = c.empty() ? GraphColumn{value, value}
                      : GraphColumn{std::min(c.low, value), std::max(c.high, value)};
    }
    return columns;
}

std::string Graphs::csv(const Graph& graph, const Model& model) const {
    std::string text = "step,t";
    for (const Quantity& q : graph.lines) {
        const std::string_view unit = quantity_unit(q, model);
        text +=
            "," + quantity_text(q, model) + (unit.empty() ? "" : " [" + std::string(unit) + "]");
    }
    text += "\n";
    for (const Row& row : rows_) {
        if (!shows(graph, row.t)) continue;
        char number[40];
        std::snprintf(number, sizeof number, "%lld,%.17g", static_cast<long long>(row.step), row.t);
        text += number;
        for (const Quantity& q : graph.lines) {
            const double value = row.values[column_of(q)];
            std::snprintf(number, sizeof number, ",%.17g", value);
            text += std::isfinite(value) ? number : ",";
        }
        text += "\n";
    }
    return text;
}

void Graphs::write_svg(const std::string& path, const Graph& graph, const Model& model,
                       const std::string& title) const {
    Plot plot;
    plot.title = title;
    plot.x.label = "t [s]";
    std::string unit(graph.lines.empty() ? "" : quantity_unit(graph.lines[0], model));
    for (const Quantity& q : graph.lines) {
        if (quantity_unit(q, model) != unit) unit.clear();
    }
    plot.y.label = unit.empty() ? "" : "[" + unit + "]";
    for (const Quantity& q : graph.lines) {
        Series series;
        series.name = quantity_text(q, model);
        for (const Row& row : rows_) {
            if (!shows(graph, row.t)) continue;
            series.x.push_back(row.t);
            series.y.push_back(row.values[column_of(q)]);
        }
        plot.series.push_back(std::move(series));
    }
    stiction::write_svg(path, plot);
}

}  // namespace stiction

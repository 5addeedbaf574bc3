// graphs.h - graphs of any numbers over the steps that can be gone back to: what they show, the
// values, and files of them. Nothing here draws.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "live/step_sample.h"
#include "model/model.h"
#include "scene/quantity.h"
#include "view/timeline.h"

namespace stiction {

struct Graph {
    std::vector<Quantity> lines;
    double from = 0, to = 0;  // part of the time that is shown [s]; equal: all there is
};

// A number per column of pixels: the least and the most of the values in it.
struct GraphColumn {
    double low = 0, high = -1;
    [[nodiscard]] bool empty() const { return high < low; }
};

class Graphs {
  public:
    static constexpr std::size_t kMostGraphs = 4, kMostLines = 8;

    void show(std::vector<std::vector<Quantity>> graphs);  // instead of all there are
    void add(const Quantity& quantity);                    // in a graph of its own
    void add_to(std::size_t graph, const Quantity& quantity);
    void close(std::size_t graph);
    void close_all();
    [[nodiscard]] std::vector<Graph>& list() { return list_; }
    [[nodiscard]] const std::vector<Graph>& list() const { return list_; }

    // All quantities that are drawn, each once; what is new in it needs values.
    [[nodiscard]] const std::vector<Quantity>& watched() const { return watched_; }
    [[nodiscard]] std::int64_t serial() const {
        return serial_;
    }  // grows with every change of them

    void add(const StepSample& sample);  // that belongs to this serial; others are ignored
    // Of the numbers of steps, what the records of the last ones say.
    void add(const Timeline& timeline, const Model& model);
    void keep(std::int64_t first, std::int64_t last);  // steps; forgets all others
    void clear_values() { rows_.clear(); }

    struct Row {
        std::int64_t step = 0;
        double t = 0;
        std::vector<double> values;  // in the order of watched()
    };
    [[nodiscard]] const std::deque<Row>& rows() const { return rows_; }
    [[nodiscard]] std::size_t column_of(const Quantity& quantity) const;  // in the rows
    [[nodiscard]] std::vector<GraphColumn> columns(const Quantity& quantity, double from, double to,
                                                   int count) const;

    // Tables and pictures of one graph, as it is shown.
    [[nodiscard]] std::string csv(const Graph& graph, const Model& model) const;
    void write_svg(const std::string& path, const Graph& graph, const Model& model,
                   const std::string& title) const;

  private:
    void rewatch();
    Row& row_at(std::int64_t step, double t);

    std::vector<Graph> list_;
    std::vector<Quantity> watched_;
    std::int64_t serial_ = 0;
    std::deque<Row> rows_;  // by step
};

}  // namespace stiction

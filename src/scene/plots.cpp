// plots.cpp - `plots:` of a scene: graphs that the window shows from the start.
#include "core/error.h"
#include "scene/builder.h"

namespace stiction {

namespace {

constexpr std::size_t kMostLines = 8;  // of a graph: more cannot be told apart

Quantity read_quantity(const Node& node, const Model& model) {
    try {
        return parse_quantity(node.reference(), model);
    } catch (const InputError& error) {
        node.fail(error.what());
    }
}

}  // namespace

// Each entry is a name, or a list of names for several lines in one graph.
void read_plots(const Node& root, Builder& builder) {
    for (const Node& entry : root.entries("plots", "graphs")) {
        std::vector<Quantity> graph;
        if (entry.is_scalar()) {
            graph.push_back(read_quantity(entry, builder.scene.model));
        } else {
            entry.expect_list("names of numbers");
            if (entry.size() == 0 || entry.size() > kMostLines)
                entry.fail("a graph has 1 to " + std::to_string(kMostLines) + " lines, got " +
                           std::to_string(entry.size()));
            for (std::size_t i = 0; i < entry.size(); ++i)
                graph.push_back(read_quantity(entry[i], builder.scene.model));
        }
        builder.scene.plots.push_back(std::move(graph));
    }
}

}  // namespace stiction

// elimination_order.h - the order in which a sparse symmetric pattern is eliminated, and its fill.
#pragma once

#include <vector>

namespace stiction {

using PatternGraph = std::vector<std::vector<int>>;  // sorted neighbours per node, without itself

// Eliminates nodes by least degree (least index among equals); returns them in that order. On
// return graph[k] holds k's neighbours at the time it was eliminated, which are the rows of its
// column of the factor.
[[nodiscard]] std::vector<int> minimum_degree_order(PatternGraph& graph);

}  // namespace stiction

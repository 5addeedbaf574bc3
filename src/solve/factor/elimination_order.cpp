// elimination_order.cpp - minimum degree by explicit elimination graphs.
#include "solve/factor/elimination_order.h"

#include <algorithm>
#include <iterator>
#include <queue>
#include <utility>

#include "core/types.h"

namespace stiction {

std::vector<int> minimum_degree_order(PatternGraph& graph) {
    const auto count = static_cast<int>(graph.size());
    using Entry = std::pair<int, int>;  // degree, node; stale entries are skipped
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    for (int k = 0; k < count; ++k) queue.emplace(static_cast<int>(graph[at(k)].size()), k);
    std::vector<char> eliminated(at(count), 0);
    std::vector<int> order;
    std::vector<int> merged;
    while (!queue.empty()) {
        const int degree = queue.top().first, k = queue.top().second;
        queue.pop();
        if (eliminated[at(k)] || degree != static_cast<int>(graph[at(k)].size())) continue;
        eliminated[at(k)] = 1;
        order.push_back(k);
        for (const int i : graph[at(k)]) {
            std::vector<int>& list = graph[at(i)];
            merged.clear();
            std::set_union(list.begin(), list.end(), graph[at(k)].begin(), graph[at(k)].end(),
                           std::back_inserter(merged));
            merged.erase(std::remove_if(merged.begin(), merged.end(),
                                        [&](int j) { return j == i || j == k; }),
                         merged.end());
            list = merged;
            queue.emplace(static_cast<int>(list.size()), i);
        }
    }
    return order;
}

}  // namespace stiction

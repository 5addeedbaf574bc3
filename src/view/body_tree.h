// body_tree.h - bodies and joints as a tree, row by row.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "model/model.h"

namespace stiction {

struct TreeRow {
    int body = kNone;
    int joint = kNone;  // that holds it to the row above its own depth; kNone: free, or the ground
    int depth = 0;
    bool children = false;
};

// Every body once, depth first. A joint that closes a loop has a row of its own without a body.
[[nodiscard]] std::vector<TreeRow> make_body_tree(const Model& model);

// Rows that are not below a closed one. Where something is typed: those whose body or joint has the
// words, with what they hang on, whatever is closed.
[[nodiscard]] std::vector<TreeRow> visible_rows(const std::vector<TreeRow>& tree,
                                                const Model& model, const std::set<int>& closed,
                                                const std::string& typed);

}  // namespace stiction

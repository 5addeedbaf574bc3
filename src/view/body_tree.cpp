// body_tree.cpp - walks joints from parents to children.
#include "view/body_tree.h"

#include <algorithm>

#include "view/file_browser.h"

namespace stiction {

namespace {

struct Walk {
    const Model& model;
    std::vector<std::vector<int>> joints_of;  // per body, those whose parent it is
    std::vector<bool> placed;
    std::vector<TreeRow> rows;

    void place(int first, int joint) {
        struct Next {
            int body, joint, depth;
        };
        std::vector<Next> waiting = {{first, joint, 0}};  // chains may be long: no recursion
        while (!waiting.empty()) {
            const Next next = waiting.back();
            waiting.pop_back();
            if (placed[at(next.body)]) {  // a loop
                rows.push_back({kNone, next.joint, next.depth, false});
                continue;
            }
            placed[at(next.body)] = true;
            const std::vector<int>& below = joints_of[at(next.body)];
            rows.push_back({next.body, next.joint, next.depth, !below.empty()});
            for (auto j = below.rbegin(); j != below.rend(); ++j)
                waiting.push_back({model.joints[at(*j)].child, *j, next.depth + 1});
        }
    }
};

}  // namespace

std::vector<TreeRow> make_body_tree(const Model& model) {
    Walk walk{model,
              std::vector<std::vector<int>>(model.bodies.size()),
              std::vector<bool>(model.bodies.size()),
              {}};
    std::vector<int> holder(model.bodies.size(), kNone);  // joint that a body hangs on
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
        const Joint& joint = model.joints[j];
        if (joint.parent != kNone) walk.joints_of[at(joint.parent)].push_back(static_cast<int>(j));
        if (holder[at(joint.child)] == kNone) holder[at(joint.child)] = static_cast<int>(j);
    }
    const auto is_root = [&](std::size_t i) {
        return holder[i] == kNone || model.joints[at(holder[i])].parent == kNone;
    };
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        if (is_root(i)) walk.place(static_cast<int>(i), holder[i]);
    }
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {  // rings without a root
        if (!walk.placed[i]) walk.place(static_cast<int>(i), kNone);
    }
    return std::move(walk.rows);
}

std::vector<TreeRow> visible_rows(const std::vector<TreeRow>& tree, const Model& model,
                                  const std::set<int>& closed, const std::string& typed) {
    std::vector<TreeRow> rows;
    if (typed.empty()) {
        int hidden_below = -1;  // depth of a closed row
        for (const TreeRow& row : tree) {
            if (hidden_below >= 0 && row.depth > hidden_below) continue;
            hidden_below = row.body != kNone && closed.count(row.body) > 0 ? row.depth : -1;
            rows.push_back(row);
        }
        return rows;
    }
    std::vector<bool> shown(tree.size());
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const TreeRow& row = tree[i];
        if (!((row.body != kNone && matches(model.bodies[at(row.body)].name, typed)) ||
              (row.joint != kNone && matches(model.joints[at(row.joint)].name, typed))))
            continue;
        shown[i] = true;
        int depth = row.depth;
        for (std::size_t k = i; k-- > 0 && depth > 0;) {  // what it hangs on
            if (tree[k].depth >= depth) continue;
            shown[k] = true;
            depth = tree[k].depth;
        }
    }
    for (std::size_t i = 0; i < tree.size(); ++i) {
        if (shown[i]) rows.push_back(tree[i]);
    }
    return rows;
}

}  // namespace stiction

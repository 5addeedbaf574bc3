// builder.cpp - names, groups and materials gathered while a scene is read.
#include "scene/builder.h"

#include "core/nearest.h"

namespace stiction {

int look_up(const Names& names, const Node& node, const std::string& name, std::string_view what) {
    const auto it = names.find(name);
    if (it != names.end()) return it->second.index;
    std::vector<std::string_view> valid;
    for (const auto& entry : names) valid.push_back(entry.first);
    node.fail("there is no " + std::string(what) + " '" + name + "'" + suggestion(name, valid));
}

void enter(Names& names, const Node& node, const std::string& name, int index,
           std::string_view what) {
    const auto [it, is_new] = names.insert({name, {index, node.place()}});
    if (!is_new) {
        node.fail("a second " + std::string(what) + " named '" + name + "'; the first is at " +
                  it->second.place);
    }
}

}  // namespace stiction

// materials.cpp - surface coefficients, overrides for pairs, and collision groups.

#include "scene/builder.h"

namespace stiction {
namespace {

// Dry friction of common solids, no bounce: docs/scene-format.md promises these.
constexpr SurfacePair kDefaultSurface = {.mu_c = 0.5, .mu_v = 0, .eps = 0};

SurfacePair read_surface(const Node& node) {
    node.only({"friction", "viscous", "restitution"});
    SurfacePair surface = kDefaultSurface;
    surface.mu_c = node.number("friction", surface.mu_c, at_least_zero(""));
    surface.mu_v = node.number("viscous", surface.mu_v, at_least_zero("N s/m"));
    surface.eps = node.number("restitution", surface.eps, between(0, 1));
    return surface;
}

int add_material(const Node& node, const std::string& name, const SurfacePair& surface,
                 Builder& builder) {
    std::vector<Material>& all = builder.scene.model.materials;
    if (all.size() >= kMaxMaterials) {
        node.fail("more than " + std::to_string(kMaxMaterials) + " materials");
    }
    all.push_back({name, surface});
    return static_cast<int>(all.size()) - 1;
}

bool same(const SurfacePair& a, const SurfacePair& b) {
    return a.mu_c == b.mu_c && a.mu_v == b.mu_v && a.eps == b.eps;
}

}  // namespace

void add_default_material(Builder& builder) {
    builder.scene.model.materials = {{"default", kDefaultSurface}};
    builder.materials["default"] = {0, "built in"};
    builder.groups["default"] = {0, "built in"};
}

void read_materials(const Node& root, Builder& builder) {
    const auto materials = root.find("materials");
    if (!materials) return;
    materials->expect_map();
    for (std::size_t i = 0; i < materials->size(); ++i) {
        const Node node = (*materials)[i];
        const SurfacePair surface = read_surface(node);
        const auto known = builder.materials.find(materials->key(i));
        if (known != builder.materials.end()) {  // of an included file, or the default one
            builder.scene.model.materials[at(known->second.index)].surface = surface;
        } else {
            const int index = add_material(node, materials->key(i), surface, builder);
            builder.materials[materials->key(i)] = {index, node.place()};
        }
    }
}

void read_material_pairs(const Node& root, Builder& builder) {
    for (const Node& node : root.entries("material_pairs", "pairs of materials")) {
        node.only({"materials", "friction", "viscous", "restitution"});
        const Node names = node.at("materials");
        if (!names.is_list() || names.size() != 2) names.fail("expected a list of 2 materials");
        PairOverride pair;
        pair.a = look_up(builder.materials, names[0], names[0].text(), "material");
        pair.b = look_up(builder.materials, names[1], names[1].text(), "material");
        pair.friction = node.number("friction", pair.friction, at_least_zero(""));
        pair.viscous = node.number("viscous", pair.viscous, at_least_zero("N s/m"));
        pair.restitution = node.number("restitution", pair.restitution, between(0, 1));
        builder.pairs.push_back(pair);
    }
}

int read_material(const Node& node, Builder& builder) {
    if (!node.is_map()) return look_up(builder.materials, node, node.text(), "material");
    const SurfacePair surface = read_surface(node);
    const std::vector<Material>& all = builder.scene.model.materials;
    for (std::size_t i = 0; i < all.size(); ++i) {  // copies of a repeated body share one
        if (all[i].name.empty() && same(all[i].surface, surface)) return static_cast<int>(i);
    }
    return add_material(node, "", surface, builder);
}

void read_groups(const Node& root, Builder& builder) {
    for (const Node& entry : root.entries("groups", "names"))
        add_group(entry, entry.name(), builder);
}

void add_group(const Node& node, const std::string& name, Builder& builder) {
    const int bit = static_cast<int>(builder.groups.size());
    if (builder.groups.size() >= kMaxGroups) {
        node.fail("more than " + std::to_string(kMaxGroups) +
                  " collision groups, 'default' counted");
    }
    enter(builder.groups, node, name, bit, "group");
}

std::uint32_t read_group_bits(const Node& node, const Builder& builder) {
    if (node.is_list()) {
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < node.size(); ++i) bits |= read_group_bits(node[i], builder);
        return bits;
    }
    if (node.text() == "all") return ~0U;
    if (node.text() == "none") return 0;
    return 1U << static_cast<unsigned>(look_up(builder.groups, node, node.text(), "group"));
}

}  // namespace stiction

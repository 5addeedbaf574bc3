// shapes.cpp - collision shapes from their keys.
#include "scene/shapes.h"

#include <array>
#include <filesystem>

#include "core/error.h"
#include "core/nearest.h"
#include "scene/pose.h"
#include "scene/repeat.h"
#include "scene/terrain.h"

namespace stiction {
namespace {

constexpr std::array<std::string_view, 8> kShapeNames = {
    "plane", "sphere", "box", "capsule", "cylinder", "hull", "heightfield", "mesh"};
constexpr std::size_t kMaxHullPoints = 10'000;  // collision visits all corners of a hull

Box read_box(const Node& node) {
    if (node.has("size") == node.has("half")) {
        node.fail("expected exactly one of 'size' (full extents) and 'half' (half extents)");
    }
    if (const auto half = node.find("half")) return {half->vector(positive("m"))};
    return {0.5 * node.at("size").vector(positive("m"))};
}

Hull read_hull(const Node& node) {
    if (node.has("points") == node.has("file"))
        node.fail("expected exactly one of 'points' and 'file'");
    if (node.has("file")) return read_hull_file(node);
    if (const auto scale = node.find("scale")) scale->fail("only of a hull from a file");
    const Node list = node.at("points");
    list.expect_list("points [x, y, z]");
    std::vector<Vec3> points;
    const auto add = [&](const Vec3& point) {
        if (points.size() == kMaxHullPoints)
            list.fail("more than " + std::to_string(kMaxHullPoints) + " points");
        points.push_back(point);
    };
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!list[i].is_map()) {
            add(list[i].vector());
            continue;
        }
        list[i].only({"repeat", "at"});
        (void)list[i].at("repeat");
        for_each_part(list[i], [&](const Node& part) { add(part.at("at").vector()); });
    }
    try {
        return make_hull(points);
    } catch (const InputError& error) {
        list.fail(error.what());
    }
}

// The keys every shape has, and those of its own kind.
void check_keys(const Node& node, std::initializer_list<std::string_view> own) {
    std::vector<std::string_view> keys = {"type", "position", "orientation", "material", "group",
                                          "mask", "mass",     "density",     "repeat"};
    keys.insert(keys.end(), own);
    node.only(keys);
}

void note_file(const Node& entry, Builder& builder) {
    const auto file = entry.find("file");
    if (!file) return;
    const std::filesystem::path folder = std::filesystem::path(file->document().path).parent_path();
    const std::string path = (folder / file->text()).string();
    std::vector<std::string>& files = builder.scene.files;
    if (files.empty() || files.back() != path) files.push_back(path);
}

// `pieces` where the shape is taken apart.
Shape read_geometry(const Node& node, Builder& builder, std::shared_ptr<const MeshPieces>& pieces) {
    const Range length = positive("m");
    if (!node.has("type")) {
        check_keys(node, {"radius", "length", "size", "half", "points", "heights", "file", "scale",
                          "decompose"});
    }
    switch (node.at("type").choice(kShapeNames, "shape")) {
        case 0:
            check_keys(node, {});
            return Plane{};
        case 1:
            check_keys(node, {"radius"});
            return Sphere{node.at("radius").number(length)};
        case 2:
            check_keys(node, {"size", "half"});
            return read_box(node);
        case 3:
            check_keys(node, {"radius", "length"});
            return Capsule{node.at("radius").number(length),
                           0.5 * node.at("length").number(length)};
        case 4:
            check_keys(node, {"radius", "length"});
            return Cylinder{node.at("radius").number(length),
                            0.5 * node.at("length").number(length)};
        case 5:
            check_keys(node, {"points", "file", "scale"});
            note_file(node, builder);
            return read_hull(node);
        case 6:
            check_keys(node, {"size", "heights"});
            if (const auto heights = node.find("heights")) note_file(*heights, builder);
            return read_heightfield(node, builder.scene.seed);
        default:
            check_keys(node, {"file", "scale", "decompose"});
            note_file(node, builder);
            if (!node.has("decompose")) return read_mesh(node);
            pieces = read_mesh_pieces(node, builder);
            return TriangleMesh{pieces->surface};
    }
}

}  // namespace

void read_surface_keys(const Node& node, Geom& geom, Builder& builder) {
    if (const auto material = node.find("material"))
        geom.material = read_material(*material, builder);
    if (const auto group = node.find("group")) geom.group = read_group_bits(*group, builder);
    if (const auto mask = node.find("mask")) geom.mask = read_group_bits(*mask, builder);
}

namespace {

ShapeEntry read_one_shape(const Node& node, const Geom& defaults, Builder& builder) {
    ShapeEntry entry{defaults, std::nullopt, std::nullopt, node, {}, {}};
    entry.geom.shape = read_geometry(node, builder, entry.pieces);
    entry.solid = entry.pieces ? entry.pieces->solid : solid_properties(entry.geom.shape);
    entry.geom.pose_BG = read_pose(node);
    read_surface_keys(node, entry.geom, builder);
    if (const auto mass = node.find("mass")) entry.mass = mass->number(at_least_zero("kg"));
    if (const auto density = node.find("density")) {
        entry.density = density->number(at_least_zero("kg/m^3"));
    }
    return entry;
}

}  // namespace

ShapeEntry read_shape(const Node& node, const Geom& defaults, Builder& builder) {
    node.expect_map();
    if (const auto repeat = node.find("repeat"))
        repeat->fail("only of an entry of a body's 'shapes'");
    return read_one_shape(node, defaults, builder);
}

// The indices are gone when the caller reads on: what complains later has the entry itself.
void read_shapes(const Node& node, const Geom& defaults, Builder& builder,
                 std::vector<ShapeEntry>& shapes) {
    for_each_part(node, [&](const Node& part) {
        if (shapes.size() == kMaxGeoms)
            node.fail("more than " + std::to_string(kMaxGeoms) + " shapes");
        ShapeEntry shape = read_one_shape(part, defaults, builder);
        shape.node = node;
        shapes.push_back(std::move(shape));
    });
}

}  // namespace stiction

// shapes.h - one `shape` entry of a body.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "scene/builder.h"
#include "scene/mesh_shape.h"

namespace stiction {

// A shape with its place in the frame the body is written in.
struct ShapeEntry {
    Geom geom;                      // pose_BG still relative to the written frame, body not set
    std::optional<double> mass;     // [kg]
    std::optional<double> density;  // [kg/m^3]
    Node node;
    SolidProperties solid = {};
    std::shared_ptr<const MeshPieces> pieces = {};  // in place of geom.shape, which is their mesh
};

// `defaults` carries the body's material, group and mask.
[[nodiscard]] ShapeEntry read_shape(const Node& node, const Geom& defaults, Builder& builder);

// Appends what one entry of `shapes` stands for: with `repeat`, many.
void read_shapes(const Node& node, const Geom& defaults, Builder& builder,
                 std::vector<ShapeEntry>& shapes);

// `material`, `group` and `mask` of a body or shape, over those in geom.
void read_surface_keys(const Node& node, Geom& geom, Builder& builder);

}  // namespace stiction

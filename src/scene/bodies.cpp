// bodies.cpp - the `bodies` of a scene: placement, shapes, mass, initial velocity.
#include <array>

#include "core/hash.h"
#include "scene/builder.h"
#include "scene/mass.h"
#include "scene/pose.h"
#include "scene/repeat.h"
#include "scene/shapes.h"

namespace stiction {
namespace {

constexpr std::array<std::string_view, 3> kKindNames = {"static", "kinematic", "dynamic"};

BodyKind read_kind(const Node& node) {
    const auto kind = node.find("kind");
    return kind ? static_cast<BodyKind>(kind->choice(kKindNames, "kind of body"))
                : BodyKind::kDynamic;
}

// Keys that mean nothing for this kind of body would be ignored silently: refuse them.
void check_keys_of_kind(const Node& node, BodyKind kind) {
    if (kind == BodyKind::kDynamic) return;
    const std::string which(kKindNames[static_cast<std::size_t>(kind)]);
    for (const char* key : {"mass", "density", "inertia", "com", "gravity_scale", "linear_damping",
                            "angular_damping"}) {
        if (const auto found = node.find(key)) {
            found->fail("a " + which + " body has none; expected a dynamic body");
        }
    }
    for (const char* key : {"velocity", "angular_velocity"}) {
        const auto found = node.find(key);
        if (found && kind == BodyKind::kStatic)
            found->fail("a static body has none; expected kinematic or dynamic");
    }
}

std::vector<ShapeEntry> read_shapes_of(const Node& node, BodyKind kind, Builder& builder) {
    Geom defaults;
    read_surface_keys(node, defaults, builder);
    if (node.has("shape") && node.has("shapes")) {
        node.at("shapes").fail("the body has a 'shape' already; expected one of the two");
    }
    std::vector<ShapeEntry> shapes;
    if (const auto shape = node.find("shape")) {
        shapes.push_back(read_shape(*shape, defaults, builder));
    } else {
        for (const Node& entry : node.entries("shapes", "shapes"))
            read_shapes(entry, defaults, builder, shapes);
    }
    for (const ShapeEntry& shape : shapes) {
        const bool mesh = std::holds_alternative<TriangleMesh>(shape.geom.shape);
        if (kind == BodyKind::kDynamic && is_ground(shape.geom.shape) && !shape.pieces) {
            shape.node.fail("a " + std::string(name(shape.geom.shape)) +
                            " cannot move; expected a static or kinematic body" +
                            (mesh ? ", or 'decompose'" : ""));
        }
        if (kind != BodyKind::kDynamic && shape.pieces) {
            shape.node.at("decompose")
                .fail(
                    "a mesh of a body that nothing moves is used as it is; expected a dynamic "
                    "body");
        }
        if (kind != BodyKind::kDynamic) {
            for (const char* key : {"mass", "density"}) {
                if (const auto found = shape.node.find(key)) {
                    found->fail("only shapes of dynamic bodies have one");
                }
            }
        }
    }
    return shapes;
}

// A shape, or the pieces of one, which its mesh is drawn for.
void add_geoms(const ShapeEntry& shape, int body, const Vec3& com, Model& model) {
    Geom geom = shape.geom;
    geom.body = body;
    geom.pose_BG.p -= com;
    if (!shape.pieces) {
        model.geoms.push_back(std::move(geom));
        return;
    }
    model.visuals.push_back({body, geom.pose_BG, TriangleMesh{shape.pieces->surface}});
    geom.hidden = true;
    for (const Hull& piece : shape.pieces->pieces) {
        geom.shape = piece;
        model.geoms.push_back(geom);
    }
}

// The model's body frame has its origin at the centre of mass, so everything written relative to
// the entry's own frame moves by com: shapes, position, and the velocity of the origin,
//
//   v_com = v + w x (R com)
void add_body(const Copy& copy, Builder& builder) {
    copy.entry.only({"name", "repeat", "kind", "mass", "density", "inertia", "com", "position",
                     "orientation", "velocity", "angular_velocity", "shape", "shapes", "material",
                     "group", "mask", "gravity_scale", "linear_damping", "angular_damping"});
    Scene& scene = builder.scene;
    const int index = static_cast<int>(scene.model.bodies.size());
    if (scene.model.bodies.size() >= kMaxBodies) {
        copy.entry.fail("more than " + std::to_string(kMaxBodies) + " bodies");
    }
    Body body;
    body.name = copy_name(copy);
    if (body.name.empty()) body.name = "body_" + std::to_string(index);
    const Node node = copy.entry.named(body.name);
    if (body.name == "world")
        node.at("name").fail("'world' is the fixed frame; expected another name");
    enter(builder.bodies, node.has("name") ? node.at("name") : node, body.name, index, "body");

    body.kind = read_kind(node);
    check_keys_of_kind(node, body.kind);
    body.gravity_scale = node.number("gravity_scale", 1);
    body.linear_damping = node.number("linear_damping", 0, at_least_zero("1/s"));
    body.angular_damping = node.number("angular_damping", 0, at_least_zero("1/s"));
    const std::vector<ShapeEntry> shapes = read_shapes_of(node, body.kind, builder);
    Vec3 com = Vec3::Zero();
    if (body.kind == BodyKind::kDynamic) {
        const MassProperties properties = read_mass(node, shapes);
        body.mass = properties.mass;
        body.inertia_B = properties.inertia;
        com = properties.com;
    }
    for (const ShapeEntry& shape : shapes) add_geoms(shape, index, com, scene.model);
    if (scene.model.geoms.size() > kMaxGeoms)
        node.fail("more than " + std::to_string(kMaxGeoms) + " shapes");
    Pose pose = read_pose(node);
    pose.q = copy.turn * pose.q;
    pose.p += copy.offset + pose.q * com;
    Twist twist{node.vector("velocity", Vec3::Zero()),
                node.vector("angular_velocity", Vec3::Zero())};
    if (body.kind == BodyKind::kKinematic &&
        (node.has("velocity") || node.has("angular_velocity"))) {
        scene.controls.motions.push_back({index, twist, {}, {}});
    }
    twist.v += twist.w.cross(pose.q * com);

    scene.model.bodies.push_back(std::move(body));
    scene.state.pose.push_back(pose);
    scene.state.twist.push_back(twist);
    builder.com.push_back(com);
}

}  // namespace

void read_bodies(const Node& root, Builder& builder) {
    for (const Node& entry : root.entries("bodies", "bodies")) {
        Hash seed;  // each entry has a stream of its own
        seed.add(builder.scene.seed);
        seed.add(static_cast<std::uint64_t>(builder.scene.model.bodies.size()));
        for_each_copy(entry, true, seed.value(),
                      [&](const Copy& copy) { add_body(copy, builder); });
    }
}

}  // namespace stiction

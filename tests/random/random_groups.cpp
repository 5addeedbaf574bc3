// random_groups.cpp - heaps, towers, leaning plates and presses; random_linkage.cpp has the joints.
#include "random/random_groups.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {

namespace {

ShapeSketch sphere(double radius) {
    return {ShapeKind::kSphere, Vec3(radius, radius, radius), {}, {}};
}
ShapeSketch box(const Vec3& size) { return {ShapeKind::kBox, size, {}, {}}; }
ShapeSketch round_bar(ShapeKind kind, double radius, double length) {
    return {kind, Vec3(radius, radius, length), {}, {}};
}

// Points near a sphere; the first four make sure that they do not lie in a plane.
ShapeSketch random_hull(double size, Draw& draw) {
    ShapeSketch hull{ShapeKind::kHull, Vec3::Ones(), {}, {}};
    const double r = 0.5 * size;
    hull.points = {{shortened(r), 0, shortened(-0.5 * r)},
                   {shortened(-0.5 * r), shortened(0.8 * r), shortened(-0.5 * r)},
                   {shortened(-0.5 * r), shortened(-0.8 * r), shortened(-0.5 * r)},
                   {0, 0, shortened(r)}};
    const int more = draw.integer(0, 8);
    for (int i = 0; i < more; ++i) {
        const Vec3 x = draw.direction();
        hull.points.push_back(shortened(Vec3(draw.uniform(0.7, 1.0) * r * x)));
    }
    return hull;
}

// An upright prism with a regular polygon as its base.
ShapeSketch prism(double radius, double height, int corners) {
    ShapeSketch hull{ShapeKind::kHull, Vec3::Ones(), {}, {}};
    for (int i = 0; i < corners; ++i) {
        const double angle = 2 * std::numbers::pi * i / corners;
        for (const double z : {-0.5 * height, 0.5 * height}) {
            hull.points.emplace_back(shortened(radius * std::cos(angle)),
                                     shortened(radius * std::sin(angle)), z);
        }
    }
    return hull;
}

ShapeSketch random_shape(double size, Draw& draw) {
    const double a = size * draw.uniform(0.5, 1.5), b = size * draw.uniform(0.5, 1.5);
    const double thin = draw.chance(0.15) ? 0.05 : 1.0;
    switch (draw.integer(0, 4)) {
        case 0:
            return sphere(shortened(0.5 * a));
        case 1:
            return box(shortened(Vec3(a, b, thin * size)));
        case 2:
            return round_bar(ShapeKind::kCapsule, shortened(0.3 * a), shortened(b));
        case 3:
            return round_bar(ShapeKind::kCylinder, shortened(0.5 * a), shortened(thin * b));
        default:
            return random_hull(a, draw);
    }
}

void add_random_shapes(double size, Draw& draw, BodySketch& body) {
    const int count = draw.chance(0.2) ? draw.integer(2, 3) : 1;
    for (int i = 0; i < count; ++i) {
        ShapeSketch shape = random_shape(size, draw);
        if (count > 1) shape.pose = {draw.in_box(Vec3::Constant(0.5 * size)), draw.rotation()};
        body.shapes.push_back(shape);
    }
}

// Shapes with a flat bottom and top, of this height.
ShapeSketch flat_shape(double size, double height, Draw& draw) {
    const double a = size * draw.uniform(0.5, 1.5);
    switch (draw.integer(0, 3)) {
        case 0:
            return round_bar(ShapeKind::kCylinder, shortened(0.5 * a), height);
        case 1:
            return prism(0.6 * a, height, draw.integer(3, 7));
        default:
            return box({shortened(a), shortened(size * draw.uniform(0.5, 1.5)), height});
    }
}

// Jaws: static or kinematic walls close the row when forces do not.
void push_inward(const Style& style, double side, Draw& draw, BodySketch& jaw,
                 SceneSketch& sketch) {
    const int index = static_cast<int>(sketch.bodies.size());
    const double weight = jaw.mass * std::max(style.gravity, 1.0);
    const double force = shortened(weight * draw.log_uniform(1, 100));
    JointSketch slide;
    slide.kind = JointKind::kPrismatic;
    slide.child = index;
    slide.anchor = jaw.pose.p;
    slide.axis = Vec3::UnitX();
    slide.reduced = draw.chance(0.3);
    if (draw.chance(0.5)) {
        slide.motor.kind = Motor::Kind::kVelocity;
        slide.motor.target = -side * draw.uniform(0.01, 0.5);
        slide.motor.max_force = force;
    } else {
        jaw.force = {-side * force, 0, 0};
    }
    sketch.joints.push_back(slide);
}

}  // namespace

BodySketch styled_body(const Style& style, Draw& draw, const SceneSketch& sketch) {
    BodySketch body;
    body.name = "b" + std::to_string(sketch.bodies.size());
    // As often at an end of the range as inside it: extreme ratios side by side.
    const double where = draw.chance(0.5) ? draw.uniform(0, 1) : draw.integer(0, 1);
    body.mass = shortened(style.mass * std::pow(10.0, style.mass_decades * where));
    body.friction = draw.uniform(style.friction_lo, style.friction_hi);
    body.viscous = style.viscous;
    body.restitution = style.restitution;
    if (style.speed > 0 && draw.chance(0.5)) {
        body.twist.v = style.speed * draw.direction();
        body.twist.w = style.speed / style.size * draw.uniform(0, 1) * draw.direction();
        body.twist = {shortened(body.twist.v), shortened(body.twist.w)};
    }
    return body;
}

void add_heap(const Style& style, const GroupPlace& place, Draw& draw, SceneSketch& sketch) {
    const double side = style.size * std::cbrt(place.bodies);
    const double spread = draw.pick({0.2, 0.5, 0.8, 1.2});
    for (int i = 0; i < place.bodies; ++i) {
        BodySketch body = styled_body(style, draw, sketch);
        add_random_shapes(style.size, draw, body);
        const Vec3 half(spread * side, spread * side, 0.5 * spread * side);
        body.pose.p = place.origin + draw.in_box(half);
        body.pose.p.z() += half.z() + style.size * draw.uniform(0.3, 0.6);
        body.pose = {shortened(body.pose.p), draw.chance(0.7) ? draw.rotation() : Quat::Identity()};
        sketch.bodies.push_back(body);
    }
}

void add_tower(const Style& style, const GroupPlace& place, Draw& draw, SceneSketch& sketch) {
    const double gap = style.size * draw.pick({0.0, 0.0, 0.0, 1e-6, 1e-3, -1e-3, -0.1});
    const double offset = style.size * draw.pick({0.0, 0.02, 0.2});
    const bool topped = draw.chance(0.3);
    const bool turned = draw.chance(0.4);
    double z = gap;
    for (int i = 0; i < place.bodies; ++i) {
        BodySketch body = styled_body(style, draw, sketch);
        const bool last = topped && i == place.bodies - 1;
        const double height = shortened(style.size * draw.uniform(0.2, 1.0));
        body.shapes.push_back(last ? sphere(0.5 * height) : flat_shape(style.size, height, draw));
        body.pose.p = place.origin + Vec3(draw.uniform(-1, 1), draw.uniform(-1, 1), 0) * offset;
        body.pose.p.z() = z + 0.5 * height;
        if (turned) body.pose.q = Draw::about(Vec3::UnitZ(), draw.uniform(-1, 1));
        z += height + gap;
        sketch.bodies.push_back(body);
    }
}

void add_leaning(const Style& style, const GroupPlace& place, Draw& draw, SceneSketch& sketch) {
    const double length = style.size, width = shortened(0.7 * style.size);
    const double thickness = shortened(style.size * draw.pick({0.02, 0.1}));
    const double lean = draw.uniform(0.2, 0.7);  // from upright [rad]
    const int pairs = std::max(1, place.bodies / 2);
    for (int i = 0; i < pairs; ++i) {
        for (const double side : {-1.0, 1.0}) {
            BodySketch plate = styled_body(style, draw, sketch);
            plate.twist = {};
            plate.shapes.push_back(box({thickness, width, length}));
            // The lowest edge on the ground, the innermost one in the plane between the two.
            const double c = std::cos(lean), s = std::sin(lean);
            plate.pose.p = place.origin + Vec3(side * 0.5 * (length * s + thickness * c),
                                               1.1 * width * (i - 0.5 * (pairs - 1)),
                                               0.5 * (length * c + thickness * s));
            plate.pose.q = Quat(Eigen::AngleAxisd(-side * lean, Vec3::UnitY()));
            sketch.bodies.push_back(plate);
        }
    }
}

void add_press(const Style& style, const GroupPlace& place, Draw& draw, SceneSketch& sketch) {
    const double size = shortened(style.size);
    const int row = std::max(1, place.bodies - 2);
    const double height = size * draw.pick({0.5, 0.5, 2.0});  // of the centres: grounded or held up
    const double outer = 0.5 * size * (row + 1);
    const bool cubes = draw.chance(0.6);
    for (const double side : {-1.0, 1.0}) {
        BodySketch jaw = styled_body(style, draw, sketch);
        jaw.twist = {};
        jaw.shapes.push_back(box(Vec3::Constant(size)));
        jaw.pose.p = place.origin + Vec3(side * outer, 0, height);
        if (draw.chance(0.25)) {
            jaw.kind = BodyKind::kKinematic;
            jaw.twist.v = {-side * draw.pick({0.0, 0.01, 0.1}), 0, draw.pick({0.0, 0.0, 0.1})};
        } else {
            push_inward(style, side, draw, jaw, sketch);
        }
        sketch.bodies.push_back(jaw);
    }
    for (int i = 0; i < row; ++i) {
        BodySketch body = styled_body(style, draw, sketch);
        body.twist = {};
        body.shapes.push_back(cubes ? box(Vec3::Constant(size)) : sphere(0.5 * size));
        body.pose.p = place.origin + Vec3(size * (i - 0.5 * (row - 1)), 0, height);
        sketch.bodies.push_back(body);
    }
}

}  // namespace stiction

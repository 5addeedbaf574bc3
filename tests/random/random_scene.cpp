// random_scene.cpp - settings, ground, surfaces and groups of a random scene.
#include "random/random_scene.h"

#include <algorithm>
#include <cmath>

#include "random/random_groups.h"

namespace stiction {

namespace {

constexpr int kMostBodies = 12;  // dynamic: what every model solves in a moment
constexpr int kFewestSteps = 20, kMostSteps = 40;

ContactModel random_model(Draw& draw) {
    ContactModel model = make_contact_model(
        kContactModelNames[at(draw.integer(0, static_cast<int>(kContactModelNames.size()) - 1))]);
    if (auto* no_slip = std::get_if<NoSlip>(&model)) no_slip->release_separating = draw.chance(0.8);
    if (auto* lcp = std::get_if<CoulombLcp>(&model)) {
        lcp->sides = draw.pick({4, 4, 6, 8, 16});
        if (draw.chance(0.15)) lcp->variant = CoulombLcpVariant::kStewartTrinkle;
    }
    if (auto* box = std::get_if<FrictionBox>(&model); box != nullptr && draw.chance(0.2))
        box->cfm = draw.pick({1e-8, 1e-5});
    // Budgets that end many a solve: what is committed then must still be sound.
    if (draw.chance(0.1)) {
        const int most = draw.pick({1, 3, 10, 50});
        std::visit([&](auto& m) { m.max_iterations = most; }, model);
    }
    return model;
}

StepSettings random_step(Draw& draw) {
    StepSettings step;
    step.h = draw.pick({1e-3, 2e-3, 5e-3, 1e-2, 2e-2});
    if (draw.chance(0.3))
        step.stabilisation = draw.pick(
            {Stabilisation::kOff, Stabilisation::kBaumgarte, Stabilisation::kStewartTrinkle});
    if (draw.chance(0.2)) step.max_depenetration = draw.pick({0.0, 0.1, 10.0});
    if (draw.chance(0.2)) step.restitution_threshold = draw.pick({0.0, 0.1});
    return step;
}

Vec3 random_gravity(Draw& draw) {
    if (draw.chance(0.05)) return Vec3::Zero();
    if (draw.chance(0.75)) return SceneSketch().gravity;
    // As on a slope.
    const double angle = draw.uniform(0.05, 0.6);
    const double around = draw.uniform(-3, 3);
    return 9.81 * shortened(Vec3(std::sin(angle) * std::cos(around),
                                 std::sin(angle) * std::sin(around), -std::cos(angle)));
}

Style random_style(double gravity, Draw& draw) {
    Style style;
    style.size = draw.pick({0.02, 0.1, 0.1, 1.0});
    style.mass_decades = draw.pick({0.0, 0.0, 1.0, 3.0, 6.0});
    style.mass = shortened(draw.log_uniform(0.01, 10) / std::pow(10.0, 0.5 * style.mass_decades));
    style.speed = draw.chance(0.5) ? 0.0 : draw.log_uniform(0.01, 5);
    style.gravity = gravity;
    switch (draw.integer(0, 6)) {
        case 0:
            style.friction_lo = style.friction_hi = 0;
            break;
        case 1:
            style.friction_lo = 0;
            style.friction_hi = 2;
            break;
        case 2:
            style.friction_lo = style.friction_hi = draw.pick({5.0, 100.0});
            break;
        default:
            style.friction_lo = style.friction_hi = draw.uniform(0.1, 1);
    }
    if (draw.chance(0.5)) style.viscous = draw.log_uniform(0.01, 1e4);
    if (draw.chance(0.25)) style.restitution = draw.pick({0.3, 0.8, 1.0});
    return style;
}

BodySketch static_body(const Style& style, const std::string& name, const ShapeSketch& shape) {
    BodySketch body;
    body.name = name;
    body.kind = BodyKind::kStatic;
    body.friction = style.friction_hi;
    body.viscous = style.viscous;
    body.restitution = style.restitution;
    body.shapes.push_back(shape);
    return body;
}

void add_walls(const Style& style, double half, SceneSketch& sketch) {
    const double thickness = style.size, height = 10 * style.size;
    for (int side = 0; side < 4; ++side) {
        const Vec3 out = (side % 2 == 0 ? 1.0 : -1.0) * Vec3::Unit(side / 2);
        Vec3 size = Vec3::Constant(2 * half + 2 * thickness);
        size[side / 2] = thickness;
        size.z() = height;
        BodySketch wall =
            static_body(style, "wall" + std::to_string(side), {ShapeKind::kBox, size, {}, {}});
        wall.pose.p = (half + 0.5 * thickness) * out + Vec3(0, 0, 0.5 * height);
        sketch.bodies.push_back(wall);
    }
}

// Its top is at z = 0, but for bumps.
void add_ground(const Style& style, Draw& draw, SceneSketch& sketch) {
    const double wide = 40 * style.size;
    switch (draw.integer(0, 9)) {
        case 0:
            return;
        case 1:
        case 2: {
            const ShapeSketch slab{ShapeKind::kBox, Vec3(wide, wide, style.size), {}, {}};
            sketch.bodies.push_back(static_body(style, "ground", slab));
            sketch.bodies.back().pose.p.z() = -0.5 * style.size;
            break;
        }
        case 3: {
            const Vec3 bumpy(wide, wide, shortened(0.3 * style.size));
            const ShapeSketch field{ShapeKind::kHeightfield, bumpy, {}, {}};
            sketch.bodies.push_back(static_body(style, "ground", field));
            break;
        }
        default:
            sketch.bodies.push_back(
                static_body(style, "ground", {ShapeKind::kPlane, Vec3::Ones(), {}, {}}));
    }
    if (draw.chance(0.2)) add_walls(style, style.size * draw.pick({1.5, 3.0}), sketch);
}

// A paddle that moves through the scene, or turns in it.
void add_paddle(const Style& style, Draw& draw, SceneSketch& sketch) {
    const Vec3 size = style.size * Vec3(draw.uniform(0.3, 2), draw.uniform(0.3, 2), 0.3);
    BodySketch paddle = static_body(style, "paddle", {ShapeKind::kBox, shortened(size), {}, {}});
    paddle.kind = BodyKind::kKinematic;
    paddle.pose.p = shortened(Vec3(style.size * draw.in_box(Vec3(3, 3, 1))));
    paddle.twist.v = shortened(Vec3(draw.uniform(0, 1) * draw.direction()));
    if (draw.chance(0.5)) paddle.twist.w = shortened(Vec3(draw.uniform(0, 5) * draw.direction()));
    sketch.bodies.push_back(paddle);
}

using AddGroup = void (*)(const Style&, const GroupPlace&, Draw&, SceneSketch&);

// One to three groups, in one place or far apart: one island or several.
void add_groups(const Style& style, Draw& draw, SceneSketch& sketch) {
    const int groups = draw.pick({1, 1, 2, 3});
    const double apart = style.size * draw.pick({0.5, 3.0, 10.0});
    const int most = std::max(2, kMostBodies / groups);
    for (int g = 0; g < groups; ++g) {
        GroupPlace place;
        place.origin.x() = shortened(apart * (g - 0.5 * (groups - 1)));
        // Small groups are the ones whose failures are understood.
        place.bodies = std::max(1, draw.chance(0.5) ? draw.integer(1, 4) : draw.integer(1, most));
        const AddGroup add = draw.pick({&add_heap, &add_heap, &add_tower, &add_leaning,
                                        &add_linkage, &add_linkage, &add_press});
        add(style, place, draw, sketch);
    }
}

void draw_change(Draw& draw, SceneSketch& sketch) {
    if (!draw.chance(0.65)) return;
    Change change;
    change.step = sketch.steps / 2;
    change.model = name(random_model(draw));
    change.h = draw.chance(0.3) ? draw.pick({1e-3, 5e-3, 2e-2}) : sketch.step.h;
    change.friction = draw.chance(0.3) ? draw.pick({0.0, 0.5, 3.0}) : 1.0;
    sketch.change = change;
}

}  // namespace

SceneSketch random_scene(std::uint64_t seed) {
    Draw draw(seed);
    SceneSketch sketch;
    sketch.seed = seed;
    sketch.steps = draw.integer(kFewestSteps, kMostSteps);
    sketch.contact = random_model(draw);
    sketch.repeat = draw.chance(0.1) ? draw.integer(2, 3) : 1;
    sketch.step = random_step(draw);
    sketch.gravity = random_gravity(draw);
    const Style style = random_style(sketch.gravity.norm(), draw);
    add_ground(style, draw, sketch);
    add_groups(style, draw, sketch);
    if (draw.chance(0.15)) add_paddle(style, draw, sketch);
    draw_change(draw, sketch);
    return sketch;
}

}  // namespace stiction

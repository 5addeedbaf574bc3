// scene_picture_test.cpp - what of a snapshot is drawn where, how long and in which colour.
#include "view/scene_picture.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <numbers>

#include "model/mesh_surface.h"
#include "view/joint_marks.h"
#include "view/palette.h"

namespace stiction {
namespace {

bool equal(const Colour& a, const Colour& b) {
    return a.r == b.r && a.g == b.g && a.b == b.b && a.a == b.a;
}
bool same_hue(const Colour& a, const Colour& b) { return a.r == b.r && a.g == b.g && a.b == b.b; }

// A ground, a static wall, a box of two shapes, a ball, and contacts between them.
class ScenePicture : public ::testing::Test {
  protected:
    void SetUp() override {
        add_body("ground", BodyKind::kStatic, {0, 0, 0});
        add_geom(0, Plane{}, {0, 0, 0});
        add_body("wall", BodyKind::kStatic, {3, 0, 0});
        add_geom(1, Box{{0.1, 1, 1}}, {0, 0, 0});
        add_body("hammer", BodyKind::kDynamic, {0, 0, 0.5});
        add_geom(2, Box{{0.2, 0.1, 0.1}}, {0, 0, 0});
        add_geom(2, Cylinder{0.05, 0.3}, {0.1, 0, 0.4});
        add_body("ball", BodyKind::kDynamic, {1, 0, 0.2});
        add_geom(3, Sphere{0.2}, {0, 0, 0});
        model.materials.push_back({"default", {0.5, 0, 0}});
        finalize(model);
        snapshot.state.pose[2].q = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
        snapshot.stepped = true;
        meshes = make_scene_meshes(model, snapshot.state);
        options.forces = false;
        options.contacts = false;
    }

    void add_body(const std::string& name, BodyKind kind, const Vec3& p) {
        Body body;
        body.name = name;
        body.kind = kind;
        body.mass = kind == BodyKind::kDynamic ? 2 : 0;
        body.inertia_B = 0.01 * Mat3::Identity();
        model.bodies.push_back(body);
        snapshot.state.pose.push_back({p, Quat::Identity()});
        snapshot.state.twist.emplace_back();
    }
    void add_geom(int body, const Shape& shape, const Vec3& at) {
        Geom geom;
        geom.body = body;
        geom.shape = shape;
        geom.pose_BG.p = at;
        model.geoms.push_back(geom);
    }
    ShownContact& add_contact(int a, int b, ContactState state, const Vec3& normal_force,
                              const Vec3& friction_force) {
        ShownContact contact;
        contact.body_a = a;
        contact.body_b = b;
        contact.point = {0.1, 0.2, 0.3};
        contact.normal = Vec3::UnitZ();
        contact.normal_force = normal_force;
        contact.friction_force = friction_force;
        contact.state = state;
        contact.mu_c = 0.5;
        return snapshot.contacts.emplace_back(contact);
    }
    void fill() { fill_picture(model, meshes, snapshot, options, highlight, scale, picture); }

    Model model;
    Snapshot snapshot;
    SceneMeshes meshes;
    DrawOptions options;
    Highlight highlight;
    ForceScale scale;
    Picture picture;
};

TEST_F(ScenePicture, OneInstancePerShapeWhereTheShapeIs) {
    fill();
    ASSERT_EQ(picture.bodies.size(), 4U);
    ASSERT_EQ(picture.grounds.size(), 1U);  // the plane, and no floor besides it
    std::size_t at = 0;
    for (std::size_t g = 0; g < model.geoms.size(); ++g) {
        const Geom& geom = model.geoms[g];
        if (std::holds_alternative<Plane>(geom.shape)) continue;
        SCOPED_TRACE(name(geom.shape));
        const Instance& instance = picture.bodies[at++];
        const Pose pose = snapshot.state.pose[static_cast<std::size_t>(geom.body)] * geom.pose_BG;
        // Every corner of the mesh goes onto the surface of the shape.
        double furthest = 0;
        for (const Vec3f& corner :
             meshes.meshes[static_cast<std::size_t>(instance.mesh)].positions) {
            const Vec3 world =
                (instance.transform.leftCols<3>() * corner + instance.transform.col(3))
                    .cast<double>();
            furthest = std::max(furthest, (pose.inverse() * world).norm());
        }
        EXPECT_NEAR(furthest, bounding_radius(geom.shape), 1e-5);
        EXPECT_LT((instance.transform.col(3).cast<double>() - pose.p).norm(), 1e-6);
    }
}

TEST_F(ScenePicture, IsFilledAnew) {
    add_contact(3, 0, ContactState::kSticking, {0, 0, 20}, {1, 0, 0});
    options = {};
    options.cones = options.joints = options.centres = options.normals = true;
    fill();
    const Picture first = picture;
    fill();
    EXPECT_EQ(picture.bodies.size(), first.bodies.size());
    EXPECT_EQ(picture.grounds.size(), first.grounds.size());
    EXPECT_EQ(picture.arrows.size(), first.arrows.size());
    EXPECT_EQ(picture.dots.size(), first.dots.size());
    EXPECT_EQ(picture.lines.size(), first.lines.size());
    EXPECT_EQ(picture.cones.size(), first.cones.size());
}

TEST_F(ScenePicture, ColoursByKindSelectionAndIsland) {
    snapshot.island_of = {kNone, kNone, 4, kNone};
    fill();
    EXPECT_TRUE(equal(picture.bodies[0].colour, palette::kStatic));
    EXPECT_FALSE(equal(picture.bodies[1].colour, picture.bodies[3].colour));
    EXPECT_TRUE(equal(picture.bodies[1].colour, picture.bodies[2].colour));  // one body
    highlight.body = 2;
    fill();
    EXPECT_TRUE(equal(picture.bodies[1].colour, palette::kSelected));
    EXPECT_TRUE(equal(picture.bodies[2].colour, palette::kSelected));
    highlight.body = kNone;
    options.islands = true;
    fill();
    EXPECT_TRUE(equal(picture.bodies[1].colour, palette::turn(4)));
    EXPECT_TRUE(equal(picture.bodies[3].colour, palette::kGrey));
    EXPECT_TRUE(equal(picture.bodies[0].colour, palette::kStatic));
    options.transparent = true;
    fill();
    for (const Instance& instance : picture.bodies) EXPECT_LT(instance.colour.a, 1);
}

TEST_F(ScenePicture, ContactDotsHaveTheColourOfTheirState) {
    options.contacts = true;
    for (const ContactState state :
         {ContactState::kOpen, ContactState::kSticking, ContactState::kSliding})
        add_contact(3, 0, state, Vec3::Zero(), Vec3::Zero());
    fill();
    ASSERT_EQ(picture.dots.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_TRUE(equal(picture.dots[i].colour, palette::kContactStates[i])) << i;
        EXPECT_LT((picture.dots[i].at - Vec3f(0.1F, 0.2F, 0.3F)).norm(), 1e-6F);
    }
    options.contacts = false;
    fill();
    EXPECT_TRUE(picture.dots.empty());
    highlight.contact = 1;  // the one that is pointed at is marked anyway
    fill();
    EXPECT_EQ(picture.dots.size(), 1U);
}

TEST_F(ScenePicture, ArrowsAreProportionalToTheForces) {
    options.forces = true;
    add_contact(3, 0, ContactState::kSliding, {0, 0, 80}, {-20, 0, 0});
    add_contact(3, 0, ContactState::kSticking, {0, 0, 40}, {0, 10, 0});
    fill();
    ASSERT_EQ(picture.arrows.size(), 4U);
    EXPECT_NEAR(scale.newtons, 80, 1e-12);
    const double per_newton = scale.metres / scale.newtons;
    std::size_t i = 0;
    for (const ShownContact& contact : snapshot.contacts) {
        for (const Vec3& force : {contact.normal_force, contact.friction_force}) {
            const Arrow& arrow = picture.arrows[i++];
            EXPECT_LT((arrow.from.cast<double>() - contact.point).norm(), 1e-6);
            EXPECT_LT(((arrow.to - arrow.from).cast<double>() - per_newton * force).norm(), 1e-5);
        }
    }
    EXPECT_TRUE(equal(picture.arrows[0].colour, palette::kNormalForce));
    EXPECT_TRUE(equal(picture.arrows[1].colour, palette::kFrictionForce));
    options.force_scale = 0.5;
    fill();
    EXPECT_NEAR((picture.arrows[0].to - picture.arrows[0].from).norm(), 0.5 * scale.metres, 1e-5);
}

TEST_F(ScenePicture, ArrowsShowTheForceOnTheSelectedBody) {
    options.forces = true;
    add_contact(3, 2, ContactState::kSliding, {0, 0, 80}, {-40, 0, 0});
    const auto ends = [this] {
        return std::pair<Vec3f, Vec3f>(picture.arrows[0].to - picture.arrows[0].from,
                                       picture.arrows[1].to - picture.arrows[1].from);
    };
    fill();
    ASSERT_EQ(picture.arrows.size(), 2U);
    const auto on_a = ends();
    EXPECT_GT(on_a.first.z(), 0);
    highlight.body = 3;  // A
    fill();
    EXPECT_EQ(ends(), on_a);
    highlight.body = 2;  // B
    fill();
    EXPECT_LT((ends().first + on_a.first).norm(), 1e-6F);
    EXPECT_LT((ends().second + on_a.second).norm(), 1e-6F);
    highlight.body = 1;  // neither
    fill();
    EXPECT_EQ(ends(), on_a);
}

TEST_F(ScenePicture, TheForceScaleRisesAtOnceAndFallsSlowly) {
    options.forces = true;
    const auto step = [this] {
        ++snapshot.state.step;
        fill();
    };
    ShownContact& contact = add_contact(3, 0, ContactState::kSticking, {0, 0, 1000}, {0, 0, 0});
    step();
    EXPECT_NEAR(scale.newtons, 1000, 1e-9);
    contact.normal_force.z() = 100;
    step();
    EXPECT_LT(scale.newtons, 1000);
    EXPECT_GT(scale.newtons, 800);
    for (int i = 0; i < 200; ++i) step();
    EXPECT_NEAR(scale.newtons, 100, 1);
    // Forces of nothing at all do not become long arrows.
    contact.normal_force.z() = 1e-6;
    for (int i = 0; i < 300; ++i) step();
    EXPECT_GT(scale.newtons, 1);
    EXPECT_TRUE(picture.arrows.empty());
}

TEST_F(ScenePicture, TheForceScaleRestsWhilePausedAndWhereItIsHeld) {
    ShownContact& contact = add_contact(3, 0, ContactState::kSticking, {0, 0, 1000}, {0, 0, 0});
    fill();
    contact.normal_force.z() = 100;
    for (int i = 0; i < 100; ++i) fill();  // pictures of one and the same step
    EXPECT_EQ(scale.newtons, 1000);
    scale.pinned = true;
    contact.normal_force.z() = 1e6;
    ++snapshot.state.step;
    fill();
    EXPECT_EQ(scale.newtons, 1000);
}

// A force beyond all measure, of a step that was not solved, does not make the others vanish.
TEST_F(ScenePicture, AnOutlierDoesNotSetTheForceScale) {
    options.forces = true;
    for (int i = 0; i < 11; ++i) add_contact(3, 0, ContactState::kSticking, {0, 0, 50}, {0, 0, 0});
    add_contact(3, 0, ContactState::kSticking, {0, 0, 2.5e10}, {0, 0, 0});
    fill();
    EXPECT_LE(scale.newtons, 300);
    ASSERT_EQ(picture.arrows.size(), 12U);
    EXPECT_GT((picture.arrows[0].to - picture.arrows[0].from).norm(), 0.1 * scale.metres);
    const Arrow& cut = picture.arrows[11];
    EXPECT_NEAR((cut.to - cut.from).norm(), kLongestArrow * scale.metres, 1e-4);
    ASSERT_EQ(picture.dots.size(), 1U);  // which says that it was cut
    EXPECT_LT((picture.dots[0].at - cut.to).norm(), 1e-5F);
}

// Pieces that stand for a mesh are not drawn, the mesh is, where its body is.
TEST_F(ScenePicture, AVisualIsDrawnInPlaceOfHiddenShapes) {
    const auto surface =
        std::make_shared<const MeshSurface>(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                                            std::vector<std::array<int, 3>>{{0, 1, 2}});
    for (Geom& geom : model.geoms) geom.hidden = geom.body == 2;
    model.visuals.push_back({2, {Vec3(0, 0, 0.25), Quat::Identity()}, TriangleMesh{surface}});
    meshes = make_scene_meshes(model, snapshot.state);
    fill();
    ASSERT_EQ(picture.bodies.size(), 3U);  // wall, ball, mesh
    const Instance& drawn = picture.bodies.back();
    const Vec3 expected = snapshot.state.pose[2] * Vec3(0, 0, 0.25);
    EXPECT_LT((drawn.transform.col(3) - expected.cast<float>()).norm(), 1e-6F);
    EXPECT_EQ(meshes.meshes[at(drawn.mesh)].triangles.size(), 3U);
}

TEST_F(ScenePicture, TheGhostIsTranslucentAndElsewhere) {
    snapshot.ghost.emplace();
    snapshot.ghost->state = snapshot.state;
    snapshot.ghost->state.pose[3].p.x() += 0.5;
    fill();
    ASSERT_EQ(picture.bodies.size(), 4U + 3U);  // what cannot move has none
    int ghosts = 0;
    for (const Instance& instance : picture.bodies) {
        if (instance.colour.a == 1) continue;
        ++ghosts;
        EXPECT_LT(instance.colour.a, 0.6F);
    }
    EXPECT_EQ(ghosts, 3);
    const Instance& ball = picture.bodies[5];
    const Instance& shade = picture.bodies[6];
    EXPECT_EQ(ball.mesh, shade.mesh);
    EXPECT_NEAR(shade.transform(0, 3) - ball.transform(0, 3), 0.5, 1e-6);
}

TEST_F(ScenePicture, NormalsWhereTheyAreAskedFor) {
    add_contact(3, 0, ContactState::kSticking, {0, 0, 80}, {0, 0, 0});
    options.normals = true;
    fill();
    ASSERT_EQ(picture.arrows.size(), 1U);
    const Vec3f normal = picture.arrows[0].to - picture.arrows[0].from;
    EXPECT_LT((normal.normalized() - Vec3f::UnitZ()).norm(), 1e-6F);
}

// Distance of the end of the force from the axis, over that of the set's edge in its direction.
double ratio_to_edge(const Cone& set, const Vec3f& force) {
    const Vec3f z = set.axis.normalized();
    const double height = set.axis.norm();
    const Vec3f across = force - force.dot(z) * z;
    if (set.sides == 0) return across.norm() / (set.slope * height);
    const Vec3f x = set.corner.normalized(), y = z.cross(x);
    const double side = 2 * std::numbers::pi / set.sides;
    double angle = std::fmod(std::atan2(across.dot(y), across.dot(x)) + 4 * std::numbers::pi, side);
    angle -= 0.5 * side;
    return across.norm() * std::cos(angle) / (set.slope * height * std::cos(0.5 * side));
}

TEST_F(ScenePicture, TheFrictionSetIsThatOfTheModelWithTheForceInside) {
    const double mu = 0.5;
    add_contact(3, 0, ContactState::kSliding, {0, 0, 80}, {-mu * 80, 0, 0});
    add_contact(3, 0, ContactState::kOpen, {0, 0, 0}, {0, 0, 0});
    options.cones = true;
    const auto set_under = [this](const ContactModel& contact) -> const Cone* {
        snapshot.settings.contact = contact;
        snapshot.model = name(contact);
        fill();
        return picture.cones.empty() ? nullptr : picture.cones.data();
    };
    EXPECT_EQ(set_under(NoSlip{}), nullptr);
    EXPECT_EQ(set_under(Viscous{}), nullptr);
    for (const ContactModel& contact : {ContactModel(CoulombCone{}), ContactModel(MaxDissipation{}),
                                        ContactModel(CoulombLcp{.sides = 6}),
                                        ContactModel(CoulombLcp{}), ContactModel(FrictionBox{})}) {
        SCOPED_TRACE(name(contact));
        const Cone* set = set_under(contact);
        ASSERT_NE(set, nullptr);
        ASSERT_EQ(picture.cones.size(), 1U);  // an open contact has no force to bound
        const bool box = std::holds_alternative<FrictionBox>(contact);
        EXPECT_EQ(set->foot, box ? 1 : 0);
        const auto* lcp = std::get_if<CoulombLcp>(&contact);
        EXPECT_EQ(set->sides, box ? 4 : lcp != nullptr ? lcp->sides : 0);
        EXPECT_TRUE(same_hue(set->colour, palette::kContactStates[2]));
        ASSERT_EQ(picture.arrows.size(), 1U);
        const Vec3f force = picture.arrows[0].to - picture.arrows[0].from;
        // Along s, where polygon and box are as wide as the cone: it touches the edge of each.
        EXPECT_NEAR(ratio_to_edge(*set, force), 1, 1e-4);
        EXPECT_NEAR(force.z(), set->axis.z(), 1e-6);
    }
    // Across the diagonal the box bears sqrt(2) times the cone's friction, the square half that.
    snapshot.contacts[0].friction_force = Vec3(-1, 1, 0).normalized() * mu * 80;
    const Cone box = *set_under(FrictionBox{});
    EXPECT_NEAR(ratio_to_edge(box, picture.arrows[0].to - picture.arrows[0].from), std::sqrt(0.5),
                1e-4);
    const Cone square = *set_under(CoulombLcp{});
    EXPECT_NEAR(ratio_to_edge(square, picture.arrows[0].to - picture.arrows[0].from), std::sqrt(2),
                1e-4);
    snapshot.contacts[0].mu_c = 100;  // nearly a plane: bounded, so that it can be drawn
    EXPECT_LT(set_under(CoulombCone{})->slope, 10);
}

// The pale floor of scenes that have no ground is no floor: it goes when something falls past it.
TEST_F(ScenePicture, NoFalseFloorWhereThingsFall) {
    model.geoms.erase(model.geoms.begin());  // the plane
    meshes = make_scene_meshes(model, snapshot.state);
    fill();
    EXPECT_EQ(picture.grounds.size(), 1U);
    snapshot.state.pose[3].p.z() = -50;
    fill();
    EXPECT_TRUE(picture.grounds.empty());
}

TEST_F(ScenePicture, CentresAndTheSpringOfTheMouse) {
    options.centres = true;
    fill();
    EXPECT_EQ(picture.dots.size(), 2U);  // of the bodies that have a mass
    options.centres = false;
    DragView drag;
    drag.body = 3;
    drag.point = {1, 0, 0.4};
    drag.target = {1, 0, 0.9};
    snapshot.drag = drag;
    fill();
    ASSERT_EQ(picture.arrows.size(), 1U);
    EXPECT_LT((picture.arrows[0].from.cast<double>() - drag.point).norm(), 1e-6);
    EXPECT_LT((picture.arrows[0].to.cast<double>() - drag.target).norm(), 1e-6);
}

TEST_F(ScenePicture, TheExtentHoldsEverythingButPlanes) {
    const Extent all = extent(model, snapshot.state);
    for (const Geom& geom : model.geoms) {
        if (std::holds_alternative<Plane>(geom.shape)) continue;
        const Pose pose = snapshot.state.pose[static_cast<std::size_t>(geom.body)] * geom.pose_BG;
        EXPECT_LE((pose.p - all.centre).norm() + bounding_radius(geom.shape),
                  all.radius * (1 + 1e-12));
    }
    EXPECT_GT(extent(Model{}, State{}).radius, 0);
}

TEST_F(ScenePicture, EqualShapesShareAMesh) {
    add_body("twin", BodyKind::kDynamic, {2, 0, 0.2});
    add_geom(4, Sphere{0.35}, {0, 0, 0});
    add_geom(4, Capsule{0.1, 0.2}, {0, 0, 0});
    add_geom(4, Capsule{0.1, 0.2}, {1, 0, 0});
    add_geom(4, Capsule{0.1, 0.3}, {2, 0, 0});
    finalize(model);
    const SceneMeshes shared = make_scene_meshes(model, snapshot.state);
    EXPECT_EQ(shared.geoms[4].mesh, shared.geoms[5].mesh);    // a sphere is a scaled sphere,
    EXPECT_NE(shared.geoms[4].scale, shared.geoms[5].scale);  // a capsule is not
    EXPECT_EQ(shared.geoms[6].mesh, shared.geoms[7].mesh);
    EXPECT_NE(shared.geoms[6].mesh, shared.geoms[8].mesh);
    EXPECT_EQ(shared.geoms[0].mesh, kNone);
}

TEST_F(ScenePicture, JointMarks) {
    Joint hinge;
    hinge.kind = JointKind::kRevolute;
    hinge.child = 2;
    hinge.parent = 3;
    hinge.frame_C.p = {0, 0, 0.1};
    hinge.frame_P.p = {0, 0, 0.3};
    hinge.limited = true;
    hinge.lower = -0.5;
    hinge.upper = 1.0;
    Joint slide = hinge;
    slide.kind = JointKind::kPrismatic;
    slide.parent = kNone;
    Joint ball = hinge;
    ball.kind = JointKind::kSpherical;
    ball.limited = false;

    constexpr double kSize = 0.2;
    model.joints = {hinge};
    Picture marks;
    add_joint_marks(model, snapshot, kSize, marks);
    ASSERT_EQ(marks.arrows.size(), 3U);
    const Pose child = snapshot.state.pose[2] * hinge.frame_C;
    for (int k = 0; k < 3; ++k) {
        const Arrow& axis = marks.arrows[static_cast<std::size_t>(k)];
        EXPECT_LT((axis.from.cast<double>() - child.p).norm(), 1e-6);
        const Vec3 direction = (axis.to - axis.from).cast<double>().normalized();
        EXPECT_LT((direction - child.R().col(k)).norm(), 1e-5);
    }
    // The arc lies in the parent's plane and runs from one limit to the other.
    const Pose parent = snapshot.state.pose[3] * hinge.frame_P;
    ASSERT_FALSE(marks.lines.empty());
    double least = 10;
    double most = -10;
    for (const Line& line : marks.lines) {
        for (const Vec3f& end : {line.from, line.to}) {
            const Vec3 local = parent.inverse() * end.cast<double>();
            EXPECT_NEAR(local.z(), 0, 1e-6);
            if (local.norm() < 1e-6) continue;
            const double angle = std::atan2(local.y(), local.x());
            least = std::min(least, angle);
            most = std::max(most, angle);
        }
    }
    EXPECT_NEAR(least, hinge.lower, 1e-5);
    EXPECT_NEAR(most, hinge.upper, 1e-5);

    model.joints = {slide};
    marks = {};
    add_joint_marks(model, snapshot, kSize, marks);
    ASSERT_EQ(marks.lines.size(), 3U);
    EXPECT_NEAR(marks.lines[0].from.z(), 0.3 + slide.lower, 1e-6);  // from the world's frame
    EXPECT_NEAR(marks.lines[0].to.z(), 0.3 + slide.upper, 1e-6);

    model.joints = {ball};
    marks = {};
    add_joint_marks(model, snapshot, kSize, marks);
    EXPECT_EQ(marks.arrows.size(), 3U);
    EXPECT_TRUE(marks.lines.empty());
}

TEST_F(ScenePicture, PivotsAndFixedBases) {
    Joint hinge;
    hinge.kind = JointKind::kRevolute;
    hinge.child = 2;
    hinge.parent = 3;
    hinge.frame_C.p = {0, 0, 0.1};
    Joint ball = hinge;
    ball.kind = JointKind::kSpherical;
    Joint weld = hinge;
    weld.kind = JointKind::kFixed;
    weld.parent = kNone;
    Joint on_wall = hinge;
    on_wall.parent = 1;
    const auto marks_of = [&](const Joint& joint) {
        model.joints = {joint};
        Picture marks;
        add_pivots(model, snapshot.state, 0.2, marks);
        return marks;
    };
    const Vec3 place = snapshot.state.pose[2] * hinge.frame_C.p;
    const Picture turning = marks_of(hinge);
    ASSERT_EQ(turning.dots.size(), 1U);
    EXPECT_LT((turning.dots[0].at.cast<double>() - place).norm(), 1e-6);
    ASSERT_EQ(turning.lines.size(), 1U);
    const Vec3 axis = (turning.lines[0].to - turning.lines[0].from).cast<double>().normalized();
    EXPECT_NEAR(std::abs(axis.dot(snapshot.state.pose[2].R().col(2))), 1, 1e-5);
    EXPECT_TRUE(turning.cones.empty());
    EXPECT_TRUE(marks_of(ball).lines.empty());
    EXPECT_EQ(marks_of(ball).dots.size(), 1U);
    EXPECT_TRUE(marks_of(weld).dots.empty());
    EXPECT_EQ(marks_of(weld).cones.size(), 1U);
    EXPECT_EQ(marks_of(on_wall).cones.size(), 1U);
    on_wall.kind = JointKind::kPrismatic;  // runs along what holds it
    EXPECT_TRUE(marks_of(on_wall).cones.empty());
    EXPECT_EQ(marks_of(on_wall).lines.size(), 1U);
}

TEST(GridCell, IsAPowerOfTenThatSuitsTheDistance) {
    for (double distance = 0.01; distance < 1e4; distance *= 1.3) {
        const double cell = grid_cell(distance);
        EXPECT_NEAR(std::log10(cell), std::round(std::log10(cell)), 1e-5);
        EXPECT_GT(distance / cell, 2.4);
        EXPECT_LT(distance / cell, 26);
    }
}

}  // namespace
}  // namespace stiction

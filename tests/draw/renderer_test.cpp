// renderer_test.cpp - pictures drawn without a display: things are where and as they should be, and
// OpenGL has nothing to complain about.
#include "draw/renderer.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "draw/gl_debug.h"
#include "draw/offscreen.h"
#include "draw/shape_mesh.h"

namespace stiction {
namespace {

constexpr int kWidth = 320, kHeight = 240;
constexpr Colour kRed{0.85F, 0.2F, 0.15F, 1}, kGreen{0.1F, 0.9F, 0.2F, 1};
constexpr int kBox = 0, kSphere = 1;  // meshes

struct Pixel {
    int r = 0, g = 0, b = 0;
    [[nodiscard]] int sum() const { return r + g + b; }
};

Pixel at(const Image& image, int x, int y) {
    const auto i = 3 * static_cast<std::size_t>(y * image.width + x);
    return {image.rgb[i], image.rgb[i + 1], image.rgb[i + 2]};
}

// Where a point of the world falls on the picture, by the definition of a pinhole camera.
Pixel at(const Image& image, const Viewpoint& view, const Vec3f& point) {
    const Vec3f forward = (view.target - view.eye).normalized();
    const Vec3f right = forward.cross(view.up).normalized();
    const Vec3f up = right.cross(forward);
    const Vec3f d = point - view.eye;
    const float scale =
        static_cast<float>(image.height) / 2 / std::tan(view.field_of_view / 2) / d.dot(forward);
    return at(image, static_cast<int>(static_cast<float>(image.width) / 2 + scale * d.dot(right)),
              static_cast<int>(static_cast<float>(image.height) / 2 - scale * d.dot(up)));
}

Instance body(int mesh, const Vec3f& position, const Vec3f& scale, const Colour& colour) {
    Instance instance;
    instance.mesh = mesh;
    instance.transform.leftCols<3>() = scale.asDiagonal();
    instance.transform.col(3) = position;
    instance.colour = colour;
    return instance;
}

class RendererTest : public testing::Test {
  protected:
    RendererTest() {
        watch_gl_errors();
        renderer_.set_meshes({unit_box(), unit_sphere(Detail::kCoarse)});
        picture_.view.eye = {0.6F, -1.6F, 1.0F};
        picture_.view.target = {0, 0, 0.2F};
        picture_.grounds.emplace_back();
    }
    ~RendererTest() override { EXPECT_EQ(gl_error_count(), errors_before_); }

    const Image& draw() {
        renderer_.draw(picture_, kWidth, kHeight, buffer_.id());
        buffer_.read(image_);
        return image_;
    }
    Pixel seen(const Vec3f& point) { return at(draw(), picture_.view, point); }
    void add(int mesh, const Vec3f& position, const Vec3f& scale, const Colour& colour) {
        picture_.bodies.push_back(body(mesh, position, scale, colour));
    }

    OffscreenContext context_{true};
    int errors_before_ = gl_error_count();
    FrameBuffer buffer_{kWidth, kHeight};
    Renderer renderer_;
    Picture picture_;
    Image image_;
};

TEST_F(RendererTest, EmptyPictureIsSkyOverGround) {
    const Image& image = draw();
    const Pixel top = at(image, kWidth / 2, 0), bottom = at(image, kWidth / 2, kHeight - 1);
    EXPECT_GT(top.sum(), 450);
    EXPECT_GT(bottom.sum(), 450);
    EXPECT_NE(top.sum(), bottom.sum());
    picture_.view.target = {0.6F, 2, 2.2F};  // nothing but sky: bluer upwards
    const Image& sky = draw();
    EXPECT_LT(at(sky, kWidth / 2, 0).r, at(sky, kWidth / 2, kHeight - 1).r);
    EXPECT_GT(at(sky, kWidth / 2, 0).b, at(sky, kWidth / 2, 0).r);
}

TEST_F(RendererTest, RedBoxIsWhereItShouldBe) {
    const Vec3f place{0.3F, 0.1F, 0.15F};
    const Pixel without = seen(place);
    add(kBox, place, {0.1F, 0.1F, 0.15F}, kRed);
    const Pixel with = seen(place);
    EXPECT_LT(std::abs(without.r - without.g), 30);
    EXPECT_GT(with.r, 2 * with.g);
    EXPECT_GT(with.r, 2 * with.b);
    const Pixel beside = at(image_, picture_.view, {-0.3F, 0.1F, 0.15F});
    EXPECT_LT(std::abs(beside.r - beside.g), 30);
    const Image first = image_;
    EXPECT_EQ(draw().rgb, first.rgb);
}

// The light comes from (-0.42, -0.50, 0.95): the shadow of a box lies towards +x, +y.
TEST_F(RendererTest, ShadowDarkensTheGroundBesideTheBox) {
    picture_.grid = false;
    add(kBox, {0, 0, 0.2F}, {0.1F, 0.1F, 0.2F}, kRed);
    const Vec3f in_shadow{0.17F, 0.07F, 0}, in_light{-0.3F, -0.1F, 0};
    const Pixel dark = seen(in_shadow), light = seen(in_light);
    EXPECT_LT(dark.sum(), light.sum() - 90);
    EXPECT_GT(dark.sum(), light.sum() / 2);  // soft light: not black
    picture_.shadows = false;
    EXPECT_GT(seen(in_shadow).sum(), light.sum() - 60);
}

// On the side of the light, where no shadow falls, the box still hides part of the sky.
TEST_F(RendererTest, GroundIsDarkerWhereABodyStandsOnIt) {
    picture_.grid = false;
    const Vec3f close{-0.12F, -0.12F, 0}, away{-0.5F, -0.4F, 0};
    const Pixel free = seen(close);
    add(kBox, {0, 0, 0.1F}, {0.1F, 0.1F, 0.1F}, kRed);
    EXPECT_LT(seen(close).sum(), free.sum() - 6);
    EXPECT_NEAR(seen(away).sum(), free.sum(), 6);
    picture_.bodies[0].transform(2, 3) = 0.8F;  // high above: nothing left of it
    picture_.centre = {0, 0, 0.4F};
    EXPECT_NEAR(seen(close).sum(), free.sum(), 6);
}

TEST_F(RendererTest, TwoTonesShowHowABallTurns) {
    picture_.shadows = false;
    picture_.view.eye = {0, -2, 0.3F};
    picture_.view.target = {0, 0, 0.3F};
    add(kSphere, {0, 0, 0.3F}, {0.3F, 0.3F, 0.3F}, kRed);
    const Vec3f left{-0.1F, -0.2F, 0.4F}, right{0.1F, -0.2F, 0.4F};
    const Pixel plain_left = seen(left), plain_right = seen(right);
    picture_.bodies[0].two_tone = 0.5F;
    EXPECT_NEAR(seen(left).r, plain_left.r, 3);  // x y z > 0: the lighter octant
    EXPECT_LT(seen(right).r, plain_right.r - 30);
    picture_.bodies[0].transform.leftCols<3>() =
        0.3F * Eigen::AngleAxisf(1.5707963F, Vec3f::UnitZ()).toRotationMatrix();
    EXPECT_LT(seen(left).r, plain_left.r - 30);
    EXPECT_NEAR(seen(right).r, plain_right.r, 3);
}

TEST_F(RendererTest, TopOfABoxIsNotInItsOwnShadow) {
    picture_.radius = 4;  // a coarse map, where such faults show
    add(kBox, {0, 0, 0.1F}, {0.4F, 0.4F, 0.1F}, kRed);
    for (float x = -0.3F; x <= 0.3F; x += 0.05F) {
        const Pixel with = seen({x, 0.1F, 0.2F});
        picture_.shadows = false;
        EXPECT_NEAR(with.r, seen({x, 0.1F, 0.2F}).r, 3) << "x = " << x;
        picture_.shadows = true;
    }
}

TEST_F(RendererTest, MarksInsideABodyShineThroughDimmed) {
    add(kBox, {0, 0, 0.2F}, {0.2F, 0.2F, 0.2F}, kRed);
    const Vec3f inside{0, 0, 0.2F}, outside{-0.5F, 0, 0.2F};
    const Pixel plain = seen(inside);
    picture_.dots = {{inside, 0.05F, kGreen}, {outside, 0.05F, kGreen}};
    const Pixel hidden = seen(inside), open = seen(outside);
    EXPECT_GT(hidden.g, plain.g + 20);
    EXPECT_GT(open.g, hidden.g + 40);
    EXPECT_GT(hidden.r, open.r + 20);
}

TEST_F(RendererTest, DrawsEveryKindOfMark) {
    const Vec3f point{0, 0, 0.4F};
    const Pixel plain = seen(point);
    const auto greener = [&] {
        const Pixel p = seen(point);
        picture_.arrows.clear();
        picture_.lines.clear();
        picture_.cones.clear();
        return p.g - p.r > plain.g - plain.r + 40;
    };
    picture_.arrows = {{{0, 0, 0.1F}, {0, 0, 0.9F}, 0.03F, kGreen}};
    EXPECT_TRUE(greener());
    picture_.arrows = {{{0, 0, 0.1F}, {0, 0, 0.42F}, 0.03F, kGreen}};  // its head
    EXPECT_TRUE(greener());
    picture_.lines = {{{-0.1F, 0, 0.4F}, {0.1F, 0, 0.4F}, kGreen}};
    EXPECT_TRUE(greener());
    // A line that comes from behind the eye.
    picture_.lines = {{point + 3 * (picture_.view.eye - point), point, kGreen},
                      {{-2, -4, 2}, point - 0.1F * Vec3f{-2, -4, 1.6F}, kGreen}};
    EXPECT_TRUE(greener());
    picture_.cones = {{{0, 0, 0.3F}, {0, 0, 0.2F}, 0.5F, {0.1F, 0.9F, 0.2F, 0.5F}}};
    EXPECT_TRUE(greener());
    EXPECT_FALSE(greener());
}

TEST_F(RendererTest, TranslucentBodiesShowWhatIsBehindInAnyOrder) {
    add(kBox, {0, 0.4F, 0.2F}, {0.5F, 0.05F, 0.5F}, kGreen);
    const Vec3f front{0, -0.2F, 0.3F};
    const Pixel behind = seen(front);
    Colour glass = kRed;
    glass.a = 0.4F;
    const Colour blue{0.1F, 0.2F, 0.9F, 0.4F};
    add(kBox, front, {0.15F, 0.02F, 0.15F}, glass);
    const Pixel one = seen(front);
    EXPECT_GT(one.r, behind.r + 30);
    EXPECT_GT(one.g, 60);
    EXPECT_LT(one.g, behind.g - 20);
    add(kBox, {0, 0.1F, 0.3F}, {0.3F, 0.02F, 0.3F}, blue);
    const Pixel two = seen(front);
    std::swap(picture_.bodies[1], picture_.bodies[2]);
    const Pixel swapped = seen(front);
    EXPECT_EQ(two.r, swapped.r);
    EXPECT_EQ(two.b, swapped.b);
    EXPECT_GT(two.b, one.b + 20);
}

// A flattened ball and a tilted plate with the same normal at the same place look the same. Normals
// that scale like points would be 40 degrees off here.
TEST_F(RendererTest, NormalsAreRightForUnevenScaling) {
    picture_.shadows = false;
    picture_.grounds.clear();
    const Vec3f scale{0.4F, 0.4F, 0.1F};
    const Vec3f local = Vec3f(0.5F, -0.4F, 0.8F).normalized();
    const Vec3f point = scale.cwiseProduct(local);
    const Vec3f normal = local.cwiseQuotient(scale).normalized();
    add(kSphere, Vec3f::Zero(), scale, kRed);
    const Pixel ball = seen(point);
    Instance plate = body(kBox, point - 0.05F * normal, {1, 1, 1}, kRed);
    const Eigen::Quaternionf turn = Eigen::Quaternionf::FromTwoVectors(Vec3f::UnitZ(), normal);
    plate.transform.leftCols<3>() = turn.toRotationMatrix() * Vec3f(0.1F, 0.1F, 0.05F).asDiagonal();
    picture_.bodies = {plate};
    const Pixel flat = seen(point);
    EXPECT_NEAR(ball.r, flat.r, 6);
    EXPECT_NEAR(ball.g, flat.g, 6);
}

TEST_F(RendererTest, PileOfSpheresIsAHandfulOfCalls) {
    for (int i = 0; i < 1001; ++i) {
        const Vec3f place{0.05F * static_cast<float>(i % 10),
                          0.05F * static_cast<float>(i / 10 % 10),
                          0.05F * static_cast<float>(i / 100)};
        add(i % 2 == 0 ? kSphere : kBox, place, {0.02F, 0.02F, 0.02F}, kRed);
    }
    picture_.dots.resize(500);
    picture_.arrows.resize(500);
    draw();
    EXPECT_GE(renderer_.counts().instances, 2002);
    EXPECT_GE(renderer_.counts().triangles, 1001 * 12);
    EXPECT_LT(renderer_.counts().calls, 15);
}

TEST_F(RendererTest, FromBelowTheGroundHidesNothing) {
    add(kSphere, {0, 0, 0.3F}, {0.2F, 0.2F, 0.2F}, kRed);
    picture_.view.eye = {0.3F, -1, -0.8F};
    const Pixel p = seen({0, 0, 0.3F});
    EXPECT_GT(p.r, p.g + 40);
}

TEST_F(RendererTest, WireframeLeavesTheMiddleOfATriangleOpen) {
    const Vec3f middle{0.05F, -0.1F, 0.1F};  // of a triangle of the front side
    add(kBox, {0, 0, 0.2F}, {0.2F, 0.1F, 0.2F}, kRed);
    EXPECT_GT(seen(middle).r, 2 * seen(middle).g);
    picture_.wireframe = true;
    picture_.shadows = false;
    EXPECT_LT(std::abs(seen(middle).r - seen(middle).g), 40);
    int red = 0;
    for (int i = 0; i < kWidth * kHeight; ++i) {
        const Pixel p = at(image_, i % kWidth, i / kWidth);
        if (p.r > 2 * p.g) ++red;
    }
    EXPECT_GT(red, 100);
}

TEST_F(RendererTest, LeavesOutWhatCannotBeDrawn) {
    const Image empty = draw();
    add(7, {0, 0, 0.2F}, {1, 1, 1}, kRed);
    add(-1, {0, 0, 0.2F}, {1, 1, 1}, kRed);
    add(kBox, {0, 0, NAN}, {1, 1, 1}, kRed);
    add(kBox, {0, 0, 0.2F}, {1, 1, 1}, {1, 0, 0, 0});
    EXPECT_EQ(draw().rgb, empty.rgb);
    renderer_.draw(picture_, 0, 0, buffer_.id());
    renderer_.set_meshes({});
    EXPECT_EQ(draw().rgb, empty.rgb);
}

TEST_F(RendererTest, MultisampledEdgesAreSmooth) {
    picture_.grid = picture_.shadows = false;
    add(kBox, {0, 0, 0.2F}, {0.2F, 0.1F, 0.2F}, kRed);
    const Image plain = draw();
    FrameBuffer smooth(kWidth, kHeight, 4);
    Image image;
    renderer_.draw(picture_, kWidth, kHeight, smooth.id());
    smooth.read(image);
    const auto between = [](const Image& picture) {  // neither body nor ground
        int count = 0;
        for (int i = 0; i < kWidth * kHeight; ++i) {
            const Pixel p = at(picture, i % kWidth, i / kWidth);
            const double tint = static_cast<double>(p.g) / p.r;
            if (tint > 0.55 && tint < 0.9) ++count;
        }
        return count;
    };
    EXPECT_LT(between(plain), 10);
    EXPECT_GT(between(image), 100);
    // Drawn upon after it was resolved (panels): that is what is read.
    renderer_.draw(picture_, kWidth, kHeight, smooth.id());
    smooth.resolve();
    renderer_.draw(Picture{}, kWidth, kHeight, smooth.resolved());
    smooth.read(image);
    EXPECT_EQ(between(image), 0);
}

}  // namespace
}  // namespace stiction

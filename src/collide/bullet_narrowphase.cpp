// bullet_narrowphase.cpp - calls Bullet's algorithms and names what they report.
#include "collide/bullet_narrowphase.h"

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "collide/bullet_shapes.h"
#include "collide/feature_id.h"

namespace stiction {
namespace {

// Of convex polyhedra on planes: so many turned poses find all corners of a box's face.
constexpr int kPlanePoses = 8, kPlanePoints = 4;
// Two boxes are pushed into one another by so much of the least half extent, and so see points of a
// face that are nearly as deep as the deepest.
constexpr double kPushedIn = 1e-2;
constexpr double kSameGap = 1e-5;     // of it: by so much the gap along another axis may be less
constexpr double kUnit = 1e-6;        // |n|^2 - 1 of a normal that counts as one
constexpr double kSamePlace = 1e-6;   // of the shape's size: points of neighbouring triangles
constexpr double kSameNormal = 1e-9;  // |n - n'|^2

constexpr double kOffMiddle = 0.1371;  // of a half extent: no simple fraction

struct BulletPoint {
    Vec3 p_B;  // relative to the origin of B [m]
    Vec3 n;
    double phi;       // [m]
    int part, index;  // of B's triangle, -1 without
    double rank = 0;  // names are given from the least on [m]
};

// Collects what an algorithm reports.
class PointList final : public btManifoldResult {
  public:
    PointList(const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b, double margin,
              std::vector<BulletPoint>& points)
        : btManifoldResult(a, b), points_(points) {
        m_partId0 = m_partId1 = m_index0 = m_index1 = -1;
        m_closestPointDistanceThreshold = margin;
    }
    void addContactPoint(const btVector3& n, const btVector3& p, btScalar depth) override {
        points_.push_back(
            {{p.x(), p.y(), p.z()}, {n.x(), n.y(), n.z()}, depth, m_partId1, m_index1});
    }

  private:
    std::vector<BulletPoint>& points_;
};

// Bullet's, without persistent manifolds: algorithms that ask for one get the same empty one, from
// which they read up to which gap points are to be reported.
class Dispatcher final : public btCollisionDispatcher {
  public:
    using btCollisionDispatcher::btCollisionDispatcher;
    btPersistentManifold* getNewManifold(const btCollisionObject* a,
                                         const btCollisionObject* b) override {
        manifold.setBodies(a, b);
        return &manifold;
    }
    void releaseManifold(btPersistentManifold* /*manifold*/) override {}

    btPersistentManifold manifold;
};

bool usable(const BulletPoint& point, double margin) {
    return point.phi <= margin && std::isfinite(point.phi) && point.p_B.allFinite() &&
           std::abs(point.n.squaredNorm() - 1) <= kUnit;
}

// Over triangles the deepest comes first, and keeps its name while they pass below. Points of two
// convex shapes may all be as deep: they come in the order of their places on A along a direction
// in which hardly any two places are level, which rounding does not disturb.
double rank_of(const BulletPoint& point, const WorldGeom& a, const Vec3& origin) {
    if (point.index >= 0) return point.phi;
    const Vec3 kAskew(0.36, 0.59, 0.72);
    return (a.R * kAskew).dot(point.p_B + origin - a.p);
}

// A total order of what was found, whatever the order in which Bullet walks.
bool before(const BulletPoint& x, const BulletPoint& y) {
    return std::tie(x.rank, x.phi, x.part, x.index, x.p_B.x(), x.p_B.y(), x.p_B.z()) <
           std::tie(y.rank, y.phi, y.part, y.index, y.p_B.x(), y.p_B.y(), y.p_B.z());
}

std::vector<BulletPoint>::const_iterator deepest(const std::vector<BulletPoint>& points) {
    return std::min_element(
        points.begin(), points.end(),
        [](const BulletPoint& x, const BulletPoint& y) { return x.phi < y.phi; });
}

// The corner, or the end, that a point of the shape is near to. Of a box the regions of the corners
// part beside its middle: there, where halves of bricks end, rounding would rename points.
std::uint32_t corner_label(const WorldGeom& g, const Vec3& p) {
    const Vec3 x = g.R.transpose() * (p - g.p);
    switch (g.kind) {
        case ShapeKind::kBox:
        case ShapeKind::kRoundedBox:
            return (x.x() > kOffMiddle * g.half.x() ? 1U : 0U) |
                   (x.y() > kOffMiddle * g.half.y() ? 2U : 0U) |
                   (x.z() > kOffMiddle * g.half.z() ? 4U : 0U);
        case ShapeKind::kCapsule:
        case ShapeKind::kCylinder:
        case ShapeKind::kCone:
            if (std::abs(x.z()) < 0.5 * g.length) return kSingle;
            return x.z() < 0 ? kLowEnd : kHighEnd;
        case ShapeKind::kHull: {
            const auto& corners = g.hull->vertices;
            const auto nearest =
                std::min_element(corners.begin(), corners.end(), [&](const Vec3& u, const Vec3& v) {
                    return (u - x).squaredNorm() < (v - x).squaredNorm();
                });
            return static_cast<std::uint32_t>(nearest - corners.begin()) % (1U << kLabelBits);
        }
        default:
            return 0;
    }
}

// 16 bits of a triangle's name, never 0.
std::uint32_t triangle_tag(int part, int index) {
    std::uint64_t key = static_cast<std::uint64_t>(static_cast<std::uint32_t>(part)) << 32 |
                        static_cast<std::uint32_t>(index);
    key = (key ^ (key >> 31)) * 0x9e3779b97f4a7c15ULL;
    return static_cast<std::uint32_t>(key >> 48) | 1U;
}

bool is_named(const Manifold& m, std::uint32_t id) {
    return std::any_of(m.points.begin(), m.points.begin() + m.count,
                       [id](const ManifoldPoint& point) { return point.feature == id; });
}

// An id that no point of the manifold has. Of the points with the same labels the first is named by
// them alone.
std::uint32_t free_id(const Manifold& m, const BulletPoint& point, std::uint32_t label_a,
                      std::uint32_t label_b) {
    std::uint32_t tag = 0;
    while (is_named(m, feature_id(tag, label_a, label_b)))
        tag = tag == 0 && point.index >= 0 ? triangle_tag(point.part, point.index) : tag + 1;
    return feature_id(tag, label_a, label_b);
}

bool is_there(const Manifold& m, const Vec3& p_B, const Vec3& n, double size) {
    const double near = kSamePlace * size;
    return std::any_of(m.points.begin(), m.points.begin() + m.count,
                       [&](const ManifoldPoint& point) {
                           return (point.p_B - p_B).squaredNorm() <= near * near &&
                                  (point.n - n).squaredNorm() <= kSameNormal;
                       });
}

btTransform placed(const WorldGeom& g, const Vec3& origin) {
    const Mat3& R = g.R;
    const Vec3 p = g.p - origin;
    const btMatrix3x3 basis(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1),
                            R(2, 2));
    return btTransform(basis, btVector3(p.x(), p.y(), p.z()));
}

// One algorithm runs at a time, or two where one of them walks over triangles; no manifold is kept.
btDefaultCollisionConstructionInfo small_pools() {
    btDefaultCollisionConstructionInfo info;
    info.m_defaultMaxPersistentManifoldPoolSize = 1;
    info.m_defaultMaxCollisionAlgorithmPoolSize = 4;
    return info;
}

}  // namespace

struct BulletNarrowphase::Impl {
    Impl() : configuration(small_pools()), dispatcher(&configuration) {
        configuration.setPlaneConvexMultipointIterations(kPlanePoses, kPlanePoints);
    }
    bool ask(const btCollisionObjectWrapper& a, const btCollisionObjectWrapper& b, double margin,
             ebtDispatcherQueryType type = BT_CONTACT_POINT_ALGORITHMS);
    bool ask_boxes(const WorldGeom& box_a, const WorldGeom& box_b,
                   const btCollisionObjectWrapper& a, const btCollisionObjectWrapper& b,
                   double margin, btCollisionObject& object_a);

    btDefaultCollisionConfiguration configuration;
    Dispatcher dispatcher;
    btDispatcherInfo info;
    std::vector<std::unique_ptr<BulletObject>> objects;  // per geom
    std::vector<BulletPoint> found, found_first;
};

// The algorithm comes from Bullet's pool and goes back there: nothing is kept.
bool BulletNarrowphase::Impl::ask(const btCollisionObjectWrapper& a,
                                  const btCollisionObjectWrapper& b, double margin,
                                  ebtDispatcherQueryType type) {
    dispatcher.manifold.setContactBreakingThreshold(margin);
    btCollisionAlgorithm* algorithm = dispatcher.findAlgorithm(&a, &b, nullptr, type);
    if (algorithm == nullptr) return false;
    PointList points(&a, &b, margin, found);
    algorithm->processCollision(&a, &b, info, &points);
    algorithm->~btCollisionAlgorithm();
    dispatcher.freeCollisionAlgorithm(algorithm);
    return true;
}

// Bullet's algorithm for boxes reports points that overlap. It is asked for the axis, or where the
// boxes are apart the closest-point algorithm is; then again with A pushed into B along that axis,
// for all points of a face. The push is taken off the gaps. Boxes are as far apart as along the
// axis that shows the largest gap: another axis than the first is as good if its gap is as large,
// and better where GJK, at a gap of rounding, has found none.
bool BulletNarrowphase::Impl::ask_boxes(const WorldGeom& box_a, const WorldGeom& box_b,
                                        const btCollisionObjectWrapper& a,
                                        const btCollisionObjectWrapper& b, double margin,
                                        btCollisionObject& object_a) {
    if (!ask(a, b, margin)) return false;
    if (found.empty()) ask(a, b, margin, BT_CLOSEST_POINT_ALGORITHMS);
    const auto first = deepest(found);
    if (first == found.end() || !usable(*first, margin)) return true;
    const Vec3 n = first->n;
    const double gap = first->phi, least = std::min(box_a.half.minCoeff(), box_b.half.minCoeff());
    const double push = std::max(0.0, gap) + kPushedIn * least;
    object_a.setWorldTransform(placed(box_a, box_b.p + push * n));
    found_first.swap(found);
    found.clear();
    ask(a, b, margin);
    for (BulletPoint& point : found) point.phi += push * n.dot(point.n);
    const auto second = deepest(found);
    if (second == found.end() || second->phi < gap - kSameGap * least) found.swap(found_first);
    return true;
}

BulletNarrowphase::BulletNarrowphase(const std::vector<WorldGeom>& geoms)
    : impl_(std::make_unique<Impl>()) {
    for (const WorldGeom& geom : geoms)
        impl_->objects.push_back(std::make_unique<BulletObject>(geom));
}

BulletNarrowphase::~BulletNarrowphase() = default;

bool BulletNarrowphase::collide(int i, int j, const WorldGeom& a, const WorldGeom& b, double margin,
                                Manifold& m) {
    btCollisionObject& object_a = impl_->objects[at(i)]->object;
    btCollisionObject& object_b = impl_->objects[at(j)]->object;
    object_a.setWorldTransform(placed(a, b.p));  // far from the world's origin digits would be lost
    object_b.setWorldTransform(placed(b, b.p));
    const btCollisionObjectWrapper wrap_a(nullptr, object_a.getCollisionShape(), &object_a,
                                          object_a.getWorldTransform(), -1, -1);
    const btCollisionObjectWrapper wrap_b(nullptr, object_b.getCollisionShape(), &object_b,
                                          object_b.getWorldTransform(), -1, -1);
    std::vector<BulletPoint>& found = impl_->found;
    found.clear();
    const bool boxes = a.kind == ShapeKind::kBox && b.kind == ShapeKind::kBox;
    if (boxes ? !impl_->ask_boxes(a, b, wrap_a, wrap_b, margin, object_a)
              : !impl_->ask(wrap_a, wrap_b, margin))
        return false;
    std::erase_if(found, [margin](const BulletPoint& point) { return !usable(point, margin); });
    for (BulletPoint& point : found) point.rank = rank_of(point, a, b.p);
    std::sort(found.begin(), found.end(), before);
    const int first = m.count;
    for (const BulletPoint& point : found) {
        if (m.count == Manifold::kCapacity) break;
        const Vec3 n = point.n.normalized(), p_B = b.p + point.p_B, p_A = p_B + point.phi * n;
        if (is_there(m, p_B, n, a.size)) continue;
        const std::uint32_t id = free_id(m, point, corner_label(a, p_A), corner_label(b, p_B));
        m.add_on_B(p_B, n, point.phi, id);
    }
    if (m.count == first + 1) m.points[at(first)].feature = 0;  // keeps its name where it slides
    return true;
}

}  // namespace stiction

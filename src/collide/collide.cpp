// collide.cpp - Model, State -> ContactSet: places the geoms, updates the broadphase, calls the
// pair functions or Bullet.
//
// Look-ahead of a pair: h (|v_A - v_B| + |w_A| r_A + |w_B| r_B) + g h^2 + slack, an upper bound of
// what a gap can close in one step at the present velocities; r is the distance from a body's
// centre of mass to its geom's furthest point.
// One of the two may hit a third body in the step: bodies that fall together have no relative
// velocity until the lower one stops. Gaps beyond the look-ahead are therefore reported where they
// close once the other body stands still, or has rebounded: with -v_A . n + eps max(0, -v_B . n),
// or v_B . n + eps max(0, v_A . n), in place of |v_A - v_B|. That needs the normal, so it is asked
// of the points found; otherwise bodies that fall side by side would be contacts. Those may still
// be knocked aside into each other: off a third body, without friction, with at most (1 + eps)/2
// of their speed. And a fast body within reach of one of the two may hit it, or one that joints
// link to it drag it along: a foot that was stopped just above the ground is driven on by its leg.
// Gaps that this closes count too, up to a tenth of the smaller body.
#include "collide/collide.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "collide/ahead.h"
#include "collide/broadphase.h"
#include "collide/bullet_narrowphase.h"
#include "collide/coincident.h"
#include "collide/feature_id.h"
#include "collide/gjk.h"
#include "core/error.h"
#include "core/thread_pool.h"
#include "model/height_grid.h"
#include "model/mesh_surface.h"

namespace stiction {
namespace {

static_assert(kMaxContactCopies <= 1 << (32 - kCopyShift));  // they have the bits above

constexpr int kRings = 2;             // of neighbours that pass a knock on in one step
constexpr double kAside = 0.1;        // of the smaller body's radius, see knocked_aside
constexpr double kSolidBelow = 0.25;  // of a heightfield's longer side: see ground_box
// Of the smallest geom's least half width: resting contacts, whose gaps are of either sign and far
// smaller, are found in every step.
constexpr double kRelativeSlack = 1e-3;
// Of two coincident shapes' sizes: far above what tells one face or edge from another, far below
// anything that shows.
constexpr double kPartingShift = 1e-6;
// Pairs, bodies and copies of what parts found that a thread takes at a time: some ten microseconds
// of work.
constexpr int kPairsPerPart = 128;
constexpr int kBodiesPerPart = 256;
constexpr int kPartsCopied = 8;
// What two threads write to stands so far apart: two lines of the cache, which some processors fetch
// together.
constexpr std::size_t kOwnLines = 128;

// A heightfield is solid below its surface: what has got below its lowest point is still pushed up.
Aabb ground_box(const HeightGrid& grid) {
    const Eigen::AlignedBox3d& box = grid.box();
    const double below = kSolidBelow * std::max(box.sizes().x(), box.sizes().y());
    return {box.min() - below * Vec3::UnitZ(), box.max()};
}

// Box around the shape in its own frame.
Aabb local_box(const Shape& shape) {
    const auto symmetric = [](const Vec3& half) { return Aabb{-half, half}; };
    if (const auto* s = std::get_if<Sphere>(&shape)) return symmetric(Vec3::Constant(s->radius));
    if (const auto* b = std::get_if<Box>(&shape)) return symmetric(b->half);
    if (const auto* c = std::get_if<Capsule>(&shape))
        return symmetric({c->radius, c->radius, c->half_length + c->radius});
    if (const auto* c = std::get_if<Cylinder>(&shape))
        return symmetric({c->radius, c->radius, c->half_length});
    if (const auto* c = std::get_if<Cone>(&shape))
        return symmetric({c->radius, c->radius, c->half_length});
    if (const auto* e = std::get_if<Ellipsoid>(&shape)) return symmetric(e->half);
    if (const auto* b = std::get_if<RoundedBox>(&shape)) return symmetric(b->half);
    if (const auto* h = std::get_if<Hull>(&shape)) {
        Aabb box{h->vertices.front(), h->vertices.front()};
        for (const Vec3& v : h->vertices) box = {box.lo.cwiseMin(v), box.hi.cwiseMax(v)};
        return box;
    }
    if (const auto* f = std::get_if<Heightfield>(&shape)) return ground_box(*f->grid);
    if (const auto* m = std::get_if<TriangleMesh>(&shape))
        return {m->surface->box().min(), m->surface->box().max()};
    return symmetric(Vec3::Constant(std::numeric_limits<double>::infinity()));
}

// Of a ball around the shape's origin that holds its box where that is larger than the shape.
double ball_radius(const Shape& shape, const Aabb& box) {
    if (!std::holds_alternative<Heightfield>(shape)) return bounding_radius(shape);
    return box.lo.cwiseAbs().cwiseMax(box.hi.cwiseAbs()).norm();
}

WorldGeom make_world_geom(const Shape& shape) {
    WorldGeom g;
    g.kind = static_cast<ShapeKind>(shape.index());
    if (const auto* s = std::get_if<Sphere>(&shape)) g.radius = s->radius;
    if (const auto* b = std::get_if<Box>(&shape)) g.half = b->half;
    if (const auto* c = std::get_if<Capsule>(&shape)) {
        g.radius = c->radius;
        g.length = c->half_length;
    }
    if (const auto* c = std::get_if<Cylinder>(&shape)) {
        g.radius = c->radius;
        g.length = c->half_length;
    }
    if (const auto* c = std::get_if<Cone>(&shape)) {
        g.radius = c->radius;
        g.length = c->half_length;
    }
    if (const auto* e = std::get_if<Ellipsoid>(&shape)) g.half = e->half;
    if (const auto* b = std::get_if<RoundedBox>(&shape)) {
        g.half = b->core();
        g.edge_radius = b->radius;
    }
    if (const auto* f = std::get_if<Heightfield>(&shape)) g.grid = f->grid.get();
    if (const auto* m = std::get_if<TriangleMesh>(&shape)) g.mesh = m->surface.get();
    const Aabb box = local_box(shape);
    g.size = 0.5 * (box.hi - box.lo).sum();
    return g;
}

// What stays fixed about a geom, beside the shape itself.
struct GeomInfo {
    int body;
    Mat3 R_BG;
    Vec3 p_BG;
    bool at_centre;   // pose_BG is the identity
    Vec3 box_centre;  // of the box around the shape, in its own frame [m]
    Vec3 box_half;    // [m]
    double ball;      // bounding radius of the shape around its own origin [m]
    double arm;       // distance of its furthest point from the body's centre of mass [m]
};

// Ball that holds what a geom can reach in the step; a plane's has the reach alone.
struct ReachBall {
    Vec3 p = Vec3::Zero();  // [m]
    double radius = 0;      // [m]
};

// A body as of the last call, and what its motion comes to.
struct BodyCache {
    Pose pose;
    Twist twist;
    double spin = 0;            // [rad/s]
    Mat3 R = Mat3::Identity();  // of the pose
    bool valid = false;
};

struct NearPair {
    int pair;  // its number in the broadphase
    int body_a, body_b;
};

// What passes from body to body in find_knocks, apart from all else: it is read for every pair.
struct BodyPace {
    double speed = 0;  // [m/s]
    double near = 0;   // of the fastest body that may knock it or drag it along [m/s]
    double knock = 0;  // the part of near that its bounds hold
    bool dynamic = false;
    bool left = false;  // some geom's bounds are out of its leaf of the broadphase
};

// What some thread has met; most write nothing.
class Flag {
  public:
    void clear() { flag_.store(false, std::memory_order_relaxed); }
    void set() {
        if (!is_set()) flag_.store(true, std::memory_order_relaxed);
    }
    [[nodiscard]] bool is_set() const { return flag_.load(std::memory_order_relaxed); }

  private:
    std::atomic<bool> flag_{false};
};

// Dynamic bodies that joints link, a group each; single bodies are left out.
std::vector<std::vector<int>> linked_bodies(const Model& model) {
    std::vector<int> group(model.bodies.size());
    std::iota(group.begin(), group.end(), 0);
    const auto root = [&](int b) {
        while (group[at(b)] != b) b = group[at(b)];
        return b;
    };
    const auto dynamic = [&](int b) {
        return b != kNone && model.bodies[at(b)].kind == BodyKind::kDynamic;
    };
    for (const Joint& joint : model.joints) {
        if (!dynamic(joint.child) || !dynamic(joint.parent)) continue;
        const auto [least, other] = std::minmax({root(joint.child), root(joint.parent)});
        group[at(other)] = least;
    }
    std::vector<std::vector<int>> members(model.bodies.size());
    for (int b = 0; b < static_cast<int>(group.size()); ++b) {
        members[at(root(b))].push_back(b);
    }
    std::erase_if(members, [](const auto& bodies) { return bodies.size() < 2; });
    return members;
}

void collide_pair(const GeomPair& pair, const WorldGeom& a, const WorldGeom& b, double margin,
                  Manifold& m) {
    if (pair.swapped) {
        pair.function(b, a, margin, m);
        swap_roles(m);
    } else {
        pair.function(a, b, margin, m);
    }
}

bool is_convex(ShapeKind kind) { return kind >= ShapeKind::kSphere && kind <= ShapeKind::kHull; }

bool centres_coincide(const WorldGeom& a, const WorldGeom& b) {
    const double tiny = kCoincident * (a.size + b.size);
    return (a.p - b.p).squaredNorm() <= tiny * tiny && is_convex(a.kind) && is_convex(b.kind);
}

// Two shapes around one centre: as if A were a little way off along their parting, which settles
// every choice that their positions leave open; gaps are those without it.
void collide_coincident(const GeomPair& pair, const WorldGeom& a, const WorldGeom& b, double margin,
                        Manifold& m) {
    const Vec3 shift = kPartingShift * (a.size + b.size) * parting(a, b);
    WorldGeom aside = a;
    aside.p += shift;
    collide_pair(pair, aside, b, margin, m);
    for (int i = 0; i < m.count; ++i) {
        ManifoldPoint& point = m.points[at(i)];
        point.phi -= point.n.dot(shift);
        point.p_A = point.p_B + point.phi * point.n;
    }
}

bool same(const Pose& a, const Pose& b) { return a.p == b.p && a.q.coeffs() == b.q.coeffs(); }
bool same(const Twist& a, const Twist& b) { return a.v == b.v && a.w == b.w; }

int parts_of(int count, int size) { return (count + size - 1) / size; }

// Calls act(begin, end, part, worker) for every `size` of `count`, on the pool if there is one.
template <typename Act>
void for_each_part(ThreadPool* pool, int count, int size, const Act& act) {
    const int parts = parts_of(count, size);
    const auto one = [&](int part, int worker) {
        act(part * size, std::min(count, (part + 1) * size), part, worker);
    };
    if (pool != nullptr && parts > 1) {
        pool->for_each(parts, [&](int part, int worker) { one(part, worker); });
    } else {
        for (int part = 0; part < parts; ++part) one(part, 0);
    }
}

}  // namespace

struct Narrowphase::Impl {
    Impl(const Model& model, const CollisionSettings& settings);

    void place(std::size_t b);
    void update_body(std::size_t b, const State& state, bool new_step);
    void update_bodies(const State& state, double h, ThreadPool* pool);
    void update_broadphase();
    // Some pairs that follow one another, and what a thread finds of them.
    struct alignas(kOwnLines) Part {
        std::vector<NearPair> near;  // those within reach
        std::vector<Contact> contacts;
        int bullet_pairs = 0;
        std::ptrdiff_t first = 0;  // place of its contacts among all
    };
    template <typename Act>
    void for_each_pairs_part(ThreadPool* pool, const Act& act);
    void list_near(int begin, int end, Part& part) const;
    void search(NarrowphaseKind kind, Manifold& manifold, Part& part) const;
    void search_parts(NarrowphaseKind kind, bool listed, ThreadPool* pool, ContactSet& set);
    void put_together(ThreadPool* pool, ContactSet& set);
    bool find_contacts(const GeomPair& pair, double margin, NarrowphaseKind kind,
                       Manifold& manifold) const;
    void look_at_end_of_step(const GeomPair& pair, Manifold& manifold) const;
    void add_contacts(const GeomPair& pair, const Manifold& manifold,
                      std::vector<Contact>& contacts) const;
    [[nodiscard]] bool apart(const GeomPair& pair) const;
    [[nodiscard]] double look_ahead(const GeomPair& pair) const;
    [[nodiscard]] double look_further(const GeomPair& pair, double margin) const;
    [[nodiscard]] double knocked_aside(const GeomPair& pair) const;
    void set_bounds(std::size_t b, double knock);
    void find_knocks(ThreadPool* pool);
    void pass_knocks_on();
    void grow_bounds(ThreadPool* pool);
    void drop_unreached(const GeomPair& pair, double margin, Manifold& manifold) const;

    std::vector<GeomInfo> info;
    std::vector<WorldGeom> geoms;
    std::vector<Aabb> tight, bounds;  // at the present poses; and with what can move in a step
    std::vector<ReachBall>
        balls;  // around bounds, roughly: rejects most pairs that have no contact
    std::vector<std::unique_ptr<const Hull>> hulls;
    std::vector<Shape> grounds;  // keep what heightfields and meshes share with the model
    std::vector<ConvexPtr> convexes;
    std::vector<std::vector<int>> geoms_of;  // per body
    std::vector<BodyCache> bodies;
    std::vector<BodyPace> paces;           // per body
    std::vector<std::vector<int>> linked;  // bodies, a group for those that joints link
    std::vector<int> changed;
    Broadphase broadphase;
    std::unique_ptr<BulletNarrowphase> bullet;  // once asked for
    struct alignas(kOwnLines) Scratch {
        Manifold manifold;
    };
    std::vector<Scratch> scratch;  // per thread
    std::vector<Part> parts;
    int used = 0;        // of the parts
    Flag any_fast;       // some body is
    Flag any_left;       // some body's is set
    Flag any_knock;      // some bounds hold one
    double slow = 0;     // [m/s]: what goes no faster does not knock others
    double slack = 0;    // [m]
    double gravity = 0;  // [m/s^2], of the body that feels it most
    double rebound = 0;  // largest coefficient of restitution
    double h = -1;       // of the last call [s]
    double fall = 0;     // g h^2 [m]
    int copies = 1;
};

Narrowphase::Impl::Impl(const Model& model, const CollisionSettings& settings)
    : geoms_of(model.bodies.size()),
      bodies(model.bodies.size()),
      linked(linked_bodies(model)),
      broadphase(model),
      scratch(1) {
    check_bullet_build();
    if (model.contact_repeat < 1 || model.contact_repeat > kMaxContactCopies)
        throw InputError("contact_repeat: must be from 1 to " + std::to_string(kMaxContactCopies) +
                         ", got " + std::to_string(model.contact_repeat));
    copies = model.contact_repeat;
    double smallest = std::numeric_limits<double>::infinity();
    for (const Geom& geom : model.geoms) {
        const Aabb box = local_box(geom.shape);
        const double ball = ball_radius(geom.shape, box);
        const bool at_centre = geom.pose_BG.p.isZero(0) && geom.pose_BG.q.vec().isZero(0);
        if (!is_ground(geom.shape))
            smallest = std::min(smallest, 0.5 * (box.hi - box.lo).minCoeff());
        geoms_of[at(geom.body)].push_back(static_cast<int>(info.size()));
        info.push_back({geom.body, geom.pose_BG.R(), geom.pose_BG.p, at_centre,
                        0.5 * (box.lo + box.hi), 0.5 * (box.hi - box.lo), ball,
                        geom.pose_BG.p.norm() + ball});
        geoms.push_back(make_world_geom(geom.shape));
        geoms.back().body = geom.body;
        if (is_ground(geom.shape)) grounds.push_back(geom.shape);
        convexes.push_back(make_convex(geom.shape));
        geoms.back().bullet = convexes.back().get();
        if (const auto* hull = std::get_if<Hull>(&geom.shape)) {
            hulls.push_back(std::make_unique<const Hull>(*hull));
            geoms.back().hull = hulls.back().get();
        }
    }
    tight.resize(info.size());
    bounds.resize(info.size());
    balls.resize(info.size());
    for (const Body& body : model.bodies) {
        paces.emplace_back().dynamic = body.kind == BodyKind::kDynamic;
        if (paces.back().dynamic)
            gravity = std::max(gravity, model.gravity.norm() * std::abs(body.gravity_scale));
    }
    for (const SurfacePair& pair : model.surface_pairs) rebound = std::max(rebound, pair.eps);
    slack = settings.lookahead;
    if (slack <= 0 && std::isfinite(smallest)) slack = kRelativeSlack * smallest;
}

// World poses and boxes of a body's geoms.
void Narrowphase::Impl::place(std::size_t b) {
    const Pose& pose = bodies[b].pose;
    const Mat3& R = bodies[b].R;
    for (const int g : geoms_of[b]) {
        const auto i = at(g);
        const GeomInfo& fixed = info[i];
        WorldGeom& geom = geoms[i];
        if (fixed.at_centre) {
            geom.R = R;
            geom.p = pose.p;
        } else {
            geom.R.noalias() = R * fixed.R_BG;
            geom.p = pose.p + R * fixed.p_BG;
        }
        if (geom.kind == ShapeKind::kPlane) continue;
        const Vec3 half = geom.kind == ShapeKind::kSphere
                              ? fixed.box_half
                              : Vec3(geom.R.cwiseAbs() * fixed.box_half);
        const Vec3 centre =
            geom.kind >= ShapeKind::kHull ? Vec3(geom.p + geom.R * fixed.box_centre) : geom.p;
        tight[i] = {centre - half, centre + half};
    }
}

// Does nothing for a body that stands where it stood and moves as it moved.
void Narrowphase::Impl::update_body(std::size_t b, const State& state, bool new_step) {
    BodyCache& body = bodies[b];
    BodyPace& pace = paces[b];
    const bool moved = !body.valid || !same(body.pose, state.pose[b]);
    const bool turned = !body.valid || !same(body.twist, state.twist[b]);
    if (moved) {
        body.pose = state.pose[b];
        body.R = body.pose.R();
        place(b);
    }
    if (turned) {
        body.twist = state.twist[b];
        pace.speed = body.twist.v.norm();
        body.spin = body.twist.w.norm();
    }
    body.valid = true;
    pace.near = 0;
    if (pace.speed > slow) any_fast.set();
    // Who may be knocked is found anew: what was in reach in the last call says nothing.
    if (moved || turned || new_step || pace.knock > 0) set_bounds(b, 0);
}

void Narrowphase::Impl::update_bodies(const State& state, double step, ThreadPool* pool) {
    const bool new_step = step != h;
    h = step;
    fall = gravity * h * h;
    slow = 0.5 * slack / h;
    any_fast.clear();
    for_each_part(pool, static_cast<int>(bodies.size()), kBodiesPerPart,
                  [&](int begin, int end, int, int) {
                      for (int b = begin; b < end; ++b) update_body(at(b), state, new_step);
                  });
    update_broadphase();
}

// Leaves follow the bounds that they do not hold.
void Narrowphase::Impl::update_broadphase() {
    if (!any_left.is_set()) return;
    any_left.clear();
    changed.clear();
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        if (!paces[b].left) continue;
        paces[b].left = false;
        for (const int g : geoms_of[b])
            if (geoms[at(g)].kind != ShapeKind::kPlane && !broadphase.holds(g, bounds[at(g)]))
                changed.push_back(g);
    }
    broadphase.update(bounds, changed);
}

// What the body's geoms can reach in the step, when it is also knocked with a speed.
void Narrowphase::Impl::set_bounds(std::size_t b, double knock) {
    const BodyCache& body = bodies[b];
    BodyPace& pace = paces[b];
    pace.knock = knock;
    if (knock > 0) any_knock.set();
    const double common = h * pace.speed + 0.5 * slack + (pace.dynamic ? fall : 0.0);
    for (const int g : geoms_of[b]) {
        const auto i = at(g);
        if (geoms[i].kind == ShapeKind::kPlane) {
            const double spin = body.spin > 0 ? std::numeric_limits<double>::infinity() : 0.0;
            balls[i] = {geoms[i].p, common + spin};
            continue;
        }
        const double reach =
            common + h * body.spin * info[i].arm + std::min(h * knock, kAside * info[i].arm);
        balls[i] = {geoms[i].p, info[i].ball + reach};
        bounds[i] = {tight[i].lo - Vec3::Constant(reach), tight[i].hi + Vec3::Constant(reach)};
        if (!broadphase.holds(g, bounds[i])) {
            pace.left = true;
            any_left.set();
        }
    }
}

// Rejects on the poses and velocities alone, before anything expensive; what it rejects is further
// apart than the pair's look-ahead.
bool Narrowphase::Impl::apart(const GeomPair& pair) const {
    const auto i = at(pair.geom_a), j = at(pair.geom_b);
    const ReachBall &a = balls[i], &b = balls[j];
    const double reach = a.radius + b.radius;
    if (pair.plane) return geoms[j].axis().dot(a.p - b.p) > reach;
    return (a.p - b.p).squaredNorm() > reach * reach || !overlap(bounds[i], bounds[j]);
}

double Narrowphase::Impl::look_ahead(const GeomPair& pair) const {
    const BodyCache& a = bodies[at(pair.body_a)];
    const BodyCache& b = bodies[at(pair.body_b)];
    const double arm_a = info[at(pair.geom_a)].arm;
    double approach = (a.twist.v - b.twist.v).norm() + a.spin * arm_a;
    if (b.spin > 0) {
        const double arm_b =
            pair.plane ? (a.pose.p - b.pose.p).norm() + arm_a : info[at(pair.geom_b)].arm;
        approach += b.spin * arm_b;
    }
    return h * approach + fall + slack;
}

// The look-ahead where a third body stops one of the two, whatever the normal. A is dynamic.
double Narrowphase::Impl::look_further(const GeomPair& pair, double margin) const {
    const BodyPace &a = paces[at(pair.body_a)], &b = paces[at(pair.body_b)];
    double speed = b.speed + rebound * a.speed;
    if (b.dynamic) speed = std::max(speed, a.speed + rebound * b.speed);
    const double relative =
        (bodies[at(pair.body_a)].twist.v - bodies[at(pair.body_b)].twist.v).norm();
    return margin + std::max({0.0, h * (speed - relative), knocked_aside(pair) - h * relative});
}

// Calls act(begin, end, part, manifold): for all pairs at once, or in parts on the pool.
template <typename Act>
void Narrowphase::Impl::for_each_pairs_part(ThreadPool* pool, const Act& act) {
    const int count = static_cast<int>(broadphase.pairs().size());
    const int size = pool != nullptr ? kPairsPerPart : std::max(1, count);
    used = parts_of(count, size);
    if (parts.size() < at(used)) parts.resize(at(used));
    if (pool != nullptr && scratch.size() < at(pool->threads()))
        scratch.resize(at(pool->threads()));
    for_each_part(pool, count, size, [&](int begin, int end, int part, int worker) {
        act(begin, end, parts[at(part)], scratch[at(worker)].manifold);
    });
}

// Which pairs are within reach: all that is asked of the others.
void Narrowphase::Impl::list_near(int begin, int end, Part& part) const {
    part.near.clear();
    for (int i = begin; i < end; ++i) {
        const GeomPair& pair = broadphase.pairs()[at(i)];
        if (!apart(pair)) part.near.push_back({i, pair.body_a, pair.body_b});
    }
}

// In the order of the pairs, so that what a body passes on in a ring is the same in every run.
void Narrowphase::Impl::pass_knocks_on() {
    for (int part = 0; part < used; ++part) {
        for (const NearPair& pair : parts[at(part)].near) {
            BodyPace &a = paces[at(pair.body_a)], &b = paces[at(pair.body_b)];
            const double speed_a = std::max(a.speed, a.near), speed_b = std::max(b.speed, b.near);
            if (speed_a <= slow && speed_b <= slow) continue;
            if (b.dynamic) b.near = std::max(b.near, speed_a);
            a.near = std::max(a.near, speed_b);
        }
    }
}

// Which bodies have a fast one within reach or linked to them.
void Narrowphase::Impl::find_knocks(ThreadPool* pool) {
    for (const std::vector<int>& group : linked) {
        double fastest = 0;
        for (const int b : group) fastest = std::max(fastest, paces[at(b)].speed);
        for (const int b : group) paces[at(b)].near = fastest;
    }
    for_each_pairs_part(
        pool, [&](int begin, int end, Part& part, Manifold&) { list_near(begin, end, part); });
    for (int ring = 0; ring < kRings; ++ring) pass_knocks_on();
}

// Of bodies that may be knocked: those reach further themselves.
void Narrowphase::Impl::grow_bounds(ThreadPool* pool) {
    any_knock.clear();
    for_each_part(pool, static_cast<int>(bodies.size()), kBodiesPerPart,
                  [&](int begin, int end, int, int) {
                      for (int b = begin; b < end; ++b) {
                          const double knock = paces[at(b)].near - paces[at(b)].speed;
                          if (paces[at(b)].dynamic && knock > slow) set_bounds(at(b), knock);
                      }
                  });
    update_broadphase();
}

// What a gap between bodies that move together closes when a third one deflects one of them, or
// hits it. No more than a part of their size: what is further apart in a swarm is rather seen a
// step late than a contact for as long as the swarm flies.
double Narrowphase::Impl::knocked_aside(const GeomPair& pair) const {
    const auto i = at(pair.geom_a), j = at(pair.geom_b);
    const BodyPace &a = paces[at(pair.body_a)], &b = paces[at(pair.body_b)];
    double deflected = a.speed, knocked = a.near, size = info[i].arm;
    if (b.dynamic) {
        deflected = std::max(deflected, b.speed);
        knocked = std::max(knocked, b.near);
        size = std::min(size, info[j].arm);
    }
    const double speed = std::max(0.5 * (1 + rebound) * deflected, knocked);
    return std::min(h * speed, kAside * size);
}

// Removes points beyond the pair's look-ahead that do not close when one of the bodies is stopped.
void Narrowphase::Impl::drop_unreached(const GeomPair& pair, double margin,
                                       Manifold& manifold) const {
    const Vec3& v_a = bodies[at(pair.body_a)].twist.v;
    const Vec3& v_b = bodies[at(pair.body_b)].twist.v;
    const bool b_can_stop = paces[at(pair.body_b)].dynamic;
    const double rest = margin - h * (v_a - v_b).norm();
    const double aside = knocked_aside(pair);
    int kept = 0;
    for (int i = 0; i < manifold.count; ++i) {
        const ManifoldPoint& point = manifold.points[at(i)];
        const double a = v_a.dot(point.n), b = v_b.dot(point.n);
        double closing = b + rebound * std::max(0.0, a);
        if (b_can_stop) closing = std::max(closing, -a + rebound * std::max(0.0, -b));
        if (point.phi > margin && point.phi > std::max(aside, h * closing) + rest) continue;
        manifold.points[at(kept++)] = point;
    }
    manifold.count = kept;
}

// The one place where the two narrowphases part. Shapes at one point are left to Bullet as they are.
// Returns whether Bullet answered.
bool Narrowphase::Impl::find_contacts(const GeomPair& pair, double margin, NarrowphaseKind kind,
                                      Manifold& manifold) const {
    const WorldGeom& a = geoms[at(pair.geom_a)];
    const WorldGeom& b = geoms[at(pair.geom_b)];
    manifold.count = 0;
    if (kind == NarrowphaseKind::kBullet)
        return bullet->collide(pair.geom_a, pair.geom_b, a, b, margin, manifold);
    if (centres_coincide(a, b)) {
        collide_coincident(pair, a, b, margin, manifold);
    } else {
        collide_pair(pair, a, b, margin, manifold);
        if (manifold.count == 0) look_at_end_of_step(pair, manifold);
    }
    return false;
}

// Only where the boxes move by more than the slack: what they overlap by less is parted in the next
// step.
void Narrowphase::Impl::look_at_end_of_step(const GeomPair& pair, Manifold& manifold) const {
    const WorldGeom& a = geoms[at(pair.geom_a)];
    const WorldGeom& b = geoms[at(pair.geom_b)];
    if (a.kind != ShapeKind::kBox || b.kind != ShapeKind::kBox) return;
    const BodyCache& body_a = bodies[at(pair.body_a)];
    const BodyCache& body_b = bodies[at(pair.body_b)];
    const double motion = (body_a.twist.v - body_b.twist.v).norm() +
                          body_a.spin * info[at(pair.geom_a)].arm +
                          body_b.spin * info[at(pair.geom_b)].arm;
    if (h * motion <= slack) return;
    collide_boxes_ahead(a, motion_over(h, body_a.pose.p, body_a.twist.v, body_a.twist.w), b,
                        motion_over(h, body_b.pose.p, body_b.twist.v, body_b.twist.w), manifold);
}

// Appends the manifold's points in the order of their features, `copies` times over: the number of
// the copy is the leading part of the feature.
void Narrowphase::Impl::add_contacts(const GeomPair& pair, const Manifold& manifold,
                                     std::vector<Contact>& contacts) const {
    std::array<int, Manifold::kCapacity> order;
    const auto point = [&](int i) -> const ManifoldPoint& { return manifold.points[at(i)]; };
    for (int i = 0; i < manifold.count; ++i) {
        int place = i;
        for (; place > 0 && point(order[at(place - 1)]).feature > point(i).feature; --place)
            order[at(place)] = order[at(place - 1)];
        order[at(place)] = i;
    }
    for (int copy = 0; copy < copies; ++copy) {
        for (int i = 0; i < manifold.count; ++i) {
            const ManifoldPoint& p = point(order[at(i)]);
            const std::uint32_t feature = p.feature | static_cast<std::uint32_t>(copy)
                                                          << kCopyShift;
            contacts.push_back({pair.body_a, pair.body_b, pair.geom_a, pair.geom_b, feature, p.p_A,
                                p.p_B, p.n, p.phi});
        }
    }
}

void Narrowphase::Impl::search(NarrowphaseKind kind, Manifold& manifold, Part& part) const {
    part.contacts.clear();
    part.bullet_pairs = 0;
    for (const NearPair& near : part.near) {
        const GeomPair& pair = broadphase.pairs()[at(near.pair)];
        const double margin = look_ahead(pair);
        const double further = look_further(pair, margin);
        part.bullet_pairs += find_contacts(pair, further, kind, manifold) ? 1 : 0;
        if (further > margin) drop_unreached(pair, margin, manifold);
        if (manifold.count > 0) add_contacts(pair, manifold, part.contacts);
    }
}

// The parts in the order of their pairs, whoever found them.
void Narrowphase::Impl::put_together(ThreadPool* pool, ContactSet& set) {
    std::ptrdiff_t count = 0;
    for (int i = 0; i < used; ++i) {
        parts[at(i)].first = count;
        count += std::ssize(parts[at(i)].contacts);
    }
    set.contacts.resize(static_cast<std::size_t>(count));
    for_each_part(pool, used, kPartsCopied, [&](int begin, int end, int, int) {
        for (int i = begin; i < end; ++i) {
            const std::vector<Contact>& found = parts[at(i)].contacts;
            std::copy(found.begin(), found.end(), set.contacts.begin() + parts[at(i)].first);
        }
    });
}

// listed: which pairs are near is known from find_knocks.
void Narrowphase::Impl::search_parts(NarrowphaseKind kind, bool listed, ThreadPool* pool,
                                     ContactSet& set) {
    if (pool == nullptr) {  // straight into the set's memory
        if (parts.empty()) parts.resize(1);
        parts.front().contacts.swap(set.contacts);
        parts.front().contacts.clear();
    }
    for_each_pairs_part(pool, [&](int begin, int end, Part& part, Manifold& manifold) {
        if (!listed) list_near(begin, end, part);
        search(kind, manifold, part);
    });
    if (pool == nullptr) {
        parts.front().contacts.swap(set.contacts);
    } else {
        put_together(pool, set);
    }
    set.pairs = set.bullet_pairs = 0;
    for (int i = 0; i < used; ++i) {
        set.pairs += static_cast<int>(parts[at(i)].near.size());
        set.bullet_pairs += parts[at(i)].bullet_pairs;
    }
}

Narrowphase::Narrowphase(const Model& model, const CollisionSettings& settings)
    : impl_(std::make_unique<Impl>(model, settings)) {}
Narrowphase::~Narrowphase() = default;
Narrowphase::Narrowphase(Narrowphase&&) noexcept = default;
Narrowphase& Narrowphase::operator=(Narrowphase&&) noexcept = default;

void Narrowphase::collide(const Model& model, const State& state, double h, ContactSet& set,
                          NarrowphaseKind kind, ThreadPool* pool) {
    Impl& impl = *impl_;
    assert(model.geoms.size() == impl.geoms.size() && "the Narrowphase was made for another Model");
    assert(state.pose.size() == model.bodies.size() && state.twist.size() == model.bodies.size());
    static_cast<void>(model);
    if (kind == NarrowphaseKind::kBullet && !impl.bullet)
        impl.bullet = std::make_unique<BulletNarrowphase>(impl.geoms);
    if (pool != nullptr && pool->threads() < 2) pool = nullptr;
    impl.update_bodies(state, h, pool);
    if (kind == NarrowphaseKind::kBullet || impl.broadphase.pairs().size() <= kPairsPerPart)
        pool = nullptr;
    bool listed = false;
    if (impl.any_fast.is_set()) {  // where all is slow nobody knocks
        impl.find_knocks(pool);
        impl.grow_bounds(pool);
        listed = !impl.any_knock.is_set();
    }
    impl.search_parts(kind, listed, pool, set);
}

}  // namespace stiction

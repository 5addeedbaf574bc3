// ahead.cpp - looks at two boxes where they would be at the end of the step.
#include "collide/ahead.h"

#include <Eigen/Geometry>

#include "collide/pairs.h"

namespace stiction {
namespace {

WorldGeom moved(const WorldGeom& g, const BodyMotion& motion) {
    WorldGeom later = g;
    later.p = motion.forward(g.p);
    later.R = motion.turn * g.R;
    return later;
}

}  // namespace

BodyMotion motion_over(double h, const Vec3& centre, const Vec3& v, const Vec3& w) {
    BodyMotion motion{centre, h * v, Mat3::Identity()};
    const double angle = h * w.norm();
    if (angle > 0) motion.turn = Eigen::AngleAxisd(angle, w.normalized()).toRotationMatrix();
    return motion;
}

void collide_boxes_ahead(const WorldGeom& a, const BodyMotion& of_a, const WorldGeom& b,
                         const BodyMotion& of_b, Manifold& m) {
    collide_box_box(moved(a, of_a), moved(b, of_b), 0, m);
    int kept = 0;
    for (int i = 0; i < m.count; ++i) {
        ManifoldPoint point = m.points[at(i)];
        const Vec3 p_A = of_a.back(point.p_A), p_B = of_b.back(point.p_B);
        const double phi = point.n.dot(p_A - p_B);
        if (!(phi >= 0)) continue;  // along n they are not apart now: no gap that closes
        point.p_A = p_A;
        point.p_B = p_A - phi * point.n;
        point.phi = phi;
        m.points[at(kept++)] = point;
    }
    m.count = kept;
}

}  // namespace stiction

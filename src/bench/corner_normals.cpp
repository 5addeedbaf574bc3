// corner_normals.cpp - finds the two corners of a contact and lists it along their edges.
#include "bench/corner_normals.h"

#include <algorithm>
#include <cmath>

#include "collide/feature_id.h"

namespace stiction {

namespace {

struct Corner {
    Vec3 p;      // world [m]
    Mat3 edges;  // columns: outward, world
};

Corner nearest_corner(const Model& model, const State& state, int geom_id, const Vec3& p) {
    const Geom& geom = model.geoms[at(geom_id)];
    const Pose pose = state.pose[at(geom.body)] * geom.pose_BG;
    const Mat3 R = pose.R();
    const Vec3 half = std::get<Box>(geom.shape).half;
    const Vec3 local = R.transpose() * (p - pose.p);
    Corner corner{pose.p, R};
    for (int k = 0; k < 3; ++k) {
        const double side = local[k] < 0 ? -1 : 1;
        corner.edges.col(k) *= side;
        corner.p += half[k] * corner.edges.col(k);
    }
    return corner;
}

bool is_box(const Model& model, int geom) {
    return std::holds_alternative<Box>(model.geoms[at(geom)].shape);
}

}  // namespace

void add_corner_normals(const Model& model, const State& state, double reach, ContactSet& set) {
    const std::size_t count = set.contacts.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Contact contact = set.contacts[i];
        if (!is_box(model, contact.geom_a) || !is_box(model, contact.geom_b)) continue;
        const Corner a = nearest_corner(model, state, contact.geom_a, contact.p());
        const Corner b = nearest_corner(model, state, contact.geom_b, contact.p());
        std::uint32_t copy = 0;
        for (int k = 0; k < 3; ++k) {
            const Vec3 n = b.edges.col(k);
            if (std::abs(n.dot(contact.n)) > 0.5) continue;  // the one that is there
            ++copy;
            Contact more = contact;
            more.n = n;
            more.p_A = a.p;
            more.p_B = b.p;
            more.phi = n.dot(a.p - b.p);
            more.feature = contact.feature | copy << kCopyShift;
            if (std::abs(more.phi) < reach) set.contacts.push_back(more);
        }
    }
    std::sort(set.contacts.begin(), set.contacts.end(),
              [](const Contact& a, const Contact& b) { return key(a) < key(b); });
}

}  // namespace stiction

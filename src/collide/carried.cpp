// carried.cpp - which features of the two shapes a contact is between, and the contact they make
// at another configuration.
#include "collide/carried.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

using Kind = ContactFeature::Kind;

constexpr double kFlat = 1e-12;    // 1 - cosine of the angle at which a normal is a face's
constexpr double kOn = 1e-6;       // of the shape's size: a point on an edge or a corner
constexpr double kMinSine = 0.05;  // between lines, or axis and normal: below it n is ill-defined
constexpr double kSameNormal = 1e-9;  // 1 - cosine; a feature that gives another n is not the one

// One side of a contact in the frame of its shape: the point on the surface, the normal out of it.
struct Side {
    Vec3 p;
    Vec3 out;
    double size;  // of the shape [m]
};

struct Feature {
    Kind kind = Kind::kPoint;
    Vec3 point = Vec3::Zero();
    Vec3 dir = Vec3::Zero();
    double radius = 0;
    bool corner = false;  // a point that the shape singles out
};

Feature feature_of(const Plane&, const Side& side) {
    return {Kind::kFace, side.p, Vec3::UnitZ(), 0, false};
}

// The normal that was found is kept: of a face, or of the edge or corner the ground has there.
Feature feature_of(const Heightfield&, const Side& side) {
    return {Kind::kFace, side.p, side.out, 0, false};
}

Feature feature_of(const TriangleMesh&, const Side& side) {
    return {Kind::kFace, side.p, side.out, 0, false};
}

Feature feature_of(const Sphere& sphere, const Side&) {
    return {Kind::kPoint, Vec3::Zero(), Vec3::Zero(), sphere.radius, true};
}

Feature feature_of(const Capsule& capsule, const Side& side) {
    const double z = side.p.z() - capsule.radius * side.out.z();
    const bool end = std::abs(z) > capsule.half_length - kOn * side.size;
    return {end ? Kind::kPoint : Kind::kLine, Vec3(0, 0, z), Vec3::UnitZ(), capsule.radius, end};
}

// The side of a cylinder is a round line, its rim is one where the lowest point is the contact's;
// other points of the rim are material.
Feature feature_of(const Cylinder& cylinder, const Side& side) {
    const double across = std::hypot(side.out.x(), side.out.y());
    const bool at_end = std::abs(side.p.z()) > cylinder.half_length - kOn * side.size;
    if (across < kMinSine) {
        const bool flat = std::abs(side.out.z()) > 1 - kFlat;
        const bool rim =
            std::hypot(side.p.x(), side.p.y()) > cylinder.radius - kOn * side.size && at_end;
        if (flat && !rim)
            return {Kind::kFace, side.p, std::copysign(1.0, side.out.z()) * Vec3::UnitZ(), 0,
                    false};
        return {Kind::kPoint, side.p, Vec3::Zero(), 0, true};
    }
    const Vec3 lowest(side.out.x() * cylinder.radius / across,
                      side.out.y() * cylinder.radius / across, side.p.z());
    if ((lowest - side.p).norm() > kOn * side.size)
        return {Kind::kPoint, side.p, Vec3::Zero(), 0, true};
    const Vec3 centre(0, 0, side.p.z());
    return {at_end ? Kind::kRim : Kind::kLine, centre, Vec3::UnitZ(), cylinder.radius, at_end};
}

Feature feature_of(const Box& box, const Side& side) {
    int face = 0;
    Feature result{Kind::kPoint, side.p, Vec3::Zero(), 0, false};
    int on = 0;
    int along = 0;
    for (int k = 0; k < 3; ++k) {
        if (std::abs(side.p[k]) > box.half[k] - kOn * side.size) {
            ++on;
        } else {
            along = k;
        }
    }
    result.corner = on == 3;
    if (side.out.cwiseAbs().maxCoeff(&face) > 1 - kFlat) {
        result.kind = Kind::kFace;
        result.dir = std::copysign(1.0, side.out[face]) * Vec3::Unit(face);
    } else if (on == 2) {
        result.kind = Kind::kLine;
        result.dir = Vec3::Unit(along);
    }
    return result;
}

// The rim where its lowest point is the contact's; the apex and points of the side are material.
Feature feature_of(const Cone& cone, const Side& side) {
    const double across = std::hypot(side.out.x(), side.out.y());
    const double rho = std::hypot(side.p.x(), side.p.y());
    const bool base = std::abs(side.p.z() + cone.half_length) < kOn * side.size;
    const bool rim = base && rho > cone.radius - kOn * side.size;
    if (base && !rim && side.out.z() < -1 + kFlat)
        return {Kind::kFace, side.p, -Vec3::UnitZ(), 0, false};
    if (rim && across >= kMinSine) {
        const Vec3 lowest(side.out.x() * cone.radius / across, side.out.y() * cone.radius / across,
                          side.p.z());
        if ((lowest - side.p).norm() <= kOn * side.size)
            return {Kind::kRim, Vec3(0, 0, side.p.z()), Vec3::UnitZ(), cone.radius, true};
    }
    return {Kind::kPoint, side.p, Vec3::Zero(), 0, rim || rho < kOn * side.size};
}

// Carried as a point of the material: to the first order of the step where the ellipsoid rolls.
Feature feature_of(const Ellipsoid&, const Side& side) {
    return {Kind::kPoint, side.p, Vec3::Zero(), 0, false};
}

// That of the core, rounded; of a face the surface itself.
Feature feature_of(const RoundedBox& box, const Side& side) {
    const Side core{side.p - box.radius * side.out, side.out, side.size};
    Feature result = feature_of(Box{box.core()}, core);
    if (result.kind == Kind::kFace) {
        if (result.corner) return {Kind::kPoint, core.p, Vec3::Zero(), box.radius, true};
        result.point = side.p;
    } else {
        result.radius = box.radius;
    }
    return result;
}

Feature feature_of(const Hull& hull, const Side& side) {
    Feature result{Kind::kPoint, side.p, Vec3::Zero(), 0, false};
    const double near = kOn * side.size;
    for (const Vec3& v : hull.vertices) result.corner |= (v - side.p).norm() < near;
    for (const Hull::Face& face : hull.faces) {
        if (face.normal.dot(side.out) <= 1 - kFlat) continue;
        result.kind = Kind::kFace;
        result.dir = face.normal;
        return result;
    }
    if (result.corner) return result;
    for (const Hull::Face& face : hull.faces) {
        for (std::size_t i = 0; i < face.vertices.size(); ++i) {
            const Vec3& v = hull.vertices[at(face.vertices[i])];
            const Vec3& w = hull.vertices[at(face.vertices[(i + 1) % face.vertices.size()])];
            const Vec3 dir = (w - v).normalized();
            if ((side.p - v).cross(dir).norm() > near) continue;
            result.kind = Kind::kLine;
            result.dir = dir;
            return result;
        }
    }
    return result;
}

double size_of(const Shape& shape, const Vec3& p) {
    const double radius = bounding_radius(shape);
    return std::isfinite(radius) ? radius : p.norm();
}

// The feature of one side of a contact, in the frame of its geom.
Feature local_feature(const Model& model, const State& state, int geom_id, const Vec3& p_W,
                      const Vec3& out_W) {
    const Geom& geom = model.geoms[at(geom_id)];
    const Pose pose = state.pose[at(geom.body)] * geom.pose_BG;
    Side side;
    side.p = pose.inverse() * p_W;
    side.out = pose.q.conjugate() * out_W;
    side.size = size_of(geom.shape, side.p);
    return std::visit([&](const auto& shape) { return feature_of(shape, side); }, geom.shape);
}

ContactFeature in_body(const Model& model, int geom_id, const Feature& feature) {
    const Pose& pose_BG = model.geoms[at(geom_id)].pose_BG;
    return {feature.kind, pose_BG * feature.point, pose_BG.q * feature.dir, feature.radius};
}

// A point of A's surface over a face of B, whatever the shapes: right at this configuration, and
// carried with the bodies as they are.
void carry_as_material(const State& state, CarriedContact& c) {
    const Pose& a = state.pose[at(c.contact.body_a)];
    const Pose& b = state.pose[at(c.contact.body_b)];
    c.a = {Kind::kPoint, a.inverse() * c.contact.p_A, Vec3::Zero(), 0};
    c.b = {Kind::kFace, b.inverse() * c.contact.p_B, b.q.conjugate() * c.contact.n, 0};
}

// Leaves of two features the kinds that the table in the header has. Returns false where there is
// none, or where what there is fixes no normal.
bool reconcile(Feature& a, Feature& b) {
    if (a.kind == Kind::kFace || b.kind == Kind::kFace) {
        // Of two faces the one whose corner it is gives the point. A line over a face is a point
        // where it touches now.
        const bool keep_a =
            b.kind != Kind::kFace || (a.kind == Kind::kFace && b.corner && !a.corner);
        Feature& other = keep_a ? b : a;
        if (other.kind != Kind::kRim) other.kind = Kind::kPoint;
        return true;
    }
    if (a.kind == Kind::kRim || b.kind == Kind::kRim) return false;
    return (a.kind == Kind::kLine && b.kind == Kind::kLine) || a.radius + b.radius > 0;
}

struct Placed {
    Vec3 p;
    Vec3 dir;
};

Placed place(const State& state, int body, const ContactFeature& f) {
    const Pose& pose = state.pose[at(body)];
    return {pose * f.point_B, pose.q * f.dir_B};
}

// The point of a rim furthest against `up`.
Vec3 lowest_on_rim(const Placed& rim, double radius, const Vec3& up) {
    const Vec3 across = up - up.dot(rim.dir) * rim.dir;
    return rim.p - (radius / across.norm()) * across;
}

Vec3 across_line(const Vec3& d, const Vec3& dir) { return d - d.dot(dir) * dir; }

// Where the first of two lines is nearest to the second.
Vec3 nearest_on_line(const Placed& line, const Placed& other) {
    const double c = line.dir.dot(other.dir);
    const Vec3 d = other.p - line.p;
    return line.p + ((d.dot(line.dir) - c * d.dot(other.dir)) / (1 - c * c)) * line.dir;
}

Contact carried_contact(const CarriedContact& c, const State& state) {
    Contact result = c.contact;
    Placed a = place(state, c.contact.body_a, c.a);
    Placed b = place(state, c.contact.body_b, c.b);
    double radii = c.a.radius + c.b.radius;
    Vec3& n = result.n;
    bool from_b = false;  // the surface point follows from B's feature
    if (c.b.kind == Kind::kFace) {
        n = b.dir;
        if (c.a.kind == Kind::kRim) {
            a.p = lowest_on_rim(a, c.a.radius, n);
            radii = 0;
        }
        result.phi = n.dot(a.p - b.p) - radii;
    } else if (c.a.kind == Kind::kFace) {
        n = -a.dir;
        if (c.b.kind == Kind::kRim) {
            b.p = lowest_on_rim(b, c.b.radius, -n);
            radii = 0;
        }
        result.phi = n.dot(a.p - b.p) - radii;
        from_b = true;
    } else if (c.a.kind == Kind::kLine && c.b.kind == Kind::kLine) {
        n = c.side * a.dir.cross(b.dir).normalized();
        a.p = nearest_on_line(a, b);
        result.phi = n.dot(a.p - b.p) - radii;
    } else {
        Vec3 d = a.p - b.p;
        if (c.a.kind == Kind::kLine) d = across_line(d, a.dir);
        if (c.b.kind == Kind::kLine) d = across_line(d, b.dir);
        n = d.normalized();
        result.phi = d.norm() - radii;
        from_b = c.a.kind == Kind::kLine;
    }
    if (from_b) {
        const double radius = c.b.kind == Kind::kRim ? 0 : c.b.radius;
        result.p_B = b.p + radius * n;
        result.p_A = result.p_B + result.phi * n;
    } else {
        const double radius = c.a.kind == Kind::kRim ? 0 : c.a.radius;
        result.p_A = a.p - radius * n;
        result.p_B = result.p_A - result.phi * n;
    }
    return result;
}

// Whether the features make the contact they were found from.
bool reproduces(const CarriedContact& c, const State& state) {
    const Contact again = carried_contact(c, state);
    const Contact& found = c.contact;
    const double size = (found.p_A - state.pose[at(found.body_a)].p).norm();
    return again.n.dot(found.n) > 1 - kSameNormal &&
           std::abs(again.phi - found.phi) <= kOn * size &&
           (again.p_A - found.p_A).norm() <= 10 * kOn * size;
}

CarriedContact find_feature(const Model& model, const State& state, const Contact& contact) {
    CarriedContact c{contact, {}, {}, 1};
    Feature a = local_feature(model, state, contact.geom_a, contact.p_A, -contact.n);
    Feature b = local_feature(model, state, contact.geom_b, contact.p_B, contact.n);
    bool known = reconcile(a, b);
    c.a = in_body(model, contact.geom_a, a);
    c.b = in_body(model, contact.geom_b, b);
    if (known && a.kind == Kind::kLine && b.kind == Kind::kLine) {
        const Vec3 across = (state.pose[at(contact.body_a)].q * c.a.dir_B)
                                .cross(state.pose[at(contact.body_b)].q * c.b.dir_B);
        c.side = across.dot(contact.n) < 0 ? -1 : 1;
        known = across.norm() > kMinSine;
    }
    if (!known || !reproduces(c, state)) carry_as_material(state, c);
    return c;
}

}  // namespace

void find_features(const Model& model, const State& state, const ContactSet& set,
                   std::vector<CarriedContact>& carried) {
    carried.clear();
    for (const Contact& contact : set.contacts)
        carried.push_back(find_feature(model, state, contact));
}

void carry_contacts(const std::vector<CarriedContact>& carried, const State& state,
                    ContactSet& set) {
    set.contacts.clear();
    for (const CarriedContact& c : carried) set.contacts.push_back(carried_contact(c, state));
}

}  // namespace stiction

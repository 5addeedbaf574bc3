// face_manifold.cpp - clips the incident shape's polygon or line to the reference face, a polygon
// or a disc.
#include "collide/face_manifold.h"

#include <algorithm>
#include <cmath>

#include "collide/cylinder.h"
#include "collide/feature_id.h"

namespace stiction {
namespace {

// 45 degrees or so: beyond it a cylinder meets a plane with its end, else with its side.
constexpr double kUprightCosine = 0.7;
constexpr double kLevelSine = 1e-3;  // a capsule more tilted touches a plane with its ends only
// Labels of a disc: 0, 1 crossings of an edge, from here on points of its own rim.
constexpr std::uint32_t kRimName = 8;

// The reference face as a plane with coordinates, and what goes out.
struct Reference {
    Vec3 origin, u, v;  // world
    const Face& face;
    bool is_b;
    double tolerance;  // [m]
    std::uint32_t tag;
};

std::uint32_t face_tag(const Face& ref, std::uint32_t inc, bool ref_is_b) {
    return kConvexFaces + (ref.id * kFaceIds + inc) * 2U + (ref_is_b ? 1U : 0U);
}

void emit(const Reference& ref, double u, double v, double w, std::uint32_t label_1,
          std::uint32_t label_2, double margin, Manifold& m) {
    if (w > margin) return;
    const Vec3 on_ref = ref.origin + u * ref.u + v * ref.v;
    const std::uint32_t feature = feature_id(ref.tag, label_1, label_2);
    if (ref.is_b) {
        m.add_on_B(on_ref, ref.face.normal, w, feature);
    } else {
        m.add_on_A(on_ref, -ref.face.normal, w, feature);
    }
}

Vec3 local(const Reference& ref, const Vec3& x) {
    const Vec3 d = x - ref.origin;
    return {ref.u.dot(d), ref.v.dot(d), ref.face.normal.dot(d)};
}

ClipPolygon local_polygon(const Reference& ref, const Polygon& polygon) {
    ClipPolygon out;
    for (int i = 0; i < polygon.count; ++i) {
        const Vec3 x = local(ref, polygon.points[at(i)]);
        const auto before =
            static_cast<std::uint8_t>(kIncidentLabel + (i + polygon.count - 1) % polygon.count);
        const auto after = static_cast<std::uint8_t>(kIncidentLabel + i);
        out.add(x.x(), x.y(), x.z(), before, after, after);
    }
    return out;
}

// Side planes of a polygon that runs counter-clockwise around the face's normal or, for some box
// faces, clockwise.
int side_planes(const Reference& ref, const Polygon& polygon,
                std::array<HalfPlane, kMaxPolygon>& planes) {
    Vec3 centre = Vec3::Zero();
    for (int i = 0; i < polygon.count; ++i)
        centre += local(ref, polygon.points[at(i)]) / polygon.count;
    int count = 0;
    for (int i = 0; i < polygon.count; ++i) {
        const Vec3 p = local(ref, polygon.points[at(i)]);
        const Vec3 q = local(ref, polygon.points[at((i + 1) % polygon.count)]);
        const double length = std::hypot(q.x() - p.x(), q.y() - p.y());
        if (!(length > 0)) continue;
        HalfPlane h{(q.y() - p.y()) / length, (p.x() - q.x()) / length, 0,
                    static_cast<std::uint8_t>(i)};
        h.d = h.nu * p.x() + h.nv * p.y();
        if (h.nu * centre.x() + h.nv * centre.y() > h.d) h = {-h.nu, -h.nv, -h.d, h.label};
        planes[at(count++)] = h;
    }
    return count;
}

// Twice the area over the length: what a thin polygon is wide.
double width(const ClipPolygon& polygon) {
    double area2 = 0, length = 0;
    const ClipPoint& o = polygon.points[0];
    for (int i = 1; i < polygon.count; ++i) {
        const ClipPoint& p = polygon.points[at(i)];
        const ClipPoint& q = polygon.points[at((i + 1) % polygon.count)];
        area2 += (p.u - o.u) * (q.v - o.v) - (p.v - o.v) * (q.u - o.u);
        length = std::max(length, std::hypot(p.u - o.u, p.v - o.v));
    }
    return length > 0 ? std::abs(area2) / length : 0.0;
}

// True if they overlap by no more than a sliver.
bool polygon_over_polygon(const Reference& ref, const Polygon& sides, const Polygon& incident,
                          double margin, Manifold& m) {
    std::array<HalfPlane, kMaxPolygon> planes;
    const int count = side_planes(ref, sides, planes);
    ClipPolygon buffer[2];
    buffer[0] = local_polygon(ref, incident);
    int current = 0;
    for (int i = 0; i < count && buffer[current].count > 0; ++i) {
        clip(buffer[current], planes[at(i)], ref.tolerance, buffer[1 - current]);
        current = 1 - current;
    }
    const ClipPolygon& cut = buffer[current];
    if (cut.count == 0) return false;
    if (width(cut) <= kMinOverlap / kClipTolerance * ref.tolerance) return true;
    for (int i = 0; i < cut.count; ++i) {
        const ClipPoint& p = cut.points[at(i)];
        emit(ref, p.u, p.v, p.w, p.name[0], p.name[1], margin, m);
    }
    return false;
}

// The stretch of parameters [0, 1] of a segment p + t (q - p).
struct Stretch {
    double lo = 0, hi = 1;
};

void cut_by_plane(const Vec3& p, const Vec3& q, const HalfPlane& h, double tolerance, Stretch& s) {
    const double at_p = h.nu * p.x() + h.nv * p.y() - h.d, at_q = h.nu * q.x() + h.nv * q.y() - h.d;
    if (at_p <= tolerance && at_q <= tolerance) return;
    if (at_p > tolerance && at_q > tolerance) {
        s = {1, 0};
        return;
    }
    const double t = at_p / (at_p - at_q);
    if (at_p > tolerance) {
        s.lo = std::max(s.lo, t);
    } else {
        s.hi = std::min(s.hi, t);
    }
}

// Where p + t (q - p) is inside the circle of radius r around the origin; empty if nowhere.
Stretch inside_circle(const Vec3& p, const Vec3& q, double r) {
    const double dx = q.x() - p.x(), dy = q.y() - p.y();
    const double a = dx * dx + dy * dy, b = p.x() * dx + p.y() * dy;
    const double c = p.x() * p.x() + p.y() * p.y() - r * r;
    if (!(a > 0)) return c <= 0 ? Stretch{0, 1} : Stretch{1, 0};
    const double root2 = b * b - a * c;
    if (root2 < 0) return {1, 0};
    const double root = std::sqrt(root2);
    return {std::max(0.0, (-b - root) / a), std::min(1.0, (-b + root) / a)};
}

void emit_stretch(const Reference& ref, const Vec3& p, const Vec3& q, const Stretch& s,
                  bool ends_only, double margin, Manifold& m) {
    if (s.lo > s.hi) return;
    const auto along = [&](double t) -> Vec3 { return p + t * (q - p); };
    const Vec3 lo = along(s.lo), hi = along(s.hi);
    if (!ends_only || s.lo <= 0) emit(ref, lo.x(), lo.y(), lo.z(), kIncidentLabel, 0, margin, m);
    if ((hi - lo).norm() <= ref.tolerance) return;
    if (!ends_only || s.hi >= 1) emit(ref, hi.x(), hi.y(), hi.z(), kIncidentLabel, 1, margin, m);
}

bool inside_polygon(const ClipPolygon& polygon, double u, double v, double tolerance) {
    bool left = true, right = true;
    for (int i = 0; i < polygon.count; ++i) {
        const ClipPoint& p = polygon.points[at(i)];
        const ClipPoint& q = polygon.points[at((i + 1) % polygon.count)];
        const double length = std::hypot(q.u - p.u, q.v - p.v);
        const double side = (q.u - p.u) * (v - p.v) - (q.v - p.v) * (u - p.u);
        left = left && side >= -tolerance * length;
        right = right && side <= tolerance * length;
    }
    return left || right;
}

// Heights of a plane polygon: w = w0 + gu u + gv v, from its widest triangle at the first corner.
Vec3 height_plane(const ClipPolygon& polygon) {
    const ClipPoint& o = polygon.points[0];
    double best = 0;
    Vec3 plane(o.w, 0, 0);
    for (int i = 1; i + 1 < polygon.count; ++i) {
        const ClipPoint& p = polygon.points[at(i)];
        const ClipPoint& q = polygon.points[at(i + 1)];
        const double pu = p.u - o.u, pv = p.v - o.v, qu = q.u - o.u, qv = q.v - o.v;
        const double det = pu * qv - pv * qu;
        if (std::abs(det) <= best) continue;
        best = std::abs(det);
        const double gu = ((p.w - o.w) * qv - (q.w - o.w) * pv) / det;
        const double gv = ((q.w - o.w) * pu - (p.w - o.w) * qu) / det;
        plane = {o.w - gu * o.u - gv * o.v, gu, gv};
    }
    return plane;
}

// Corners inside the disc, crossings of edges with its rim, and four points of the rim that lie
// over the polygon, the lowest first.
void polygon_over_disc(const Reference& ref, double radius, const Polygon& incident, double margin,
                       Manifold& m) {
    const ClipPolygon polygon = local_polygon(ref, incident);
    for (int i = 0; i < polygon.count; ++i) {
        const ClipPoint& a = polygon.points[at(i)];
        const ClipPoint& b = polygon.points[at((i + 1) % polygon.count)];
        if (std::hypot(a.u, a.v) <= radius + ref.tolerance)
            emit(ref, a.u, a.v, a.w, a.name[0], a.name[1], margin, m);
        const Vec3 p(a.u, a.v, a.w), q(b.u, b.v, b.w);
        const Stretch s = inside_circle(p, q, radius);
        const double near_end = ref.tolerance / std::max((q - p).norm(), ref.tolerance);
        if (s.lo >= s.hi) continue;
        std::uint32_t crossing = 0;
        for (const double t : {s.lo, s.hi}) {
            const Vec3 x = p + t * (q - p);
            if (t > near_end && t < 1 - near_end)
                emit(ref, x.x(), x.y(), x.z(), crossing, a.edge, margin, m);
            ++crossing;
        }
    }
    const Vec3 plane = height_plane(polygon);
    const double slope = std::hypot(plane[1], plane[2]);
    const double cu = slope > kStandingAngle ? -plane[1] / slope : 1.0;
    const double cv = slope > kStandingAngle ? -plane[2] / slope : 0.0;
    constexpr double kCos[] = {1, 0, -1, 0}, kSin[] = {0, 1, 0, -1};
    for (std::uint32_t i = 0; i < 4; ++i) {
        const double u = radius * (kCos[i] * cu - kSin[i] * cv);
        const double v = radius * (kCos[i] * cv + kSin[i] * cu);
        if (inside_polygon(polygon, u, v, -ref.tolerance))
            emit(ref, u, v, plane[0] + plane[1] * u + plane[2] * v, kRimName + i, kRimName, margin,
                 m);
    }
}

// Whether the side of the incident shape looks at the plane, not a face of it.
bool meets_with_line(const WorldGeom& inc, const Vec3& down) {
    const double along = inc.axis().dot(down);
    if (inc.kind == ShapeKind::kCapsule) return true;
    if (inc.kind == ShapeKind::kCone) return -along < kUprightCosine;
    return inc.kind == ShapeKind::kCylinder && std::abs(along) <= kUprightCosine;
}

}  // namespace

bool add_face_manifold(const WorldGeom& ref, const WorldGeom& inc, const Face& face, bool ref_is_b,
                       double margin, Manifold& m) {
    const Vec3 down = -face.normal;
    const bool line = meets_with_line(inc, down);
    const std::optional<Face> other = line ? std::nullopt : face_towards(inc, down);

    const Polygon sides = face.round ? Polygon{} : corners(ref, face, down);
    Reference r{ref.p,
                ref.R.col(0),
                ref.R.col(1),
                face,
                ref_is_b,
                0,
                face_tag(face, other ? other->id : kLineInsteadOfFace, ref_is_b)};
    double extent = ref.radius;
    if (face.round) {
        r.origin = ref.p + ref.length * face.normal;
    } else {
        const Vec3 edge = sides.points[1] - sides.points[0];
        r.origin = sides.points[0] + (face.offset - face.normal.dot(sides.points[0])) * face.normal;
        r.u = (edge - edge.dot(face.normal) * face.normal).normalized();
        r.v = face.normal.cross(r.u);
        for (int i = 1; i < sides.count; ++i)
            extent = std::max(extent, (sides.points[at(i)] - sides.points[0]).norm());
    }
    r.tolerance = kClipTolerance * std::min(extent, inc.extent());

    if (line) {
        const Segment segment = side_line(inc, down);
        const Vec3 p = local(r, segment.at(-segment.half)), q = local(r, segment.at(segment.half));
        const bool ends_only =
            inc.kind == ShapeKind::kCapsule && std::abs(inc.axis().dot(down)) > kLevelSine;
        Stretch s;
        if (face.round) {
            s = inside_circle(p, q, ref.radius);
        } else {
            std::array<HalfPlane, kMaxPolygon> planes;
            const int count = side_planes(r, sides, planes);
            for (int i = 0; i < count && s.lo <= s.hi; ++i)
                cut_by_plane(p, q, planes[at(i)], r.tolerance, s);
        }
        emit_stretch(r, p, q, s, ends_only, margin, m);
        return false;
    }
    const Polygon incident = corners(inc, *other, down);
    if (!face.round) return polygon_over_polygon(r, sides, incident, margin, m);
    polygon_over_disc(r, ref.radius, incident, margin, m);
    return false;
}

}  // namespace stiction

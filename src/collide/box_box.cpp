// box_box.cpp - two boxes by the separating axis theorem: 15 axes, then a face polygon, or the
// points of two edges or corners.
//
// The gap along an axis never exceeds the distance; it equals it where the nearest features are a
// face and a corner, edge or face, or two crossing edges. Edges side by side, corner to corner and
// corner to edge it is less, and the face polygon empty or not as near: such pairs are found from
// the edges and corners themselves. Boxes with nearly parallel faces are left alone there unless
// they move so fast that they might pass through one another within a step: diagonal neighbours in
// a wall.
#include <algorithm>
#include <cmath>
#include <limits>

#include "collide/clip.h"
#include "collide/feature_id.h"
#include "collide/gjk.h"
#include "collide/meeting_edges.h"
#include "collide/pairs.h"
#include "collide/polish.h"
#include "collide/segment.h"

namespace stiction {
namespace {

// Of the smaller box's least half extent: by so much another kind of axis must be better than the
// preferred face. Boxes that lie on one another keep their face while they rock by rounding.
constexpr double kFaceBias = 1e-4;
constexpr double kParallelSine2 = kParallelSine * kParallelSine;
constexpr double kEdgeNoise = 1e-9;  // of the least half extent: an edge axis no better than a face
constexpr double kApart = 0.2;  // of the same: a contact so far from that of two edges is another
constexpr double kFastMargin = 0.5;  // of the least half extent: look-ahead that counts as fast

struct BoxPair {
    Mat3 R;  // R_AB
    Mat3 abs_R;
    Vec3 t_A;  // from A's centre to B's, in A
    Vec3 t_B;  // the same in B
};

BoxPair place_pair(const WorldGeom& a, const WorldGeom& b) {
    BoxPair pair;
    pair.R = a.R.transpose() * b.R;
    pair.abs_R = pair.R.cwiseAbs();
    const Vec3 t = b.p - a.p;
    pair.t_A = a.R.transpose() * t;
    pair.t_B = b.R.transpose() * t;
    return pair;
}

struct Axis {
    double gap;  // [m]
    int index;   // faces 0..2; edges 3 i + j
};

Axis best_face(const Vec3& t, const Vec3& half, const Vec3& other) {
    const Vec3 gaps = t.cwiseAbs() - half - other;
    Axis axis{gaps[0], 0};
    for (int k = 1; k < 3; ++k) {
        if (gaps[k] > axis.gap) axis = {gaps[k], k};
    }
    return axis;
}

// Gap along a_i x b_j, not yet divided by that vector's length.
double edge_gap(const BoxPair& pair, const Vec3& ha, const Vec3& hb, int i, int j) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    const double along = std::abs(pair.t_A[i2] * pair.R(i1, j) - pair.t_A[i1] * pair.R(i2, j));
    return along - (ha[i1] * pair.abs_R(i2, j) + ha[i2] * pair.abs_R(i1, j) +
                    hb[j1] * pair.abs_R(i, j2) + hb[j2] * pair.abs_R(i, j1));
}

// The best of the nine edge axes with a gap above `least`; index -1 if there is none. A root is
// taken only for an axis that wins.
Axis best_edge(const BoxPair& pair, const Vec3& ha, const Vec3& hb, double least) {
    Axis best{least, -1};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const double gap = edge_gap(pair, ha, hb, i, j);
            const double r1 = pair.R((i + 1) % 3, j), r2 = pair.R((i + 2) % 3, j);
            const double length2 = r1 * r1 + r2 * r2;
            const double bound2 = best.gap * best.gap * length2;
            const bool better =
                best.gap >= 0 ? (gap > 0 && gap * gap > bound2) : (gap > 0 || gap * gap < bound2);
            if (better && length2 > kParallelSine2) best = {gap / std::sqrt(length2), 3 * i + j};
        }
    }
    return best;
}

// Contacts of the reference box's face k with the incident box, as if the reference were A
// (`swapped` otherwise). R and t: incident box in the reference box's frame.
template <typename Rotation>
void add_face(const WorldGeom& ref, const WorldGeom& inc, const Rotation& R, const Vec3& t, int k,
              bool swapped, double margin, Manifold& m) {
    const int ku = (k + 1) % 3, kv = (k + 2) % 3;
    const double side = t[k] >= 0 ? 1.0 : -1.0;  // the incident box is on this side

    // Incident face: the one whose outward normal points back most.
    int f = 0;
    for (int j = 1; j < 3; ++j) {
        if (std::abs(R(k, j)) > std::abs(R(k, f)) + kFaceBias) f = j;
    }
    const double inc_side = R(k, f) * side > 0 ? -1.0 : 1.0;
    const int f1 = (f + 1) % 3, f2 = (f + 2) % 3;
    const double hu = ref.half[ku], hv = ref.half[kv];
    const double smaller_face = std::min(hu + hv, inc.half[f1] + inc.half[f2]);
    const double tolerance = kClipTolerance * smaller_face;

    ClipPolygon buffer[2];
    ClipPolygon* polygon = &buffer[0];
    const Vec3 c = t + inc_side * inc.half[f] * R.col(f);
    const Vec3 e1 = inc.half[f1] * R.col(f1), e2 = inc.half[f2] * R.col(f2);
    constexpr double kSign1[] = {1, -1, -1, 1}, kSign2[] = {1, 1, -1, -1};
    double out_u = 0, out_v = 0;
    for (int i = 0; i < 4; ++i) {
        const double u = c[ku] + kSign1[i] * e1[ku] + kSign2[i] * e2[ku];
        const double v = c[kv] + kSign1[i] * e1[kv] + kSign2[i] * e2[kv];
        const double w = side * (c[k] + kSign1[i] * e1[k] + kSign2[i] * e2[k]) - ref.half[k];
        out_u = std::max(out_u, std::abs(u) - hu);
        out_v = std::max(out_v, std::abs(v) - hv);
        const int before = kIncidentLabel + (i + 3) % 4, after = kIncidentLabel + i;
        polygon->add(u, v, w, static_cast<std::uint8_t>(before), static_cast<std::uint8_t>(after),
                     static_cast<std::uint8_t>(after));
    }
    const auto cut = [&](const HalfPlane& h) {
        ClipPolygon* other = polygon == &buffer[0] ? &buffer[1] : &buffer[0];
        clip(*polygon, h, tolerance, *other);
        polygon = other;
    };
    if (out_u > tolerance) {
        cut({1, 0, hu, 0});
        cut({-1, 0, hu, 2});
    }
    if (out_v > tolerance) {
        cut({0, 1, hv, 1});
        cut({0, -1, hv, 3});
    }
    if (polygon->count == 0) return;

    // Boxes that share but an edge, like diagonal neighbours in a wall, overlap by next to nothing:
    // no contact.
    double min_u = hu, max_u = -hu, min_v = hv, max_v = -hv;
    for (int i = 0; i < polygon->count; ++i) {
        const ClipPoint& p = polygon->points[at(i)];
        min_u = std::min(min_u, p.u);
        max_u = std::max(max_u, p.u);
        min_v = std::min(min_v, p.v);
        max_v = std::max(max_v, p.v);
    }
    if (std::min(max_u - min_u, max_v - min_v) <= kMinOverlap * smaller_face) return;

    const Vec3 outward = side * ref.R.col(k);
    const Vec3 n = swapped ? outward : Vec3(-outward);  // from B into A
    const Vec3 origin = ref.p + ref.half[k] * outward;
    const std::uint32_t tag = (swapped ? kReferenceIsB : 0U) |
                              static_cast<std::uint32_t>(2 * k + (side > 0)) << kBoxFaceBits |
                              static_cast<std::uint32_t>(2 * f + (inc_side > 0));
    for (int i = 0; i < polygon->count; ++i) {
        const ClipPoint& p = polygon->points[at(i)];
        if (p.w > margin) continue;
        const std::uint32_t feature = feature_id(tag, p.name[0], p.name[1]);
        const Vec3 on_ref = origin + p.u * ref.R.col(ku) + p.v * ref.R.col(kv);
        if (swapped) {
            m.add_on_B(on_ref, n, p.w, feature);
        } else {
            m.add_on_A(on_ref, n, p.w, feature);
        }
    }
}

// The edge of a box along axis k on the sides that the signs of d's two other components tell, which
// are the bits of its index. d in the box's own frame.
Edge box_edge(const WorldGeom& box, int k, const Vec3& d_box, std::uint32_t& index) {
    const auto sign = [&](int i) { return d_box[i] > 0 ? 1.0 : -1.0; };
    const int i1 = (k + 1) % 3, i2 = (k + 2) % 3;
    const Vec3 n1 = sign(i1) * box.R.col(i1), n2 = sign(i2) * box.R.col(i2);
    index =
        4U * static_cast<std::uint32_t>(k) + (d_box[i1] > 0 ? 1U : 0U) + (d_box[i2] > 0 ? 2U : 0U);
    return {{box.p + box.half[i1] * n1 + box.half[i2] * n2, box.R.col(k), box.half[k]}, n1, n2};
}

// The one that lies furthest in direction d.
Segment support_edge(const WorldGeom& box, int k, const Vec3& d, std::uint32_t& index) {
    return box_edge(box, k, box.R.transpose() * d, index).line;
}

// False when the edges' common normal meets them outside their ends.
bool add_edges(const WorldGeom& a, const WorldGeom& b, const Axis& axis, double margin,
               Manifold& m) {
    const int i = axis.index / 3, j = axis.index % 3;
    Vec3 n = a.R.col(i).cross(b.R.col(j)).normalized();
    if (n.dot(a.p - b.p) < 0) n = -n;
    std::uint32_t edge_a = 0, edge_b = 0;
    const Segment sa = support_edge(a, i, -n, edge_a), sb = support_edge(b, j, n, edge_b);
    const SegmentPair at = closest(sa, sb);
    const Vec3 p_A = sa.at(at.s), p_B = sb.at(at.t), d = p_A - p_B;
    const double phi = n.dot(d);
    const double slack = kClipTolerance * (a.half[i] + b.half[j]);
    if ((d - phi * n).squaredNorm() > slack * slack) return false;
    if (phi <= margin) m.add_on_B(p_B, n, phi, feature_id(kBoxEdges, edge_a, edge_b));
    return true;
}

// Of A's edges along its axis i and B's along its axis j, which is parallel to that, the two nearest
// to one another: corners of the boxes' sections across the axes, each in its own box's frame.
struct Sides {
    Vec3 a, b;
};
Sides nearest_sides(const WorldGeom& a, const WorldGeom& b, const BoxPair& pair, int i, int j) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    Sides sides{Vec3::Zero(), Vec3::Zero()};
    double least = std::numeric_limits<double>::infinity();
    for (const int corner : {0, 1, 2, 3}) {
        Vec3 of_b = Vec3::Zero();
        of_b[j1] = (corner & 1) != 0 ? b.half[j1] : -b.half[j1];
        of_b[j2] = (corner & 2) != 0 ? b.half[j2] : -b.half[j2];
        const Vec3 in_a = pair.t_A + pair.R * of_b;
        const double distance =
            std::hypot(std::abs(in_a[i1]) - a.half[i1], std::abs(in_a[i2]) - a.half[i2]);
        if (distance >= least) continue;
        least = distance;
        sides = {in_a, of_b};
    }
    return sides;
}

// Two contacts where an edge of A runs along one of B and meets it.
bool add_parallel_edges(const WorldGeom& a, const WorldGeom& b, const BoxPair& pair, double margin,
                        Manifold& m) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            const double r1 = pair.R(i1, j), r2 = pair.R(i2, j);
            if (r1 * r1 + r2 * r2 > kParallelSine2) continue;
            if (std::max(pair.abs_R(i1, j1), pair.abs_R(i1, j2)) > kParallelFacesCosine)
                return false;
            const Sides sides = nearest_sides(a, b, pair, i, j);
            std::uint32_t in_a = 0, in_b = 0;
            const Edge edge_a = box_edge(a, i, sides.a, in_a);
            const Edge edge_b = box_edge(b, j, sides.b, in_b);
            return add_meeting_edges(edge_a, edge_b, kEdgeReach * std::min(a.size, b.size), margin,
                                     feature_id(kBoxEdges + kLowEnd, in_a, in_b),
                                     feature_id(kBoxEdges + kHighEnd, in_a, in_b), m);
        }
    }
    return false;
}

// The nearest points, which are those of a corner and a corner or edge.
bool add_corner(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    NearestPoints nearest = nearest_points(a, b);
    polish(a, b, std::min(a.size, b.size), nearest);
    if (nearest.phi > margin) return false;
    const Vec3 middle = 0.5 * (nearest.p_A + nearest.p_B);
    m.add_on_A(middle + 0.5 * nearest.phi * nearest.n, nearest.n, nearest.phi,
               feature_id(kBoxNearestPoints, 0, kSingle));
    return true;
}

double least_gap(const Manifold& m, int first) {
    double gap = std::numeric_limits<double>::infinity();
    for (int i = first; i < m.count; ++i) gap = std::min(gap, m.points[at(i)].phi);
    return gap;
}

// Edges that cross are one point, edges side by side two. Where a face lies nearly flat against the
// other box, another point of it may touch before the step ends, and without a contact there it
// would sink in by all that the boxes move. Of the points from `first` on, keeps those no deeper
// than the edges', which are the ones from `edges` to there, and apart from the line between these.
void keep_other_points(int edges, int first, double slack, double apart, Manifold& m) {
    const ManifoldPoint& low = m.points[at(edges)];
    const ManifoldPoint& high = m.points[at(first - 1)];
    const double deepest = std::min({low.phi, high.phi, 0.0}) - slack;
    const Vec3 across = high.p_B - low.p_B;
    const double length = across.norm();
    const Segment line{low.p_B + 0.5 * across, across / std::max(length, apart), 0.5 * length};
    int kept = first;
    for (int i = first; i < m.count; ++i) {
        const ManifoldPoint& point = m.points[at(i)];
        const Vec3 d = point.p_B - line.at(line.nearest(point.p_B));
        if (point.phi < deepest || d.norm() < apart) continue;
        m.points[at(kept++)] = point;
    }
    m.count = kept;
}

}  // namespace

void collide_box_box(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    const BoxPair pair = place_pair(a, b);
    const Axis face_a = best_face(pair.t_A, a.half, pair.abs_R * b.half);
    if (face_a.gap > margin) return;
    const Axis face_b = best_face(pair.t_B, b.half, pair.abs_R.transpose() * a.half);
    if (face_b.gap > margin) return;
    const double least_half = std::min(a.half.minCoeff(), b.half.minCoeff());
    const double bias = kFaceBias * least_half;
    const double face_gap = std::max(face_a.gap, face_b.gap);
    const Axis edge = best_edge(pair, a.half, b.half, face_gap + bias);
    if (edge.gap > margin && edge.index >= 0) return;

    // The larger box's face is the reference unless the other's is clearly better: the corners of a
    // small box on a large one then name the contacts, tilted or not.
    const bool b_larger = b.size >= a.size;
    const bool use_b = b_larger ? face_b.gap + bias >= face_a.gap : face_b.gap > face_a.gap + bias;
    const auto add_best_face = [&] {
        if (use_b) {
            add_face(b, a, pair.R.transpose(), -pair.t_B, face_b.index, true, margin, m);
        } else {
            add_face(a, b, pair.R, pair.t_A, face_a.index, false, margin, m);
        }
    };
    const int before = m.count;
    const auto add_other_points = [&] {
        const int first = m.count;
        if (first == before) return;
        add_best_face();
        keep_other_points(before, first, bias, kApart * least_half, m);
    };
    if (add_parallel_edges(a, b, pair, margin, m) ||
        (edge.index >= 0 && add_edges(a, b, edge, margin, m))) {
        add_other_points();
        return;
    }
    add_best_face();
    if (least_gap(m, before) <= (use_b ? face_b.gap : face_a.gap) + bias) return;
    // What is nearest is not over the face. An edge axis may have lost to it by less than the bias;
    // otherwise a corner is next to a corner or an edge.
    const Axis close_edge = best_edge(pair, a.half, b.half, face_gap + kEdgeNoise * least_half);
    const bool parallel_faces = pair.abs_R.maxCoeff() > kParallelFacesCosine;
    const bool corners = !parallel_faces || margin > kFastMargin * least_half;
    m.count = before;
    if ((close_edge.index >= 0 && add_edges(a, b, close_edge, margin, m)) ||
        (corners && add_corner(a, b, margin, m))) {
        add_other_points();
    } else {
        add_best_face();
    }
}

}  // namespace stiction

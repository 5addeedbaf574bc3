// clip.h - clipping of a convex polygon by half planes, in the plane of a reference face.
//
// Points carry the height w over that plane along and a name that does not change while bodies move
// a little: every edge of either polygon has a label, and a corner is named by the two edges that
// meet in it. Corners within `tolerance` of a clipping line count as on it and keep their name, so
// that equal faces laid on one another give the corners of one of them, whatever the round-off, and
// never two points for one.
#pragma once

#include <array>
#include <cstdint>

#include "core/types.h"

namespace stiction {

// Of the smaller face's size: corners so near an edge lie on it, so that stacked boxes of one width
// keep their corners when rounding moves them.
inline constexpr double kClipTolerance = 1e-6;
inline constexpr double kMinOverlap = 1e-4;  // of the same: a narrower common stretch is no contact
// Corners of one face: labels have kLabelBits bits, 0..31 for the reference face and 32..63 for the
// incident one.
inline constexpr int kMaxPolygon = 32;
inline constexpr int kIncidentLabel = kMaxPolygon;

struct ClipPoint {
    double u, v, w;        // in the reference face's frame, w along its outward normal [m]
    std::uint8_t name[2];  // labels of the edges that meet here, smaller first
    std::uint8_t edge;     // label of the edge that leaves here
};

struct ClipPolygon {
    std::array<ClipPoint, 2 * kMaxPolygon> points;
    int count = 0;

    void add(double u, double v, double w, std::uint8_t label_1, std::uint8_t label_2,
             std::uint8_t edge) {
        ClipPoint& p = points[at(count++)];
        p = {u, v, w, {label_1, label_2}, edge};
        if (label_1 > label_2) {
            p.name[0] = label_2;
            p.name[1] = label_1;
        }
    }
};

struct HalfPlane {
    double nu, nv, d;  // keeps nu u + nv v <= d; (nu, nv) unit
    std::uint8_t label;
};

// Sutherland-Hodgman for one line. `out` must not be `in`.
inline void clip(const ClipPolygon& in, const HalfPlane& h, double tolerance, ClipPolygon& out) {
    out.count = 0;
    if (in.count == 0) return;
    const auto beyond = [&](const ClipPoint& p) { return h.nu * p.u + h.nv * p.v - h.d; };
    const double first = beyond(in.points[0]);
    double here = first;
    for (int i = 0; i < in.count; ++i) {
        const ClipPoint& p = in.points[at(i)];
        const bool last = i + 1 == in.count;
        const ClipPoint& q = in.points[last ? 0 : at(i + 1)];
        const double next = last ? first : beyond(q);
        if (here <= tolerance) {
            out.points[at(out.count++)] = p;
            if (here >= -tolerance && next > tolerance) {
                out.points[at(out.count - 1)].edge = h.label;
            }
        }
        if ((here < -tolerance && next > tolerance) || (here > tolerance && next < -tolerance)) {
            const double t = here / (here - next);
            const std::uint8_t edge = here < 0 ? h.label : p.edge;
            out.add(p.u + t * (q.u - p.u), p.v + t * (q.v - p.v), p.w + t * (q.w - p.w), p.edge,
                    h.label, edge);
        }
        here = next;
    }
}

}  // namespace stiction

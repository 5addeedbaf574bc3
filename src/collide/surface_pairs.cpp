// surface_pairs.cpp - shapes against heightfields and meshes: the pair in the frame of the ground,
// ids of its contacts, and the table of shapes.
#include <cmath>

#include "collide/feature_id.h"
#include "collide/pairs.h"
#include "collide/surface_shapes.h"
#include "model/height_grid.h"
#include "model/mesh_surface.h"

namespace stiction {
namespace {

constexpr double kSameDepth = 1e-6;  // of the shape's size: as deep as the deepest

// A in the frame of the ground.
WorldGeom in_frame(const WorldGeom& a, const WorldGeom& ground) {
    WorldGeom local = a;
    local.R.noalias() = ground.R.transpose() * a.R;
    local.p = ground.R.transpose() * (a.p - ground.p);
    return local;
}

// 16 bits of a name of the surface, never 0.
std::uint32_t short_key(std::uint64_t key) {
    key = (key ^ (key >> 31)) * 0x9e3779b97f4a7c15ULL;
    return static_cast<std::uint32_t>(key >> 48) | 1U;
}

// Ids: of the contacts of one corner (or end, or ball) the deepest has the corner's own id, so that
// a body that slides over many triangles keeps it; the others, and what the ground stands out with,
// are named by the ground's feature too. Of several as deep the first by name is the deepest.
std::uint32_t id_of(const SurfaceHits& hits, const SurfaceHit& hit) {
    bool first = hit.label < kCornerLabels;
    for (int i = 0; i < hits.count && first; ++i) {
        const SurfaceHit& other = hits.hits[at(i)];
        if (&other == &hit || other.label != hit.label) continue;
        const double deeper = hit.phi - other.phi;
        if (deeper > hits.tolerance) first = false;
        if (std::abs(deeper) <= hits.tolerance && other.key < hit.key) first = false;
    }
    return hit.label << kTagBits | (first ? 0U : short_key(hit.key));
}

void emit(const WorldGeom& ground, const SurfaceHits& hits, Manifold& m) {
    const int before = m.count;
    for (int i = 0; i < hits.count; ++i) {
        const SurfaceHit& hit = hits.hits[at(i)];
        std::uint32_t id = id_of(hits, hit);
        for (int k = before; k < m.count; ++k) {  // two names may have the same short form
            if (m.points[at(k)].feature != id) continue;
            ++id;
            k = before - 1;
        }
        m.add_on_A(ground.p + ground.R * hit.p_A, ground.R * hit.n, hit.phi, id);
    }
}

SurfaceHits make_hits(const WorldGeom& a, double margin) {
    SurfaceHits hits;
    hits.margin = margin;
    hits.tolerance = kSameDepth * a.size;
    return hits;
}

const HeightGrid& surface_of(const WorldGeom& b, const HeightGrid*) { return *b.grid; }
const MeshSurface& surface_of(const WorldGeom& b, const MeshSurface*) { return *b.mesh; }

template <class Surface, void (*Find)(const Surface&, const WorldGeom&, SurfaceHits&)>
void collide_surface(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    SurfaceHits hits = make_hits(a, margin);
    Find(surface_of(b, static_cast<const Surface*>(nullptr)), in_frame(a, b), hits);
    emit(b, hits, m);
}

template <class Surface>
PairFunction function_on(ShapeKind a) {
    switch (a) {
        case ShapeKind::kSphere:
            return collide_surface<Surface, sphere_hits<Surface>>;
        case ShapeKind::kCapsule:
            return collide_surface<Surface, capsule_hits<Surface>>;
        case ShapeKind::kBox:
            return collide_surface<Surface, box_hits<Surface>>;
        case ShapeKind::kHull:
            return collide_surface<Surface, hull_hits<Surface>>;
        case ShapeKind::kCylinder:
            return collide_surface<Surface, cylinder_hits<Surface>>;
        case ShapeKind::kCone:
            return collide_surface<Surface, cone_hits<Surface>>;
        case ShapeKind::kEllipsoid:
            return collide_surface<Surface, ellipsoid_hits<Surface>>;
        case ShapeKind::kRoundedBox:
            return collide_surface<Surface, rounded_box_hits<Surface>>;
        default:
            return nullptr;
    }
}

}  // namespace

PairFunction surface_function(ShapeKind a, ShapeKind b) {
    return b == ShapeKind::kHeightfield ? function_on<HeightGrid>(a) : function_on<MeshSurface>(a);
}

}  // namespace stiction

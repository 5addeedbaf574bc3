// model.cpp - numbering of the velocity blocks and the table of surface pairs.
#include "model/model.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

// DESIGN's combination rules: friction by the geometric mean, restitution by the maximum.
SurfacePair combine(const SurfacePair& a, const SurfacePair& b) {
    return {std::sqrt(a.mu_c * b.mu_c), std::sqrt(a.mu_v * b.mu_v), std::max(a.eps, b.eps)};
}

}  // namespace

void finalize(Model& model) {
    model.blocks.clear();
    model.nv = 0;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        Body& body = model.bodies[i];
        body.block = kNone;
        if (body.kind != BodyKind::kDynamic) continue;
        body.inv_inertia_B = body.inertia_B.inverse();
        body.isotropic = body.inertia_B.isApprox(body.inertia_B(0, 0) * Mat3::Identity(), 1e-15);
        body.block = static_cast<int>(model.blocks.size());
        model.blocks.push_back({model.nv, 6, static_cast<int>(i)});
        model.nv += 6;
    }

    model.surface_pairs.clear();
    for (const Material& a : model.materials) {
        for (const Material& b : model.materials) {
            // A material with itself keeps its own numbers to the last bit.
            model.surface_pairs.push_back(&a == &b ? a.surface : combine(a.surface, b.surface));
        }
    }
}

}  // namespace stiction

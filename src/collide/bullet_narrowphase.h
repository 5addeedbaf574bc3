// bullet_narrowphase.h - contacts as Bullet finds them: its dispatcher picks an algorithm for the
// two shapes and runs it afresh in every call.
//
// Points are taken as the algorithm reports them, past Bullet's persistent manifolds, which would
// keep points of earlier steps: contacts depend on the present poses alone. Gaps up to the margin
// are asked for by closestPointDistanceThreshold and the breaking threshold. Two algorithms are
// asked at further poses, for several points in one call: that of polyhedra on planes by Bullet
// itself, at turned poses, and that of two boxes, which knows overlap only, with one pushed into
// the other.
//
// What is done to the points: those beyond the margin, twice the same, not finite or without a unit
// normal are left out, and they get names (feature_id.h). Gaps, normals and places are Bullet's.
#pragma once

#include <memory>
#include <vector>

#include "collide/geometry.h"

namespace stiction {

class BulletNarrowphase {
  public:
    explicit BulletNarrowphase(const std::vector<WorldGeom>& geoms);
    ~BulletNarrowphase();
    BulletNarrowphase(const BulletNarrowphase&) = delete;
    BulletNarrowphase& operator=(const BulletNarrowphase&) = delete;

    // Adds the contacts of geoms i and j, placed as a and b; a is convex. False when Bullet has no
    // algorithm for them.
    bool collide(int i, int j, const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace stiction

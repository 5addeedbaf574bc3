// broadphase.h - which pairs of geoms are near: Bullet's dynamic bounding-volume tree over fattened
// boxes.
//
// The pair list always equals { allowed pairs whose fat boxes overlap } + { allowed pairs with a
// plane }, sorted as contacts are; it is touched only when some geom leaves its fat box. Which
// pairs have contacts is decided later, from the true poses alone, so nothing about the fat boxes
// or their history shows in a result.
#pragma once

#include <memory>
#include <vector>

#include "collide/pairs.h"
#include "model/model.h"

struct btDbvt;
struct btDbvtNode;

namespace stiction {

struct Aabb {
    Vec3 lo = Vec3::Constant(1);   // [m]; empty unless set
    Vec3 hi = Vec3::Constant(-1);  // [m]
};

[[nodiscard]] inline bool overlap(const Aabb& a, const Aabb& b) {
    return a.lo.x() <= b.hi.x() && b.lo.x() <= a.hi.x() && a.lo.y() <= b.hi.y() &&
           b.lo.y() <= a.hi.y() && a.lo.z() <= b.hi.z() && b.lo.z() <= a.hi.z();
}

// Geoms a and b, in the roles of a contact's A and B.
struct GeomPair {
    int body_a, body_b, geom_a, geom_b;
    PairFunction function;
    bool swapped;  // the function takes (b, a)
    bool plane;    // b is one

    friend bool operator<(const GeomPair& x, const GeomPair& y);
};

class Broadphase {
  public:
    // Without bounds yet; planes are paired with every geom they may touch.
    explicit Broadphase(const Model& model);
    ~Broadphase();

    // bounds: per geom, what it can reach in the step. changed: geoms (no planes) that their fat
    // boxes do not hold.
    void update(const std::vector<Aabb>& bounds, const std::vector<int>& changed);

    // Whether geom i with these bounds may stay where it is: inside its fat box, which is not much
    // too wide for it.
    [[nodiscard]] bool holds(int i, const Aabb& bounds) const;

    [[nodiscard]] const std::vector<GeomPair>& pairs() const { return pairs_; }

  private:
    struct Filter {
        int body;
        bool fixed;  // static or kinematic
        std::uint32_t group, mask;
        ShapeKind kind;
    };
    [[nodiscard]] bool allowed(int i, int j) const;
    [[nodiscard]] GeomPair make_pair(int i, int j) const;
    void refit(int i, const Aabb& bounds);
    void find_new_pairs(int i);

    std::vector<Filter> filter_;
    std::vector<std::pair<int, int>>
        linked_;                      // bodies that must not collide, smaller first, sorted
    std::vector<double> fat_margin_;  // [m]
    std::vector<Aabb> fat_, previous_;
    std::vector<char> moved_flag_;
    std::vector<btDbvtNode*> leaf_;
    std::unique_ptr<btDbvt> tree_;
    std::vector<const btDbvtNode*> stack_;
    std::vector<GeomPair> pairs_, found_, merged_;
};

}  // namespace stiction

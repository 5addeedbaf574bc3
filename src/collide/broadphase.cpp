// broadphase.cpp - the pair list, kept up to date by Bullet's tree.
#include "collide/broadphase.h"

#include <BulletCollision/BroadphaseCollision/btDbvt.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace stiction {
namespace {

// Of the bounding radius: how far a body may move before its leaf does. More moves leaves less
// often, but finds more pairs that do not touch.
constexpr double kFatMargin = 0.1;
// A fat box wider than this many margins on some side is shrunk: its body was fast and no longer
// is. Fewer would move leaves for nothing.
constexpr double kLooseMargins = 5;

bool contains(const Aabb& outer, const Aabb& inner) {
    return (outer.lo.array() <= inner.lo.array()).all() &&
           (inner.hi.array() <= outer.hi.array()).all();
}

// About 0.618 n and without common divisor with n: multiples of it reach every index once, and the
// first few are spread evenly.
std::size_t scattering_stride(std::size_t n) {
    auto stride = static_cast<std::size_t>(0.6180339887 * static_cast<double>(n)) + 1;
    while (std::gcd(stride, n) != 1) ++stride;
    return stride;
}

}  // namespace

bool operator<(const GeomPair& x, const GeomPair& y) {
    return std::tie(x.body_a, x.body_b, x.geom_a, x.geom_b) <
           std::tie(y.body_a, y.body_b, y.geom_a, y.geom_b);
}

Broadphase::Broadphase(const Model& model) : tree_(std::make_unique<btDbvt>()) {
    for (const Joint& joint : model.joints) {
        if (joint.collide || joint.parent == kNone) continue;
        linked_.emplace_back(std::min(joint.child, joint.parent),
                             std::max(joint.child, joint.parent));
    }
    std::sort(linked_.begin(), linked_.end());
    for (const Geom& geom : model.geoms) {
        const bool fixed = model.bodies[at(geom.body)].kind != BodyKind::kDynamic;
        const ShapeKind kind = static_cast<ShapeKind>(geom.shape.index());
        filter_.push_back({geom.body, fixed, geom.group, geom.mask, kind});
        fat_margin_.push_back(fixed ? 0.0 : kFatMargin * bounding_radius(geom.shape));
    }
    const int n = static_cast<int>(filter_.size());
    fat_.resize(filter_.size());
    previous_.resize(filter_.size());
    moved_flag_.resize(filter_.size(), 0);
    leaf_.resize(filter_.size(), nullptr);
    for (int i = 0; i < n; ++i) {
        if (filter_[at(i)].kind != ShapeKind::kPlane) continue;
        for (int j = 0; j < n; ++j) {
            if (allowed(i, j) && filter_[at(j)].kind != ShapeKind::kPlane)
                pairs_.push_back(make_pair(i, j));
        }
    }
    std::sort(pairs_.begin(), pairs_.end());
}

Broadphase::~Broadphase() = default;

bool Broadphase::allowed(int i, int j) const {
    const Filter &a = filter_[at(i)], &b = filter_[at(j)];
    if (a.body == b.body || (a.fixed && b.fixed)) return false;
    if ((a.group & b.mask) == 0 || (b.group & a.mask) == 0) return false;
    const std::pair<int, int> bodies(std::min(a.body, b.body), std::max(a.body, b.body));
    return !std::binary_search(linked_.begin(), linked_.end(), bodies);
}

GeomPair Broadphase::make_pair(int i, int j) const {
    const Filter &a = filter_[at(i)], &b = filter_[at(j)];
    const bool i_is_a = a.fixed != b.fixed ? b.fixed : a.body > b.body;
    if (!i_is_a) return make_pair(j, i);
    const PairDispatch d = dispatch(a.kind, b.kind);
    return {a.body, b.body, i, j, d.function, d.swapped, b.kind == ShapeKind::kPlane};
}

bool Broadphase::holds(int i, const Aabb& bounds) const {
    const Vec3 loose = Vec3::Constant(kLooseMargins * fat_margin_[at(i)]);
    const Aabb& fat = fat_[at(i)];
    return contains(fat, bounds) && contains({bounds.lo - loose, bounds.hi + loose}, fat);
}

void Broadphase::refit(int i, const Aabb& bounds) {
    const auto k = at(i);
    const Vec3 margin = Vec3::Constant(fat_margin_[k]);
    fat_[k] = {bounds.lo - margin, bounds.hi + margin};
    const Aabb& fat = fat_[k];
    btDbvtVolume volume = btDbvtVolume::FromMM(btVector3(fat.lo.x(), fat.lo.y(), fat.lo.z()),
                                               btVector3(fat.hi.x(), fat.hi.y(), fat.hi.z()));
    if (leaf_[k] == nullptr) {
        leaf_[k] = tree_->insert(volume, nullptr);
        leaf_[k]->dataAsInt = i;
    } else {
        tree_->update(leaf_[k], volume);
    }
}

// Pairs of i whose fat boxes overlap now and did not before. Of two moved geoms the smaller one
// reports the pair.
void Broadphase::find_new_pairs(int i) {
    const auto k = at(i);
    const btDbvtVolume& volume = leaf_[k]->volume;
    stack_.assign(1, tree_->m_root);
    while (!stack_.empty()) {
        const btDbvtNode* node = stack_.back();
        stack_.pop_back();
        if (!Intersect(node->volume, volume)) continue;
        if (node->isinternal()) {
            stack_.push_back(node->childs[0]);
            stack_.push_back(node->childs[1]);
            continue;
        }
        const int j = node->dataAsInt;
        const auto l = at(j);
        if (j == i || (moved_flag_[l] != 0 && j < i)) continue;
        if (overlap(previous_[k], previous_[l]) || !allowed(i, j)) continue;
        found_.push_back(make_pair(i, j));
    }
}

void Broadphase::update(const std::vector<Aabb>& bounds, const std::vector<int>& changed) {
    if (changed.empty()) return;
    // Leaves inserted along a row of bodies would make a tree as deep as the row is long: they come
    // in an order that jumps about. Pairs are sorted, so that nothing else depends on it.
    const std::size_t stride = scattering_stride(changed.size());
    for (std::size_t n = 0, k = 0; n < changed.size(); ++n, k = (k + stride) % changed.size()) {
        refit(changed[k], bounds[at(changed[k])]);
        moved_flag_[at(changed[k])] = 1;
    }
    found_.clear();
    for (const int i : changed) find_new_pairs(i);
    std::erase_if(pairs_, [&](const GeomPair& pair) {
        const auto a = at(pair.geom_a), b = at(pair.geom_b);
        return !pair.plane && (moved_flag_[a] != 0 || moved_flag_[b] != 0) &&
               !overlap(fat_[a], fat_[b]);
    });
    if (!found_.empty()) {
        std::sort(found_.begin(), found_.end());
        merged_.resize(pairs_.size() + found_.size());
        std::merge(pairs_.begin(), pairs_.end(), found_.begin(), found_.end(), merged_.begin());
        pairs_.swap(merged_);
    }
    for (const int i : changed) {
        moved_flag_[at(i)] = 0;
        previous_[at(i)] = fat_[at(i)];
    }
}

}  // namespace stiction

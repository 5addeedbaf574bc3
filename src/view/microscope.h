// microscope.h - one contact seen closely: found again from step to step, the forces its law allows
// in its own plane, the law in words and in symbols, and what it did over the last steps.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "live/snapshot.h"
#include "view/friction_set.h"
#include "view/scene_picture.h"

namespace stiction {

// Holds on to a contact: indices change with every step.
struct ContactAnchor {
    int body_a = kNone, body_b = kNone;
    Vec3 point_A = Vec3::Zero();  // frame of body_a [m]
    std::optional<Vec3> wanted;   // world, of one that a snapshot to come has [m]
    int index = kNone;            // in the snapshot seen last; kNone: the bodies do not touch there

    [[nodiscard]] bool held() const { return body_a != kNone; }
    // Takes up the contact that was selected since; otherwise finds the one it holds and selects it.
    // `reach`: how far a point may move from one picture to the next [m].
    void follow(const Snapshot& snapshot, double reach, Highlight& selection);
    // Of these bodies, in either order, near a point of the world: in the next snapshot that has it.
    void want(int body, int other, const Vec3& point);
    void let_go() { *this = {}; }
};

// A contact in its own frame.
struct ContactView {
    double normal = 0;               // force [N]
    Eigen::Vector2d friction{0, 0};  // on A, along the tangents s and t [N]
    Eigen::Vector2d slip{0, 0};      // of A against B [m/s]
    double bound = 0;                // mu times normal [N]
    double ratio = 0;                // friction over its bound in that direction; NaN: no bound
};
[[nodiscard]] ContactView look_at_contact(const ShownContact& contact, const FrictionSet& set);

// Corners of what friction may be, for a bound of 1, in the tangents' plane; none: no bound.
[[nodiscard]] std::vector<Eigen::Vector2d> friction_outline(const FrictionSet& set);

struct LawText {
    std::string_view words, symbols;
};
[[nodiscard]] LawText law_of(std::string_view model);

// What the held contact did in the pictures shown.
class ContactHistory {
  public:
    struct Row {
        std::int64_t step = 0;
        double t = 0, normal = 0, friction = 0, slip = 0;
    };
    void add(const Snapshot& snapshot, int contact);  // kNone: open
    void clear() { rows_.clear(); }
    [[nodiscard]] const std::deque<Row>& rows() const { return rows_; }

  private:
    std::deque<Row> rows_;
};

}  // namespace stiction

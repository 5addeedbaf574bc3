// contact_set.h - what collision detection found at one configuration.
//
// Sign conventions, stated once and tested in tests/collide: the unit normal n points from body B
// into body A, and the gap phi = n . (p_A - p_B) is negative when the bodies overlap.
#pragma once

#include <cstdint>
#include <vector>

#include "core/types.h"

namespace stiction {

struct Contact {
    int body_a = kNone;  // never static: where exactly one body is static or kinematic, it is B
    int body_b = kNone;
    int geom_a = kNone;
    int geom_b = kNone;
    std::uint32_t feature =
        0;                    // same feature pair of the two shapes -> same number, step after step
    Vec3 p_A = Vec3::Zero();  // witness point on A's surface, world [m]
    Vec3 p_B = Vec3::Zero();  // witness point on B's surface, world [m]
    Vec3 n = Vec3::Zero();    // unit, from B into A, world
    double phi = 0;           // gap [m]

    [[nodiscard]] Vec3 p() const { return 0.5 * (p_A + p_B); }
};

// Contacts sorted by (body_a, body_b, geom_a, geom_b, feature): the order depends on the scene,
// never on memory.
struct ContactSet {
    std::vector<Contact> contacts;
    int pairs = 0;         // of shapes near enough to be asked for contacts
    int bullet_pairs = 0;  // those of them that one of Bullet's algorithms answered
};

// Identifies a contact over time, for warm starts. Its order is the order of the set.
struct ContactKey {
    int body_a = kNone;
    int body_b = kNone;
    int geom_a = kNone;
    int geom_b = kNone;
    std::uint32_t feature = 0;

    auto operator<=>(const ContactKey&) const = default;
};

[[nodiscard]] inline ContactKey key(const Contact& c) {
    return {c.body_a, c.body_b, c.geom_a, c.geom_b, c.feature};
}

}  // namespace stiction

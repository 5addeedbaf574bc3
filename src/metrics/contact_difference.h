// contact_difference.h - how the contacts that two narrowphases find at one state differ.
//
// Points cannot be matched one to one: a face may have four in one set and one in the other. What is
// compared is the deepest contact of every pair of geoms that has some in both sets.
#pragma once

#include <algorithm>

#include "problem/contact_set.h"

namespace stiction {

struct ContactDifference {
    double gap = 0;     // largest difference of the deepest gaps [m]
    double normal = 0;  // largest angle between the normals there [rad]
    int unmatched = 0;  // pairs of geoms that overlap in one set and have no contact in the other

    void add(const ContactDifference& other) {
        gap = std::max(gap, other.gap);
        normal = std::max(normal, other.normal);
        unmatched += other.unmatched;
    }
};

// Both sets are sorted, as collide() leaves them.
[[nodiscard]] ContactDifference contact_difference(const ContactSet& x, const ContactSet& y);

}  // namespace stiction

// contact_difference_test.cpp - two sets of contacts by hand.
#include "metrics/contact_difference.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stiction {
namespace {

Contact touching(int body_a, int body_b, std::uint32_t feature, double phi, const Vec3& n) {
    return {body_a, body_b, body_a, body_b, feature, Vec3::Zero(), Vec3::Zero(), n, phi};
}

TEST(ContactDifference, OfASetFromItselfIsNone) {
    ContactSet set;
    for (int body = 1; body < 5; ++body)
        set.contacts.push_back(touching(body, 0, 0, -1e-3 * body, Vec3::UnitZ()));
    const ContactDifference d = contact_difference(set, set);
    EXPECT_EQ(d.gap, 0);
    EXPECT_EQ(d.normal, 0);
    EXPECT_EQ(d.unmatched, 0);
    EXPECT_EQ(contact_difference({}, {}).unmatched, 0);
}

// Of several points of a pair the deepest is compared; the number of points may differ.
TEST(ContactDifference, ComparesTheDeepestOfEveryPair) {
    const double angle = 0.3;
    ContactSet x, y;
    x.contacts = {touching(1, 0, 0, 1e-3, Vec3::UnitX()), touching(1, 0, 1, -2e-3, Vec3::UnitZ()),
                  touching(2, 0, 0, -1e-3, Vec3::UnitZ())};
    y.contacts = {touching(1, 0, 7, -5e-3, Vec3::UnitZ()),
                  touching(2, 0, 0, -1e-3, Vec3(std::sin(angle), 0, std::cos(angle)))};
    const ContactDifference d = contact_difference(x, y);
    EXPECT_NEAR(d.gap, 3e-3, 1e-15);
    EXPECT_NEAR(d.normal, angle, 1e-15);
    EXPECT_EQ(d.unmatched, 0);
}

// A pair that only one of the sets has counts where it overlaps, wherever it is in the order.
TEST(ContactDifference, CountsPairsThatOverlapForOneAlone) {
    ContactSet x, y;
    x.contacts = {touching(1, 0, 0, -1e-3, Vec3::UnitZ()), touching(2, 0, 0, 1e-3, Vec3::UnitZ()),
                  touching(3, 0, 0, -1e-3, Vec3::UnitZ())};
    y.contacts = {touching(3, 0, 0, -1e-3, Vec3::UnitZ()), touching(4, 0, 0, 2e-3, Vec3::UnitZ()),
                  touching(5, 0, 0, -1e-3, Vec3::UnitZ())};
    EXPECT_EQ(contact_difference(x, y).unmatched, 2);
    EXPECT_EQ(contact_difference(y, x).unmatched, 2);
    EXPECT_EQ(contact_difference(x, {}).unmatched, 2);
    ContactDifference sum = contact_difference(x, y);
    sum.add(contact_difference(x, {}));
    EXPECT_EQ(sum.unmatched, 4);
    EXPECT_EQ(sum.gap, 0);
}

}  // namespace
}  // namespace stiction

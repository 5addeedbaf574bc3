// microscope_test.cpp - a contact is found again, and is seen as its law has it.
#include "view/microscope.h"

#include <gtest/gtest.h>

#include <cmath>

#include "contact/contact_model.h"
#include "problem/contact_problem.h"

namespace stiction {
namespace {

ShownContact contact_at(const Vec3& point, int a = 1, int b = 0) {
    ShownContact c;
    c.body_a = a;
    c.body_b = b;
    c.point = point;
    c.normal = Vec3::UnitZ();
    c.normal_force = 10 * Vec3::UnitZ();
    c.mu_c = 0.5;
    return c;
}

Snapshot snapshot_of(const Vec3& body, std::vector<ShownContact> contacts) {
    Snapshot s;
    s.state.pose.resize(2);
    s.state.pose[1].p = body;
    s.contacts = std::move(contacts);
    return s;
}

TEST(ContactAnchor, FollowsAContactWhoseIndexChanges) {
    ContactAnchor anchor;
    Highlight selection;
    selection.contact = 1;
    anchor.follow(snapshot_of({0, 0, 1}, {contact_at({-1, 0, 0}), contact_at({1, 0, 0})}), 0.3,
                  selection);
    ASSERT_TRUE(anchor.held());
    // The body moves by 5, another contact comes in, and the order is another.
    anchor.follow(snapshot_of({5, 0, 1}, {contact_at({6.01, 0, 0}), contact_at({4, 0, 0}),
                                          contact_at({6, 0, 0}, 2, 0)}),
                  0.3, selection);
    EXPECT_EQ(selection.contact, 0);
    // Open for a while: nothing is selected, and it comes back.
    anchor.follow(snapshot_of({5, 0, 2}, {}), 0.3, selection);
    EXPECT_EQ(selection.contact, kNone);
    EXPECT_TRUE(anchor.held());
    anchor.follow(snapshot_of({5, 0, 1}, {contact_at({4, 0, 0}), contact_at({6, 0, 0})}), 0.3,
                  selection);
    EXPECT_EQ(selection.contact, 1);
    // Another one is chosen; none is.
    selection.contact = 0;
    const Snapshot last = snapshot_of({5, 0, 1}, {contact_at({4, 0, 0}), contact_at({6, 0, 0})});
    anchor.follow(last, 0.3, selection);
    EXPECT_NEAR(anchor.point_A.x(), -1, 1e-12);
    selection.contact = kNone;
    anchor.follow(last, 0.3, selection);
    EXPECT_FALSE(anchor.held());
}

TEST(ContactView, RatioIsOneOnTheEdgeOfEverySet) {
    ShownContact c = contact_at({0, 0, 0});
    Vec3 s, t;
    tangents(c.normal, s, t);
    const FrictionSet cone = friction_set("coulomb_cone", make_contact_model("coulomb_cone"));
    const FrictionSet polygon = friction_set("coulomb_lcp", CoulombLcp{.sides = 6});
    const FrictionSet box = friction_set("friction_box", make_contact_model("friction_box"));
    for (const FrictionSet& set : {cone, polygon, box}) {
        const auto outline = friction_outline(set);
        ASSERT_GE(outline.size(), 4U);
        for (std::size_t i = 0; i < outline.size(); ++i) {
            const Eigen::Vector2d& a = outline[i];
            const Eigen::Vector2d& b = outline[(i + 1) % outline.size()];
            const Eigen::Vector2d f = 5 * (0.7 * a + 0.3 * b);  // mu times normal is 5 N
            c.friction_force = f.x() * s + f.y() * t;
            EXPECT_NEAR(look_at_contact(c, set).ratio, 1, 5e-3) << static_cast<int>(set.kind);
            c.friction_force *= 0.5;
            EXPECT_NEAR(look_at_contact(c, set).ratio, 0.5, 5e-3);
        }
    }
    c.slip = 0.2 * t;
    const ContactView view = look_at_contact(c, cone);
    EXPECT_NEAR(view.slip.y(), 0.2, 1e-12);
    EXPECT_NEAR(view.normal, 10, 1e-12);
    EXPECT_NEAR(view.bound, 5, 1e-12);
    const FrictionSet none = friction_set("no_slip", make_contact_model("no_slip"));
    EXPECT_TRUE(std::isnan(look_at_contact(c, none).ratio));
    EXPECT_TRUE(friction_outline(none).empty());
}

TEST(LawText, EveryModelHasItsWordsAndSymbols) {
    for (const std::string_view model : kContactModelNames) {
        EXPECT_GT(law_of(model).words.size(), 20U) << model;
        EXPECT_GT(law_of(model).symbols.size(), 5U) << model;
        for (const std::string_view other : kContactModelNames)
            EXPECT_EQ(law_of(model).words == law_of(other).words, model == other);
    }
}

TEST(ContactHistory, GoesBackWithTheRun) {
    ContactHistory history;
    for (int i = 1; i <= 5; ++i) {
        Snapshot s = snapshot_of({0, 0, 1}, {contact_at({0, 0, 0})});
        s.state.step = i;
        history.add(s, i == 3 ? kNone : 0);
    }
    ASSERT_EQ(history.rows().size(), 5U);
    EXPECT_EQ(history.rows()[2].normal, 0);
    EXPECT_NEAR(history.rows()[3].normal, 10, 1e-12);
    Snapshot back = snapshot_of({0, 0, 1}, {});
    back.state.step = 2;
    history.add(back, kNone);
    EXPECT_EQ(history.rows().size(), 2U);
}

}  // namespace
}  // namespace stiction

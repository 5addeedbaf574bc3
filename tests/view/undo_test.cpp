// undo_test.cpp - edits are taken back and made again in order, a drag of a slider as one.
#include "view/undo.h"

#include <gtest/gtest.h>

#include "contact/contact_model.h"

namespace stiction {
namespace {

LiveSettings with_model(std::string_view model) {
    LiveSettings settings;
    settings.contact = make_contact_model(model);
    return settings;
}

TEST(Undo, GoesBackAndForthInOrder) {
    Undo undo;
    EXPECT_FALSE(undo.back());
    undo.settings(with_model("no_slip"), with_model("coulomb_cone"), 0);
    undo.control(3, "hip: kp", 10, 20, 0.1);
    const auto second = undo.back();
    ASSERT_TRUE(second);
    EXPECT_EQ(second->name, "hip: kp");
    EXPECT_EQ(second->before, 10);
    const auto first = undo.back();
    ASSERT_TRUE(first && first->settings_before);
    EXPECT_EQ(first->name, "model no_slip to coulomb_cone");
    EXPECT_EQ(name(first->settings_before->contact), "no_slip");
    EXPECT_FALSE(undo.back());
    EXPECT_EQ(undo.again()->name, first->name);
    EXPECT_EQ(undo.ahead(), 1U);
    undo.control(5, "other", 0, 1, 9);  // another future
    EXPECT_FALSE(undo.again());
    EXPECT_EQ(undo.made(), 2U);
}

TEST(Undo, ADraggedSliderIsOneEdit) {
    Undo undo;
    for (int i = 1; i <= 50; ++i) undo.control(2, "kp", i - 1, i, 0.02 * i);
    ASSERT_EQ(undo.made(), 1U);
    undo.control(2, "kp", 50, 60, 30);  // much later
    ASSERT_EQ(undo.made(), 2U);
    EXPECT_EQ(undo.back()->before, 50);
    const auto all = undo.back();
    EXPECT_EQ(all->before, 0);
    EXPECT_EQ(all->after, 50);
    LiveSettings a, b, c;
    b.step.h = 0.002;
    c.step.h = 0.003;
    undo.clear();
    undo.settings(a, b, 0);
    undo.settings(b, c, 0.2);
    ASSERT_EQ(undo.made(), 1U);
    const auto step = undo.back();
    EXPECT_EQ(step->settings_before->step.h, a.step.h);
    EXPECT_EQ(step->settings_after->step.h, 0.003);
}

}  // namespace
}  // namespace stiction

// keys_test.cpp - the table of keys: complete, without collisions, and read the same way by the
// window and by the help.
#include "view/input/keys.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "contact/contact_model.h"

namespace stiction {
namespace {

constexpr int kActions = static_cast<int>(Action::kLoadState) + 1;  // the last one

TEST(Keys, EveryActionHasOne) {
    std::set<Action> bound;
    for (const KeyBinding& binding : key_bindings()) bound.insert(binding.action);
    for (int i = 0; i < kActions; ++i)
        EXPECT_TRUE(bound.contains(static_cast<Action>(i))) << "action " << i;
    EXPECT_EQ(bound.size(), static_cast<std::size_t>(kActions));
}

TEST(Keys, NoTwoActionsShareOne) {
    std::set<std::pair<int, int>> taken;
    for (const KeyBinding& binding : key_bindings())
        EXPECT_TRUE(taken.insert({binding.key, binding.mods}).second) << key_text(binding);
}

// The help shows key_text and text of the whole table; what it promises must happen.
TEST(Keys, TheWindowObeysWhatTheHelpLists) {
    std::set<std::string> texts;
    for (const KeyBinding& binding : key_bindings()) {
        EXPECT_EQ(action_for(binding.key, binding.mods), binding.action) << key_text(binding);
        EXPECT_FALSE(binding.text.empty());
        EXPECT_FALSE(binding.group.empty());
        EXPECT_TRUE(texts.insert(key_text(binding)).second) << "listed twice " << key_text(binding);
    }
}

// A group that came twice would get two headings.
TEST(Keys, GroupsAreContiguous) {
    std::set<std::string_view> ended;
    std::string_view group;
    for (const KeyBinding& binding : key_bindings()) {
        if (binding.group == group) continue;
        EXPECT_FALSE(ended.contains(binding.group)) << binding.group;
        ended.insert(group);
        group = binding.group;
    }
}

TEST(Keys, ModifiersMustMatch) {
    EXPECT_EQ(action_for(GLFW_KEY_S, 0), Action::kShadows);
    EXPECT_EQ(action_for(GLFW_KEY_S, GLFW_MOD_CONTROL), Action::kSaveState);
    EXPECT_EQ(action_for(GLFW_KEY_S, GLFW_MOD_SHIFT), std::nullopt);
    EXPECT_EQ(action_for(GLFW_KEY_S, GLFW_MOD_ALT), std::nullopt);
    EXPECT_EQ(action_for(GLFW_KEY_S, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT), std::nullopt);
    EXPECT_EQ(action_for(GLFW_KEY_BACKSLASH, 0), std::nullopt);
    // Locks are no modifiers.
    EXPECT_EQ(action_for(GLFW_KEY_S, GLFW_MOD_CAPS_LOCK | GLFW_MOD_NUM_LOCK), Action::kShadows);
}

TEST(Keys, OtherKeysThatMeanTheSame) {
    EXPECT_EQ(action_for(GLFW_KEY_KP_ADD, 0), Action::kFaster);
    EXPECT_EQ(action_for(GLFW_KEY_KP_SUBTRACT, GLFW_MOD_CONTROL), Action::kSmaller);
    EXPECT_EQ(action_for(GLFW_KEY_KP_ENTER, 0), Action::kFollow);
    EXPECT_EQ(action_for(GLFW_KEY_EQUAL, GLFW_MOD_SHIFT), Action::kFaster);
    EXPECT_EQ(action_for(GLFW_KEY_EQUAL, GLFW_MOD_SHIFT | GLFW_MOD_CONTROL), Action::kLarger);
}

TEST(Keys, Names) {
    EXPECT_EQ(key_text(Action::kPlay), "Space");
    EXPECT_EQ(key_text(Action::kReload), "Ctrl+L");
    EXPECT_EQ(key_text(Action::kRightPanel), "Shift+Tab");
    EXPECT_EQ(key_text(Action::kHelp), "F1");
    EXPECT_EQ(key_text(Action::kModel3), "3");
    EXPECT_EQ(key_text(Action::kReset), "Backspace");
}

// 1 to 6 are the models in the order of the list.
TEST(Keys, DigitsNameTheModels) {
    for (std::size_t i = 0; i < kContactModelNames.size(); ++i) {
        const auto action =
            static_cast<Action>(static_cast<int>(Action::kModel1) + static_cast<int>(i));
        EXPECT_EQ(action_for(GLFW_KEY_1 + static_cast<int>(i), 0), action);
        for (const KeyBinding& binding : key_bindings()) {
            if (binding.action != action) continue;
            EXPECT_EQ(binding.text, "Model " + std::string(kContactModelNames[i]));
        }
    }
}

}  // namespace
}  // namespace stiction

// Expressions: values against C++'s own arithmetic, precedence, units, and what is refused.
#include "scene/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/nearest.h"

namespace stiction {
namespace {

std::string error_of(std::string_view text, const Scope& scope = {}) {
    try {
        (void)evaluate(text, scope);
        return "";
    } catch (const ExpressionError& error) {
        return error.what();
    }
}

// The same numbers on every machine: those of splitmix64 on the bits of the two.
TEST(Expression, RandomIsAFunctionOfItsArguments) {
    const Scope none;
    EXPECT_EQ(evaluate("random(1, 2)", none), evaluate("random(2 - 1, 2)", none));
    EXPECT_EQ(evaluate("random(0, -0)", none), evaluate("random(-0, 0)", none));
    EXPECT_NE(evaluate("random(1, 2)", none), evaluate("random(2, 1)", none));
    EXPECT_NE(evaluate("random(1, 2)", none), evaluate("random(1, 3)", none));
    for (const char* text : {"random(3, 4)", "random(-1, 0.5)", "random(1e30, 0)"}) {
        EXPECT_GE(evaluate(text, none), 0) << text;
        EXPECT_LT(evaluate(text, none), 1) << text;
    }
    EXPECT_NE(error_of("random(1)"), "");
    EXPECT_FALSE(is_free_name("random"));
}

TEST(Expression, FollowsTheUsualPrecedence) {
    const Scope none;
    EXPECT_EQ(evaluate("1 + 2*3", none), 7);
    EXPECT_EQ(evaluate("(1 + 2)*3", none), 9);
    EXPECT_EQ(evaluate("7 - 2 - 1", none), 4);
    EXPECT_EQ(evaluate("8/4/2", none), 1);
    EXPECT_EQ(evaluate("-2^2", none), -4);
    EXPECT_EQ(evaluate("2^3^2", none), 512);
    EXPECT_EQ(evaluate("2^-1", none), 0.5);
    EXPECT_EQ(evaluate("--3", none), 3);
    EXPECT_EQ(evaluate(" 1e-3 ", none), 1e-3);
    EXPECT_EQ(evaluate(".5", none), 0.5);
    EXPECT_EQ(evaluate("0.1", none), 0.1);  // the nearest double, as the compiler reads it
}

TEST(Expression, KnowsFunctionsConstantsAndDegrees) {
    const Scope none;
    const double pi = std::numbers::pi;
    EXPECT_EQ(evaluate("sin(1)", none), std::sin(1.0));
    EXPECT_EQ(evaluate("cos(pi)", none), -1);
    EXPECT_EQ(evaluate("tan(0.5)", none), std::tan(0.5));
    EXPECT_EQ(evaluate("sqrt(2)", none), std::sqrt(2.0));
    EXPECT_EQ(evaluate("asin(0.3) + acos(0.4) + atan(2)", none),
              std::asin(0.3) + std::acos(0.4) + std::atan(2.0));
    EXPECT_EQ(evaluate("abs(-3) + floor(-1.5) + ceil(1.5)", none), 3 - 2 + 2);
    EXPECT_EQ(evaluate("min(2, 3) + 10*max(2, 3)", none), 32);
    EXPECT_EQ(evaluate("mod(7, 3) + 10*mod(-1, 3)", none), 21);
    EXPECT_DOUBLE_EQ(evaluate("30 deg", none), pi / 6);
    EXPECT_DOUBLE_EQ(evaluate("(30 + 60) deg", none), pi / 2);
    EXPECT_DOUBLE_EQ(evaluate("1 + 180 deg", none), 1 + pi);
}

TEST(Expression, InnerNamesHideOuterOnes) {
    const Scope outer{nullptr, {{"boxes", 4}, {"i", 100}}};
    const Scope inner{&outer, {{"i", 2}}};
    EXPECT_EQ(evaluate("i + boxes", inner), 6);
    EXPECT_EQ(evaluate("(i - (boxes + 1)/2)*0.1", inner), (2 - 2.5) * 0.1);
}

TEST(Expression, SaysWhatIsWrong) {
    const Scope scope{nullptr, {{"boxes", 4}}};
    EXPECT_EQ(error_of("2*boxs", scope),
              "cannot evaluate '2*boxs': unknown name 'boxs'; did you mean 'boxes'?");
    EXPECT_EQ(error_of("sine(1)"),
              "cannot evaluate 'sine(1)': unknown function 'sine'; did you mean 'sin'?");
    EXPECT_EQ(error_of("1 +"), "cannot evaluate '1 +': it ends where a value is expected");
    EXPECT_EQ(error_of(""), "cannot evaluate '': it ends where a value is expected");
    EXPECT_EQ(error_of("(1"), "cannot evaluate '(1': ')' is missing");
    EXPECT_EQ(error_of("1 2"), "cannot evaluate '1 2': unexpected '2'");
    EXPECT_EQ(error_of("1 kg"), "cannot evaluate '1 kg': unexpected 'kg'");
    EXPECT_EQ(error_of("max(1)"), "cannot evaluate 'max(1)': max takes two values");
    EXPECT_EQ(error_of("1e999"), "cannot evaluate '1e999': a number is out of range");
    EXPECT_EQ(error_of(std::string(1001, '1')),
              "an expression of 1001 characters; expected at most 1000");
    EXPECT_NE(error_of(std::string(1000, '(')), "");  // deepest nesting there is room for
}

TEST(Expression, ReservedNamesCannotBeParameters) {
    for (const char* name : {"i", "n", "pi", "deg", "sin", "max", "2a", "a b", "", "a-b"}) {
        EXPECT_FALSE(is_free_name(name)) << name;
    }
    EXPECT_TRUE(is_free_name("boxes"));
    EXPECT_TRUE(is_free_name("_mu2"));
}

TEST(Nearest, CountsEditsAndSwaps) {
    EXPECT_EQ(edit_distance("friction", "friction"), 0);
    EXPECT_EQ(edit_distance("frictoin", "friction"), 1);
    EXPECT_EQ(edit_distance("mas", "mass"), 1);
    EXPECT_EQ(edit_distance("", "abc"), 3);
    EXPECT_EQ(suggestion("zzzzzz", {"mass", "shape"}), "; expected one of: mass, shape");
    EXPECT_EQ(suggestion("mas", {"mask", "mass"}), "; did you mean 'mask'?");
}

}  // namespace
}  // namespace stiction

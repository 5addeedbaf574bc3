// summary_columns_test.cpp - paths into a summary.
#include "sweep/summary_columns.h"

#include <gtest/gtest.h>

namespace stiction::test {
namespace {

constexpr const char* kSummary =
    R"({"steps": 7, "ok": true, "nan": null, "contacts": {"mean": 1.5, "max": 2},
        "bodies": [{"name": "a", "position": [1, 2, 3], "quaternion": [1, 0, 0, 0.5]},
                   {"name": "r/a.b", "position": [-4, 5, 9], "quaternion": [1, 0, 0, 0]}]})";

TEST(SummaryColumns, ValuesAreFoundByTheirPath) {
    const SummaryReader summary(kSummary);
    EXPECT_EQ(summary.value("steps"), Cell(7.0));
    EXPECT_EQ(summary.value("ok"), Cell(1.0));
    EXPECT_EQ(summary.value("contacts.mean"), Cell(1.5));
    EXPECT_EQ(summary.value("bodies.a.position.z"), Cell(3.0));
    EXPECT_EQ(summary.value("bodies.a.quaternion.z"), Cell(0.5));
    EXPECT_EQ(summary.value("bodies.r/a.b.position.x"), Cell(-4.0));
    EXPECT_EQ(summary.value("bodies.a.name"), Cell(std::string("a")));
    EXPECT_EQ(summary.value("min(bodies.*.position.x)"), Cell(-4.0));
    EXPECT_EQ(summary.value("max(bodies.*.position.x)"), Cell(1.0));
    EXPECT_EQ(summary.value("mean(bodies.*.position.x)"), Cell(-1.5));
    EXPECT_EQ(summary.value("sum(bodies.*.position.z)"), Cell(12.0));
    EXPECT_EQ(summary.value("nan"), Cell());
}

TEST(SummaryColumns, WhatIsNotThereIsNothingAndHasAReason) {
    const SummaryReader summary(kSummary);
    for (const auto& [path, why] : std::vector<std::pair<std::string, std::string>>{
             {"contacts.men", "'contacts' has no 'men'; did you mean 'mean'?"},
             {"contacts",
              "'contacts' holds several values; expected one of them, as in contacts.max"},
             {"steps.x", "'steps' is a value by itself; nothing can follow it"},
             {"bodies.a.position.w", "'bodies.a.position' has no 'w'; expected one of: x, y, z"},
             {"bodies.a.position",
              "'bodies.a.position' holds several values; expected one of them"},
             {"max(bodies.*.name)", "'bodies.*.name' is no number"}}) {
        EXPECT_EQ(summary.fault(path), why);
        EXPECT_EQ(summary.value(path), Cell());
    }
}

TEST(SummaryColumns, FormsThatNoSummaryHas) {
    EXPECT_EQ(column_fault("min(bodies.*.position.z)"), "");
    EXPECT_EQ(column_fault("least(bodies.*.position.z)"),
              "found 'least(bodies.*.position.z)'; expected min(...), max(...), mean(...) or "
              "sum(...)");
    EXPECT_EQ(column_fault("bodies.*.position.z"),
              "'*' stands for several; expected min(bodies.*.position.z) or such");
    EXPECT_NE(column_fault("max(timing.stages.solve)"), "");
    EXPECT_NE(column_fault(""), "");
}

}  // namespace
}  // namespace stiction::test

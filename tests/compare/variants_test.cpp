// variants_test.cpp - lists of models and solvers: what they stand for, and which are refused.
#include "compare/variants.h"

#include <gtest/gtest.h>

#include "contact/contact_model.h"
#include "core/error.h"

namespace stiction {
namespace {

std::vector<std::string> labels(const std::string& models, const std::string& solvers,
                                const ContactModel& own = NoSlip{}) {
    std::vector<std::string> result;
    for (const Variant& variant : make_variants({models, solvers, {}}, own)) {
        result.push_back(variant.label);
    }
    return result;
}

std::string refusal(const VariantOptions& options) {
    try {
        (void)make_variants(options, NoSlip{});
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

using Labels = std::vector<std::string>;

TEST(Variants, AllModelsUnlessNamedAndTheScenesOwnFirst) {
    EXPECT_EQ(labels("", "", MaxDissipation{}),
              (Labels{"max_dissipation", "viscous", "no_slip", "coulomb_lcp", "friction_box",
                      "coulomb_cone"}));
    EXPECT_EQ(labels("coulomb_cone,no_slip", ""), (Labels{"coulomb_cone", "no_slip"}));
}

TEST(Variants, SolversGoToTheModelsThatTheyServe) {
    EXPECT_EQ(labels("viscous,coulomb_lcp", "pgs,lemke"),
              (Labels{"viscous:pgs", "viscous:lemke", "coulomb_lcp:pgs", "coulomb_lcp:lemke"}));
    EXPECT_EQ(labels("no_slip:ppm,coulomb_lcp", "lemke"),
              (Labels{"no_slip:ppm", "coulomb_lcp:lemke"}));
    // Of all models those that have it; by name they must have one.
    EXPECT_EQ(labels("", "lemke"),
              (Labels{"viscous:lemke", "coulomb_lcp:lemke", "friction_box:lemke"}));
    EXPECT_EQ(
        refusal({"coulomb_lcp,no_slip", "lemke", {}}),
        "--solvers: none of them serves no_slip, which has: auto, ppm, sparse_ppm, active_set_qp");
    for (const Variant& variant : make_variants({"", "lemke", {}}, NoSlip{})) {
        EXPECT_EQ(solver_name(variant.contact), "lemke");
    }
}

TEST(Variants, NarrowphasesGoToEveryModel) {
    const auto with = [](const std::string& models, const std::string& narrowphases) {
        Labels result;
        for (const Variant& variant :
             make_variants({models, "", {}, narrowphases}, ContactModel(CoulombCone{})))
            result.push_back(variant.label);
        return result;
    };
    EXPECT_EQ(with("", "exact,bullet"), (Labels{"coulomb_cone/exact", "coulomb_cone/bullet"}));
    EXPECT_EQ(
        with("no_slip,viscous:pgs", "bullet,exact"),
        (Labels{"no_slip/bullet", "no_slip/exact", "viscous:pgs/bullet", "viscous:pgs/exact"}));
    EXPECT_EQ(refusal({"", "", {}, "exact,bulet"}),
              "--narrowphases: unknown narrowphase 'bulet'; did you mean 'bullet'?");
    EXPECT_NE(refusal({"", "", {}, "bullet,bullet"}), "accepted");
    for (const Variant& variant : make_variants({"", "", {}, "bullet"}, NoSlip{}))
        EXPECT_EQ(variant.narrowphase, NarrowphaseKind::kBullet);
    for (const Variant& variant : make_variants({"", "", {}}, NoSlip{}))
        EXPECT_FALSE(variant.narrowphase);
}

TEST(Variants, TheScenesOwnModelKeepsItsSettings) {
    const CoulombLcp own{.sides = 8, .tolerance = 1e-3};
    const auto variants = make_variants({"coulomb_lcp,coulomb_lcp:pgs,no_slip", "", {}}, own);
    EXPECT_EQ(std::get<CoulombLcp>(variants[0].contact).sides, 8);
    EXPECT_EQ(std::get<CoulombLcp>(variants[1].contact).tolerance, 1e-3);
    EXPECT_EQ(std::get<CoulombLcp>(variants[1].contact).solver, CoulombLcpSolver::kPgs);
    // Its tolerance is that of the answer, whatever the law.
    EXPECT_EQ(std::get<NoSlip>(variants[2].contact).tolerance, 1e-3);
    const auto others = make_variants({"coulomb_lcp,no_slip", "", {}}, CoulombLcp{.sides = 8});
    EXPECT_EQ(std::get<NoSlip>(others[1].contact).tolerance, NoSlip{}.tolerance);
}

TEST(Variants, OneToleranceForAll) {
    for (const Variant& variant : make_variants({"", "", 1e-5}, NoSlip{})) {
        std::visit([](const auto& m) { EXPECT_EQ(m.tolerance, 1e-5); }, variant.contact);
    }
    EXPECT_EQ(refusal({"", "", 0.0}), "--tol: must be a finite number > 0");
    EXPECT_EQ(refusal({"", "", -1e-8}), "--tol: must be a finite number > 0");
}

TEST(Variants, WrongNamesComeWithTheNearestValidOne) {
    EXPECT_NE(refusal({"no_slap", "", {}}).find("did you mean 'no_slip'?"), std::string::npos);
    EXPECT_NE(refusal({"no_slip:pmp", "", {}}).find("did you mean 'ppm'?"), std::string::npos);
    EXPECT_NE(refusal({"no_slip:", "", {}}).find("expected one of: auto"), std::string::npos);
    EXPECT_NE(refusal({"no_slip,", "", {}}).find("unknown model ''"), std::string::npos);
    EXPECT_NE(refusal({"", "lemk", {}}).find("did you mean 'lemke'?"), std::string::npos);
    // A solver, but of another model.
    EXPECT_NE(refusal({"no_slip", "lemke", {}}).find("'no_slip' has no solver 'lemke'"),
              std::string::npos);
    EXPECT_EQ(refusal({"no_slip,viscous,no_slip", "", {}}), "'no_slip' is named twice");
    EXPECT_EQ(refusal({"coulomb_lcp", "pgs,pgs", {}}), "'coulomb_lcp:pgs' is named twice");
    EXPECT_EQ(refusal({"coulomb_lcp:pgs,coulomb_lcp", "pgs", {}}),
              "'coulomb_lcp:pgs' is named twice");
}

TEST(SolverNames, BeginWithTheOneThatChooses) {
    for (const std::string_view model : kContactModelNames) {
        const ContactModel made = make_contact_model(model);
        EXPECT_EQ(solver_names(made).front(), "auto") << model;
        EXPECT_EQ(solver_name(made), "auto") << model;
    }
}

}  // namespace
}  // namespace stiction

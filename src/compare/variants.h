// variants.h - what is compared: contact models, each with a solver, chosen by their names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contact/contact_model.h"
#include "problem/step_settings.h"

namespace stiction {

struct Variant {
    std::string label;  // "no_slip", or "no_slip:ppm" where a solver was named; followed by
                        // "/bullet" where narrowphases were
    ContactModel contact;
    std::optional<NarrowphaseKind> narrowphase = {};  // empty: the scene's
};

struct VariantOptions {
    std::string models;   // "no_slip,coulomb_lcp:lemke"; empty: all, the scene's own first, or that
                          // alone where narrowphases are named
    std::string solvers;  // "ppm,pgs": each with every model it serves that names none itself;
                          // empty: the scene's or the model's default
    std::optional<double> tolerance;  // of every model; empty: the scene's or the model's own
    std::string narrowphases = {};    // "exact,bullet": every model with each; empty: the scene's
};

// `own` is the scene's contact model: where it is compared it keeps the settings that the scene
// gives it. Throws InputError for names that are unknown or named twice, for a solver that serves
// none of the models, and for a model asked for by name that none of the solvers serves.
[[nodiscard]] std::vector<Variant> make_variants(const VariantOptions& options,
                                                 const ContactModel& own);

void set_tolerance(ContactModel& model, double tolerance);

}  // namespace stiction

// live_settings.h - what may be changed while a scene runs; it acts at the next step.
#pragma once

#include <cstdint>
#include <optional>

#include "contact/contact_model.h"
#include "problem/step_settings.h"

namespace stiction {

struct LiveSettings {
    ContactModel contact;
    StepSettings step;
    int threads = 1;
    // Coefficients of all pairs of materials; empty: the scene's.
    std::optional<double> mu_c;
    std::optional<double> mu_v;
    std::optional<double> eps;
    bool quality = true;     // measured for every snapshot
    bool account = true;     // of energy, kept for every step
    int changes = 0;         // of settings other than the model, the solver and the narrowphase,
                             // counted by whoever asks for them; StepRecord::settings
    std::int64_t asked = 0;  // serial of the request that brought them
};

}  // namespace stiction

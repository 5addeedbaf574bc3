// quality_record.h - the quality of a step's answer as a row of numbers, for tables and summaries:
// the norms of metrics/contact_quality.h without the entries of single contacts.
#pragma once

#include <array>
#include <string_view>

#include "metrics/step_quality.h"

namespace stiction {

struct QualityRecord {
    double resting = 0;            // contacts that press
    double sliding = 0;            // those of them that slide
    double misaligned = 0;         // those of these whose friction pushes
    double penetration_error = 0;  // of the gaps after the step [m]
    double gap_error = 0;          // the same in its raw form, separating contacts included [m]
    double alignment_error = 0;    // [-]
    double creep = 0;              // stick residual velocity [m/s]
    double cone_error = 0;         // [N s]
    double anomalous = 0;          // [J]
    double coulomb_natural = 0;    // residuals of Coulomb's law, whatever the model
    double coulomb_scaled = 0;
};

// Columns of the tables and keys of the summaries.
struct QualityColumn {
    std::string_view name;
    std::string_view unit;
    double QualityRecord::*value;
};
inline constexpr std::array<QualityColumn, 11> kQualityColumns = {{
    {"resting", "", &QualityRecord::resting},
    {"sliding", "", &QualityRecord::sliding},
    {"misaligned", "", &QualityRecord::misaligned},
    {"penetration_error", "m", &QualityRecord::penetration_error},
    {"gap_error", "m", &QualityRecord::gap_error},
    {"alignment_error", "", &QualityRecord::alignment_error},
    {"creep", "m/s", &QualityRecord::creep},
    {"cone_error", "N s", &QualityRecord::cone_error},
    {"anomalous", "J", &QualityRecord::anomalous},
    {"coulomb_natural", "", &QualityRecord::coulomb_natural},
    {"coulomb_scaled", "", &QualityRecord::coulomb_scaled},
}};

// Kept between steps, so that measuring allocates nothing.
struct QualityMeter {
    QualityThresholds thresholds;
    StepQualityWorkspace workspace;
    ContactQuality quality;  // of the last step, contact by contact
};

[[nodiscard]] QualityRecord measure_step(const ContactProblem& problem,
                                         const ContactSolution& solution, QualityMeter& meter);

}  // namespace stiction

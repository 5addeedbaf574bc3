// quality_record.cpp - measures a step and keeps the norms.
#include "record/quality_record.h"

namespace stiction {

QualityRecord measure_step(const ContactProblem& problem, const ContactSolution& solution,
                           QualityMeter& meter) {
    ContactQuality& quality = meter.quality;
    measure_quality(problem, solution, meter.thresholds, meter.workspace, quality);
    QualityRecord record;
    record.resting = quality.resting;
    record.sliding = quality.sliding;
    record.misaligned = quality.misaligned;
    record.penetration_error = quality.penetration.norm;
    record.gap_error = quality.gap.norm;
    record.alignment_error = quality.alignment.norm;
    record.creep = quality.creep.norm;
    record.cone_error = quality.cone.norm;
    record.anomalous = quality.anomalous.norm;
    record.coulomb_natural = quality.natural.norm;
    record.coulomb_scaled = quality.scaled.norm;
    return record;
}

}  // namespace stiction

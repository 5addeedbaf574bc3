// contact_quality.h - how good an answer to a contact problem is, judged from the answer alone: per
// contact, as norms, and with the worst contact of each measure. Works on plain arrays, so that it
// serves stored problems (ConeProblem) and steps of a simulation (ContactProblem) alike.
//
// Per contact a, with r = (r_N, r_T) its impulse, u = (u_N, u_T) its relative velocity at the end
// of the step, K the cone |x_T| <= mu x_N, P the projection on it, uhat = u + (mu |u_T|, 0, 0):
//   rests            r_N > rest * largest r_N
//   slides           rests and |u_T| > slide
//   penetration      max(0, -g) with g = phi + h (N v+) the gap after the step          [m]
//   gap              |g|, the raw form of [LLLT15]: counts separating contacts too      [m]
//   alignment        |r_T.u_T / (|r_T| |u_T|) + 1| where it slides and r_T is not 0     [-], 0 .. 2
//   creep            |u_T| where it rests and does not slide                            [m/s]
//   cone             max(0, |r_T| - mu r_N)                                             [N s]
//   anomalous        max(0, r_T.u_T): friction that pushes                              [J]
//   natural          |r - P(r - uhat)|, norm divided by max(1, |q|)
//   scaled           |x - P(x - uhat)|, x = weight r, norm divided by |q|; 0 when q and r are 0
// natural and scaled are those of cone_problem.h. Three more are extremes, blind to units:
//   min_normal_velocity   least u_N [m/s]
//   relative_cone         worst of |r_T| - mu r_N and -r_N, over the largest |r_a|
//   misalignment          worst |r_T + mu r_N u_T/|u_T|| / (mu r_N) where mu > 0, |u_T| exceeds
//                         `significant` of the largest |u_i|, |q_i| and r_N exceeds it of the
//                         largest |r_a|; 2: friction pushes with full strength
// Numbers that are not finite make every measure they enter NaN.
#pragma once

#include <span>
#include <vector>

#include "core/types.h"

namespace stiction {

struct QualityThresholds {
    double rest = 1e-6;         // of the largest normal impulse [-]
    double slide = 1e-6;        // [m/s]
    double significant = 1e-6;  // of the largest velocity and impulse, for misalignment [-]
};

// Views of the caller's arrays. Per contact: normal, tangent 1, tangent 2.
struct QualityInput {
    std::span<const double> mu;      // nc [-]
    std::span<const double> r;       // 3 nc [N s]
    std::span<const double> u;       // 3 nc [m/s], bias included
    std::span<const double> q;       // 3 nc, u without contact impulses [m/s]
    std::span<const double> weight;  // nc, tr W_aa / 3 [1/kg]
    std::span<const double> phi;     // nc, gaps before the step [m]; empty: not known
    std::span<const double> bias;    // nc, part of u_N that is not N v+ [m/s]; empty: none
    double h = 0;                    // step size, used with phi [s]
};

[[nodiscard]] inline std::span<const double> view(const VecX& x) {
    return {x.data(), static_cast<std::size_t>(x.size())};
}

struct ContactErrors {
    bool rests = false;
    bool slides = false;
    double penetration = 0, gap = 0;  // [m]; 0 if the gaps are not known
    double alignment = 0;             // [-]
    double creep = 0;                 // [m/s]
    double cone = 0;                  // [N s]
    double anomalous = 0;             // [J]
    double natural = 0;               // not divided by anything
    double scaled = 0;                // [m/s]
};

// Euclidean norm over the contacts, the largest term and its contact (kNone if all are 0).
struct ErrorNorm {
    double norm = 0;
    double worst = 0;
    int contact = kNone;
};

struct ContactQuality {
    QualityThresholds thresholds;  // with which it was measured
    bool knows_gaps = false;
    int contacts = 0;
    int resting = 0;
    int sliding = 0;
    int misaligned = 0;  // sliding contacts whose friction pushes: r_T.u_T > 0
    ErrorNorm penetration, gap, alignment, creep, cone, anomalous;
    ErrorNorm natural, scaled;        // norm is the residual; worst is one contact's share of it
    double min_normal_velocity = 0;   // [m/s]; 0 without contacts
    double relative_cone = 0;         // [-]
    double misalignment = 0;          // [-]
    std::vector<ContactErrors> each;  // per contact
};

// Fills `quality`; a second call with as many contacts allocates nothing. O(nc).
void measure_quality(const QualityInput& input, const QualityThresholds& thresholds,
                     ContactQuality& quality);

struct ConeProblem;
struct ConeResult;

// A cone problem and its answer (result.u as it stands there). The tr W_aa / 3 go to `weight`.
void measure_quality(const ConeProblem& problem, const ConeResult& result,
                     const QualityThresholds& thresholds, VecX& weight, ContactQuality& quality);

}  // namespace stiction

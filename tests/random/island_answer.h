// island_answer.h - the answer to one island, row by row, and the scales that errors are held
// against. Every row has the form
//
//   u = g . (link velocity) + offset,     x = w c
//
// with u = 0 where an equality holds, u >= 0 where a contact or a limit does.
#pragma once

#include <cstdint>
#include <vector>

#include "contact/contact_model.h"
#include "contact/island/guess.h"
#include "problem/contact_problem.h"
#include "problem/contact_solution.h"

namespace stiction {

// A step after it was solved.
struct CheckedStep {
    const ContactModel& model;
    const ContactProblem& problem;
    const ContactSolution& solution;
    const Guess& guess;                // of the step before, which friction_box takes bounds from
    double restitution_threshold = 0;  // [m/s]
};

struct RowAnswer {
    enum class Kind { kNormal, kS, kT, kJoint, kLimit, kBounded };
    Kind kind = Kind::kJoint;
    int index = 0;  // into the contacts, joints, limits or bounded rows of the problem
    Vec6 g = Vec6::Zero();
    double offset = 0;  // bias of contacts and limits, minus the target of the others [m/s]
    double c = 0;       // impulse [N s]
    double weight = 0;  // inverse inertia that the row sees, compliance included; of the three rows
                        // of a contact their mean [1/kg]
    double q = 0;       // u at v_free [m/s]
    double u = 0;       // at v+ [m/s]
};

struct LinkAnswer {
    int link = 0;
    Vec6 u = Vec6::Zero();        // at v+ [m/s]
    bool gap = false;             // some contact does not touch
    std::vector<RowAnswer> rows;  // contacts as n, s, t one after the other
};

struct IslandAnswer {
    std::vector<LinkAnswer> links;
    double speed = 0;            // max(|q|, fastest free link) [m/s]
    double largest_x = 0;        // |w c| [m/s]
    double largest_impulse = 0;  // |c| [N s]
    double largest_weight = 0;   // w [1/kg]
    double momentum = 0;         // that there is to stop, and what motors bring [N s]
    double most_friction = 0;    // of a contact under no_slip (docs/models.md) [N s]
    double worth = 0;         // of an error of 1 m/s in every row, as energy: sum of |c| + |u| / w
    bool jointed = false;     // has joint rows
    bool dissipative = true;  // no kinetic energy may be gained
    bool rebounds = false;    // restitution may have changed the answer
};

[[nodiscard]] IslandAnswer answer_of(const CheckedStep& step, const Island& island);

// v_free and what the impulses do to it, on the island's blocks.
[[nodiscard]] VecX rebuilt_velocity(const CheckedStep& step, const Island& island,
                                    const IslandAnswer& answer);

// Kinetic energy of an island's blocks [J].
[[nodiscard]] double kinetic_energy_of(const ContactProblem& problem, const Island& island,
                                       const VecX& v);

}  // namespace stiction

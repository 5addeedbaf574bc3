// newton.h - the triples of an island by the proximal Newton method (solve/cone/prox_newton.h) in
// the velocities of its bodies (body_operator.h), under every law: cones, polygons, rows between
// bounds. A step costs one factorisation with a node per body.
#pragma once

#include "contact/island/island_task.h"
#include "contact/routes/body_operator.h"

namespace stiction {

struct BodyNewton {
    BodyOperator W;
    ConeLaws laws;
    VecX q;
    ProxNewtonWorkspace newton;
    ConeResult result;
};

// How contacts with friction are to be understood.
struct ContactLaw {
    const FrictionDirections* polygon = nullptr;  // else the cone
    bool relaxed = false;                         // without mu |u_T|: maximal dissipation
};

// Solves task.workspace.triples from triples.r within task.stop, and leaves the answer there and in
// the solution.
[[nodiscard]] IslandResult solve_by_newton(const IslandTask& task, const ContactLaw& law = {});

}  // namespace stiction

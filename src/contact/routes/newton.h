// newton.h - an island by the proximal Newton method (solve/cone/prox_newton.h) in the velocities of
// its bodies (body_operator.h), under every law: cones, polygons, rows between bounds. A step costs
// one factorisation with a node per body, in large piles an iterative solve instead.
#pragma once

#include "contact/island/island_task.h"
#include "contact/routes/body_operator.h"
#include "contact/routes/sweeps.h"

namespace stiction {

struct BodyNewton {
    Triples triples;  // of newton_rows
    VecX momentum;
    BodyOperator W;
    ConeLaws laws;
    VecX q;
    ProxNewtonWorkspace newton;
    ConeResult result;
};

// Sets up W, q and laws of task.workspace.triples in its body_newton().
void prepare_newton(const IslandTask& task, const ContactLaw& law);

// Solves what is prepared, or task.workspace.triples, from triples.r within task.stop, and leaves the answer there and in
// the solution.
[[nodiscard]] IslandResult solve_prepared(const IslandTask& task);
[[nodiscard]] IslandResult solve_by_newton(const IslandTask& task, const ContactLaw& law = {});

// The rows between their bounds, from rows.c (it is clamped first) and the velocities v_from of no
// impulses; sets rows.c, rows.state and v.
[[nodiscard]] SolveReport newton_rows(const ContactProblem& problem, const Island& island,
                                      const SolveSettings& stop, const VecX& v_from,
                                      BodyNewton& workspace, IslandRows& rows, VecX& v,
                                      bool factored = true);

// What sweeps of a pile are helped by: a step of Newton's method on r = answer(r - u / D) with the
// states as they are, not searched along. BodyNewton is its workspace; everything must stay as it is
// while it is in use. polygon: else the cone.
class NewtonHelp final : public SweepHelp {
  public:
    NewtonHelp(const ContactProblem& problem, const Island& island, const VecX& v_from,
               const IslandRows& rows, const Triples& triples, const FrictionDirections* polygon,
               BodyNewton& workspace)
        : problem_(problem),
          island_(island),
          v_from_(v_from),
          rows_(rows),
          triples_(triples),
          polygon_(polygon),
          ws_(workspace) {}
    bool improve(double regularisation, VecX& r, VecX& dv) override;
    void renew() override { prepared_ = false; }

  private:
    void prepare();

    const ContactProblem& problem_;
    const Island& island_;
    const VecX& v_from_;
    const IslandRows& rows_;
    const Triples& triples_;
    const FrictionDirections* polygon_;
    BodyNewton& ws_;
    bool prepared_ = false;
    bool symmetric_ = true;  // no law of friction couples rows
};

}  // namespace stiction

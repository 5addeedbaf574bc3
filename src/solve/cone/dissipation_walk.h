// dissipation_walk.h - the state of a way through the interior (dissipation_interior.h), shared by
// its parts: where it begins (dissipation_start.cpp), what a step is (dissipation_step.cpp), when it
// ends (dissipation_interior.cpp).
#pragma once

#include "solve/cone/dissipation.h"

namespace stiction {

struct DissipationWalk {
    using Kind = InteriorPair::Kind;

    const DissipationProgram& p;
    DissipationMatrix& A;
    const SolveSettings& stop;
    const InteriorSlack& slack;
    DissipationInterior& ws;
    DissipationResult& result;
    int n;
    double b_norm;
    double sigma = 0, d_sigma = 0, k = 0, sum_weight = 0;
    double mean = 0;                   // of the products v m and y.z [J]
    double velocity = 0, impulse = 0;  // of a cold start, for a contact with D = 1
    double step = 1;                   // the last one

    [[nodiscard]] double offset(int a) const {
        return p.laws.offset == nullptr || p.laws.is_bounded(a) ? 0.0 : (*p.laws.offset)[a];
    }
    [[nodiscard]] double mu(int a) const { return p.laws.mu[a]; }
    [[nodiscard]] double weight(int i) const { return p.D[i / 3]; }
    [[nodiscard]] Vec3 times_Y(int a, const Vec3& x) const { return {mu(a) * x[0], x[1], x[2]}; }

    // ---- dissipation_start.cpp: sets mean, x, lambda, pairs and cones.
    // Far from all boundaries.
    void start_cold();
    // Beside the result, whose residual must be below 1.
    void start_warm();

    // ---- dissipation_step.cpp
    // F and the infeasibilities at ws.x, pairs and cones.
    void evaluate();
    // Factors the matrix; false if it cannot.
    [[nodiscard]] bool linearise();
    // Predictor and corrector at a point of that residual; false if their numbers are of no use.
    [[nodiscard]] bool take_step(double residual);
    // Mean product after a step of that length.
    [[nodiscard]] double mean_after(double length) const;

  private:
    void measure_program();
    void clear();
    void add_pair(Kind kind, int row, double v);
    void start_row(int i, double lo, double hi);
    void add_warm_pair(Kind kind, int row, double v, double m, double beta);
    void start_row_warm(int i, double lo, double hi, double w);
    void set_cone(int a, double low, double high, const Vec3& along);
    void start_cone_warm(int a);

    [[nodiscard]] double soft(const InteriorPair& pair) const;
    void aim_for_the_boundary();
    void aim_for_the_centre(double target, double share);
    void set_right_side();
    [[nodiscard]] bool set_defects(double& last);
    void solve_system();
    double solve_steps();
    double pair_steps();
    void cone_steps(int a, const Vec3& f);
    [[nodiscard]] double least_product() const;
    double centred_residual();
    void advance();
};

}  // namespace stiction

// dense_contact.h - the contact problems of [D15] on dense matrices, by the methods that it
// compares: no slip and viscous friction by modified principal pivoting, Coulomb friction and
// viscous friction by Lemke's method.
//
// All start from the same rows and go through the same whitened rows Y = L^-1 [N S T]', M = L L';
// all take the basic set of the last step as their guess, or none. So the times differ by the
// methods alone.
#pragma once

#include <map>
#include <vector>

#include "core/status.h"
#include "problem/contact_problem.h"
#include "solve/factor/independent_rows.h"
#include "solve/lcp/active_set.h"
#include "solve/lcp/lemke.h"

namespace stiction {

// Rows over all velocities of a problem whose rows are contacts alone.
struct DenseContact {
    double h = 0;
    MatX M;
    VecX momentum;  // M v_free
    MatX N, S, T;   // a row per contact
    VecX bias;      // N v+ + bias >= 0
    VecX mu_c, mu_v;
    std::vector<char> touching;
    std::vector<ContactKey> keys;
};

// Throws std::logic_error for joints, limits, bounded rows and moving ground, of which it has none.
[[nodiscard]] DenseContact make_dense_contact(const ContactProblem& problem);

struct DenseAnswer {
    VecX v;
    SolveStatus status = SolveStatus::kSolved;
    int pivots = 0;
};

// Basic unknowns of each contact in the last step.
using BasisMemory = std::map<ContactKey, std::vector<char>>;

// Shared workspace; one per method, kept between steps.
struct DenseContactWorkspace {
    MatX M, Y, X;   // inertia (with viscous friction), whitened normals and tangents (as columns)
    VecX nu, free;  // whitened velocity; that without contacts
    std::vector<char> tangential;  // no_slip: which contacts have tangential rows
    IndependentRows independent;
    IndependentRowsWorkspace independent_workspace;
    PpmProblem ppm;
    ActiveSetWorkspace pivoting;
    Lcp lcp;
    MatX W;
    LemkeWorkspace lemke;
    LcpBasis guess;
    LcpResult result;
    BasisMemory memory;
    bool cold = false;  // no guess
    bool retry = true;  // of Lemke's method: LemkeSettings
};

// No tangential motion at any contact that presses [D15, section VI, Algorithms 1 and 2].
void solve_no_slip_ppm(const DenseContact& contact, DenseContactWorkspace& ws, DenseAnswer& answer);
// Coulomb friction on a four-sided cone: six unknowns per contact.
void solve_coulomb_lemke(const DenseContact& contact, DenseContactWorkspace& ws,
                         DenseAnswer& answer);
// Viscous friction at contacts that touch: one unknown per contact [D15, section IV].
void solve_viscous_ppm(const DenseContact& contact, DenseContactWorkspace& ws, DenseAnswer& answer);
void solve_viscous_lemke(const DenseContact& contact, DenseContactWorkspace& ws,
                         DenseAnswer& answer);

}  // namespace stiction

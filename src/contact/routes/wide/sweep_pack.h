// sweep_pack.h - contacts of one colour, eight at a time, as the kernels of a sweep read them
// (wide/kernels.h): plain arrays, each entry of one contact in the lane that is its own.
//
// No two contacts of a colour move the same body, so no lane depends on another, and the same
// operations in lanes of two, four or eight give the same bits. Lanes that are left over have no
// body, no rows and no impulse.
#pragma once

namespace stiction {

inline constexpr int kLanes = 8;

// Doubles of a body's row in the velocities of a sweep: v, 1 / mass, w, 1 / inertia if that is a
// multiple of the identity; and of its inverse inertia in world axes: xx xy xz yy yz zz.
inline constexpr int kBodyRow = 8;

enum class PackLaw : int { kCone, kRelaxed, kPolygon, kBounds };

struct alignas(64) SweepPack {
    double n[3][kLanes], s[3][kLanes], t[3][kLanes];  // rows of D
    double p_a[3][kLanes], p_b[3][kLanes];            // from the centres of mass
    double offset[3][kLanes];                         // of u
    double inverse[6][kLanes];  // of W: 11 22 33 12 13 23; not a number: near-singular
    double W[6][kLanes];        // 11 22 33 12 13 23
    double mu[kLanes];
    double weight[kLanes];     // tr W / 3
    double lambda[kLanes];     // of a sliding contact, for the next sweep (one_contact.h)
    double s_free[kLanes];     // s of relaxed cones (friction_law.h)
    int a[kLanes], b[kLanes];  // rows of bodies; the last one of all for what is prescribed
    double inscribed;          // radius of what surely sticks, of mu r_N
    PackLaw law;
    bool isotropic;  // all bodies
};

// Of a pack between bounds.
struct alignas(64) SweepPackBounds {
    double lo[3][kLanes], hi[3][kLanes], compliance[3][kLanes];
};

// What the kernels work on. The impulses and all that goes with them are 3 x 8 doubles per pack.
struct SweepLanes {
    SweepPack* packs = nullptr;
    const SweepPackBounds* bounds = nullptr;  // per pack, of those between bounds
    double* r = nullptr;
    double* v = nullptr;              // kBodyRow per body
    const double* inertia = nullptr;  // likewise
    int prescribed = 0;               // row of what is prescribed, which nothing moves
    const void* polygon = nullptr;    // FrictionDirections
};

// What is left to scalars: one contact under its law where the lanes do not know the answer, and
// the errors of cone_problem.h of one under the polygon. lane: of the pack; W = pack.W; out:
// impulses; natural and scaled error, squared.
struct SweepScalars {
    void (*solve)(const SweepLanes& lanes, SweepPack& pack, int lane, const double u[3],
                  const double old[3], double out[3]);
    void (*errors)(const SweepLanes& lanes, const SweepPack& pack, int lane, const double u[3],
                   const double r[3], double out[2]);
};

// One set of kernels per width of the processor's vectors. Packs first to last, all of one colour
// where they move bodies.
struct SweepKernels {
    // One visit of each contact; squares: |weight dr|^2 per lane, 8 per pack.
    void (*sweep)(const SweepLanes&, const SweepScalars&, int first, int last, double* squares);
    // Momentum of each contact (sweep_momentum.h): x, the last outcomes, and before, 3 x 8 per
    // pack; t 8 per pack.
    void (*extrapolate)(const SweepLanes&, double most, double* x, const double* before, double* t,
                        int first, int last);
    // Squared errors of the two residuals of cone_problem.h per lane, 8 per pack.
    void (*measure)(const SweepLanes&, const SweepScalars&, int first, int last, double* natural,
                    double* scaled);
    // Squares of the velocities u with no impulses, 8 per pack.
    void (*speed)(const SweepLanes&, int first, int last, double* squares);
};

}  // namespace stiction

// wide_sweeps.h - contacts of an island that are swept 2, 4 or 8 at a time: by colours, in packs of
// eight (sweep_pack.h).
#pragma once

#include <vector>

#include "contact/routes/sweep_contact.h"
#include "contact/routes/wide/colours.h"
#include "contact/routes/wide/lane_vector.h"
#include "contact/routes/wide/sweep_pack.h"
#include "core/thread_pool.h"
#include "solve/cone/friction_law.h"

namespace stiction {

// Kept by the caller: a warm start allocates nothing.
struct WideSweeps {
    std::vector<SweepPack> packs;         // by colours
    std::vector<SweepPackBounds> bounds;  // per pack where the law is that of bounds
    std::vector<int> colour_begin;        // its packs; one more at the end
    std::vector<int> triple;              // per lane of all packs; kNone: idle
    LaneVector inertia;                   // kBodyRow per body and for what is prescribed
    int prescribed = 0;                   // the row of that
    const SweepKernels* kernels = nullptr;
    ThreadPool* pool = nullptr;  // threads that share the packs of a colour; null: one

    // Per triple: the bodies, what it is likely to do (0, 1, 2; kNone: not for lanes), its colour.
    std::vector<ColourEdge> bodies;
    std::vector<int> kind, colour;

    // Scratch.
    std::vector<ColourEdge> edges;
    std::vector<int> which, colour_of_edge, next;
    ColourWorkspace colouring;
    LaneVector squares, more_squares;  // per lane
};

// None, for so many triples.
void clear_packs(std::size_t triples, WideSweeps& wide);
// Colours the triples that have a kind and lays out their packs, empty lanes all of them. Rows of
// bodies end with that of what is prescribed.
void make_packs(PackLaw law, const FrictionDirections* polygon,
                const std::vector<Mat3>& inv_inertia, WideSweeps& wide);
void set_lane(const SweepContact& contact, const Mat3& W, double weight, const ColourEdge& bodies,
              std::size_t lane, WideSweeps& wide);
// After set_lane, which leaves a normal without friction.
void set_lane_bounds(const Vec3& lo, const Vec3& hi, const Vec3& compliance, std::size_t lane,
                     WideSweeps& wide);
// s of a relaxed cone.
void set_lane_offset(double s, std::size_t lane, WideSweeps& wide);
// Rows that do not exist get an inverse, so that nothing is left of them: a normal without
// friction.
void set_alone(Mat3& W, SweepContact& contact);
// After the last lane.
void finish_packs(const std::vector<Mat3>& inv_inertia, WideSweeps& wide);

// What sweep_system.h says, of the packs: sums of squares.
double sweep_wide(const SweepLanes& lanes, WideSweeps& wide);
void measure_wide(const SweepLanes& lanes, WideSweeps& wide, double& natural, double& scaled);
[[nodiscard]] double wide_speed(const SweepLanes& lanes, WideSweeps& wide);
// sweep_momentum.h.
void extrapolate_wide(const SweepLanes& lanes, double most, double* x, const double* before,
                      double* t, WideSweeps& wide);

}  // namespace stiction

// shown_contacts.h - the contacts of a step as the window shows them: forces, slip, whether they
// stick, and to which island they belong.
#pragma once

#include <vector>

#include "live/snapshot.h"
#include "metrics/contact_quality.h"
#include "problem_files/problem_frame.h"
#include "record/trajectory_sample.h"

namespace stiction {

struct Simulation;

// Island per body, kNone where it has neither contact nor joint or is not moved by forces. The
// bodies of a tree are in one island.
void find_island_of(const Simulation& sim, std::vector<int>& island_of);

// Of the step just taken. `quality` is that of the step, or has no entries where it was not
// measured; its thresholds say what rests and what slides.
void show_contacts(const Simulation& sim, const ContactQuality& quality,
                   std::vector<ShownContact>& contacts);

// Of a recorded step: `before` are the poses at its start, `twist` the velocities after it.
void show_contacts(const TrajectorySample& sample, const std::vector<Pose>& before,
                   const QualityThresholds& thresholds, std::vector<ShownContact>& contacts);

// Of a frame, whose bodies are these of the model; contacts with the world are with the body `world`.
void show_contacts(const ProblemFrame& frame, const FrameAnswer& answer,
                   const std::vector<int>& bodies, int world, std::vector<ShownContact>& contacts);

}  // namespace stiction

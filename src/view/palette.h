// palette.h - colours of the window: the eight of Okabe and Ito, which people with any kind of
// colour blindness can tell apart, and softer tones for bodies.
#pragma once

#include <array>
#include <cstddef>

#include "draw/picture.h"

namespace stiction::palette {

inline constexpr Colour kOrange{0.902F, 0.624F, 0.000F, 1};
inline constexpr Colour kSkyBlue{0.337F, 0.706F, 0.914F, 1};
inline constexpr Colour kGreen{0.000F, 0.620F, 0.451F, 1};
inline constexpr Colour kYellow{0.941F, 0.894F, 0.259F, 1};
inline constexpr Colour kBlue{0.000F, 0.447F, 0.698F, 1};
inline constexpr Colour kVermilion{0.835F, 0.369F, 0.000F, 1};
inline constexpr Colour kPurple{0.800F, 0.475F, 0.655F, 1};
inline constexpr Colour kGrey{0.60F, 0.62F, 0.65F, 1};

// In the order of kStageNames: forces, collide, assemble, solve, integrate, stabilise, record.
inline constexpr std::array<Colour, 7> kStages = {kGrey,   kSkyBlue, kGreen, kVermilion,
                                                  kYellow, kPurple,  kBlue};

// What a contact does, in the order of ContactState: open, sticking, sliding.
inline constexpr std::array<Colour, 3> kContactStates = {Colour{0.95F, 0.95F, 0.95F, 1}, kBlue,
                                                         kOrange};
// How wrong a contact is, from right to wrong.
inline constexpr std::array<Colour, 3> kErrors = {kSkyBlue, kYellow, kVermilion};
inline constexpr Colour kNormalForce = kGreen;
inline constexpr Colour kFrictionForce = kVermilion;
inline constexpr Colour kWholeForce{0.16F, 0.17F, 0.20F, 1};
inline constexpr Colour kWholeForceOnPanel = kGrey;  // where the ground is dark
inline constexpr Colour kGhost = kPurple;
inline constexpr Colour kCentre{1, 1, 1, 1};
inline constexpr Colour kPivot{0.27F, 0.28F, 0.31F, 1};
inline constexpr Colour kLimit{0.55F, 0.80F, 0.25F, 1};
// Axes of frames: x, y, z.
inline constexpr std::array<Colour, 3> kAxes = {
    Colour{0.72F, 0.22F, 0.30F, 1}, Colour{0.30F, 0.56F, 0.20F, 1}, Colour{0.30F, 0.30F, 0.72F, 1}};
inline constexpr Colour kSelected = kYellow;

// How a step was solved, in the order of StepLight: not measured, solved, fallback, not solved.
inline constexpr std::array<Colour, 4> kLights = {kGrey, Colour{0.25F, 0.75F, 0.45F, 1}, kOrange,
                                                  Colour{0.95F, 0.25F, 0.20F, 1}};

// Contact models, in the order of their names: darker than what is drawn in the view.
inline constexpr std::array<Colour, 6> kModels = {
    Colour{0.45F, 0.40F, 0.66F, 1}, Colour{0.25F, 0.44F, 0.64F, 1}, Colour{0.58F, 0.43F, 0.26F, 1},
    Colour{0.20F, 0.52F, 0.50F, 1}, Colour{0.64F, 0.35F, 0.48F, 1}, Colour{0.38F, 0.52F, 0.26F, 1}};

// Bodies take turns.
inline constexpr std::array<Colour, 6> kBodies = {
    Colour{0.36F, 0.55F, 0.75F, 1}, Colour{0.85F, 0.66F, 0.37F, 1}, Colour{0.42F, 0.66F, 0.58F, 1},
    Colour{0.76F, 0.51F, 0.46F, 1}, Colour{0.58F, 0.53F, 0.72F, 1}, Colour{0.67F, 0.70F, 0.50F, 1}};
inline constexpr Colour kStatic{0.66F, 0.68F, 0.71F, 1};
inline constexpr Colour kWall{0.90F, 0.91F, 0.92F, 1};
inline constexpr Colour kKinematic{0.47F, 0.49F, 0.54F, 1};

[[nodiscard]] constexpr Colour turn(std::size_t i) { return kBodies[i % kBodies.size()]; }

[[nodiscard]] constexpr Colour with_alpha(Colour c, float alpha) { return {c.r, c.g, c.b, alpha}; }

}  // namespace stiction::palette

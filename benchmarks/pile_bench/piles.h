// piles.h - falling piles: what they are, and frames of their fall: contact problems as a step meets
// them, with the impulses of the steps before.
#pragma once

#include <string>
#include <vector>

#include "step/simulation.h"

namespace stiction {

struct PileCase {
    std::string name;
    std::string scene;  // file
    std::vector<std::pair<std::string, std::string>> parameters;
    double seconds = 2;  // of its fall
};

[[nodiscard]] const std::vector<PileCase>& pile_cases();

// h: 0 is the scene's [s].
[[nodiscard]] Simulation start_pile(const PileCase& pile, const ContactModel& model, double h);

struct PileFrame {
    ContactProblem problem;
    Guess guess, before;  // of the last step and of the one before it
    double time = 0;
};

// The largest island of every `stride`-th step of the fall under coulomb_cone, where it is a pile.
[[nodiscard]] std::vector<PileFrame> record_fall(const PileCase& pile, double h, int stride);

}  // namespace stiction

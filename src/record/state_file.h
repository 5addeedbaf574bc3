// state_file.h - a state on disk from which a run goes on exactly as if it had not stopped: JSON
// whose numbers read back as the same bits, with a checksum against damage. docs/output-formats.md
// describes it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stiction {

struct Guess;
struct Model;
struct Simulation;
struct State;

inline constexpr int kStateVersion = 3;  // of the layout that save_state writes
// Bytes; a body takes about 500, a contact 150: some million of either.
inline constexpr std::uintmax_t kLargestStateFile = std::uintmax_t{1} << 30;
inline constexpr int kOldestStateVersion = 2;  // that load_state reads: without principal_spin

// By whom the warm starts were made.
struct StateMakers {
    std::string_view contact_model, narrowphase;
};

// State, warm starts, contact model and narrowphase of `sim`. `scene` is the scene's name. Throws OutputError.
void save_state(const std::string& path, const std::string& scene, const Simulation& sim);
// The same of its parts, as they were when a step had ended.
void save_state(const std::string& path, const std::string& scene, const Model& model,
                const State& state, const StateMakers& makers, const Guess& guess);

// Puts the saved state into `sim`, which must be of the same scene with the same bodies and joints.
// Warm starts are taken only when the contact model and the narrowphase are those that made them;
// returns whether they were. Throws InputError: file, place, fault; `sim` is unchanged then.
bool load_state(const std::string& path, const std::string& scene, Simulation& sim);

}  // namespace stiction

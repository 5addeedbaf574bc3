// frame_ids.h - bodies of a frame by the ids that its writer gave them.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "problem_files/frame_source.h"
#include "problem_files/problem_frame.h"

namespace stiction {

// Of anything in a frame: indices and small multiples of them are int.
inline constexpr std::uint64_t kMostFrameRows = 10'000'000;

using FrameIds = std::map<std::int64_t, int>;  // to places

// Place of a body by its id; ids up to 0 that no body has are the world. Throws InputError that names
// the dataset.
[[nodiscard]] int place_of(const FrameSource& in, const std::string& name, std::int64_t id,
                           const FrameIds& ids);

// The group `constraints`.
void read_joints(const FrameSource& in, const FrameIds& ids, ProblemFrame& frame);

}  // namespace stiction

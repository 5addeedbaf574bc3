// frame_arrays.h - a frame as the arrays of a dataset (docs/datasets.md).
#pragma once

#include "problem_files/dataset_array.h"
#include "problem_files/problem_frame.h"

namespace stiction {

// All groups of a frame; those that would be empty are left out.
[[nodiscard]] DatasetGroup frame_arrays(const ProblemFrame& frame);

// Its parts: the group `stiction`, and one of the groups of `solver_data`.
void add_step_arrays(const RecordedStep& step, DatasetGroup& group);
void add_answer_arrays(const FrameAnswer& answer, DatasetGroup& group);

}  // namespace stiction

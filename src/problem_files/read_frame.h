// read_frame.h - the arrays of a frame -> ProblemFrame: those that this program writes
// (frame_arrays.h), and all that other writers of the same layout make of them (docs/datasets.md).
#pragma once

#include "problem_files/frame_source.h"
#include "problem_files/problem_frame.h"

namespace stiction {

// Throws InputError that names the dataset. What had to be decided is in `remarks`.
[[nodiscard]] ProblemFrame read_frame(const Hdf5Content& content);

// Its parts: bodies, joints and contacts by body ids; the group `stiction`; an answer of
// `solver_data`, of which the velocities must be there.
void read_public_frame(FrameSource& source, ProblemFrame& frame);
[[nodiscard]] RecordedStep read_step(const FrameSource& source, double h);
[[nodiscard]] FrameAnswer read_answer(const FrameSource& source, const std::string& name,
                                      const ProblemFrame& frame);
[[nodiscard]] SolveStatus read_status(const FrameSource& source, const std::string& name);

}  // namespace stiction

// problem_dat.h - Coulomb cone problems as text. Numbers separated by white space, indices from 0:
//
//   local:   3  nc  MATRIX(W)            q[3 nc]        mu[nc]
//   global:  3  nc  MATRIX(M) MATRIX(H)  f[n]  w[3 nc]  mu[nc]       M v = H r + f, u = H' v + w
//   MATRIX:  kind  rows  cols  BODY      kind 0: dense, column by column; 1: sparse blocks by rows
//
// A file does not say which form it has: after the first matrix a local problem has 4 nc numbers
// left, a global one more. One number too many at the end is ignored. Problems in the plane (2 in
// place of 3) and matrices of kind 2 are refused.
#pragma once

#include <string>
#include <string_view>

#include "problem_files/problem_file.h"

namespace stiction {

// `name` stands for the file in messages: NAME:LINE:COLUMN: what was expected and what was found.
[[nodiscard]] StoredProblem parse_dat(std::string_view text, const std::string& name);
[[nodiscard]] StoredProblem read_dat(const std::string& path);

// The local form with W in sparse blocks; reads back as the same numbers. Contacts only.
[[nodiscard]] std::string dat_text(const ConeProblem& problem);
void write_dat(const std::string& path, const ConeProblem& problem);

}  // namespace stiction

// find_scene.h - where the shipped scenes and problems are, and which file an argument means.
#pragma once

#include <string>
#include <vector>

namespace stiction {

// STICTION_SCENES if set; otherwise the first that exists of: share/stiction/scenes beside the
// installed program's bin, share/stiction/scenes of a folder above the shared library that this is
// part of (a Python module), the source tree's scenes, stiction/scenes of a folder of XDG_DATA_DIRS
// (/usr/share, for a program that links the installed library), ./scenes. Empty when there is none.
[[nodiscard]] std::string scenes_folder();

// Names of the shipped scenes, in alphabetical order; none of them is read.
[[nodiscard]] std::vector<std::string> shipped_scenes();

// What scenes_folder() is for the contact problems that ship: share/stiction/problems and tests/data/problems.
[[nodiscard]] std::string problems_folder();

// The file of a sweep: `argument` itself when it names a file or looks like a path, otherwise the
// shipped sweep of that name. Throws InputError with the nearest one.
[[nodiscard]] std::string find_sweep(const std::string& argument);

// `argument` itself when it names a file or looks like a path, otherwise the shipped dataset of that
// name where there is one.
[[nodiscard]] std::string find_problem(const std::string& argument);

// For commands that take scenes and datasets: the shipped dataset of that name where neither a file
// nor a shipped scene has it, otherwise `argument` itself.
[[nodiscard]] std::string find_problem_unless_scene(const std::string& argument);

// `argument` itself when it names a file or looks like a path, otherwise the shipped scene of that
// name. Throws InputError with the nearest shipped scene.
[[nodiscard]] std::string find_scene(const std::string& argument);

}  // namespace stiction

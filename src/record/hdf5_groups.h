// hdf5_groups.h - many groups of an HDF5 file by one reader: a process of its own for each of them, as
// Hdf5Content has it, would take longer than the reading.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "record/hdf5_content.h"

namespace stiction {

// In the order given, until `take` says no: it gets the place in the list and the content, which is
// empty where there is no such group. Throws InputError at the first that cannot be read.
void read_hdf5_groups(const std::string& path, const std::vector<std::string>& groups,
                      const std::function<bool(std::size_t, const Hdf5Content&)>& take);

}  // namespace stiction

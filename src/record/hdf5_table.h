// hdf5_table.h - a table as an HDF5 file: a dataset for every column, in one group.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace stiction {

struct Hdf5Column {
    std::string name;  // '/' becomes '_': it would be a group
    std::variant<std::vector<double>, std::vector<std::string>> values;
};

// Groups of columns by their names, attributes of the file; the same bytes for the same content.
// Throws InputError where the file cannot be made, OutputError where it cannot be written.
void write_hdf5_table(const std::string& path,
                      const std::vector<std::pair<std::string, std::string>>& attributes,
                      const std::string& group, const std::vector<Hdf5Column>& columns);

}  // namespace stiction

// hdf5_table.cpp - writes columns.
#include "record/hdf5_table.h"

#include <algorithm>

#include "record/hdf5_handle.h"
#include "record/hdf5_output.h"
#include "record/output_file.h"

namespace stiction {

namespace {

void add_text_attribute(hid_t file, const std::string& name, const std::string& value,
                        const std::string& path) {
    const Handle type = string_type();
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(
        H5Acreate2(file, name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const char* text = value.c_str();
    must_write(attribute.valid() && H5Awrite(attribute.id(), type.id(), &text) >= 0, path);
}

// Without the time at which it was made, so that equal tables are equal files.
Handle timeless(hid_t kind) {
    Handle list(H5Pcreate(kind), H5Pclose);
    H5Pset_obj_track_times(list.id(), false);
    return list;
}

void add_column(hid_t group, const Hdf5Column& column, const std::string& path) {
    std::string name = column.name;
    std::replace(name.begin(), name.end(), '/', '_');
    const auto* words = std::get_if<std::vector<std::string>>(&column.values);
    const auto* numbers = std::get_if<std::vector<double>>(&column.values);
    const hsize_t rows = words != nullptr ? words->size() : numbers->size();
    const Handle space(H5Screate_simple(1, &rows, nullptr), H5Sclose);
    const Handle properties = timeless(H5P_DATASET_CREATE);
    const Handle text = string_type();
    const hid_t type = words != nullptr ? text.id() : H5T_NATIVE_DOUBLE;
    Handle dataset(H5Dcreate2(group, name.c_str(), type, space.id(), H5P_DEFAULT, properties.id(),
                              H5P_DEFAULT),
                   H5Dclose);
    std::vector<const char*> pointers;
    if (words != nullptr) {
        for (const std::string& word : *words) pointers.push_back(word.c_str());
    }
    const void* data = words != nullptr ? static_cast<const void*>(pointers.data())
                                        : static_cast<const void*>(numbers->data());
    // Small columns reach the file when they are closed.
    must_write(dataset.valid() &&
                   H5Dwrite(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0 &&
                   dataset.release(),
               path);
}

}  // namespace

void write_hdf5_table(const std::string& path,
                      const std::vector<std::pair<std::string, std::string>>& attributes,
                      const std::string& group, const std::vector<Hdf5Column>& columns) {
    check_writable(path, true);
    H5dont_atexit();
    silence_hdf5();
    clear_part(path);
    Handle file(H5Fcreate(part_path(path).c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT),
                H5Fclose);
    must_write(file.valid(), path);
    for (const auto& [name, value] : attributes) add_text_attribute(file.id(), name, value, path);
    {
        const Handle properties = timeless(H5P_GROUP_CREATE);
        const Handle made(
            H5Gcreate2(file.id(), group.c_str(), H5P_DEFAULT, properties.id(), H5P_DEFAULT),
            H5Gclose);
        must_write(made.valid(), path);
        for (const Hdf5Column& column : columns) add_column(made.id(), column, path);
    }
    must_write(H5Fflush(file.id(), H5F_SCOPE_GLOBAL) >= 0 && file.release(), path);
    publish(path);
}

}  // namespace stiction

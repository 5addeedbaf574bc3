// trajectory_hdf5_read.cpp - reads the HDF5 layout of docs/output-formats.md, finished or not.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/error.h"
#include "record/hdf5_handle.h"
#include "record/trajectory_hdf5.h"

namespace stiction {

namespace {

constexpr std::int64_t kLargestDataset = std::int64_t{4} << 30;  // [bytes], read into memory

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
    throw InputError(path + ": " + what);
}

// All of a dataset with the given shape behind its first dimension.
template <class T>
std::vector<T> read_column(hid_t file, const std::string& path, const char* name,
                           const std::vector<hsize_t>& row) {
    const Handle dataset(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose);
    if (!dataset.valid()) refuse(path, std::string(name) + ": there is no such dataset");
    const Handle space(H5Dget_space(dataset.id()), H5Sclose);
    std::array<hsize_t, H5S_MAX_RANK> dims{};
    const int rank = H5Sget_simple_extent_dims(space.id(), dims.data(), nullptr);
    if (rank < 1 || static_cast<std::size_t>(rank) != row.size() + 1 ||
        !std::equal(row.begin(), row.end(), dims.begin() + 1)) {
        std::string wanted = "n";
        for (const hsize_t size : row) wanted += " x " + std::to_string(size);
        refuse(path, std::string(name) + ": expected the shape " + wanted);
    }
    hsize_t count = dims[0];
    for (const hsize_t size : row) count *= size;
    if (count > static_cast<hsize_t>(kLargestDataset) / sizeof(T)) {
        refuse(path, std::string(name) + ": larger than the 4 GiB that can be read back");
    }
    std::vector<T> values(count);
    if (count > 0 &&
        H5Dread(dataset.id(), native_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
        refuse(path, std::string(name) + ": cannot be read as numbers");
    }
    return values;
}

std::vector<std::string> read_names(hid_t file, const std::string& path, const char* name) {
    const Handle dataset(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose);
    if (!dataset.valid()) refuse(path, std::string(name) + ": there is no such dataset");
    const Handle space(H5Dget_space(dataset.id()), H5Sclose);
    const hssize_t count = H5Sget_simple_extent_npoints(space.id());
    const Handle type = string_type();
    std::vector<char*> pointers(static_cast<std::size_t>(std::max<hssize_t>(count, 0)));
    if (!pointers.empty() &&
        H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) < 0) {
        refuse(path, std::string(name) + ": cannot be read as strings");
    }
    std::vector<std::string> names;
    for (char* pointer : pointers) {
        names.emplace_back(pointer == nullptr ? "" : pointer);
        H5free_memory(pointer);
    }
    return names;
}

std::string read_text(hid_t file, const std::string& path, const char* name) {
    const Handle attribute(H5Aopen(file, name, H5P_DEFAULT), H5Aclose);
    const Handle type = string_type();
    char* pointer = nullptr;
    if (!attribute.valid() ||
        H5Aread(attribute.id(), type.id(), static_cast<void*>(&pointer)) < 0 ||
        pointer == nullptr) {
        refuse(path,
               std::string("attribute '") + name + "' is missing; expected a Stiction trajectory");
    }
    std::string text = pointer;
    H5free_memory(pointer);
    return text;
}

template <class T>
T read_number(hid_t file, const std::string& path, const char* name) {
    const Handle attribute(H5Aopen(file, name, H5P_DEFAULT), H5Aclose);
    T value{};
    if (!attribute.valid() || H5Aread(attribute.id(), native_type<T>(), &value) < 0) {
        refuse(path, std::string("attribute '") + name + "' is missing");
    }
    return value;
}

TrajectoryHeader read_header(hid_t file, const std::string& path) {
    if (read_text(file, path, "format") != kTrajectoryFormat)
        refuse(path, "is not a Stiction trajectory");
    const auto version = read_number<std::int32_t>(file, path, "version");
    if (version != kTrajectoryVersion) {
        refuse(path, "has version " + std::to_string(version) + "; this program reads version " +
                         std::to_string(kTrajectoryVersion));
    }
    TrajectoryHeader header;
    header.scene = read_text(file, path, "scene");
    header.model = read_text(file, path, "model");
    header.h = read_number<double>(file, path, "h");
    header.bodies = read_names(file, path, "bodies/names");
    if (H5Lexists(file, "joints", H5P_DEFAULT) > 0) {
        header.joints = read_names(file, path, "joints/names");
    }
    return header;
}

Vec3 vector_at(const std::vector<double>& values, std::size_t i) {
    return {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
}

// Everything of the file as columns, cut to the samples that are complete.
struct Columns {
    std::vector<std::int64_t> step, first;
    std::vector<std::int32_t> count, contact_bodies;
    std::vector<double> time, positions, quaternions, linear, angular, q, qdot;
    std::vector<double> points, normals, forces, gaps;
};

Columns read_columns(hid_t file, const std::string& path, const TrajectoryHeader& header) {
    const hsize_t nb = header.bodies.size();
    const hsize_t nj = header.joints.size();
    Columns c;
    c.step = read_column<std::int64_t>(file, path, "step", {});
    c.time = read_column<double>(file, path, "time", {});
    c.positions = read_column<double>(file, path, "bodies/positions", {nb, 3});
    c.quaternions = read_column<double>(file, path, "bodies/quaternions", {nb, 4});
    c.linear = read_column<double>(file, path, "bodies/linear_velocities", {nb, 3});
    c.angular = read_column<double>(file, path, "bodies/angular_velocities", {nb, 3});
    if (nj > 0) {
        c.q = read_column<double>(file, path, "joints/positions", {nj});
        c.qdot = read_column<double>(file, path, "joints/velocities", {nj});
    }
    c.first = read_column<std::int64_t>(file, path, "contacts/first", {});
    c.count = read_column<std::int32_t>(file, path, "contacts/count", {});
    c.contact_bodies = read_column<std::int32_t>(file, path, "contacts/bodies", {2});
    c.points = read_column<double>(file, path, "contacts/points", {3});
    c.normals = read_column<double>(file, path, "contacts/normals", {3});
    c.forces = read_column<double>(file, path, "contacts/forces", {3});
    c.gaps = read_column<double>(file, path, "contacts/gaps", {});
    return c;
}

std::size_t complete_samples(const Columns& c, std::size_t nb, std::size_t nj) {
    std::size_t n = std::min({c.step.size(), c.time.size(), c.first.size(), c.count.size()});
    if (nb > 0) {
        n = std::min({n, c.positions.size() / (3 * nb), c.quaternions.size() / (4 * nb),
                      c.linear.size() / (3 * nb), c.angular.size() / (3 * nb)});
    }
    return nj > 0 ? std::min({n, c.q.size() / nj, c.qdot.size() / nj}) : n;
}

void read_contacts(const std::string& path, const Columns& c, std::size_t i, int bodies,
                   TrajectorySample& sample) {
    const std::size_t rows = std::min({c.contact_bodies.size() / 2, c.points.size() / 3,
                                       c.normals.size() / 3, c.forces.size() / 3, c.gaps.size()});
    if (c.first[i] < 0 || c.count[i] < 0 ||
        static_cast<std::size_t>(c.first[i]) + static_cast<std::size_t>(c.count[i]) > rows) {
        refuse(path, "contacts: sample " + std::to_string(i) + " points beyond the table");
    }
    for (std::int32_t k = 0; k < c.count[i]; ++k) {
        const auto row = static_cast<std::size_t>(c.first[i] + k);
        const std::int32_t a = c.contact_bodies[2 * row];
        const std::int32_t b = c.contact_bodies[2 * row + 1];
        if (a < 0 || b < 0 || a >= bodies || b >= bodies) {
            refuse(path, "contacts/bodies: row " + std::to_string(row) + " names no body");
        }
        sample.contacts.push_back({a, b, vector_at(c.points, row), vector_at(c.normals, row),
                                   vector_at(c.forces, row), c.gaps[row]});
    }
}

}  // namespace

Trajectory read_trajectory_hdf5(const std::string& path) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (!file.valid()) refuse(path, "cannot be read as an HDF5 file");
    Trajectory trajectory;
    trajectory.header = read_header(file.id(), path);
    const std::size_t nb = trajectory.header.bodies.size();
    const std::size_t nj = trajectory.header.joints.size();
    const Columns c = read_columns(file.id(), path, trajectory.header);
    const std::size_t n = complete_samples(c, nb, nj);
    if (n != c.step.size() && !path.ends_with(".part")) {
        refuse(path, "its datasets have different numbers of samples");
    }
    trajectory.samples.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        TrajectorySample& sample = trajectory.samples[i];
        sample.step = c.step[i];
        sample.time = c.time[i];
        for (std::size_t b = 0; b < nb; ++b) {
            const std::size_t at = i * nb + b;
            const double* q = &c.quaternions[4 * at];
            sample.pose.push_back({vector_at(c.positions, at), Quat(q[0], q[1], q[2], q[3])});
            sample.twist.push_back({vector_at(c.linear, at), vector_at(c.angular, at)});
        }
        for (std::size_t j = 0; j < nj; ++j) {
            sample.joints.push_back({c.q[i * nj + j], c.qdot[i * nj + j]});
        }
        read_contacts(path, c, i, static_cast<int>(nb), sample);
    }
    return trajectory;
}

}  // namespace stiction

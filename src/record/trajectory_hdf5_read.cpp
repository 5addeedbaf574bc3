// trajectory_hdf5_read.cpp - reads the HDF5 layout of docs/output-formats.md, finished or not.
#include <algorithm>
#include <string>
#include <vector>

#include "core/error.h"
#include "record/hdf5_content.h"
#include "record/hdf5_handle.h"
#include "record/trajectory_hdf5.h"

namespace stiction {

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
    throw InputError(path + ": " + what);
}

// All of a dataset with the given shape behind its first dimension.
template <class T>
const std::vector<T>& column(const Hdf5Content& file, const char* name,
                             const std::vector<std::uint64_t>& row) {
    constexpr bool kReal = std::is_same_v<T, double>;
    const std::vector<T>& values = file.values<T>(name, kReal ? "numbers" : "whole numbers");
    const std::vector<std::uint64_t>& shape = file.find(name)->shape;
    if (shape.size() != row.size() + 1 || !std::equal(row.begin(), row.end(), shape.begin() + 1)) {
        std::string wanted = "n";
        for (const std::uint64_t size : row) wanted += " x " + std::to_string(size);
        file.refuse(name, "expected the shape " + wanted);
    }
    return values;
}

const std::vector<std::string>& names(const Hdf5Content& file, const char* name) {
    return file.values<std::string>(name, "names");
}

// An attribute of one value.
template <class T>
const T& attribute(const Hdf5Content& file, const std::string& name, const char* what) {
    if (file.find("@" + name) == nullptr) {
        file.refuse("attribute '" + name + "'", "is missing; expected a Stiction trajectory");
    }
    const std::vector<T>& values = file.values<T>("@" + name, what);
    if (values.size() != 1) {
        file.refuse("attribute '" + name + "'",
                    "holds " + std::to_string(values.size()) + " values; expected one");
    }
    return values.front();
}

TrajectoryHeader read_header(const Hdf5Content& file) {
    if (attribute<std::string>(file, "format", "a text") != kTrajectoryFormat)
        refuse(file.path(), "is not a Stiction trajectory");
    const auto version = attribute<std::int64_t>(file, "version", "a whole number");
    if (version != kTrajectoryVersion) {
        refuse(file.path(), "has version " + std::to_string(version) +
                                "; this program reads version " +
                                std::to_string(kTrajectoryVersion));
    }
    TrajectoryHeader header;
    header.scene = attribute<std::string>(file, "scene", "a text");
    header.model = attribute<std::string>(file, "model", "a text");
    if (file.find("@narrowphase") != nullptr)
        header.narrowphase = attribute<std::string>(file, "narrowphase", "a text");
    header.h = attribute<double>(file, "h", "a number");
    header.bodies = names(file, "bodies/names");
    if (file.find("joints") != nullptr) header.joints = names(file, "joints/names");
    return header;
}

Vec3 vector_at(const std::vector<double>& values, std::size_t i) {
    return {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
}

// Everything of the file as columns, of which those of joints may be missing.
struct Columns {
    Columns(const Hdf5Content& file, std::uint64_t nb, std::uint64_t nj)
        : step(column<std::int64_t>(file, "step", {})),
          first(column<std::int64_t>(file, "contacts/first", {})),
          count(column<std::int64_t>(file, "contacts/count", {})),
          contact_bodies(column<std::int64_t>(file, "contacts/bodies", {2})),
          time(column<double>(file, "time", {})),
          positions(column<double>(file, "bodies/positions", {nb, 3})),
          quaternions(column<double>(file, "bodies/quaternions", {nb, 4})),
          linear(column<double>(file, "bodies/linear_velocities", {nb, 3})),
          angular(column<double>(file, "bodies/angular_velocities", {nb, 3})),
          q(nj > 0 ? column<double>(file, "joints/positions", {nj}) : none),
          qdot(nj > 0 ? column<double>(file, "joints/velocities", {nj}) : none),
          points(column<double>(file, "contacts/points", {3})),
          normals(column<double>(file, "contacts/normals", {3})),
          forces(column<double>(file, "contacts/forces", {3})),
          gaps(column<double>(file, "contacts/gaps", {})) {}

    std::vector<double> none;
    const std::vector<std::int64_t>&step, &first, &count, &contact_bodies;
    const std::vector<double>&time, &positions, &quaternions, &linear, &angular, &q, &qdot;
    const std::vector<double>&points, &normals, &forces, &gaps;
};

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
    const auto end = static_cast<std::int64_t>(rows);
    if (c.first[i] < 0 || c.count[i] < 0 || c.first[i] > end || c.count[i] > end - c.first[i])
        refuse(path, "contacts: sample " + std::to_string(i) + " points beyond the table");
    for (std::int64_t k = 0; k < c.count[i]; ++k) {
        const auto row = static_cast<std::size_t>(c.first[i] + k);
        const std::int64_t body_a = c.contact_bodies[2 * row];
        const std::int64_t body_b = c.contact_bodies[2 * row + 1];
        if (body_a < 0 || body_b < 0 || body_a >= bodies || body_b >= bodies)
            refuse(path, "contacts/bodies: row " + std::to_string(row) + " names no body");
        const auto a = static_cast<int>(body_a), b = static_cast<int>(body_b);
        sample.contacts.push_back({a, b, vector_at(c.points, row), vector_at(c.normals, row),
                                   vector_at(c.forces, row), c.gaps[row]});
    }
}

}  // namespace

Trajectory read_trajectory_hdf5(const std::string& path) {
    const Hdf5Content file(path);
    Trajectory trajectory;
    trajectory.header = read_header(file);
    const std::size_t nb = trajectory.header.bodies.size();
    const std::size_t nj = trajectory.header.joints.size();
    const Columns c(file, nb, nj);
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

// trajectory_hdf5.cpp - writes and reads the HDF5 layout of docs/output-formats.md.
#include "record/trajectory_hdf5.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.h"
#include "record/output_file.h"

namespace stiction {

namespace {

constexpr int kVersion = 1;
constexpr const char* kFormat = "stiction trajectory";
constexpr hsize_t kChunkBytes = 64 * 1024;
constexpr std::int64_t kLargestFile = std::int64_t{4} << 30;  // numbers read into memory [bytes]

// Owns one HDF5 identifier; `close` is the function that releases its kind.
class Handle {
  public:
    Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle& operator=(Handle&&) = delete;

    [[nodiscard]] hid_t id() const { return id_; }
    [[nodiscard]] bool valid() const { return id_ >= 0; }

  private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

template <class T>
hid_t native_type() {
    if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
    if constexpr (std::is_same_v<T, std::int64_t>) return H5T_NATIVE_INT64;
    if constexpr (std::is_same_v<T, std::int32_t>) return H5T_NATIVE_INT32;
}

Handle string_type() {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.id(), H5T_VARIABLE);
    H5Tset_cset(type.id(), H5T_CSET_UTF8);
    return type;
}

// Rows of fixed shape along a first dimension that grows. `values` holds rows that are not in the
// file yet.
template <class T>
struct Column {
    Column(hid_t file, const std::string& name, std::vector<hsize_t> shape)
        : dims(std::move(shape)), dataset(create(file, name)) {}

    void write() {
        hsize_t width = 1;
        for (std::size_t i = 1; i < dims.size(); ++i) width *= dims[i];
        const hsize_t rows = values.size() / width;
        if (rows == 0) return;
        std::vector<hsize_t> start(dims.size(), 0);
        std::vector<hsize_t> count = dims;
        start[0] = dims[0];
        count[0] = rows;
        dims[0] += rows;
        bool done = H5Dset_extent(dataset.id(), dims.data()) >= 0;
        const Handle target(H5Dget_space(dataset.id()), H5Sclose);
        done = done && H5Sselect_hyperslab(target.id(), H5S_SELECT_SET, start.data(), nullptr,
                                           count.data(), nullptr) >= 0;
        const Handle source(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                            H5Sclose);
        done = done && H5Dwrite(dataset.id(), native_type<T>(), source.id(), target.id(),
                                H5P_DEFAULT, values.data()) >= 0;
        if (!done) throw OutputError("HDF5 cannot write to the trajectory (is the disk full?)");
        values.clear();
    }

    std::vector<hsize_t> dims;  // first: rows in the file
    Handle dataset;
    std::vector<T> values;

  private:
    Handle create(hid_t file, const std::string& name) const {
        std::vector<hsize_t> most = dims;
        most[0] = H5S_UNLIMITED;
        hsize_t row_bytes = sizeof(T);
        for (std::size_t i = 1; i < dims.size(); ++i) row_bytes *= dims[i];
        std::vector<hsize_t> chunk = dims;
        chunk[0] = std::clamp<hsize_t>(kChunkBytes / row_bytes, 1, 4096);
        const Handle space(
            H5Screate_simple(static_cast<int>(dims.size()), dims.data(), most.data()), H5Sclose);
        const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        H5Pset_chunk(creation.id(), static_cast<int>(chunk.size()), chunk.data());
        const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
        H5Pset_create_intermediate_group(links.id(), 1);
        return {H5Dcreate2(file, name.c_str(), native_type<T>(), space.id(), links.id(),
                           creation.id(), H5P_DEFAULT),
                H5Dclose};
    }
};

void write_attribute(hid_t file, const char* name, const std::string& text) {
    const Handle type = string_type();
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(H5Acreate2(file, name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
                           H5Aclose);
    const char* pointer = text.c_str();
    H5Awrite(attribute.id(), type.id(), static_cast<const void*>(&pointer));
}

void write_attribute(hid_t file, const char* name, hid_t type, const void* value) {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(H5Acreate2(file, name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT),
                           H5Aclose);
    H5Awrite(attribute.id(), type, value);
}

void write_names(hid_t file, const char* path, const std::vector<std::string>& names) {
    std::vector<const char*> pointers;
    for (const std::string& name : names) pointers.push_back(name.c_str());
    const hsize_t count = names.size();
    const Handle type = string_type();
    const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(links.id(), 1);
    const Handle dataset(
        H5Dcreate2(file, path, type.id(), space.id(), links.id(), H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose);
    if (count > 0)
        H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data());
}

void append(std::vector<double>& values, const Vec3& x) {
    values.insert(values.end(), {x.x(), x.y(), x.z()});
}

}  // namespace

struct Hdf5TrajectoryWriter::Impl {
    Impl(const std::string& name, Handle&& created, const TrajectoryHeader& header)
        : path(name),
          file(std::move(created)),
          step(file.id(), "step", {0}),
          time(file.id(), "time", {0}),
          positions(file.id(), "bodies/positions", {0, header.bodies.size(), 3}),
          quaternions(file.id(), "bodies/quaternions", {0, header.bodies.size(), 4}),
          linear(file.id(), "bodies/linear_velocities", {0, header.bodies.size(), 3}),
          angular(file.id(), "bodies/angular_velocities", {0, header.bodies.size(), 3}),
          first(file.id(), "contacts/first", {0}),
          count(file.id(), "contacts/count", {0}),
          contact_bodies(file.id(), "contacts/bodies", {0, 2}),
          points(file.id(), "contacts/points", {0, 3}),
          normals(file.id(), "contacts/normals", {0, 3}),
          forces(file.id(), "contacts/forces", {0, 3}),
          gaps(file.id(), "contacts/gaps", {0}) {
        write_attribute(file.id(), "format", kFormat);
        write_attribute(file.id(), "version", H5T_NATIVE_INT32, &kVersion);
        write_attribute(file.id(), "scene", header.scene);
        write_attribute(file.id(), "model", header.model);
        write_attribute(file.id(), "h", H5T_NATIVE_DOUBLE, &header.h);
        write_attribute(file.id(), "conventions",
                        "SI units, world frame; quaternions w x y z; normals point from bodies[1] "
                        "into bodies[0]; forces act on bodies[0]");
        write_names(file.id(), "bodies/names", header.bodies);
        if (header.joints.empty()) return;
        write_names(file.id(), "joints/names", header.joints);
        joints.emplace_back(file.id(), "joints/positions",
                            std::vector<hsize_t>{0, header.joints.size()});
        joints.emplace_back(file.id(), "joints/velocities",
                            std::vector<hsize_t>{0, header.joints.size()});
    }

    [[nodiscard]] std::size_t gathered_bytes() const {
        return sizeof(double) * (13 * positions.values.size() / 3 + 12 * gaps.values.size());
    }

    // The step numbers come last: a sample counts when all of it is there.
    void write() {
        contact_bodies.write();
        for (Column<double>* column : {&points, &normals, &forces, &gaps}) column->write();
        first.write();
        count.write();
        for (Column<double>* column : {&positions, &quaternions, &linear, &angular, &time}) {
            column->write();
        }
        for (Column<double>& column : joints) column.write();
        step.write();
        if (H5Fflush(file.id(), H5F_SCOPE_GLOBAL) < 0) {
            throw OutputError("cannot write '" + path + "' (is the disk full?)");
        }
    }

    std::string path;
    Handle file;
    Column<std::int64_t> step;
    Column<double> time, positions, quaternions, linear, angular;
    std::vector<Column<double>> joints;  // positions, velocities; none when there are no joints
    Column<std::int64_t> first;          // row of a sample's first contact
    Column<std::int32_t> count;          // of a sample's contacts
    Column<std::int32_t> contact_bodies;
    Column<double> points, normals, forces, gaps;
    std::int64_t contacts = 0;  // rows so far
    FlushClock clock;
    bool empty = true;
};

Hdf5TrajectoryWriter::Hdf5TrajectoryWriter(const std::string& path,
                                           const TrajectoryHeader& header) {
    check_writable(path, true);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // failures are reported by our own messages
    Handle file(H5Fcreate(part_path(path).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                H5Fclose);
    if (!file.valid()) throw InputError("cannot write '" + path + "': HDF5 cannot create it");
    impl_ = std::make_unique<Impl>(path, std::move(file), header);
}

Hdf5TrajectoryWriter::Hdf5TrajectoryWriter(Hdf5TrajectoryWriter&&) noexcept = default;

Hdf5TrajectoryWriter::~Hdf5TrajectoryWriter() {
    if (!impl_ || !impl_->empty) return;
    const std::string part = part_path(impl_->path);
    impl_.reset();
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
}

void Hdf5TrajectoryWriter::add(const TrajectorySample& sample) {
    Impl& out = *impl_;
    out.empty = false;
    out.step.values.push_back(sample.step);
    out.time.values.push_back(sample.time);
    for (std::size_t i = 0; i < sample.pose.size(); ++i) {
        const Quat& q = sample.pose[i].q;
        append(out.positions.values, sample.pose[i].p);
        out.quaternions.values.insert(out.quaternions.values.end(), {q.w(), q.x(), q.y(), q.z()});
        append(out.linear.values, sample.twist[i].v);
        append(out.angular.values, sample.twist[i].w);
    }
    for (const JointCoordinate& joint : sample.joints) {
        out.joints[0].values.push_back(joint.position);
        out.joints[1].values.push_back(joint.velocity);
    }
    out.first.values.push_back(out.contacts);
    out.count.values.push_back(static_cast<std::int32_t>(sample.contacts.size()));
    out.contacts += static_cast<std::int64_t>(sample.contacts.size());
    for (const ContactForce& contact : sample.contacts) {
        out.contact_bodies.values.insert(out.contact_bodies.values.end(),
                                         {contact.body_a, contact.body_b});
        append(out.points.values, contact.point);
        append(out.normals.values, contact.normal);
        append(out.forces.values, contact.force);
        out.gaps.values.push_back(contact.gap);
    }
    if (out.clock.due(out.gathered_bytes())) out.write();
}

void Hdf5TrajectoryWriter::finish() {
    impl_->write();
    const std::string path = impl_->path;
    impl_.reset();  // closes datasets and file
    publish(path);
}

namespace {

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
    if (count > static_cast<hsize_t>(kLargestFile) / sizeof(T)) {
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
    if (read_text(file, path, "format") != kFormat) refuse(path, "is not a Stiction trajectory");
    const auto version = read_number<std::int32_t>(file, path, "version");
    if (version != kVersion) {
        refuse(path, "has version " + std::to_string(version) + "; this program reads version " +
                         std::to_string(kVersion));
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

// trajectory_hdf5.cpp - writes the HDF5 layout of docs/output-formats.md.
#include "record/trajectory_hdf5.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <utility>
#include <vector>

#include "core/error.h"
#include "record/hdf5_handle.h"
#include "record/hdf5_output.h"
#include "record/output_file.h"

namespace stiction {

namespace {

// What HDF5 reads and writes at a time: several chunks fit its cache of 1 MiB.
constexpr hsize_t kChunkBytes = 64 * 1024;

// HDF5 1.10 crashes when it closes a file that it could not write, and when the program ends with
// such a file open: the file is left as it is, and HDF5 does nothing at the end of the program.
template <class Impl, class Write>
void write_or_leave(std::unique_ptr<Impl>& impl, const Write& write) {
    try {
        write();
    } catch (const OutputError&) {
        (void)impl.release();
        throw;
    }
}

// Rows of fixed shape along a first dimension that grows. `values` holds rows that are not in the
// file yet.
template <class T>
struct Column {
    Column(const std::string& path, hid_t file, const std::string& name, std::vector<hsize_t> shape)
        : dims(std::move(shape)), dataset(create(file, name)) {
        must_write(dataset.valid(), path);
    }

    // `path` is for the message.
    void write(const std::string& path) {
        hsize_t width = 1;
        for (std::size_t i = 1; i < dims.size(); ++i) width *= dims[i];
        const hsize_t rows = values.size() / width;
        if (rows == 0) return;
        std::vector<hsize_t> start(dims.size(), 0);
        std::vector<hsize_t> count = dims;
        start[0] = dims[0];
        count[0] = rows;
        dims[0] += rows;
        must_write(H5Dset_extent(dataset.id(), dims.data()) >= 0, path);
        const Handle target(H5Dget_space(dataset.id()), H5Sclose);
        must_write(H5Sselect_hyperslab(target.id(), H5S_SELECT_SET, start.data(), nullptr,
                                       count.data(), nullptr) >= 0,
                   path);
        const Handle source(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                            H5Sclose);
        must_write(H5Dwrite(dataset.id(), native_type<T>(), source.id(), target.id(), H5P_DEFAULT,
                            values.data()) >= 0 &&
                       H5Dflush(dataset.id()) >= 0,
                   path);
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

// Attributes and small arrays reach the file when they are closed.
void write_attribute(hid_t file, const std::string& path, const char* name, hid_t type,
                     const void* value) {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    Handle attribute(H5Acreate2(file, name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    must_write(
        attribute.valid() && H5Awrite(attribute.id(), type, value) >= 0 && attribute.release(),
        path);
}

void write_attribute(hid_t file, const std::string& path, const char* name,
                     const std::string& text) {
    const char* pointer = text.c_str();
    write_attribute(file, path, name, string_type().id(), static_cast<const void*>(&pointer));
}

void write_names(hid_t file, const std::string& path, const char* place,
                 const std::vector<std::string>& names) {
    std::vector<const char*> pointers;
    for (const std::string& name : names) pointers.push_back(name.c_str());
    const hsize_t count = names.size();
    const Handle type = string_type();
    const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(links.id(), 1);
    Handle dataset(
        H5Dcreate2(file, place, type.id(), space.id(), links.id(), H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose);
    must_write(dataset.valid() &&
                   (count == 0 || H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                           pointers.data()) >= 0) &&
                   dataset.release(),
               path);
}

void append(std::vector<double>& values, const Vec3& x) {
    values.insert(values.end(), {x.x(), x.y(), x.z()});
}

}  // namespace

struct Hdf5TrajectoryWriter::Impl {
    Impl(const std::string& name, Handle&& created, const TrajectoryHeader& header)
        : path(name),
          file(std::move(created)),
          step(path, file.id(), "step", {0}),
          time(path, file.id(), "time", {0}),
          positions(path, file.id(), "bodies/positions", {0, header.bodies.size(), 3}),
          quaternions(path, file.id(), "bodies/quaternions", {0, header.bodies.size(), 4}),
          linear(path, file.id(), "bodies/linear_velocities", {0, header.bodies.size(), 3}),
          angular(path, file.id(), "bodies/angular_velocities", {0, header.bodies.size(), 3}),
          first(path, file.id(), "contacts/first", {0}),
          count(path, file.id(), "contacts/count", {0}),
          contact_bodies(path, file.id(), "contacts/bodies", {0, 2}),
          points(path, file.id(), "contacts/points", {0, 3}),
          normals(path, file.id(), "contacts/normals", {0, 3}),
          forces(path, file.id(), "contacts/forces", {0, 3}),
          gaps(path, file.id(), "contacts/gaps", {0}) {
        write_attribute(file.id(), path, "format", kTrajectoryFormat);
        write_attribute(file.id(), path, "version", H5T_NATIVE_INT32, &kTrajectoryVersion);
        write_attribute(file.id(), path, "scene", header.scene);
        write_attribute(file.id(), path, "model", header.model);
        write_attribute(file.id(), path, "narrowphase", header.narrowphase);
        write_attribute(file.id(), path, "h", H5T_NATIVE_DOUBLE, &header.h);
        write_attribute(file.id(), path, "conventions",
                        "SI units, world frame; quaternions w x y z; normals point from bodies[1] "
                        "into bodies[0]; forces act on bodies[0]");
        write_names(file.id(), path, "bodies/names", header.bodies);
        if (!header.joints.empty()) {
            write_names(file.id(), path, "joints/names", header.joints);
            joints.emplace_back(path, file.id(), "joints/positions",
                                std::vector<hsize_t>{0, header.joints.size()});
            joints.emplace_back(path, file.id(), "joints/velocities",
                                std::vector<hsize_t>{0, header.joints.size()});
        }
        // From here on only rows are added, in an order that a reader at any moment can follow.
        must_write(H5Fstart_swmr_write(file.id()) >= 0, path);
    }

    [[nodiscard]] std::size_t gathered_bytes() const {
        return sizeof(double) * (13 * positions.values.size() / 3 + 12 * gaps.values.size());
    }

    // The step numbers come last: a sample counts when all of it is there.
    void write() {
        contact_bodies.write(path);
        for (Column<double>* column : {&points, &normals, &forces, &gaps}) column->write(path);
        first.write(path);
        count.write(path);
        for (Column<double>* column : {&positions, &quaternions, &linear, &angular, &time}) {
            column->write(path);
        }
        for (Column<double>& column : joints) column.write(path);
        step.write(path);
    }

    // The file is closed with the last of its datasets.
    [[nodiscard]] bool close() {
        bool done = step.dataset.release();
        for (Column<double>* column : {&time, &positions, &quaternions, &linear, &angular, &points,
                                       &normals, &forces, &gaps})
            done = column->dataset.release() && done;
        for (Column<double>& column : joints) done = column.dataset.release() && done;
        done = first.dataset.release() && done;
        done = count.dataset.release() && done;
        done = contact_bodies.dataset.release() && done;
        return file.release() && done;
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
    const std::lock_guard nobody_forks(hdf5_in_use());
    H5dont_atexit();
    silence_hdf5();
    clear_part(path);
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_LATEST);
    Handle file(H5Fcreate(part_path(path).c_str(), H5F_ACC_EXCL, H5P_DEFAULT, access.id()),
                H5Fclose);
    must_write(file.valid(), path);
    const hid_t id = file.id();
    H5Iinc_ref(id);  // left open where the header cannot be written, as in write_or_leave()
    impl_ = std::make_unique<Impl>(path, std::move(file), header);
    H5Idec_ref(id);
}

Hdf5TrajectoryWriter::Hdf5TrajectoryWriter(Hdf5TrajectoryWriter&&) noexcept = default;

Hdf5TrajectoryWriter::~Hdf5TrajectoryWriter() {
    if (impl_ && impl_->empty) discard();
    const std::lock_guard nobody_forks(hdf5_in_use());
    impl_.reset();
}

void Hdf5TrajectoryWriter::discard() {
    if (!impl_) return;
    const std::lock_guard nobody_forks(hdf5_in_use());
    silence_hdf5();
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
    if (!out.clock.due(out.gathered_bytes())) return;
    const std::lock_guard nobody_forks(hdf5_in_use());
    write_or_leave(impl_, [&] { out.write(); });
}

void Hdf5TrajectoryWriter::finish() {
    const std::lock_guard nobody_forks(hdf5_in_use());
    silence_hdf5();
    const std::string path = impl_->path;
    write_or_leave(impl_, [&] {
        impl_->write();
        must_write(impl_->close(), path);
    });
    impl_.reset();
    publish(path);
}

}  // namespace stiction

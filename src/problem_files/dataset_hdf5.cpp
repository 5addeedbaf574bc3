// dataset_hdf5.cpp - writes groups of arrays; small ones lie in the header of their dataset.
#include "problem_files/dataset_hdf5.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <mutex>
#include <optional>
#include <type_traits>

#include "record/hdf5_handle.h"
#include "record/hdf5_output.h"
#include "record/output_file.h"

namespace stiction {

namespace {

// HDF5 allows 64 KiB of compact data; a page is where a write of its own begins to cost less.
constexpr std::size_t kCompactBytes = 4096;
constexpr unsigned kDeflateLevel = 6;
// HDF5 keeps headers in memory until they are flushed: little of that is left for the end.
constexpr int kFramesToFlush = 16;

constexpr const char* kConventions =
    "SI units, world frame; quaternions w x y z; velocities linear then angular; ids from 1, world "
    "-1; normals point from pairs[0] into pairs[1]; Jacobian columns: linear, angular of pairs[0], "
    "then of pairs[1]; gaps negative when penetrating; impulses act on pairs[1]";

template <class T>
hid_t stored_type() {
    if constexpr (std::is_same_v<T, double>) return H5T_IEEE_F64LE;
    if constexpr (std::is_same_v<T, std::int32_t>) return H5T_STD_I32LE;
    if constexpr (std::is_same_v<T, std::int64_t>) return H5T_STD_I64LE;
    if constexpr (std::is_same_v<T, std::uint64_t>) return H5T_STD_U64LE;
    if constexpr (std::is_same_v<T, std::uint8_t>) return H5T_STD_U8LE;
}

Handle text_type(const std::string& text) {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.id(), std::max<std::size_t>(text.size(), 1));
    H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
    H5Tset_cset(type.id(), H5T_CSET_UTF8);
    return type;
}

std::string numbered(const char* format, int number) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), format, number);
    return text.data();
}

}  // namespace

struct DatasetHdf5Writer::Impl {
    Impl(std::string name, Handle&& opened)
        : path(std::move(name)),
          file(std::move(opened)),
          links(H5Pcreate(H5P_LINK_CREATE), H5Pclose),
          compact(H5Pcreate(H5P_DATASET_CREATE), H5Pclose) {
        H5Pset_create_intermediate_group(links.id(), 1);
        H5Pset_layout(compact.id(), H5D_COMPACT);
    }

    void attribute(const char* name, const std::string& text) const {
        const Handle type = text_type(text);
        const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
        Handle made(H5Acreate2(file.id(), name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
                    H5Aclose);
        check(made.valid() && H5Awrite(made.id(), type.id(), text.data()) >= 0 && made.release());
    }

    // The group of that name, made where it is not there yet. Arrays of one group follow one
    // another, so that it is looked up once.
    [[nodiscard]] Handle open_group(hid_t from, const std::string& name) const {
        const bool there = name.find('/') == std::string::npos
                               ? H5Lexists(from, name.c_str(), H5P_DEFAULT) > 0
                               : H5Oexists_by_name(from, name.c_str(), H5P_DEFAULT) > 0;
        Handle group(there ? H5Gopen2(from, name.c_str(), H5P_DEFAULT)
                           : H5Gcreate2(from, name.c_str(), links.id(), H5P_DEFAULT, H5P_DEFAULT),
                     H5Gclose);
        check(group.valid());
        return group;
    }

    void write(hid_t group, const std::string& name, const DatasetArray& array) const {
        const std::vector<hsize_t> dims(array.shape.begin(), array.shape.end());
        const Handle space(
            dims.empty() ? H5Screate(H5S_SCALAR)
                         : H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr),
            H5Sclose);
        std::visit(
            [&](const auto& values) {
                using Value = std::remove_cvref_t<decltype(values[0])>;
                const std::size_t bytes = values.size() * sizeof(Value);
                if constexpr (std::is_same_v<Value, char>) {
                    const Handle type = text_type(values);
                    create(group, name, type.id(), space.id(), layout_of(bytes), bytes,
                           values.data());
                } else if constexpr (std::is_same_v<Value, std::uint8_t>) {
                    const Handle layout = picture_layout(dims);
                    create(group, name, stored_type<Value>(), space.id(), layout.id(), bytes,
                           values.data());
                } else {
                    create(group, name, stored_type<Value>(), space.id(), layout_of(bytes), bytes,
                           values.data());
                }
            },
            array.values);
    }

    [[nodiscard]] hid_t layout_of(std::size_t bytes) const {
        return bytes > 0 && bytes <= kCompactBytes ? compact.id() : H5P_DEFAULT;
    }

    // Pictures are packed, where HDF5 was built with zlib: most of a small file is its picture.
    [[nodiscard]] static Handle picture_layout(const std::vector<hsize_t>& dims) {
        Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        const bool empty = dims.empty() || std::find(dims.begin(), dims.end(), 0U) != dims.end();
        if (empty || H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0) return layout;
        H5Pset_chunk(layout.id(), static_cast<int>(dims.size()), dims.data());
        H5Pset_deflate(layout.id(), kDeflateLevel);
        return layout;
    }

    // Types on disk are little-endian, as are those in memory of all machines that we build for.
    // Small arrays reach the file when they are closed.
    void create(hid_t group, const std::string& name, hid_t type, hid_t space, hid_t layout,
                std::size_t bytes, const void* values) const {
        Handle dataset(
            H5Dcreate2(group, name.c_str(), type, space, H5P_DEFAULT, layout, H5P_DEFAULT),
            H5Dclose);
        check(dataset.valid());
        if (bytes > 0)
            check(H5Dwrite(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
        check(dataset.release());
    }

    void check(bool done) const {
        failed = failed || !done;
        must_write(done, path);
    }

    std::string path;
    Handle file, links, compact;
    mutable bool failed = false;  // to write
    std::string simulation;
    int simulations = 0;
    int frames = 0;
};

DatasetHdf5Writer::DatasetHdf5Writer(const std::string& path, bool append) {
    const std::lock_guard nobody_forks(hdf5_in_use());
    H5dont_atexit();
    silence_hdf5();
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    // Groups of the form that HDF5 has since 1.8: a tenth of the bytes of the older ones.
    H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_LATEST);
    // Headers of datasets are small: taken from the file 64 KiB at a time.
    constexpr hsize_t kBlockBytes = 1 << 16;
    H5Pset_meta_block_size(access.id(), kBlockBytes);
    Handle file(append ? H5Fopen(path.c_str(), H5F_ACC_RDWR, access.id())
                       : H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, access.id()),
                H5Fclose);
    must_write(file.valid(), path);
    impl_ = std::make_unique<Impl>(path, std::move(file));
    if (append) {
        while (H5Lexists(impl_->file.id(),
                         numbered("simulation_%05d", impl_->simulations + 1).c_str(),
                         H5P_DEFAULT) > 0)
            ++impl_->simulations;
        return;
    }
    impl_->attribute("format", "BPMD frames");
    impl_->attribute("version", "1");
    impl_->attribute("creator", "stiction");
    impl_->attribute("conventions", kConventions);
}

// HDF5 1.10 crashes when it closes a file that it could not write: such a file is left open.
DatasetHdf5Writer::~DatasetHdf5Writer() { (void)impl_.release(); }

void DatasetHdf5Writer::start_simulation(const DatasetGroup& manifest) {
    impl_->simulation = numbered("simulation_%05d", ++impl_->simulations);
    impl_->frames = 0;
    add_group(impl_->simulation + "/manifest", manifest);
}

void DatasetHdf5Writer::add_frame(const DatasetGroup& frame) {
    add_group(impl_->simulation + "/" + numbered("mbs_frame%06d", ++impl_->frames), frame);
    if (impl_->frames % kFramesToFlush != 0) return;
    const std::lock_guard nobody_forks(hdf5_in_use());
    impl_->check(H5Fflush(impl_->file.id(), H5F_SCOPE_GLOBAL) >= 0);
}

void DatasetHdf5Writer::add_group(const std::string& name, const DatasetGroup& group) {
    const std::lock_guard nobody_forks(hdf5_in_use());
    silence_hdf5();
    Handle root(H5Gopen2(impl_->file.id(), "/", H5P_DEFAULT), H5Gclose);
    Handle top = impl_->open_group(root.id(), name.empty() ? "/" : name);
    std::optional<Handle> inner;
    std::string inner_name;
    for (const DatasetArray& array : group) {
        const std::size_t slash = array.name.rfind('/');
        if (slash == std::string::npos) {
            impl_->write(top.id(), array.name, array);
            continue;
        }
        if (!inner || inner_name != array.name.substr(0, slash)) {
            inner_name = array.name.substr(0, slash);
            impl_->check(!inner || inner->release());
            inner.emplace(impl_->open_group(top.id(), inner_name));
        }
        impl_->write(inner->id(), array.name.substr(slash + 1), array);
    }
    impl_->check((!inner || inner->release()) && top.release() && root.release());
}

void DatasetHdf5Writer::close() {
    const std::lock_guard nobody_forks(hdf5_in_use());
    silence_hdf5();
    impl_->check(H5Fflush(impl_->file.id(), H5F_SCOPE_GLOBAL) >= 0);
    impl_->check(impl_->file.release());
    impl_.reset();
}

void DatasetHdf5Writer::discard() {
    try {
        if (impl_ && !impl_->failed) close();
    } catch (const OutputError&) {  // left open
    }
    (void)impl_.release();
}

}  // namespace stiction

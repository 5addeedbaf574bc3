// hdf5_content.cpp - the child walks over the file and sends what it finds; the parent keeps it.
#include "record/hdf5_content.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <new>

#include "core/child_process.h"
#include "core/error.h"
#include "record/hdf5_groups.h"
#include "record/hdf5_handle.h"
#include "record/hdf5_output.h"

namespace stiction {

namespace {

constexpr std::uint64_t kLargestDataset = std::uint64_t{4} << 30U;  // [bytes], read into memory
constexpr std::uint64_t kMaxObjects = 1'000'000;
constexpr std::uint64_t kLongestText = 1U << 20U;      // [bytes]
constexpr std::uint64_t kMostCompressed = 1100;        // deflate makes at most 1 of 1032 bytes
constexpr std::uint64_t kSmallDataset = 1U << 20U;     // [bytes] may be there without being stored
constexpr std::uint64_t kLongestName = 1000;           // of an object, with its groups
constexpr std::uint64_t kBytesPerSecond = 20U << 20U;  // compressed, slowly

enum class Sent : std::uint8_t { kEnd, kOther, kReals, kIntegers, kTexts };

// What the superblock says of a trajectory that is being written, or whose run was killed: opened for
// writing with readers beside it.
bool is_being_written(const std::string& path) {
    constexpr std::array<char, 9> kThirdFormat = {'\x89', 'H',    'D',  'F', '\r',
                                                  '\n',   '\x1a', '\n', 3};
    constexpr char kWithReaders = 0x05;
    std::array<char, 12> start{};  // format, two sizes, flags
    std::ifstream file(path, std::ios::binary);
    return file.read(start.data(), start.size()) &&
           std::equal(kThirdFormat.begin(), kThirdFormat.end(), start.begin()) &&
           (start[11] & kWithReaders) == kWithReaders;
}

// Only for the child.
Handle open_untrusted(const std::string& path) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    // HDF5 waits twice as long before each further attempt at what is there in part: some milliseconds
    // in all, where it would wait for hours.
    constexpr unsigned kAttempts = 22;
    const bool written = is_being_written(path);
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    if (written) H5Pset_metadata_read_attempts(access.id(), kAttempts);
    Handle file(
        H5Fopen(path.c_str(), H5F_ACC_RDONLY | (written ? H5F_ACC_SWMR_READ : 0U), access.id()),
        H5Fclose);
    if (!file.valid())
        throw InputError(path +
                         ": cannot be read as an HDF5 file; is it cut off, or being written?");
    return file;
}

// Only for the child: all of the file or of a group, object by object.
class Walker {
  public:
    Walker(const std::string& path, ChildOutput& out) : path_(path), out_(out) {}

    void walk(const std::string& group) {
        const Handle file = open_untrusted(path_);
        if (walk(file.id(), group)) return;
        refuse(group.empty() ? "its root cannot be opened; the file is damaged"
                             : group + ": there is no such group");
    }

    // False where there is no such group.
    bool walk(hid_t file, const std::string& group) {
        const Handle top(H5Gopen2(file, ("/" + group).c_str(), H5P_DEFAULT), H5Gclose);
        if (!top.valid()) return false;
        root_ = top.id();
        hsize_t at = 0;
        const bool all =
            H5Aiterate2(root_, H5_INDEX_NAME, H5_ITER_INC, &at, on_attribute, this) >= 0 &&
            H5Ovisit2(root_, H5_INDEX_NAME, H5_ITER_INC, on_object, this, H5O_INFO_BASIC) >= 0;
        if (no_memory_) throw std::bad_alloc();
        if (!error_.empty()) throw InputError(error_);
        // A walk ends at the first header that cannot be read: what comes after it is not known.
        if (!all) {
            const std::string place = group.empty() ? "" : group + "/";
            refuse(
                (last_.empty() ? place + "its first object" : place + last_ + ": what follows it") +
                " cannot be read; the file is damaged");
        }
        out_.number(Sent::kEnd);
        return true;
    }

  private:
    [[noreturn]] void refuse(const std::string& what) const {
        throw InputError(path_ + ": " + what);
    }

    // C functions call back: an exception waits until they have returned.
    template <class Work>
    herr_t guarded(const Work& work) {
        try {
            if (++objects_ > kMaxObjects) refuse("more than a million objects");
            work();
            return 0;
        } catch (const std::bad_alloc&) {
            no_memory_ = true;
            return -1;
        } catch (const std::exception& error) {
            error_ = error.what();
            return -1;
        }
    }

    static herr_t on_attribute(hid_t root, const char* name, const H5A_info_t* /*info*/,
                               void* self) {
        auto* walker = static_cast<Walker*>(self);
        return walker->guarded([&] { walker->send_attribute(root, name); });
    }
    static herr_t on_object(hid_t root, const char* name, const H5O_info_t* info, void* self) {
        auto* walker = static_cast<Walker*>(self);
        return walker->guarded([&] { walker->send_object(root, name, *info); });
    }

    void send_object(hid_t root, const std::string& name, const H5O_info_t& info) {
        if (name == ".") return;
        last_ = name;
        const Handle dataset(
            info.type == H5O_TYPE_DATASET ? H5Dopen2(root, name.c_str(), H5P_DEFAULT) : -1,
            H5Dclose);
        if (!dataset.valid()) {
            send_head(Sent::kOther, name, {});
            return;
        }
        const Handle type(H5Dget_type(dataset.id()), H5Tclose);
        const Handle space(H5Dget_space(dataset.id()), H5Sclose);
        const hid_t id = dataset.id();
        send(name, type.id(), space.id(), H5Dget_storage_size(id), [&](hid_t as, void* values) {
            return H5Dread(id, as, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
        });
    }

    void send_attribute(hid_t root, const std::string& name) {
        const Handle attribute(H5Aopen(root, name.c_str(), H5P_DEFAULT), H5Aclose);
        if (!attribute.valid()) refuse("attribute '" + name + "' cannot be opened");
        const Handle type(H5Aget_type(attribute.id()), H5Tclose);
        const Handle space(H5Aget_space(attribute.id()), H5Sclose);
        const hid_t id = attribute.id();
        send("@" + name, type.id(), space.id(), H5Aget_storage_size(id),
             [&](hid_t as, void* values) { return H5Aread(id, as, values); });
    }

    void send_head(Sent kind, const std::string& name, const std::vector<std::uint64_t>& shape) {
        out_.number(kind);
        out_.text(name);
        out_.values<std::uint64_t>(shape);
    }

    // read(type, values) is H5Dread or H5Aread.
    template <class Read>
    void send(const std::string& name, hid_t type, hid_t space, hsize_t stored, const Read& read) {
        std::array<hsize_t, H5S_MAX_RANK> dims{};
        const int rank = H5Sget_simple_extent_dims(space, dims.data(), nullptr);
        const hssize_t count = H5Sget_simple_extent_npoints(space);
        const std::size_t size = H5Tget_size(type);
        if (rank < 0 || count < 0 || size == 0) refuse(name + ": has no extent");
        const std::vector<std::uint64_t> shape(dims.begin(), dims.begin() + rank);
        const auto n = static_cast<std::uint64_t>(count);
        if (n > kLargestDataset / std::max<std::uint64_t>(size, 8))
            refuse(name + ": larger than the 4 GiB that can be read");
        if (n * size > kSmallDataset + kMostCompressed * stored)
            refuse(name + ": " + std::to_string(n) + " values in " + std::to_string(stored) +
                   " bytes; the file is damaged");
        switch (H5Tget_class(type)) {
            case H5T_FLOAT:
                return send_numbers<double>(Sent::kReals, name, shape, n, read);
            case H5T_INTEGER:
                return send_numbers<std::int64_t>(Sent::kIntegers, name, shape, n, read);
            case H5T_STRING:
                return send_texts(name, shape, type, n, read);
            default:
                return send_head(Sent::kOther, name, shape);
        }
    }

    template <class T, class Read>
    void send_numbers(Sent kind, const std::string& name, const std::vector<std::uint64_t>& shape,
                      std::uint64_t n, const Read& read) {
        std::vector<T> values(n);
        if (n > 0 && read(native_type<T>(), values.data()) < 0)
            refuse(name + ": cannot be read; is the file damaged or cut off?");
        send_head(kind, name, shape);
        out_.values<T>(values);
    }

    template <class Read>
    void send_texts(const std::string& name, const std::vector<std::uint64_t>& shape, hid_t type,
                    std::uint64_t n, const Read& read) {
        std::vector<std::string> texts;
        if (H5Tis_variable_str(type) > 0) {
            const Handle as = string_type();
            H5Tset_cset(as.id(), H5Tget_cset(type));
            std::vector<char*> pointers(n, nullptr);
            if (n > 0 && read(as.id(), static_cast<void*>(pointers.data())) < 0)
                refuse(name + ": cannot be read as texts");
            for (const char* pointer : pointers)
                texts.emplace_back(pointer == nullptr ? "" : pointer);
        } else {
            const std::size_t size = H5Tget_size(type);
            std::vector<char> bytes(n * size);
            if (n > 0 && read(type, bytes.data()) < 0) refuse(name + ": cannot be read as texts");
            for (std::uint64_t i = 0; i < n; ++i) {
                const std::string_view padded(bytes.data() + i * size, size);
                texts.emplace_back(padded.substr(0, padded.find('\0')));
            }
        }
        send_head(Sent::kTexts, name, shape);
        out_.number<std::uint64_t>(texts.size());
        for (const std::string& text : texts) out_.text(text);
    }

    const std::string& path_;
    ChildOutput& out_;
    hid_t root_ = -1;
    std::string last_;  // object that was sent
    std::uint64_t objects_ = 0;
    std::string error_;
    bool no_memory_ = false;
};

ChildLimits limits_for(const std::string& path) {
    ChildLimits limits = ChildLimits::for_file(path, kBytesPerSecond);
    const std::uint64_t size = std::filesystem::file_size(path);
    limits.memory += std::min(40 * std::min(size, kLargestDataset), 2 * kLargestDataset);
    return limits;
}

ChildProcess start_reader(const std::string& path, const std::function<void(ChildOutput&)>& work) {
    const std::lock_guard nobody_writes(hdf5_in_use());
    return {path, limits_for(path), work};
}

Hdf5Array receive(Sent kind, ChildProcess& child, std::vector<std::uint64_t> shape) {
    Hdf5Array array;
    array.shape = std::move(shape);
    constexpr std::uint64_t kMost = kLargestDataset / 8;
    if (kind == Sent::kReals) array.values = child.values<double>(kMost);
    if (kind == Sent::kIntegers) array.values = child.values<std::int64_t>(kMost);
    if (kind == Sent::kTexts) {
        std::vector<std::string> texts;
        for (std::uint64_t n = child.count(kMost); n > 0; --n)
            texts.push_back(child.text(kLongestText));
        array.values = std::move(texts);
    }
    return array;
}

// What a walk sends.
Hdf5Content::Objects receive_objects(ChildProcess& child) {
    Hdf5Content::Objects objects;
    for (Sent kind = child.number<Sent>(); kind != Sent::kEnd; kind = child.number<Sent>()) {
        std::string name = child.text(kLongestName);
        std::vector<std::uint64_t> shape = child.values<std::uint64_t>(H5S_MAX_RANK);
        objects[std::move(name)] = receive(kind, child, std::move(shape));
    }
    return objects;
}

// Only for the child: the groups of find_hdf5_groups().
class GroupFinder {
  public:
    GroupFinder(const std::string& child, const std::string& counted, std::uint64_t most,
                ChildOutput& out)
        : child_(child), counted_(counted), most_(most), out_(out) {}

    void find(hid_t file, const std::string& collection) {
        const Handle root(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose);
        if (root.valid()) (void)send(root.id(), "");
        collection_ = collection;
        if (most_ > 0) list(file, "/", true);
        out_.number(Sent::kEnd);
    }

  private:
    // Links by name; only those to objects of this file.
    void list(hid_t file, const std::string& group, bool top) {
        const Handle opened(H5Gopen2(file, group.c_str(), H5P_DEFAULT), H5Gclose);
        if (!opened.valid()) return;
        std::vector<std::string> names;
        const auto keep = [](hid_t, const char* name, const H5L_info_t* info, void* list) {
            auto& all = *static_cast<std::vector<std::string>*>(list);
            if (info->type == H5L_TYPE_HARD && std::string_view(name).size() < kLongestName / 2)
                all.emplace_back(name);
            return static_cast<herr_t>(all.size() < kMaxObjects ? 0 : -1);
        };
        hsize_t place = 0;
        H5Literate(opened.id(), H5_INDEX_NAME, H5_ITER_INC, &place, keep, &names);
        for (const std::string& name : names) {
            if (most_ == 0) return;
            const Handle below(H5Gopen2(opened.id(), name.c_str(), H5P_DEFAULT), H5Gclose);
            if (!below.valid() || send(below.id(), top ? name : group.substr(1) + "/" + name))
                continue;
            if (top && name.starts_with(collection_)) list(file, "/" + name, false);
        }
    }

    bool send(hid_t group, const std::string& name) {
        if (H5Lexists(group, child_.c_str(), H5P_DEFAULT) <= 0) return false;
        out_.number(Sent::kOther);
        out_.text(name);
        out_.number(count(group));
        --most_;
        return true;
    }

    std::uint64_t count(hid_t group) const {
        const Handle dataset(H5Dopen2(group, counted_.c_str(), H5P_DEFAULT), H5Dclose);
        if (!dataset.valid()) return 0;
        const Handle space(H5Dget_space(dataset.id()), H5Sclose);
        const hssize_t n = H5Sget_simple_extent_npoints(space.id());
        return n < 0 ? 0 : static_cast<std::uint64_t>(n);
    }

    const std::string &child_, &counted_;
    std::uint64_t most_;
    ChildOutput& out_;
    std::string collection_;
};

}  // namespace

Hdf5Content::Hdf5Content(const std::string& path, const std::string& group)
    : path_(path), group_(group) {
    ChildProcess child =
        start_reader(path, [&](ChildOutput& out) { Walker(path, out).walk(group); });
    objects_ = receive_objects(child);
    child.finish();
}

void read_hdf5_groups(const std::string& path, const std::vector<std::string>& groups,
                      const std::function<bool(std::size_t, const Hdf5Content&)>& take) {
    ChildProcess child = start_reader(path, [&](ChildOutput& out) {
        const Handle file = open_untrusted(path);
        for (const std::string& group : groups) {
            if (!Walker(path, out).walk(file.id(), group)) out.number(Sent::kEnd);
        }
    });
    for (std::size_t k = 0; k < groups.size(); ++k) {
        if (!take(k, {path, groups[k], receive_objects(child)})) return;
    }
    child.finish();
}

Hdf5Content::Hdf5Content(std::string path, std::string group, Objects objects)
    : path_(std::move(path)), group_(std::move(group)), objects_(std::move(objects)) {}

const Hdf5Array* Hdf5Content::find(const std::string& name) const {
    const auto it = objects_.find(name.starts_with('/') ? name.substr(1) : name);
    return it == objects_.end() ? nullptr : &it->second;
}

void Hdf5Content::refuse(const std::string& name, const std::string& what) const {
    throw InputError(path_ + ": " + (group_.empty() ? "" : group_ + "/") + name + ": " + what);
}

std::vector<Hdf5Group> find_hdf5_groups(const std::string& path, const std::string& collection,
                                        const std::string& child, const std::string& counted,
                                        std::uint64_t most) {
    ChildProcess process = start_reader(path, [&](ChildOutput& out) {
        const Handle file = open_untrusted(path);
        GroupFinder(child, counted, most, out).find(file.id(), collection);
    });
    std::vector<Hdf5Group> groups;
    while (process.number<Sent>() != Sent::kEnd) {
        Hdf5Group& group = groups.emplace_back();
        group.name = process.text(kLongestName);
        group.values = process.number<std::uint64_t>();
    }
    process.finish();
    return groups;
}

}  // namespace stiction

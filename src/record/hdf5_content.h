// hdf5_content.h - what an HDF5 file that somebody brought holds: numbers, texts and the names of
// its groups. libhdf5 crashes on some damaged files, so that it reads them in a process of its own
// (core/child_process.h), and nothing of it is called here.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace stiction {

struct Hdf5Array {
    std::vector<std::uint64_t> shape;  // empty: one value
    std::variant<std::monostate, std::vector<double>, std::vector<std::int64_t>,
                 std::vector<std::string>>
        values;  // none: a group, or a type that is neither number nor text
};

class Hdf5Content {
  public:
    using Objects = std::map<std::string, Hdf5Array, std::less<>>;

    // All of the file, or of one group in it. Throws InputError.
    explicit Hdf5Content(const std::string& path, const std::string& group = "");
    // Content that was kept in another form; `path` and `group` stand for it in messages.
    Hdf5Content(std::string path, std::string group, Objects objects);

    // By its path from the root or the group ("vectors/mu"; / at the start is passed over);
    // attributes of the root, or of the group, as "@format". Null when there is none.
    [[nodiscard]] const Hdf5Array* find(const std::string& name) const;

    [[noreturn]] void refuse(const std::string& name, const std::string& what) const;

    // Throws InputError where it is missing or of another type.
    template <class T>
    [[nodiscard]] const std::vector<T>& values(const std::string& name, const char* what) const {
        const Hdf5Array* array = find(name);
        if (array == nullptr) refuse(name, "there is no such dataset");
        const auto* values = std::get_if<std::vector<T>>(&array->values);
        if (values == nullptr) refuse(name, std::string("expected ") + what);
        return *values;
    }

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] const std::string& group() const { return group_; }
    [[nodiscard]] const Objects& objects() const { return objects_; }

  private:
    std::string path_;
    std::string group_;
    Objects objects_;
};

// A group that has a certain child, and the extent of one of its datasets.
struct Hdf5Group {
    std::string name;          // from the root
    std::uint64_t values = 0;  // numbers in the dataset asked for; 0: there is none
};

// Groups with an object `child`: the root (its name is empty), groups at the root, and those in
// groups at the root whose names begin with `collection`; in the order of their names. `counted` is
// the dataset whose numbers are counted. Reads no values, so that long files are listed at once, and
// ends when `most` are found.
[[nodiscard]] std::vector<Hdf5Group> find_hdf5_groups(const std::string& path,
                                                      const std::string& collection,
                                                      const std::string& child,
                                                      const std::string& counted,
                                                      std::uint64_t most = 1'000'000);

}  // namespace stiction

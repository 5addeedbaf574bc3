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
    // Throws InputError.
    explicit Hdf5Content(const std::string& path);

    // By its path from the root ("vectors/mu"; one at the start is passed over); attributes of the
    // root as "@format". Null when there is none.
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

  private:
    std::string path_;
    std::map<std::string, Hdf5Array, std::less<>> objects_;
};

}  // namespace stiction

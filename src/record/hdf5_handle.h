// hdf5_handle.h - HDF5 identifiers that release themselves, and the types used on disk. Only for
// the sources that wrap HDF5, here and in problem_files.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace stiction {

inline constexpr int kTrajectoryVersion = 1;  // of the layout; readers refuse others
inline constexpr const char* kTrajectoryFormat = "stiction trajectory";

// Owns one HDF5 identifier; `close` is the function that releases its kind.
class Handle {
  public:
    Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle& operator=(Handle&&) = delete;

    // Whether it was released as it should; the destructor cannot say.
    [[nodiscard]] bool release() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }

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

inline Handle string_type() {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.id(), H5T_VARIABLE);
    H5Tset_cset(type.id(), H5T_CSET_UTF8);
    return type;
}

}  // namespace stiction

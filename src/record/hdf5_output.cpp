// hdf5_output.cpp - the cause of a failed write, found in HDF5's own stack of errors.
#include "record/hdf5_output.h"

#include <hdf5.h>

#include <string_view>

#include "record/output_file.h"

namespace stiction {

namespace {

// The system's words in HDF5's stack of errors, which the next call of HDF5 clears.
std::string hdf5_cause() {
    std::string text;
    const auto look = [](unsigned, const H5E_error2_t* error, void* found) -> herr_t {
        const std::string_view said = error->desc == nullptr ? "" : error->desc;
        constexpr std::string_view kMark = "error message = '";
        const std::size_t from = said.find(kMark);
        if (from == std::string_view::npos) return 0;
        const std::string_view rest = said.substr(from + kMark.size());
        *static_cast<std::string*>(found) = rest.substr(0, rest.find('\''));
        return 0;
    };
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look, &text);
    return text.empty() ? "HDF5 gives no cause" : text;
}

}  // namespace

void silence_hdf5() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

std::mutex& hdf5_in_use() {
    static std::mutex mutex;
    return mutex;
}

void must_write(bool done, const std::string& path) {
    if (!done) throw OutputError("cannot write '" + path + "': " + hdf5_cause());
}

}  // namespace stiction

// frame_source.h - numbers of a frame that somebody wrote: under one of several names, as integers or
// floating point, row by row or transposed, a single one as a scalar. Whatever does not fit is an
// InputError that names the dataset, its shape and what was expected.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "record/hdf5_content.h"

namespace stiction {

using Names = std::initializer_list<const char*>;

class FrameSource {
  public:
    explicit FrameSource(const Hdf5Content& content) : content_(content) {}

    // The first of the names that is there; empty: none.
    [[nodiscard]] std::string find(Names names) const;
    [[nodiscard]] bool has(const std::string& name) const { return content_.find(name) != nullptr; }
    [[nodiscard]] std::uint64_t count(const std::string& name) const;  // of its numbers

    // rows x cols numbers, row by row; an array of cols x rows is transposed. Square ones are
    // taken as the others of the frame are.
    [[nodiscard]] std::vector<double> table(const std::string& name, std::uint64_t rows,
                                            std::uint64_t cols, bool finite = true) const;
    [[nodiscard]] std::vector<std::int64_t> integers(const std::string& name, std::uint64_t rows,
                                                     std::uint64_t cols) const;
    [[nodiscard]] double number(const std::string& name) const;
    [[nodiscard]] std::string text(const std::string& name) const;

    // Whether the arrays of the frame are transposed, told by one that is not square.
    void tell_orientation(const std::string& name, std::uint64_t rows, std::uint64_t cols);
    [[nodiscard]] bool transposed() const { return transposed_; }

    [[nodiscard]] std::string shape_of(const std::string& name) const;  // "3 x 12"
    [[noreturn]] void refuse(const std::string& name, const std::string& what) const {
        content_.refuse(name, what);
    }

  private:
    [[nodiscard]] std::vector<double> numbers(const std::string& name) const;
    [[nodiscard]] bool is_transposed(const std::string& name, std::uint64_t rows,
                                     std::uint64_t cols) const;

    const Hdf5Content& content_;
    bool told_ = false;
    bool transposed_ = false;
};

}  // namespace stiction

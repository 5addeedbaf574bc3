// fclib_source.h - the numbers and matrices of an FCLIB file, checked; every message names the file and
// the dataset.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problem_files/problem_file.h"
#include "record/hdf5_content.h"

namespace stiction {

class FclibSource {
  public:
    explicit FclibSource(const std::string& path) : content_(path) {}

    [[noreturn]] void refuse(const std::string& place, const std::string& what) const {
        content_.refuse(place, what);
    }
    [[nodiscard]] bool has(const std::string& place) const {
        return content_.find(place) != nullptr;
    }

    [[nodiscard]] std::vector<std::int32_t> integers(const std::string& place) const;
    [[nodiscard]] int number(const std::string& place) const;
    // size < 0: any.
    [[nodiscard]] VecX vector(const std::string& place, int size = -1) const;
    // Its entries: compressed rows (nz = -2) or columns (-1), or nz triplets.
    [[nodiscard]] Triplets matrix(const std::string& group, int rows, int cols) const;

  private:
    template <class T>
    [[nodiscard]] const std::vector<T>& read(const std::string& place) const;
    void expect_finite(const std::string& place, const std::vector<double>& values) const;

    Hdf5Content content_;
};

}  // namespace stiction

// dataset_array.h - one named array of a dataset, as it is on the way to a file: frames and manifests
// are lists of them, whether they go to HDF5 or to the journal that a run keeps until its end.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "record/hdf5_content.h"

namespace stiction {

struct DatasetArray {
    using Values =
        std::variant<std::vector<double>, std::vector<std::int32_t>, std::vector<std::int64_t>,
                     std::vector<std::uint64_t>, std::vector<std::uint8_t>, std::string>;
    std::string name;                  // path in its group
    std::vector<std::uint64_t> shape;  // row-major; empty: one value
    Values values;
};

using DatasetGroup = std::vector<DatasetArray>;

// The same as a reader finds it in a file: floating point numbers, integers, texts.
[[nodiscard]] Hdf5Content::Objects as_content(DatasetGroup group);

// Adds arrays to a group, every one with its shape.
class GroupBuilder {
  public:
    explicit GroupBuilder(DatasetGroup& group) : group_(group) {}

    // rows x cols, or one value.
    template <class T>
    void table(const std::string& name, std::uint64_t cols, std::vector<T> values) {
        const std::uint64_t rows = cols == 0 ? 0 : values.size() / cols;
        group_.push_back({name, {rows, cols}, std::move(values)});
    }
    template <class T>
    void list(const std::string& name, std::vector<T> values) {
        group_.push_back({name, {values.size()}, std::move(values)});
    }
    template <class T>
    void value(const std::string& name, T x) {
        group_.push_back({name, {}, std::vector<T>{x}});
    }
    void text(const std::string& name, std::string value) {
        group_.push_back({name, {}, std::move(value)});
    }

  private:
    DatasetGroup& group_;
};

}  // namespace stiction

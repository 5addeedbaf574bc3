// dataset_array.cpp - arrays on their way to a file, seen as a reader would.
#include "problem_files/dataset_array.h"

#include <type_traits>
#include <utility>

namespace stiction {

Hdf5Content::Objects as_content(DatasetGroup group) {
    Hdf5Content::Objects objects;
    for (DatasetArray& array : group) {
        Hdf5Array& out = objects[array.name];
        out.shape = std::move(array.shape);
        std::visit(
            [&out](auto& values) {
                using Values = std::remove_reference_t<decltype(values)>;
                if constexpr (std::is_same_v<Values, std::vector<double>> ||
                              std::is_same_v<Values, std::vector<std::int64_t>>) {
                    out.values = std::move(values);
                } else if constexpr (std::is_same_v<Values, std::string>) {
                    out.values = std::vector<std::string>{std::move(values)};
                } else {
                    out.values = std::vector<std::int64_t>(values.begin(), values.end());
                }
            },
            array.values);
    }
    return objects;
}

}  // namespace stiction

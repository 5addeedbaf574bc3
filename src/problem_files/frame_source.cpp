// frame_source.cpp - arrays by their content, not by the program that wrote them.
#include "problem_files/frame_source.h"

#include <cmath>

namespace stiction {

namespace {

// Larger integers have no double of their own.
constexpr double kLargestWhole = 9007199254740992.0;

template <class T>
std::vector<T> transpose(const std::vector<T>& from, std::uint64_t rows, std::uint64_t cols) {
    std::vector<T> to(from.size());
    for (std::uint64_t i = 0; i < rows; ++i) {
        for (std::uint64_t j = 0; j < cols; ++j) to[i * cols + j] = from[j * rows + i];
    }
    return to;
}

std::string table_text(std::uint64_t rows, std::uint64_t cols) {
    return std::to_string(rows) + " x " + std::to_string(cols);
}

}  // namespace

std::string FrameSource::find(Names names) const {
    for (const char* name : names) {
        if (has(name)) return name;
    }
    return {};
}

std::uint64_t FrameSource::count(const std::string& name) const {
    const Hdf5Array* array = content_.find(name);
    if (array == nullptr) return 0;
    if (const auto* reals = std::get_if<std::vector<double>>(&array->values)) return reals->size();
    if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&array->values))
        return whole->size();
    return 0;
}

std::string FrameSource::shape_of(const std::string& name) const {
    const Hdf5Array* array = content_.find(name);
    if (array == nullptr) return "nothing";
    if (array->shape.empty()) return "one value";
    std::string text;
    for (const std::uint64_t n : array->shape)
        text += (text.empty() ? "" : " x ") + std::to_string(n);
    return text;
}

std::vector<double> FrameSource::numbers(const std::string& name) const {
    const Hdf5Array* array = content_.find(name);
    if (array == nullptr) refuse(name, "there is no such dataset");
    if (const auto* reals = std::get_if<std::vector<double>>(&array->values)) return *reals;
    const auto* whole = std::get_if<std::vector<std::int64_t>>(&array->values);
    if (whole == nullptr) refuse(name, "expected numbers");
    return {whole->begin(), whole->end()};
}

bool FrameSource::is_transposed(const std::string& name, std::uint64_t rows,
                                std::uint64_t cols) const {
    const std::vector<std::uint64_t>& shape = content_.find(name)->shape;
    if (shape.size() != 2) return false;
    if (rows == cols) return transposed_;
    return shape[0] == cols && shape[1] == rows;
}

void FrameSource::tell_orientation(const std::string& name, std::uint64_t rows,
                                   std::uint64_t cols) {
    const Hdf5Array* array = content_.find(name);
    if (told_ || array == nullptr || array->shape.size() != 2 || rows == cols) return;
    const bool plain = array->shape[0] == rows && array->shape[1] == cols;
    const bool turned = array->shape[0] == cols && array->shape[1] == rows;
    told_ = plain || turned;
    transposed_ = turned;
}

std::vector<double> FrameSource::table(const std::string& name, std::uint64_t rows,
                                       std::uint64_t cols, bool finite) const {
    std::vector<double> values = numbers(name);
    const std::vector<std::uint64_t>& shape = content_.find(name)->shape;
    const bool turned = is_transposed(name, rows, cols);
    const bool flat = shape.size() <= 1 || (shape.size() == 2 && (shape[0] == 1 || shape[1] == 1));
    const bool stacked = shape.size() > 2 && shape[0] == rows;
    const bool plain = shape.size() == 2 && shape[0] == rows;
    if (values.size() != rows * cols || !(turned || flat || plain || stacked))
        refuse(name, "is " + shape_of(name) + "; expected " + table_text(rows, cols));
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (std::isfinite(values[k]) || (!finite && !std::isnan(values[k]))) continue;
        refuse(name, "entry " + std::to_string(k) + " is " + std::to_string(values[k]) +
                         "; expected a finite number");
    }
    return turned ? transpose(values, rows, cols) : values;
}

std::vector<std::int64_t> FrameSource::integers(const std::string& name, std::uint64_t rows,
                                                std::uint64_t cols) const {
    const Hdf5Array* array = content_.find(name);
    if (array == nullptr) refuse(name, "there is no such dataset");
    if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&array->values)) {
        (void)table(name, rows, cols);  // its shape
        return is_transposed(name, rows, cols) ? transpose(*whole, rows, cols) : *whole;
    }
    std::vector<std::int64_t> out;
    for (const double x : table(name, rows, cols)) {
        if (x != std::floor(x) || std::abs(x) > kLargestWhole)
            refuse(name, "found " + std::to_string(x) + "; expected whole numbers");
        out.push_back(static_cast<std::int64_t>(x));
    }
    return out;
}

double FrameSource::number(const std::string& name) const { return table(name, 1, 1).front(); }

std::string FrameSource::text(const std::string& name) const {
    const std::vector<std::string>& texts = content_.values<std::string>(name, "a text");
    if (texts.size() != 1)
        refuse(name, "has " + std::to_string(texts.size()) + " texts; expected one");
    return texts.front();
}

}  // namespace stiction

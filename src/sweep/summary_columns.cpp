// summary_columns.cpp - follows paths through the summary.
#include "sweep/summary_columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/nearest.h"
#include "sweep/sweep_values.h"

namespace stiction {

namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 4> kReductions = {"min", "max", "mean", "sum"};
constexpr std::size_t kLongestPath = 300;

struct ColumnPath {
    std::string reduction;  // empty: one value
    std::string path;
};

ColumnPath split_path(const std::string& text) {
    const std::size_t open = text.find('(');
    if (open == std::string::npos || !text.ends_with(")")) return {"", text};
    return {text.substr(0, open), text.substr(open + 1, text.size() - open - 2)};
}

// Where a path leads: the values, or why there are none.
struct Found {
    std::vector<const Json*> values;
    std::string fault;
};

void follow(const Json& at, std::string_view path, const std::string& way, Found& found);

std::string quoted_way(const std::string& way) {
    return way.empty() ? "the summary" : "'" + way + "'";
}

void follow_key(const Json& at, std::string_view path, const std::string& way, Found& found) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const std::string key(path.substr(0, dot));
    const auto entry = at.find(key);
    if (entry == at.end()) {
        std::vector<std::string_view> keys;
        for (const auto& [name, value] : at.items()) keys.push_back(name);
        found.fault = quoted_way(way) + " has no '" + key + "'" + suggestion(key, keys);
        return;
    }
    follow(*entry, path.substr(std::min(dot + 1, path.size())),
           way + (way.empty() ? "" : ".") + key, found);
}

// x, y, z of a vector; w, x, y, z of a quaternion.
void follow_vector(const Json& at, std::string_view path, const std::string& way, Found& found) {
    const std::string_view names = at.size() == 4 ? "wxyz" : "xyz";
    const std::size_t place = path.size() == 1 ? names.find(path[0]) : std::string_view::npos;
    if (place >= at.size()) {
        found.fault = quoted_way(way) + " has no '" + std::string(path) +
                      "'; expected one of: " + (at.size() == 4 ? "w, x, y, z" : "x, y, z");
        return;
    }
    found.values.push_back(&at[place]);
}

void follow_list(const Json& at, std::string_view path, const std::string& way, Found& found) {
    if (!at.empty() && at[0].is_number()) return follow_vector(at, path, way, found);
    if (path == "*" || path.starts_with("*.")) {
        for (const Json& entry : at)
            follow(entry, path.substr(std::min<std::size_t>(2, path.size())), way + ".*", found);
        return;
    }
    std::vector<std::string_view> names;
    for (const Json& entry : at) {
        if (!entry.is_object() || !entry.contains("name")) continue;
        const auto& name = entry["name"].get_ref<const std::string&>();
        names.push_back(name);
        if (path == name || (path.starts_with(name) && path[name.size()] == '.'))
            return follow(entry, path.substr(std::min(name.size() + 1, path.size())),
                          way + "." + name, found);
    }
    const std::string wanted(path.substr(0, path.find('.')));
    found.fault = quoted_way(way) + " has no '" + wanted + "'" + suggestion(wanted, names);
}

void follow(const Json& at, std::string_view path, const std::string& way, Found& found) {
    if (!path.empty() && at.is_object()) return follow_key(at, path, way, found);
    if (!path.empty() && at.is_array()) return follow_list(at, path, way, found);
    if (!path.empty()) {
        found.fault = quoted_way(way) + " is a value by itself; nothing can follow it";
    } else if (at.is_structured()) {
        std::string example;
        if (at.is_object() && !at.empty()) example = ", as in " + way + "." + at.begin().key();
        found.fault = quoted_way(way) + " holds several values; expected one of them" + example;
    } else {
        found.values.push_back(&at);
    }
}

double reduce(const std::string& reduction, const std::vector<double>& values) {
    if (reduction == "min") return *std::min_element(values.begin(), values.end());
    if (reduction == "max") return *std::max_element(values.begin(), values.end());
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    return reduction == "sum" ? sum : sum / static_cast<double>(values.size());
}

Cell cell_of(const Json& value) {
    if (value.is_boolean()) return value.get<bool>() ? 1.0 : 0.0;
    if (value.is_number()) return value.get<double>();
    if (value.is_string()) return value.get<std::string>();
    return {};
}

}  // namespace

std::string cell_text(const Cell& cell) {
    if (const auto* number = std::get_if<double>(&cell)) return number_text(*number);
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    return "";
}

std::string column_fault(const std::string& text) {
    if (text.empty()) return "the path is empty; expected a column such as contacts.mean";
    if (text.size() > kLongestPath) return "the path is longer than 300 characters";
    const ColumnPath column = split_path(text);
    const bool reduced = text.find_first_of("()") != std::string::npos;
    if (reduced &&
        std::find(kReductions.begin(), kReductions.end(), column.reduction) == kReductions.end())
        return "found '" + text + "'; expected min(...), max(...), mean(...) or sum(...)";
    const bool many = column.path.find('*') != std::string::npos;
    if (many && !reduced) return "'*' stands for several; expected min(" + text + ") or such";
    const std::string first = column.path.substr(0, column.path.find('.'));
    if (first == "timing" || first == "realtime_factor")
        return "'" + first + "' is a time; times stand in times.csv, whatever is kept";
    return "";
}

struct SummaryReader::Impl {
    explicit Impl(const std::string& text) : json(Json::parse(text)) {}

    [[nodiscard]] Found find(const ColumnPath& column) const {
        Found found;
        follow(json, column.path, "", found);
        return found;
    }

    Json json;
};

SummaryReader::SummaryReader(const std::string& summary_json)
    : impl_(std::make_unique<Impl>(summary_json)) {}

SummaryReader::~SummaryReader() = default;

Cell SummaryReader::value(const std::string& path) const {
    const ColumnPath column = split_path(path);
    const Found found = impl_->find(column);
    if (!found.fault.empty() || found.values.empty()) return {};
    if (column.reduction.empty()) return cell_of(*found.values.front());
    std::vector<double> numbers;
    for (const Json* value : found.values) {
        if (!value->is_number()) return {};
        numbers.push_back(value->get<double>());
    }
    return reduce(column.reduction, numbers);
}

std::string SummaryReader::fault(const std::string& path) const {
    const ColumnPath column = split_path(path);
    Found found = impl_->find(column);
    if (found.fault.empty() && !column.reduction.empty() && !found.values.empty() &&
        !found.values.front()->is_number() && !found.values.front()->is_null())
        return "'" + column.path + "' is no number";
    return found.fault;
}

}  // namespace stiction

// report.cpp - tables as text, CSV and JSON.
#include "bench/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "record/csv.h"

namespace stiction {

namespace {

using Json = nlohmann::ordered_json;

bool known(const BenchValue& value) {
    const double* number = std::get_if<double>(&value);
    return number == nullptr || std::isfinite(*number);
}

void add_csv_header(CsvRow& csv) {
    for (const char* column : {"table", "row", "column", "unit", "value"}) {
        csv.add(std::string_view(column));
    }
    csv.end();
}

// Words are set flush left, numbers flush right.
std::string table_text(const BenchTable& table) {
    const std::size_t columns = table.columns.size();
    std::vector<std::vector<std::string>> lines(2);
    std::vector<bool> left(columns, false);
    for (const BenchColumn& column : table.columns) {
        lines[0].push_back(column.name);
        lines[1].push_back(column.unit);
    }
    for (const std::vector<BenchValue>& row : table.rows) {
        lines.emplace_back();
        for (std::size_t c = 0; c < columns; ++c) {
            lines.back().push_back(bench_text(row[c], table.columns[c].digits));
            if (std::holds_alternative<std::string>(row[c])) left[c] = true;
        }
    }
    const bool units = std::any_of(table.columns.begin(), table.columns.end(),
                                   [](const BenchColumn& column) { return !column.unit.empty(); });
    if (!units) lines.erase(lines.begin() + 1);
    std::string text = table.title + "\n";
    for (const std::vector<std::string>& line : lines) {
        std::string row;
        for (std::size_t c = 0; c < columns; ++c) {
            std::size_t width = 0;
            for (const std::vector<std::string>& other : lines) {
                width = std::max(width, other[c].size());
            }
            row += c > 0 ? "  " : "";
            row += left[c] ? fmt::format("{:<{}}", line[c], width)
                           : fmt::format("{:>{}}", line[c], width);
        }
        row.erase(row.find_last_not_of(' ') + 1);
        text += row + "\n";
    }
    return text;
}

void add_csv_rows(const BenchReport& report, const std::string& prefix, CsvRow& csv) {
    for (const BenchTable& table : report.tables) {
        for (const std::vector<BenchValue>& row : table.rows) {
            for (std::size_t c = 1; c < row.size(); ++c) {
                csv.add(prefix + table.name);
                csv.add(bench_text(row[0], table.columns[0].digits));
                csv.add(table.columns[c].name);
                csv.add(table.columns[c].unit);
                if (known(row[c])) {
                    std::visit([&](const auto& value) { csv.add(value); }, row[c]);
                } else {
                    csv.add(std::string_view());
                }
                csv.end();
            }
        }
    }
}

Json table_json(const BenchTable& table) {
    Json rows = Json::array();
    for (const std::vector<BenchValue>& row : table.rows) {
        Json entry = Json::object();
        for (std::size_t c = 0; c < row.size(); ++c) {
            std::visit([&](const auto& value) { entry[table.columns[c].name] = value; }, row[c]);
        }
        rows.push_back(std::move(entry));
    }
    Json units = Json::object();
    for (const BenchColumn& column : table.columns) {
        if (!column.unit.empty()) units[column.name] = column.unit;
    }
    return {{"table", table.name}, {"title", table.title}, {"units", units}, {"rows", rows}};
}

Json report_object(const BenchReport& report) {
    Json json;
    json["schema"] = kBenchSchema;
    json["benchmark"] = report.benchmark;
    json["status"] = report.status;
    json["tables"] = Json::array();
    for (const BenchTable& table : report.tables) json["tables"].push_back(table_json(table));
    json["notes"] = report.notes;
    return json;
}

std::string as_text(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string bench_text(const BenchValue& value, int digits) {
    if (!known(value)) return "-";
    if (const double* number = std::get_if<double>(&value)) {
        return fmt::format("{:.{}g}", *number, digits);
    }
    if (const std::int64_t* number = std::get_if<std::int64_t>(&value)) {
        return fmt::format("{}", *number);
    }
    return std::get<std::string>(value);
}

std::string report_text(const BenchReport& report) {
    std::string text;
    for (const BenchTable& table : report.tables) text += table_text(table) + "\n";
    for (const std::string& note : report.notes) text += note + "\n";
    return text;
}

std::string report_csv(const BenchReport& report) {
    CsvRow csv;
    add_csv_header(csv);
    add_csv_rows(report, "", csv);
    return csv.text();
}

std::string report_json(const BenchReport& report) { return as_text(report_object(report)); }

std::string reports_csv(const std::vector<BenchReport>& reports) {
    CsvRow csv;
    add_csv_header(csv);
    for (const BenchReport& report : reports) add_csv_rows(report, report.benchmark + "/", csv);
    return csv.text();
}

std::string reports_json(const std::string& name, const std::vector<BenchReport>& reports) {
    Json json;
    json["schema"] = kBenchSchema;
    json["benchmark"] = name;
    json["status"] = reports_status(reports);
    json["reports"] = Json::array();
    for (const BenchReport& report : reports) json["reports"].push_back(report_object(report));
    return as_text(json);
}

std::string reports_status(const std::vector<BenchReport>& reports) {
    for (const BenchReport& report : reports) {
        if (report.status != "done") return report.benchmark + ": " + report.status;
    }
    return "done";
}

}  // namespace stiction

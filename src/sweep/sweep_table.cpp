// sweep_table.cpp - rows and columns.
#include "sweep/sweep_table.h"

#include <cmath>
#include <cstdlib>
#include <limits>

#include "record/csv.h"
#include "record/hdf5_table.h"

namespace stiction {

namespace {

constexpr std::string_view kMissing = "missing";

const JobResult* result_of(const Plan& plan, std::int64_t number, const JournalRows& content) {
    const auto found = content.results.find(plan.id(number));
    return found == content.results.end() ? nullptr : &found->second;
}

std::string_view status_of(const JobResult* result) {
    return result == nullptr ? kMissing : kJobStatusNames[static_cast<std::size_t>(result->status)];
}

const Cell& cell_at(const JobResult* result, const std::string& path) {
    static const Cell nothing;
    if (result == nullptr) return nothing;
    const auto found = result->values.find(path);
    return found == result->values.end() ? nothing : found->second;
}

// Numbers where every value is one, otherwise words.
Hdf5Column column_of(const std::string& name, const std::vector<std::string>& texts) {
    std::vector<double> numbers;
    for (const std::string& text : texts) {
        char* end = nullptr;
        const double number = std::strtod(text.c_str(), &end);
        if (!text.empty() && *end != '\0') return {name, texts};
        numbers.push_back(text.empty() ? std::numeric_limits<double>::quiet_NaN() : number);
    }
    return {name, numbers};
}

bool holds_words(const Plan& plan, const std::string& path, const JournalRows& content) {
    for (std::int64_t number = 1; number <= plan.jobs(); ++number) {
        if (std::holds_alternative<std::string>(cell_at(result_of(plan, number, content), path)))
            return true;
    }
    return false;
}

Hdf5Column kept_column(const Plan& plan, const KeptColumn& column, const JournalRows& content) {
    const bool words = holds_words(plan, column.path, content);
    std::vector<std::string> texts;
    std::vector<double> numbers;
    for (std::int64_t number = 1; number <= plan.jobs(); ++number) {
        const Cell& cell = cell_at(result_of(plan, number, content), column.path);
        if (words) texts.push_back(cell_text(cell));
        const auto* value = std::get_if<double>(&cell);
        if (!words)
            numbers.push_back(value == nullptr ? std::numeric_limits<double>::quiet_NaN() : *value);
    }
    if (words) return {column.name, texts};
    return {column.name, numbers};
}

}  // namespace

std::string table_csv(const Plan& plan, const JournalRows& content) {
    CsvRow csv;
    csv.add(std::string_view("job"));
    for (const std::string& name : job_columns(plan.sweep)) csv.add(std::string_view(name));
    csv.add(std::string_view("status"));
    csv.add(std::string_view("message"));
    for (const KeptColumn& column : plan.sweep.keep) csv.add(std::string_view(column.name));
    csv.end();
    for (std::int64_t number = 1; number <= plan.jobs(); ++number) {
        const JobResult* result = result_of(plan, number, content);
        csv.add(number);
        for (const std::string& value : job_values(plan.sweep, number))
            csv.add(std::string_view(value));
        csv.add(status_of(result));
        csv.add(result == nullptr ? std::string_view() : std::string_view(result->message));
        for (const KeptColumn& column : plan.sweep.keep)
            csv.add(std::string_view(cell_text(cell_at(result, column.path))));
        csv.end();
    }
    return csv.text();
}

std::string times_csv(const Plan& plan, const JournalRows& content) {
    CsvRow csv;
    csv.add(std::string_view("job"));
    csv.add(std::string_view("id"));
    for (const std::string_view name : kTimeColumns) csv.add(name);
    csv.end();
    for (std::int64_t number = 1; number <= plan.jobs(); ++number) {
        const JobResult* result = result_of(plan, number, content);
        if (result == nullptr) continue;
        csv.add(number);
        csv.add(std::string_view(result->id));
        for (const double time : result->times) csv.add(time);
        csv.end();
    }
    return csv.text();
}

void write_table_hdf5(const std::string& path, const Plan& plan, const JournalRows& content) {
    std::vector<Hdf5Column> columns;
    std::vector<double> numbers;
    std::vector<std::string> status, message;
    const std::vector<std::string> names = job_columns(plan.sweep);
    std::vector<std::vector<std::string>> values(names.size());
    for (std::int64_t number = 1; number <= plan.jobs(); ++number) {
        const JobResult* result = result_of(plan, number, content);
        numbers.push_back(static_cast<double>(number));
        status.emplace_back(status_of(result));
        message.push_back(result == nullptr ? "" : result->message);
        const std::vector<std::string> row = job_values(plan.sweep, number);
        for (std::size_t i = 0; i < names.size(); ++i) values[i].push_back(row[i]);
    }
    columns.push_back({"job", numbers});
    for (std::size_t i = 0; i < names.size(); ++i)
        columns.push_back(column_of(names[i], values[i]));
    columns.push_back({"status", status});
    columns.push_back({"message", message});
    for (const KeptColumn& column : plan.sweep.keep)
        columns.push_back(kept_column(plan, column, content));
    write_hdf5_table(path,
                     {{"format", "stiction sweep"},
                      {"version", "1"},
                      {"sweep", plan.sweep.name},
                      {"description", plan.sweep.description}},
                     "table", columns);
}

TableCount count_rows(const Plan& plan, const JournalRows& content) {
    TableCount count;
    for (std::int64_t number = 1; number <= plan.jobs(); ++number) {
        const JobResult* result = result_of(plan, number, content);
        if (result == nullptr) {
            ++count.missing;
        } else {
            ++(result->status == JobStatus::kDone     ? count.done
               : result->status == JobStatus::kFailed ? count.failed
                                                      : count.crashed);
        }
    }
    return count;
}

}  // namespace stiction

// job_lines.cpp - jobs and results as lines of JSON.
#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "record/json_whole.h"
#include "sweep/job.h"

namespace stiction {

namespace {

using Json = nlohmann::json;

std::string one_line(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// What is missing or of another type becomes an InputError.
template <class Read>
auto read_line(std::string_view line, const char* what, const Read& read) {
    try {
        const Json json = Json::parse(line);
        return read(json);
    } catch (const Json::exception& error) {
        throw InputError(std::string("not a line of ") + what + ": " + error.what());
    } catch (const InputError& error) {
        throw InputError(std::string("not a line of ") + what + ": " + error.what());
    }
}

Json json_of(const Cell& cell) {
    if (const auto* number = std::get_if<double>(&cell)) return *number;
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    return nullptr;
}

Cell cell_from(const Json& json) {
    if (json.is_number()) return json.get<double>();
    if (json.is_string()) return json.get<std::string>();
    return {};
}

template <class T>
void put(Json& json, const char* key, const std::optional<T>& value) {
    if (value) json[key] = *value;
}

template <class T>
void take(const Json& json, const char* key, std::optional<T>& value) {
    if (json.contains(key)) value = json.at(key).get<T>();
}

}  // namespace

std::string job_line(const Job& job) {
    Json json = {{"job", job.number},  {"scene", job.scene},     {"parameters", job.parameters},
                 {"model", job.model}, {"solver", job.solver},   {"narrowphase", job.narrowphase},
                 {"seed", job.seed},   {"quality", job.quality}, {"keep", job.keep},
                 {"files", job.files}};
    put(json, "step", job.h);
    put(json, "tolerance", job.tolerance);
    put(json, "steps", job.steps);
    put(json, "time", job.time);
    return one_line(json);
}

Job read_job_line(std::string_view line) {
    return read_line(line, "a job", [](const Json& json) {
        Job job;
        job.number = whole_number<std::int64_t>(json.at("job"));
        json.at("scene").get_to(job.scene);
        json.at("parameters").get_to(job.parameters);
        json.at("model").get_to(job.model);
        json.at("solver").get_to(job.solver);
        json.at("narrowphase").get_to(job.narrowphase);
        json.at("seed").get_to(job.seed);
        json.at("quality").get_to(job.quality);
        json.at("keep").get_to(job.keep);
        json.at("files").get_to(job.files);
        take(json, "step", job.h);
        take(json, "tolerance", job.tolerance);
        if (json.contains("steps")) job.steps = whole_number<std::int64_t>(json.at("steps"));
        take(json, "time", job.time);
        return job;
    });
}

std::string result_line(const JobResult& result) {
    Json values = Json::object();
    for (const auto& [path, cell] : result.values) values[path] = json_of(cell);
    Json times = Json::object();
    for (std::size_t i = 0; i < kTimeColumns.size(); ++i)
        times[std::string(kTimeColumns[i])] = result.times[i];
    return one_line({{"id", result.id},
                     {"job", result.number},
                     {"status", kJobStatusNames[static_cast<std::size_t>(result.status)]},
                     {"message", result.message},
                     {"values", values},
                     {"times", times}});
}

JobResult read_result_line(std::string_view line) {
    return read_line(line, "a result", [](const Json& json) {
        JobResult result;
        json.at("id").get_to(result.id);
        result.number = whole_number<std::int64_t>(json.at("job"));
        json.at("message").get_to(result.message);
        const auto status = json.at("status").get<std::string>();
        const auto known = std::find(kJobStatusNames.begin(), kJobStatusNames.end(), status);
        if (known == kJobStatusNames.end()) throw InputError("unknown status '" + status + "'");
        result.status = static_cast<JobStatus>(known - kJobStatusNames.begin());
        for (const auto& [path, value] : json.at("values").items())
            result.values.emplace(path, cell_from(value));
        for (std::size_t i = 0; i < kTimeColumns.size(); ++i) {
            const Json& time = json.at("times").at(std::string(kTimeColumns[i]));
            result.times[i] = time.is_number() ? time.get<double>() : 0;
        }
        return result;
    });
}

}  // namespace stiction

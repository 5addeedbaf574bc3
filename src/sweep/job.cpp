// job.cpp - jobs from the grid of a sweep, and settings and draws in one form.
#include "sweep/job.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/hash.h"
#include "core/random.h"
#include "sweep/sweep_values.h"

namespace stiction {

namespace {

// Which value of each axis a job has; the last axis varies fastest.
std::vector<std::size_t> places(const Sweep& sweep, std::int64_t number) {
    std::vector<std::size_t> result(sweep.axes.size());
    auto rest = static_cast<std::size_t>(number - 1);
    for (std::size_t i = sweep.axes.size(); i-- > 0;) {
        result[i] = rest % sweep.axes[i].values.size();
        rest /= sweep.axes[i].values.size();
    }
    return result;
}

// The same whatever else is drawn and however many samples there are.
std::string drawn(const Sweep& sweep, const SweepDraw& draw, std::uint64_t sample) {
    Hash hash;
    hash.add(sweep.draw_seed);
    for (const char c : draw.name) hash.add(static_cast<std::uint64_t>(c));
    hash.add(sample);
    Random random(hash.value());
    double value = draw.logarithmic
                       ? std::exp(random.uniform(std::log(draw.from), std::log(draw.to)))
                       : random.uniform(draw.from, draw.integer ? draw.to + 1 : draw.to);
    value = std::clamp(value, draw.from, draw.to);
    return number_text(draw.integer ? std::floor(value) : value);
}

void set(const SweepAxis& axis, const std::string& value, Job& job) {
    switch (axis.what) {
        case Varied::kParameter:
            job.parameters.emplace_back(axis.name, value);
            break;
        case Varied::kModel:
            job.model = value;
            break;
        case Varied::kSolver:
            job.solver = value;
            break;
        case Varied::kNarrowphase:
            job.narrowphase = value;
            break;
        case Varied::kStep:
            job.h = std::strtod(value.c_str(), nullptr);
            break;
        case Varied::kTolerance:
            job.tolerance = std::strtod(value.c_str(), nullptr);
            break;
        case Varied::kSeed:
            job.seed = value;
            break;
        case Varied::kSample:
            break;  // the draws have it
    }
}

std::uint64_t sample_of(const Sweep& sweep, const std::vector<std::size_t>& place) {
    for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
        if (sweep.axes[i].what == Varied::kSample) return place[i];
    }
    return 0;
}

}  // namespace

Job make_job(const Sweep& sweep, std::int64_t number) {
    Job job;
    job.number = number;
    job.scene = sweep.scene;
    job.steps = sweep.steps;
    job.time = sweep.time;
    job.quality = sweep.quality;
    for (const KeptColumn& column : sweep.keep) job.keep.push_back(column.path);
    const std::vector<std::size_t> place = places(sweep, number);
    for (std::size_t i = 0; i < place.size(); ++i)
        set(sweep.axes[i], sweep.axes[i].values[place[i]], job);
    const std::uint64_t sample = sample_of(sweep, place);
    for (const SweepDraw& draw : sweep.draws)
        job.parameters.emplace_back(draw.name, drawn(sweep, draw, sample));
    return job;
}

std::string job_settings(const Job& job) {
    auto parameters = job.parameters;
    std::sort(parameters.begin(), parameters.end());  // their order in the file changes nothing
    std::string text;
    for (const auto& [name, value] : parameters)
        text.append("set ").append(name).append("=").append(value).append("\n");
    text += "model " + job.model + "\nsolver " + job.solver + "\nnarrowphase " + job.narrowphase +
            "\nseed " + job.seed + "\n";
    if (job.h) text += "step " + number_text(*job.h) + "\n";
    if (job.tolerance) text += "tolerance " + number_text(*job.tolerance) + "\n";
    if (job.steps) text += "steps " + std::to_string(*job.steps) + "\n";
    if (job.time) text += "time " + number_text(*job.time) + "\n";
    return text;
}

std::vector<std::string> job_columns(const Sweep& sweep) {
    std::vector<std::string> names;
    for (const SweepAxis& axis : sweep.axes) names.push_back(axis.name);
    for (const SweepDraw& draw : sweep.draws) names.push_back(draw.name);
    return names;
}

std::vector<std::string> job_values(const Sweep& sweep, std::int64_t number) {
    const std::vector<std::size_t> place = places(sweep, number);
    std::vector<std::string> values;
    for (std::size_t i = 0; i < place.size(); ++i) values.push_back(sweep.axes[i].values[place[i]]);
    const std::uint64_t sample = sample_of(sweep, place);
    for (const SweepDraw& draw : sweep.draws) values.push_back(drawn(sweep, draw, sample));
    return values;
}

}  // namespace stiction

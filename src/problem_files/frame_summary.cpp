// frame_summary.cpp - looks for the metrics of a frame's first answer.
#include "problem_files/frame_summary.h"

#include <algorithm>
#include <string_view>

#include "core/error.h"
#include "problem_files/frame_source.h"
#include "problem_files/read_frame.h"
#include "record/hdf5_groups.h"

namespace stiction {

namespace {

constexpr std::string_view kMetricsMark = "/metrics/coulomb_scaled";  // every answer of ours has it

int count_of(const FrameSource& in, const std::string& name) {
    if (!in.has(name)) return 0;
    return static_cast<int>(std::clamp<std::int64_t>(in.integers(name, 1, 1).front(), 0, 1 << 30));
}

std::optional<FrameSummary> summary_of(const Hdf5Content& content) {
    const FrameSource in(content);
    for (const auto& [name, array] : content.objects()) {
        if (!name.ends_with(kMetricsMark)) continue;
        const std::string group = name.substr(0, name.size() - kMetricsMark.size()) + "/";
        FrameSummary summary;
        summary.answer = group.substr(0, group.size() - 1);
        summary.scaled = in.table(name, 1, 3, false).front();
        summary.resting = count_of(in, group + "metrics/resting");
        summary.sliding = count_of(in, group + "metrics/sliding");
        summary.iterations = count_of(in, group + "iterations");
        if (in.has(group + "residual"))
            summary.residual = in.table(group + "residual", 1, 1, false).front();
        if (in.has(group + "status")) summary.status = read_status(in, group + "status");
        return summary;
    }
    return std::nullopt;
}

std::optional<FrameSummary> readable_summary(const Hdf5Content& content) {
    try {
        return summary_of(content);
    } catch (const InputError&) {
        return std::nullopt;
    }
}

// A journal has its frames one after the other.
void summarise_journal(
    const Dataset& file,
    const std::function<bool(std::size_t, const std::optional<FrameSummary>&)>& take) {
    for (std::size_t k = 0; k < file.size(); ++k) {
        std::optional<FrameSummary> found;
        try {
            found = readable_summary(file.answers(k));
        } catch (const InputError&) {
            found.reset();
        }
        if (!take(k, found)) return;
    }
}

}  // namespace

void summarise_frames(
    const Dataset& file,
    const std::function<bool(std::size_t frame, const std::optional<FrameSummary>&)>& take) {
    if (is_journal(file.path())) {
        summarise_journal(file, take);
        return;
    }
    bool go_on = true;
    for (std::size_t next = 0; next < file.size() && go_on;) {
        std::vector<std::string> groups;
        for (std::size_t k = next; k < file.size(); ++k)
            groups.push_back(file.name(k) + "/solver_data");
        const std::size_t first = next;
        try {
            read_hdf5_groups(file.path(), groups, [&](std::size_t k, const Hdf5Content& content) {
                next = first + k + 1;
                go_on = take(first + k, readable_summary(content));
                return go_on;
            });
        } catch (const InputError&) {  // of this frame: the others may be sound
            go_on = take(next, std::nullopt);
            ++next;
        }
    }
}

}  // namespace stiction

// plan.cpp - checks and ids.
#include "sweep/plan.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>
#include <string_view>

#include "core/build_id.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/input_file.h"
#include "record/run_summary.h"
#include "scene/named_file.h"
#include "scene/scene.h"
#include "scene/sources.h"
#include "sweep/run_job.h"
#include "sweep/summary_columns.h"

namespace stiction {

namespace {

void add_text(std::string_view text, Hash& hash) {
    hash.add(static_cast<std::uint64_t>(text.size()));
    for (; text.size() >= sizeof(std::uint64_t); text.remove_prefix(sizeof(std::uint64_t))) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, text.data(), sizeof bits);
        hash.add(bits);
    }
    for (const char c : text) hash.add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
}

PlannedFile look_at(const std::string& path) {
    struct stat found = {};
    PlannedFile file;
    file.path = path;
    if (stat(path.c_str(), &found) != 0) return file;
    file.size = found.st_size;
    file.seconds = found.st_mtim.tv_sec;
    file.nanoseconds = found.st_mtim.tv_nsec;
    file.inode = found.st_ino;
    return file;
}

// Names count without folders: a sweep that moved is the same sweep.
void add_file(const std::string& path, Plan& plan, Hash& hash) {
    const auto known = std::find_if(plan.files.begin(), plan.files.end(),
                                    [&](const PlannedFile& file) { return file.path == path; });
    if (known != plan.files.end()) return;
    plan.files.push_back(look_at(path));
    add_text(std::filesystem::path(path).filename().string(), hash);
    add_text(read_input_file(path, "a file", kLargestNamedFile), hash);
}

const SweepAxis* find_axis(const Sweep& sweep, Varied what) {
    for (const SweepAxis& axis : sweep.axes) {
        if (axis.what == what) return &axis;
    }
    return nullptr;
}

// The scene's complaint about an override, with the place of its axis instead of an option's name.
[[noreturn]] void refuse_parameter(const Sweep& sweep, const std::string& complaint) {
    constexpr std::string_view kOption = "--set ";
    if (!complaint.starts_with(kOption)) throw InputError(complaint);
    const std::string rest = complaint.substr(kOption.size());
    const std::string name = rest.substr(0, rest.find(':'));
    for (const SweepAxis& axis : sweep.axes) {
        if (axis.what == Varied::kParameter && axis.name == name)
            throw InputError(axis.place + ": parameters." + rest);
    }
    for (const SweepDraw& draw : sweep.draws) {
        if (draw.name != name) continue;
        const bool whole = !draw.integer && rest.find("whole number") != std::string::npos;
        throw InputError(draw.place + ": parameters." + rest +
                         (whole ? "; expected 'integer: true' in its draw" : ""));
    }
    throw InputError(sweep.scene_place + ": parameters." + rest);
}

// Every combination of parameters that comes up; nothing is built.
void check_parameters(const Sweep& sweep) {
    const Sources sources = read_sources(sweep.scene);
    std::set<std::string> seen;
    for (std::int64_t number = 1; number <= sweep.jobs(); ++number) {
        SceneOverrides overrides;
        overrides.parameters = make_job(sweep, number).parameters;
        std::string key;
        for (const auto& [name, value] : overrides.parameters) key += value + " ";
        if (!seen.insert(key).second) continue;
        ReadBudget budget;
        try {
            (void)read_parameters(sources, budget, overrides);
        } catch (const InputError& error) {
            refuse_parameter(sweep, error.what());
        }
    }
}

// A complaint about models, solvers or narrowphases, with the place of the axis instead of an
// option's name.
[[noreturn]] void refuse_setting(const Sweep& sweep, const std::string& complaint) {
    if (complaint.starts_with(sweep.scene)) throw InputError(complaint);
    const bool option = complaint.starts_with("--");
    const Varied what = complaint.starts_with("--solvers")        ? Varied::kSolver
                        : complaint.starts_with("--narrowphases") ? Varied::kNarrowphase
                                                                  : Varied::kModel;
    const SweepAxis* axis = find_axis(sweep, what);
    const std::string text = option ? complaint.substr(complaint.find(": ") + 2) : complaint;
    if (axis == nullptr) throw InputError(sweep.scene_place + ": " + text);
    throw InputError(axis->place + ": " + axis->name + ": " + text);
}

// A job whose scene loads, its model aside: one that does not is a row of the table and says nothing
// of the others. The first, the last, and some between them are tried.
Job find_sound_job(const Sweep& sweep) {
    constexpr std::int64_t kTries = 32;
    std::string complaint;
    for (std::int64_t i = 0; i < std::min(kTries, sweep.jobs()); ++i) {
        const std::int64_t back = (kTries - i) % kTries;  // 0, then from the last to the first
        const std::int64_t number =
            sweep.jobs() <= kTries ? i + 1 : 1 + back * (sweep.jobs() - 1) / (kTries - 1);
        Job job = make_job(sweep, number);
        try {
            Job plain = job;
            plain.model = plain.solver = plain.narrowphase = "";
            (void)load_job_scene(plain);
            return job;
        } catch (const InputError& error) {
            if (complaint.empty()) complaint = error.what();
        }
    }
    throw InputError(complaint);
}

// Models, solvers and the like, in every combination, with the parameters of a sound job.
void check_settings(const Sweep& sweep, const Job& sound) {
    std::set<std::string> seen;
    for (std::int64_t number = 1; number <= sweep.jobs(); ++number) {
        Job job = make_job(sweep, number);
        job.parameters = sound.parameters;
        job.seed = sound.seed;
        if (!seen.insert(job_settings(job)).second) continue;
        try {
            (void)job_steps(job, load_job_scene(job));
        } catch (const InputError& error) {
            refuse_setting(sweep, error.what());
        }
    }
}

// A column is there if the sound job or the last one has it: rows of bodies grow along a parameter.
void check_columns(const Sweep& sweep, const Job& sound) {
    const SummaryReader first(first_summary(sound));
    std::unique_ptr<SummaryReader> last;
    for (const KeptColumn& column : sweep.keep) {
        const std::string fault = first.fault(column.path);
        if (fault.empty()) continue;
        if (!last) {
            try {
                last =
                    std::make_unique<SummaryReader>(first_summary(make_job(sweep, sweep.jobs())));
            } catch (const InputError&) {  // its row will say so
            }
        }
        if (last && last->fault(column.path).empty()) continue;
        if (column.path.find("quality.") != std::string::npos && !sweep.quality)
            throw InputError(column.place + ": keep: '" + column.path +
                             "' is measured only where the sweep says 'quality: true'");
        throw InputError(column.place + ": keep: " + fault);
    }
}

}  // namespace

Job Plan::job(std::int64_t number) const {
    Job job = make_job(sweep, number);
    for (const PlannedFile& file : files) job.files.push_back(file.path);
    return job;
}

Plan make_plan(Sweep sweep) {
    check_parameters(sweep);
    const Job sound = find_sound_job(sweep);
    check_settings(sweep, sound);
    check_columns(sweep, sound);
    Plan plan;
    plan.sweep = std::move(sweep);
    Hash common;
    add_text(build_id(), common);
    for (const std::string& file : load_job_scene(sound).files) add_file(file, plan, common);
    for (const SweepInput& file : plan.sweep.files) {
        try {
            add_file(file.path, plan, common);
        } catch (const InputError& error) {
            throw InputError(file.place + ": files: " + error.what());
        }
    }
    for (std::int64_t number = 1; number <= plan.sweep.jobs(); ++number) {
        Hash hash = common;
        add_text(job_settings(make_job(plan.sweep, number)), hash);
        plan.ids.push_back(hash_text(hash.value()));
    }
    return plan;
}

std::string changed_file(const Plan& plan) {
    for (const PlannedFile& file : plan.files) {
        const PlannedFile now = look_at(file.path);
        if (now.size != file.size || now.seconds != file.seconds ||
            now.nanoseconds != file.nanoseconds || now.inode != file.inode)
            return file.path;
    }
    return "";
}

}  // namespace stiction

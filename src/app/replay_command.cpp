// replay_command.cpp - stiction replay: reads a recorded trajectory back, checks it and shows it in
// the window, or says what it holds, or converts it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/film_options.h"
#include "app/interrupt.h"
#include "core/error.h"
#include "core/printable.h"
#include "record/output_file.h"
#include "record/trajectory.h"
#include "scene/find_scene.h"
#include "view/view.h"

namespace stiction {

namespace {

struct ReplayOptions {
    std::string trajectory;
    std::optional<double> time;  // [s]
    std::string csv;
    bool info = false;
    SceneOptions scene;  // whose shapes the bodies have; by default that of the trajectory
    ViewOptions view;
    std::string size;
};

void print_overview(const std::string& path, const Trajectory& trajectory) {
    const TrajectoryHeader& header = trajectory.header;
    const std::vector<TrajectorySample>& samples = trajectory.samples;
    std::size_t most = 0;
    std::size_t all = 0;
    double force = 0;
    for (const TrajectorySample& sample : samples) {
        most = std::max(most, sample.contacts.size());
        all += sample.contacts.size();
        for (const ContactForce& contact : sample.contacts)
            force = std::max(force, contact.force.norm());
    }
    std::printf("trajectory   %s%s\n", printable(path).c_str(),
                path.ends_with(".part") ? " (unfinished)" : "");
    if (!header.scene.empty()) {
        std::printf("scene        %s, model %s, step %g s%s%s\n", printable(header.scene).c_str(),
                    printable(header.model).c_str(), header.h,
                    header.narrowphase.empty() ? "" : ", narrowphase ",
                    printable(header.narrowphase).c_str());
    }
    std::printf("samples      %zu, t = %g to %g s, steps %lld to %lld\n", samples.size(),
                samples.front().time, samples.back().time,
                static_cast<long long>(samples.front().step),
                static_cast<long long>(samples.back().step));
    std::printf("bodies       %zu, joints %zu\n", header.bodies.size(), header.joints.size());
    std::printf("contacts     %.1f per sample, most %zu, largest force %.6g N\n",
                static_cast<double>(all) / static_cast<double>(samples.size()), most, force);
    std::printf("checked      times grow, numbers are finite, quaternions have unit length\n");
}

void print_sample(const Trajectory& trajectory, double time) {
    const TrajectorySample& sample = trajectory.samples[sample_at(trajectory, time)];
    std::printf("step %lld, t = %.17g s\n", static_cast<long long>(sample.step), sample.time);
    for (std::size_t i = 0; i < sample.pose.size(); ++i) {
        const Vec3& p = sample.pose[i].p;
        const Quat& q = sample.pose[i].q;
        std::printf("%s  position %.9g %.9g %.9g m  quaternion %.9g %.9g %.9g %.9g\n",
                    printable(trajectory.header.bodies[i]).c_str(), p.x(), p.y(), p.z(), q.w(),
                    q.x(), q.y(), q.z());
    }
}

bool has_display() {
    return std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
}

void show(const ReplayOptions& options, const Trajectory& trajectory) {
    SceneOptions scene = options.scene;
    if (scene.scene.empty()) scene.scene = trajectory.header.scene;
    if (scene.scene.empty()) {
        throw InputError(options.trajectory +
                         ": does not name its scene, which has the shapes; give it with --scene");
    }
    ViewOptions view = options.view;
    if (!options.size.empty()) read_size(options.size, view.width, view.height);
    view.load = [](const std::string& path, const ParameterTexts&) {
        SceneOptions other;
        other.scene = path;
        return load(other);
    };
    view.shipped = list_scenes(scenes_folder());
    view.replay = RecordedRun{load(scene), trajectory};
    open_window(view);
}

// All of it or nothing: half a conversion would look like a whole one.
void convert(const Trajectory& trajectory, const std::string& path) {
    std::optional<TrajectoryWriter> writer;
    const Keeper keeper([&writer] {
        if (writer) writer->discard();
        throw std::runtime_error("interrupted");
    });
    {
        const auto lock = Keeper::lock();
        writer.emplace(path, trajectory.header);
    }
    for (const TrajectorySample& sample : trajectory.samples) {
        const auto lock = Keeper::lock();
        writer->add(sample);
    }
    const auto lock = Keeper::lock();
    writer->finish();
    writer.reset();
}

// Throws InputError.
void check_output(const ReplayOptions& options) {
    if (options.csv.empty()) return;
    if (!options.csv.ends_with(".csv"))
        throw InputError("--csv " + options.csv + ": expected a name that ends in .csv");
    check_trajectory_writable(options.csv);
    check_distinct(trajectory_files(options.csv), trajectory_files(options.trajectory));
}

int replay(const ReplayOptions& options) {
    if (options.time && !std::isfinite(*options.time))
        throw InputError("--time: must be a finite number");
    check_output(options);
    const Trajectory trajectory = read_trajectory(options.trajectory);
    if (trajectory.samples.empty())
        throw InputError(options.trajectory + ": holds no complete sample");
    check_trajectory(options.trajectory, trajectory);
    if (!options.csv.empty()) convert(trajectory, options.csv);
    if (options.time) {
        print_sample(trajectory, *options.time);
    } else if (options.info || !options.csv.empty() || !has_display()) {
        print_overview(options.trajectory, trajectory);
    } else {
        show(options, trajectory);
    }
    return kExitDone;
}

}  // namespace

Command add_replay_command(CLI::App& app) {
    CLI::App* command = add_command(
        app, "replay", "Show a recorded trajectory in the window, check and convert it",
        "  stiction replay run.h5\n"
        "  stiction replay run.h5 --info\n"
        "  stiction replay long.h5 --scene stack --set boxes=20\n"
        "  stiction replay run.h5 --time 0.5\n"
        "  stiction replay run.h5.part --csv run.csv     what a killed run had recorded");
    auto options = std::make_shared<ReplayOptions>();
    command->add_option("TRAJECTORY", options->trajectory, "A file of stiction run --trajectory")
        ->required();
    command->add_option("--time", options->time, "Print the poses at this time, in seconds");
    command->add_option("--csv", options->csv, "Write the trajectory as CSV")->type_name("FILE");
    command->add_flag("--info", options->info, "Say what it holds, without a window");
    command->add_option("--scene", options->scene.scene,
                        "The scene with the shapes (default: the one that was recorded)");
    add_parameter_options(*command, options->scene);
    add_window_options(*command, options->view, options->size);
    return {command, [options] { return replay(*options); }};
}

}  // namespace stiction

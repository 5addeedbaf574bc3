// trajectory.cpp - samples of a simulation, choice of format, checks.
#include "record/trajectory.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/error.h"
#include "step/simulation.h"

namespace stiction {

namespace {

// Of a quaternion's length: tables of other programs have seven digits or so.
constexpr double kUnitTolerance = 1e-6;

bool ends_with(const std::string& text, std::string_view end) {
    return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

using Writer = std::variant<CsvTrajectoryWriter, Hdf5TrajectoryWriter>;

Writer make_writer(const std::string& path, const TrajectoryHeader& header) {
    if (trajectory_format(path) == TrajectoryFormat::kCsv) {
        return Writer(std::in_place_type<CsvTrajectoryWriter>, path, header);
    }
    return Writer(std::in_place_type<Hdf5TrajectoryWriter>, path, header);
}

bool is_finite(const TrajectorySample& sample) {
    const auto finite = [](const auto& list, const auto& test) {
        return std::all_of(list.begin(), list.end(), test);
    };
    return std::isfinite(sample.time) &&
           finite(sample.pose,
                  [](const Pose& x) { return x.p.allFinite() && x.q.coeffs().allFinite(); }) &&
           finite(sample.twist,
                  [](const Twist& x) { return x.v.allFinite() && x.w.allFinite(); }) &&
           finite(sample.joints,
                  [](const JointCoordinate& x) {
                      return std::isfinite(x.position) && std::isfinite(x.velocity);
                  }) &&
           finite(sample.contacts, [](const ContactForce& x) {
               return x.point.allFinite() && x.normal.allFinite() && x.force.allFinite() &&
                      std::isfinite(x.gap);
           });
}

}  // namespace

void sample_state(const Model& model, const State& state, TrajectorySample& sample) {
    sample.step = state.step;
    sample.time = state.time;
    sample.pose = state.pose;
    sample.twist = state.twist;
    sample.joints.clear();
    for (const Joint& joint : model.joints) sample.joints.push_back(joint_coordinate(state, joint));
    sample.contacts.clear();
}

void sample_step(const Simulation& sim, TrajectorySample& sample) {
    sample_state(sim.model, sim.state, sample);
    const std::vector<Contact>& contacts = sim.frame.contacts.contacts;
    const ContactSolution& solution = sim.frame.solution;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const ContactRow& row = sim.frame.problem.contacts[i];
        const Vec3 impulse = solution.c_n[i] * row.n.head<3>() + solution.c_s[i] * row.s.head<3>() +
                             solution.c_t[i] * row.t.head<3>();
        sample.contacts.push_back({contacts[i].body_a, contacts[i].body_b, contacts[i].p(),
                                   contacts[i].n, impulse / sim.frame.problem.h, contacts[i].phi});
    }
}

TrajectoryFormat trajectory_format(const std::string& path) {
    std::string name = path;
    if (ends_with(name, ".part")) name.resize(name.size() - 5);
    if (ends_with(name, ".csv")) return TrajectoryFormat::kCsv;
    if (ends_with(name, ".h5") || ends_with(name, ".hdf5")) return TrajectoryFormat::kHdf5;
    throw InputError("trajectory '" + path + "': expected a name that ends in .csv, .h5 or .hdf5");
}

std::vector<std::string> trajectory_files(const std::string& path) {
    if (trajectory_format(path) == TrajectoryFormat::kCsv) return {path, contacts_csv_path(path)};
    return {path};
}

void check_trajectory_writable(const std::string& path) {
    if (ends_with(path, ".part")) {
        throw InputError("trajectory '" + path + "': .part is the mark of an unfinished recording");
    }
    for (const std::string& file : trajectory_files(path)) check_writable(file, true);
}

TrajectoryWriter::TrajectoryWriter(const std::string& path, const TrajectoryHeader& header)
    : writer_(make_writer(path, header)) {}

void TrajectoryWriter::add(const TrajectorySample& sample) {
    std::visit([&](auto& writer) { writer.add(sample); }, writer_);
}

void TrajectoryWriter::finish() {
    std::visit([](auto& writer) { writer.finish(); }, writer_);
}

void TrajectoryWriter::discard() {
    std::visit([](auto& writer) { writer.discard(); }, writer_);
}

Trajectory read_trajectory(const std::string& path) {
    const TrajectoryFormat format = trajectory_format(path);
    if (!std::filesystem::is_regular_file(path)) {
        throw InputError(path + ": no such file; expected a trajectory (.csv, .h5, .hdf5)");
    }
    return format == TrajectoryFormat::kCsv ? read_trajectory_csv(path)
                                            : read_trajectory_hdf5(path);
}

void check_trajectory(const std::string& path, const Trajectory& trajectory) {
    const std::vector<TrajectorySample>& samples = trajectory.samples;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const std::string place = path + ": sample " + std::to_string(i);
        if (!is_finite(samples[i])) throw InputError(place + ": holds a number that is not finite");
        if (i > 0 && samples[i].time <= samples[i - 1].time) {
            throw InputError(place + ": time does not grow");
        }
        for (std::size_t b = 0; b < samples[i].pose.size(); ++b) {
            if (std::abs(samples[i].pose[b].q.norm() - 1) > kUnitTolerance) {
                throw InputError(place + ": the quaternion of body '" +
                                 trajectory.header.bodies[b] + "' is not of unit length");
            }
        }
    }
}

std::size_t sample_at(const Trajectory& trajectory, double time) {
    const std::vector<TrajectorySample>& samples = trajectory.samples;
    const auto after =
        std::lower_bound(samples.begin(), samples.end(), time,
                         [](const TrajectorySample& sample, double t) { return sample.time < t; });
    if (after == samples.begin()) return 0;
    const auto i = static_cast<std::size_t>(after - samples.begin());
    if (after == samples.end()) return i - 1;
    return time - samples[i - 1].time < samples[i].time - time ? i - 1 : i;
}

}  // namespace stiction

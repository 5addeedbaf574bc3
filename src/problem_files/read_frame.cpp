// read_frame.cpp - a frame with what this program adds to it, and the answers stored with it.
#include "problem_files/read_frame.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/error.h"

namespace stiction {

namespace {

constexpr std::string_view kSolverData = "solver_data/";

std::vector<double> optional_list(const FrameSource& in, const std::string& name, std::size_t n) {
    return n == 0 || !in.has(name) ? std::vector<double>(n, 0.0) : in.table(name, n, 1);
}

void read_norm(const FrameSource& in, const std::string& name, ErrorNorm& error) {
    if (!in.has(name)) return;
    const std::vector<double> x = in.table(name, 3, 1, false);
    error.norm = x[0];
    error.worst = x[1];
    error.contact = static_cast<int>(std::clamp(x[2], -1.0, 1e9));
}

void read_metrics(const FrameSource& in, const std::string& group, ContactQuality& quality) {
    const auto count = [&](const char* name, int& to) {
        if (in.has(group + name))
            to = static_cast<int>(
                std::clamp<std::int64_t>(in.integers(group + name, 1, 1).front(), 0, 1 << 30));
    };
    if (in.has(group + "rest_threshold"))
        quality.thresholds.rest = in.number(group + "rest_threshold");
    if (in.has(group + "slide_threshold"))
        quality.thresholds.slide = in.number(group + "slide_threshold");
    count("resting", quality.resting);
    count("sliding", quality.sliding);
    count("misaligned", quality.misaligned);
    read_norm(in, group + "penetration_error", quality.penetration);
    read_norm(in, group + "gap_error", quality.gap);
    read_norm(in, group + "alignment_error", quality.alignment);
    read_norm(in, group + "creep", quality.creep);
    read_norm(in, group + "cone_error", quality.cone);
    read_norm(in, group + "anomalous", quality.anomalous);
    read_norm(in, group + "coulomb_natural", quality.natural);
    read_norm(in, group + "coulomb_scaled", quality.scaled);
}

std::vector<Vec3> tangents_of(const FrameSource& in, const std::string& name, std::size_t n) {
    std::vector<Vec3> out(n, Vec3::Zero());
    if (n == 0 || !in.has(name)) return out;
    const std::vector<double> x = in.table(name, n, 3);
    for (std::size_t i = 0; i < n; ++i) out[i] = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
    return out;
}

// Bodies that were not active have the velocities of the frame in ours alone: other writers leave
// there what a body had when it fell asleep.
void stop_inactive(ProblemFrame& frame) {
    for (FrameBody& body : frame.bodies) {
        if (!body.active) body.twist = {};
    }
}

}  // namespace

SolveStatus read_status(const FrameSource& in, const std::string& name) {
    constexpr std::array<SolveStatus, 7> kAll = {
        SolveStatus::kSolved,        SolveStatus::kIterationLimit, SolveStatus::kBudget,
        SolveStatus::kContradiction, SolveStatus::kNoSolution,     SolveStatus::kTorn,
        SolveStatus::kNotFinite};
    const std::string word = in.text(name);
    for (const SolveStatus status : kAll) {
        if (stiction::name(status) == word) return status;
    }
    in.refuse(name, "unknown status '" + word + "'");
}

FrameAnswer read_answer(const FrameSource& in, const std::string& name, const ProblemFrame& frame) {
    const std::string group = std::string(kSolverData) + name + "/";
    const std::size_t nb = frame.bodies.size(), nc = frame.contacts.size();
    FrameAnswer answer;
    answer.name = name;
    const std::vector<double> v =
        nb == 0 ? std::vector<double>{} : in.table(group + "velocities", nb, 6);
    for (std::size_t i = 0; i < nb; ++i)
        answer.velocities.push_back({Vec3(v[6 * i], v[6 * i + 1], v[6 * i + 2]),
                                     Vec3(v[6 * i + 3], v[6 * i + 4], v[6 * i + 5])});
    answer.c_n = optional_list(in, group + "normal_impulses", nc);
    answer.c_s.assign(nc, 0);
    answer.c_t.assign(nc, 0);
    if (nc > 0 && in.has(group + "tangent_impulses")) {
        const std::vector<double> c = in.table(group + "tangent_impulses", nc, 2);
        for (std::size_t i = 0; i < nc; ++i) {
            answer.c_s[i] = c[2 * i];
            answer.c_t[i] = c[2 * i + 1];
        }
    }
    answer.s = tangents_of(in, group + "tangents_s", nc);
    answer.t = tangents_of(in, group + "tangents_t", nc);
    if (in.has(group + "solver")) answer.solver = in.text(group + "solver");
    if (in.has(group + "status")) answer.status = read_status(in, group + "status");
    if (in.has(group + "iterations"))
        answer.iterations = static_cast<int>(
            std::clamp<std::int64_t>(in.integers(group + "iterations", 1, 1).front(), 0, 1 << 30));
    if (in.has(group + "residual"))
        answer.residual = in.table(group + "residual", 1, 1, false).front();
    if (in.has(group + "time_s")) answer.seconds = in.number(group + "time_s");
    if (frame.step) {
        const ContactProblem& problem = frame.step->problem;
        answer.c_j = optional_list(in, group + "joint_impulses", problem.joints.size());
        answer.c_l = optional_list(in, group + "limit_impulses", problem.limits.size());
        answer.c_b = optional_list(in, group + "bounded_impulses", problem.bounded.size());
        const std::vector<double> u =
            optional_list(in, group + "generalized_velocities", at(problem.v.size()));
        answer.v = Eigen::Map<const VecX>(u.data(), static_cast<Eigen::Index>(u.size()));
    }
    read_metrics(in, group + "metrics/", answer.quality);
    return answer;
}

ProblemFrame read_frame(const Hdf5Content& content) {
    FrameSource source(content);
    ProblemFrame frame;
    read_public_frame(source, frame);
    if (content.find("stiction/settings") != nullptr) {
        frame.step = read_step(source, frame.h);
        if (frame.step->problem.contacts.size() != frame.contacts.size())
            content.refuse("stiction/N",
                           "has " + std::to_string(frame.step->problem.contacts.size()) +
                               " contacts; the frame has " + std::to_string(frame.contacts.size()));
    } else {
        stop_inactive(frame);
    }
    std::set<std::string> names;
    for (const auto& [name, array] : content.objects()) {
        constexpr std::string_view kLast = "/velocities";
        if (name.starts_with(kSolverData) && name.ends_with(kLast) &&
            name.size() > kSolverData.size() + kLast.size())
            names.insert(
                name.substr(kSolverData.size(), name.size() - kSolverData.size() - kLast.size()));
    }
    for (const std::string& name : names) frame.answers.push_back(read_answer(source, name, frame));
    return frame;
}

}  // namespace stiction

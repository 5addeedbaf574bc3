// read_public_frame.cpp - bodies and contacts of a frame in any of the forms that its writers gave them.
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "problem_files/frame_ids.h"
#include "problem_files/read_frame.h"

namespace stiction {

namespace {

std::string body_ids(const FrameIds& ids) {
    if (ids.empty()) return "there is none";
    return "there are " + std::to_string(ids.size()) + ", " + std::to_string(ids.begin()->first) +
           " to " + std::to_string(ids.rbegin()->first);
}

constexpr double kUnitLength = 1e-3;  // by which a typed quaternion or normal may be off

Vec3 three(const std::vector<double>& x, std::size_t i) {
    return {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
}

std::uint64_t count_bodies(const FrameSource& in) {
    const std::string masses = in.find({"bodies/masses", "bodies/mass"});
    if (masses.empty()) {
        if (in.has("bodies/positions") || in.has("bodies/velocities"))
            in.refuse("bodies/masses", "there is no such dataset");
        return 0;
    }
    const std::uint64_t n = in.count(masses);
    if (n == 0 && in.count("bodies/positions") > 0)
        in.refuse(masses, "is " + in.shape_of(masses) + "; expected a number per body");
    if (n > kMostFrameRows) in.refuse(masses, "more than ten million bodies");
    return n;
}

std::string gaps_name(const FrameSource& in) {
    return in.find({"contacts/gaps", "contacts/gap", "contacts/depth"});
}

// FrameIds of all bodies; one without is numbered from 1.
FrameIds read_ids(const FrameSource& in, std::uint64_t nb) {
    FrameIds ids;
    if (!in.has("bodies/ids")) {
        for (std::uint64_t i = 0; i < nb; ++i)
            ids[static_cast<std::int64_t>(i) + 1] = static_cast<int>(i);
        return ids;
    }
    const std::vector<std::int64_t> list = in.integers("bodies/ids", nb, 1);
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!ids.emplace(list[i], static_cast<int>(i)).second)
            in.refuse("bodies/ids", "names body " + std::to_string(list[i]) + " twice");
    }
    return ids;
}

void check_body(const FrameSource& in, std::size_t i, const FrameBody& body) {
    const std::string which = "body " + std::to_string(i) + ": ";
    if (!(body.mass > 0))
        in.refuse("bodies/masses",
                  which + "mass is " + std::to_string(body.mass) + "; expected a number > 0");
    const Eigen::LLT<Mat3> factor(body.inertia);
    if (factor.info() != Eigen::Success ||
        (body.inertia - body.inertia.transpose()).norm() > 1e-6 * body.inertia.norm())
        in.refuse("bodies/world_inertia_tensors",
                  which + "expected a symmetric, positive definite tensor");
}

// 3 nb x 3, stacked; or one row of nine per body. Tensors are symmetric, so that those of a transposed
// array are found by the same rule.
std::vector<double> read_inertia(const FrameSource& in, std::uint64_t nb) {
    const std::string name = in.find({"bodies/world_inertia_tensors", "bodies/inertia",
                                      "bodies/inertia_tensor", "bodies/inertia_tensors"});
    if (name.empty()) in.refuse("bodies/world_inertia_tensors", "there is no such dataset");
    // Of three bodies 9 x 3 is the stack, and 3 x 9 the same transposed where other arrays are.
    const std::string shape = in.shape_of(name), n = std::to_string(nb);
    const bool stacked =
        nb == 1 || shape == std::to_string(3 * nb) + " x 3" || (nb == 3 && in.transposed());
    const bool by_nine =
        !stacked && (shape == n + " x 9" || shape == "9 x " + n || shape == n + " x 3 x 3");
    return by_nine ? in.table(name, nb, 9) : in.table(name, 3 * nb, 3);
}

void read_quaternions(const FrameSource& in, std::vector<FrameBody>& bodies) {
    if (!in.has("bodies/quaternions")) return;
    const std::vector<double> q = in.table("bodies/quaternions", bodies.size(), 4);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Quat read(q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]);
        if (std::abs(read.norm() - 1) > kUnitLength)
            in.refuse("bodies/quaternions", "body " + std::to_string(i) + " has one of length " +
                                                std::to_string(read.norm()) +
                                                "; expected unit length, order w x y z");
        bodies[i].q = read;
    }
}

void read_bodies(const FrameSource& in, const FrameIds& ids, std::uint64_t nb,
                 std::vector<FrameBody>& bodies) {
    bodies.resize(nb);
    if (nb == 0) return;
    const std::vector<double> p = in.table("bodies/positions", nb, 3);
    const std::vector<double> v = in.table("bodies/velocities", nb, 6);
    const std::vector<double> f = in.table("bodies/forces", nb, 6);
    const std::vector<double> mass = in.table(in.find({"bodies/masses", "bodies/mass"}), nb, 1);
    const std::vector<double> inertia = read_inertia(in, nb);
    std::vector<std::int64_t> states(nb, 1);
    if (in.has("bodies/states")) states = in.integers("bodies/states", nb, 1);
    for (std::size_t i = 0; i < nb; ++i) {
        FrameBody& body = bodies[i];
        body.p = three(p, i);
        body.twist = {three(v, 2 * i), three(v, 2 * i + 1)};
        body.force = three(f, 2 * i);
        body.torque = three(f, 2 * i + 1);
        body.mass = mass[i];
        body.active = states[i] > 0;
        for (int k = 0; k < 9; ++k) body.inertia(k / 3, k % 3) = inertia[9 * i + at(k)];
    }
    for (const auto& [id, place] : ids) {
        if (id <= 0) bodies[at(place)].active = false;  // the world, listed
    }
    read_quaternions(in, bodies);
    for (std::size_t i = 0; i < nb; ++i) {
        if (bodies[i].active) check_body(in, i, bodies[i]);
    }
}

// One coefficient per contact of one to three columns: two directions, and perhaps spin.
std::vector<double> read_columns(const FrameSource& in, const std::string& name, std::uint64_t nc,
                                 ProblemFrame& frame) {
    const std::uint64_t cols = in.count(name) / nc;
    if (cols < 1 || cols > 3 || in.count(name) != cols * nc)
        in.refuse(name, "is " + in.shape_of(name) + "; expected one to three columns for " +
                            std::to_string(nc) + " contacts");
    const std::vector<double> all = in.table(name, nc, cols);
    std::vector<double> mu(nc);
    bool uneven = false;
    for (std::size_t i = 0; i < nc; ++i) {
        const double first = all[i * cols];
        const double second = cols > 1 ? all[i * cols + 1] : first;
        if (first < 0 || second < 0)
            in.refuse(name, "contact " + std::to_string(i) + " has a negative coefficient");
        mu[i] = first == second ? first : 0.5 * (first + second);
        uneven = uneven || first != second;
    }
    if (uneven)
        frame.remarks.push_back(name + ": two directions differ; their mean is taken for both");
    if (cols == 3) frame.remarks.push_back(name + ": the third column is not used");
    return mu;
}

std::vector<double> read_mu(const FrameSource& in, std::uint64_t nc, ProblemFrame& frame) {
    const auto there = [&](const char* name) { return in.count(name) > 0; };
    const char* kinetic = there("contacts/mu_k") ? "contacts/mu_k" : "contacts/mu";
    if (!there("contacts/mu_s")) {
        if (!there(kinetic)) in.refuse("contacts/mu_s", "there is no such dataset, nor mu_k or mu");
        return read_columns(in, kinetic, nc, frame);
    }
    std::vector<double> mu = read_columns(in, "contacts/mu_s", nc, frame);
    if (there(kinetic) && read_columns(in, kinetic, nc, frame) != mu)
        frame.remarks.emplace_back("contacts: mu_s and mu_k differ; mu_s is taken");
    return mu;
}

void read_contacts(const FrameSource& in, const FrameIds& ids, ProblemFrame& frame) {
    const std::string gaps = gaps_name(in);
    const std::uint64_t nc = gaps.empty() ? in.count("contacts/normals") / 3 : in.count(gaps);
    if (nc == 0) return;
    if (nc > kMostFrameRows) in.refuse(gaps, "more than ten million contacts");
    if (gaps.empty()) in.refuse("contacts/gaps", "there is no such dataset");
    const std::vector<double> points = in.table("contacts/points", nc, 3);
    const std::vector<double> normals = in.table("contacts/normals", nc, 3);
    const std::vector<double> gap = in.table(gaps, nc, 1);
    const std::vector<std::int64_t> pairs = in.integers("contacts/pairs", nc, 2);
    const std::vector<double> mu = read_mu(in, nc, frame);
    const double sign = gaps == "contacts/depth" ? -1 : 1;
    frame.contacts.resize(nc);
    for (std::size_t i = 0; i < nc; ++i) {
        FrameContact& contact = frame.contacts[i];
        contact.b = place_of(in, "contacts/pairs", pairs[2 * i], ids);
        contact.a = place_of(in, "contacts/pairs", pairs[2 * i + 1], ids);
        if (contact.a == contact.b && contact.a != kNone)
            in.refuse("contacts/pairs", "row " + std::to_string(i) + " names one body twice");
        contact.p = three(points, i);
        contact.n = three(normals, i);
        const double length = contact.n.norm();
        if (std::abs(length - 1) > kUnitLength)
            in.refuse("contacts/normals", "row " + std::to_string(i) + " has length " +
                                              std::to_string(length) + "; expected 1");
        if (std::abs(length - 1) > 1e-12) contact.n /= length;
        contact.gap = sign * gap[i];
        contact.mu = mu[i];
    }
}

}  // namespace

int place_of(const FrameSource& in, const std::string& name, std::int64_t id, const FrameIds& ids) {
    if (const auto found = ids.find(id); found != ids.end()) return found->second;
    if (id <= 0) return kNone;
    in.refuse(name, "names body " + std::to_string(id) + "; " + body_ids(ids));
}

void read_public_frame(FrameSource& in, ProblemFrame& frame) {
    const std::string h =
        in.find({"timestep", "step_size", "settings/step_size", "settings/h", "h"});
    if (h.empty()) in.refuse("timestep", "there is no such dataset");
    frame.h = in.number(h);
    if (!(frame.h > 0)) in.refuse(h, "is " + std::to_string(frame.h) + "; expected a number > 0");
    const std::uint64_t nb = count_bodies(in);
    const std::string gaps = gaps_name(in);
    const std::uint64_t nc = gaps.empty() ? 0 : in.count(gaps);
    in.tell_orientation("bodies/quaternions", nb, 4);
    in.tell_orientation("bodies/positions", nb, 3);
    in.tell_orientation("contacts/points", nc, 3);
    in.tell_orientation("contacts/pairs", nc, 2);
    in.tell_orientation("bodies/velocities", 6 * nb, 1);
    const FrameIds ids = read_ids(in, nb);
    read_bodies(in, ids, nb, frame.bodies);
    read_joints(in, ids, frame);
    read_contacts(in, ids, frame);
    if (in.transposed()) frame.remarks.emplace_back("arrays are transposed");
}

}  // namespace stiction

// frame_arrays.cpp - bodies, joints, contacts and answers in the layout that other programs read.
#include "problem_files/frame_arrays.h"

#include <array>
#include <utility>

namespace stiction {

namespace {

template <class Vector>
void put(const Vector& x, std::vector<double>& values) {
    values.insert(values.end(), x.data(), x.data() + x.size());
}

// Ids count from 1; the world is -1.
std::int32_t id_of(int body) { return body == kNone ? -1 : body + 1; }

void add_bodies(const std::vector<FrameBody>& bodies, GroupBuilder& out) {
    std::vector<double> p, q, v, f, mass, inertia;
    std::vector<std::int32_t> ids, states;
    for (const FrameBody& body : bodies) {
        put(body.p, p);
        q.insert(q.end(), {body.q.w(), body.q.x(), body.q.y(), body.q.z()});
        put(body.twist.v, v);
        put(body.twist.w, v);
        put(body.force, f);
        put(body.torque, f);
        mass.push_back(body.mass);
        put(Mat3(body.inertia.transpose()), inertia);  // row by row
        ids.push_back(static_cast<std::int32_t>(ids.size()) + 1);
        states.push_back(body.active ? 1 : -1);
    }
    out.table("bodies/positions", 3, std::move(p));
    out.table("bodies/quaternions", 4, std::move(q));
    out.table("bodies/velocities", 1, std::move(v));
    out.table("bodies/forces", 1, std::move(f));
    out.table("bodies/masses", 1, std::move(mass));
    out.table("bodies/world_inertia_tensors", 3, std::move(inertia));
    out.table("bodies/ids", 1, std::move(ids));
    out.table("bodies/states", 1, std::move(states));
}

void add_constraints(const std::vector<FrameJoint>& joints, GroupBuilder& out) {
    if (joints.empty()) return;
    std::vector<std::uint64_t> rows;
    std::vector<std::int32_t> pairs;
    std::vector<double> J, violations, rates, bounds;
    for (const FrameJoint& joint : joints) {
        rows.push_back(joint.rows.size());
        pairs.insert(pairs.end(), {id_of(joint.b), id_of(joint.a)});
        for (const FrameRow& row : joint.rows) {
            put(row.J_b, J);
            put(row.J_a, J);
            violations.push_back(row.violation);
            rates.push_back(row.rate);
            bounds.insert(bounds.end(), {row.lo, row.hi});
        }
    }
    out.table("constraints/rows", 1, std::move(rows));
    out.table("constraints/Jacobian", 12, std::move(J));
    out.table("constraints/pairs", 2, std::move(pairs));
    out.table("constraints/violations", 1, std::move(violations));
    out.table("constraints/time_derivative", 1, std::move(rates));
    out.table("constraints/bounds", 2, std::move(bounds));
}

void add_contacts(const std::vector<FrameContact>& contacts, GroupBuilder& out) {
    if (contacts.empty()) return;
    std::vector<double> points, normals, gaps, mu;
    std::vector<std::int32_t> pairs;
    for (const FrameContact& contact : contacts) {
        put(contact.p, points);
        put(contact.n, normals);
        gaps.push_back(contact.gap);
        mu.insert(mu.end(), {contact.mu, contact.mu});
        pairs.insert(pairs.end(), {id_of(contact.b), id_of(contact.a)});
    }
    out.table("contacts/points", 3, std::move(points));
    out.table("contacts/normals", 3, std::move(normals));
    out.table("contacts/gaps", 1, std::move(gaps));
    out.table("contacts/mu_s", 2, mu);
    out.table("contacts/mu_k", 2, std::move(mu));
    out.table("contacts/pairs", 2, std::move(pairs));
}

void add_metrics(const std::string& group, const ContactQuality& quality, GroupBuilder& out) {
    // The norm over all contacts, that of the worst one, and which it is (-1: all are 0).
    const auto norm = [&](const std::string& measure, const ErrorNorm& error) {
        out.list(group + "/" + measure,
                 std::vector<double>{error.norm, error.worst, static_cast<double>(error.contact)});
    };
    out.value(group + "/rest_threshold", quality.thresholds.rest);
    out.value(group + "/slide_threshold", quality.thresholds.slide);
    out.value(group + "/resting", static_cast<std::int32_t>(quality.resting));
    out.value(group + "/sliding", static_cast<std::int32_t>(quality.sliding));
    out.value(group + "/misaligned", static_cast<std::int32_t>(quality.misaligned));
    norm("penetration_error", quality.penetration);
    norm("gap_error", quality.gap);
    norm("alignment_error", quality.alignment);
    norm("creep", quality.creep);
    norm("cone_error", quality.cone);
    norm("anomalous", quality.anomalous);
    norm("coulomb_natural", quality.natural);
    norm("coulomb_scaled", quality.scaled);
}

}  // namespace

void add_answer_arrays(const FrameAnswer& answer, DatasetGroup& group) {
    GroupBuilder out(group);
    const std::string at = "solver_data/" + answer.name;
    std::vector<double> velocities, tangent, s, t;
    for (const Twist& twist : answer.velocities) {
        put(twist.v, velocities);
        put(twist.w, velocities);
    }
    for (std::size_t i = 0; i < answer.c_n.size(); ++i) {
        tangent.insert(tangent.end(), {answer.c_s[i], answer.c_t[i]});
        put(answer.s[i], s);
        put(answer.t[i], t);
    }
    out.table(at + "/velocities", 1, std::move(velocities));
    if (!answer.c_n.empty()) {
        out.table(at + "/normal_impulses", 1, answer.c_n);
        out.table(at + "/tangent_impulses", 2, std::move(tangent));
        out.table(at + "/tangents_s", 3, std::move(s));
        out.table(at + "/tangents_t", 3, std::move(t));
    }
    const std::array<std::pair<const char*, const std::vector<double>*>, 3> rows = {
        {{"/joint_impulses", &answer.c_j},
         {"/limit_impulses", &answer.c_l},
         {"/bounded_impulses", &answer.c_b}}};
    for (const auto& [suffix, impulses] : rows) {
        if (!impulses->empty()) out.table(at + suffix, 1, *impulses);
    }
    out.table(at + "/generalized_velocities", 1,
              std::vector<double>(answer.v.data(), answer.v.data() + answer.v.size()));
    out.text(at + "/solver", answer.solver);
    out.text(at + "/status", std::string(name(answer.status)));
    out.value(at + "/iterations", static_cast<std::int32_t>(answer.iterations));
    out.value(at + "/residual", answer.residual);
    out.value(at + "/time_s", answer.seconds);
    add_metrics(at + "/metrics", answer.quality, out);
}

DatasetGroup frame_arrays(const ProblemFrame& frame) {
    DatasetGroup group;
    GroupBuilder out(group);
    out.value("timestep", frame.h);
    add_bodies(frame.bodies, out);
    add_constraints(frame.joints, out);
    add_contacts(frame.contacts, out);
    if (frame.step) add_step_arrays(*frame.step, group);
    for (const FrameAnswer& answer : frame.answers) add_answer_arrays(answer, group);
    return group;
}

}  // namespace stiction

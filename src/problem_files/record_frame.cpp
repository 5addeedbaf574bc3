// record_frame.cpp - bodies, joints and contacts of a step in maximal coordinates.
#include "problem_files/record_frame.h"

#include "assemble/assemble.h"
#include "dynamics/joint_geometry.h"
#include "dynamics/tree.h"
#include "step/simulation.h"

namespace stiction {

namespace {

// Places of the model's bodies in the frame; kNone: static.
std::vector<int> frame_places(const Model& model) {
    std::vector<int> place(model.bodies.size(), kNone);
    int next = 0;
    for (std::size_t i = 0; i < place.size(); ++i) {
        if (model.bodies[i].kind != BodyKind::kStatic) place[i] = next++;
    }
    return place;
}

// What moves the body besides joints and contacts: M (v_free - v)/h with v as the frame has it,
// gyroscopic torque and impacts one after another (contact/impacts.h) included. Of a body in a tree
// the problem knows only what the whole tree feels.
void set_wrench(const Simulation& sim, std::size_t i, FrameBody& out) {
    const Body& body = sim.model.bodies[i];
    if (body.tree != kNone) {
        out.force = sim.frame.forces.wrench[i].force;
        out.torque =
            sim.frame.forces.wrench[i].torque - out.twist.w.cross(out.inertia * out.twist.w);
        return;
    }
    const ContactProblem& problem = sim.frame.problem;
    const int offset = sim.model.blocks[at(body.block)].offset;
    const Vec6 v_free = problem.v_free.segment<6>(offset);
    out.force = out.mass * (v_free.head<3>() - out.twist.v) / problem.h;
    out.torque = out.inertia * (v_free.tail<3>() - out.twist.w) / problem.h;
}

// Forces set the twists of kinematic bodies for the step; all else is as it was at its start.
FrameBody frame_body(const Simulation& sim, std::size_t i) {
    const Body& body = sim.model.bodies[i];
    FrameBody out;
    out.p = sim.before.pose[i].p;
    out.q = sim.before.pose[i].q;
    out.active = body.kind == BodyKind::kDynamic;
    out.twist = out.active ? sim.before.twist[i] : sim.state.twist[i];
    if (!out.active) return out;
    out.mass = body.mass;
    const Mat3 R = out.q.toRotationMatrix();
    out.inertia = R * body.inertia_B * R.transpose();
    out.inertia = 0.5 * (out.inertia + out.inertia.transpose()).eval();
    set_wrench(sim, i, out);
    return out;
}

// A row on the velocity of child against parent at `point`, angular part in rad/s.
FrameRow frame_row(const Vec6& g, const Vec3& point, const Pose& child, const Pose* parent) {
    const auto side = [&](const Vec3& centre) {
        Vec6 J;
        J.head<3>() = g.head<3>();
        J.tail<3>() = (point - centre).cross(Vec3(g.head<3>())) + Vec3(g.tail<3>());
        return J;
    };
    FrameRow row;
    row.J_a = side(child.p);
    if (parent != nullptr) row.J_b = -side(parent->p);
    return row;
}

// Rows of one joint: those that hold it, limits, motor and friction.
class JointRows {
  public:
    JointRows(const Simulation& sim, int joint)
        : sim_(sim),
          joint_(sim.model.joints[at(joint)]),
          geometry_(joint_geometry(sim.before, joint_, 1.0)),
          child_(sim.before.pose[at(joint_.child)]),
          parent_(joint_.parent == kNone ? nullptr : &sim.before.pose[at(joint_.parent)]) {}

    [[nodiscard]] std::vector<FrameRow> held() const {
        std::vector<FrameRow> rows;
        for (int k = 0; k < geometry_.rows; ++k) {
            rows.push_back(row(geometry_.g[at(k)]));
            rows.back().violation = geometry_.error[at(k)];
        }
        return rows;
    }
    [[nodiscard]] FrameRow limit(const LimitRow& from) const {
        FrameRow out = row((from.upper ? -1.0 : 1.0) * geometry_.g_coordinate);
        out.violation = from.phi / unit(from.link);
        out.lo = 0;
        return out;
    }
    [[nodiscard]] FrameRow bounded(const BoundedRow& from) const {
        const double u = unit(from.link);
        FrameRow out = row(geometry_.g_coordinate);
        out.rate = -from.target / u;
        out.lo = from.lo * u / sim_.frame.problem.h;
        out.hi = from.hi * u / sim_.frame.problem.h;
        return out;
    }

  private:
    [[nodiscard]] FrameRow row(const Vec6& g) const {
        return frame_row(g, geometry_.point, child_, parent_);
    }
    // Velocity of a row of the problem per rate of the coordinate.
    [[nodiscard]] double unit(int link) const {
        return joint_.kind == JointKind::kRevolute
                   ? sim_.frame.problem.system.links[at(link)].length
                   : 1.0;
    }

    const Simulation& sim_;
    const Joint& joint_;
    JointGeometry geometry_;
    const Pose& child_;
    const Pose* parent_;
};

std::vector<FrameJoint> frame_joints(const Simulation& sim, const std::vector<int>& place) {
    const ContactProblem& problem = sim.frame.problem;
    std::vector<FrameJoint> joints(sim.model.joints.size());
    for (std::size_t j = 0; j < joints.size(); ++j) {
        const Joint& joint = sim.model.joints[j];
        joints[j].a = place[at(joint.child)];
        joints[j].b = joint.parent == kNone ? kNone : place[at(joint.parent)];
        joints[j].rows = JointRows(sim, static_cast<int>(j)).held();
    }
    for (const LimitRow& row : problem.limits)
        joints[at(row.joint)].rows.push_back(JointRows(sim, row.joint).limit(row));
    for (const BoundedRow& row : problem.bounded)
        joints[at(row.joint)].rows.push_back(JointRows(sim, row.joint).bounded(row));
    std::erase_if(joints, [&](const FrameJoint& joint) {
        const auto moves = [&](int body) { return body != kNone; };
        return joint.rows.empty() || (!moves(joint.a) && !moves(joint.b));
    });
    return joints;
}

std::vector<FrameContact> frame_contacts(const Simulation& sim, const std::vector<int>& place) {
    const std::vector<Contact>& set = sim.frame.contacts.contacts;
    std::vector<FrameContact> contacts(set.size());
    for (std::size_t i = 0; i < set.size(); ++i) {
        contacts[i] = {place[at(set[i].body_a)],
                       place[at(set[i].body_b)],
                       set[i].p(),
                       set[i].n,
                       set[i].phi,
                       sim.frame.problem.contacts[i].mu_c};
    }
    return contacts;
}

// Velocities of the bodies for the generalized ones that the solve gave.
std::vector<Twist> answered_twists(const Simulation& sim, const std::vector<int>& place) {
    const VecX& v = sim.frame.solution.v;
    State after = sim.before;
    for (const DofBlock& block : sim.model.blocks) {
        if (block.tree != kNone) {
            TreeMotion motion = sim.assemble_workspace.trees[at(block.tree)];
            set_tree_twists(sim.model.trees[at(block.tree)], motion,
                            v.segment(block.offset, block.size), after);
        } else {
            after.twist[at(block.body)] = {v.segment<3>(block.offset),
                                           v.segment<3>(block.offset + 3)};
        }
    }
    std::vector<Twist> twists;
    for (std::size_t i = 0; i < place.size(); ++i) {
        if (place[i] == kNone) continue;
        const bool dynamic = sim.model.bodies[i].kind == BodyKind::kDynamic;
        twists.push_back(dynamic ? after.twist[i] : sim.state.twist[i]);
    }
    return twists;
}

FrameAnswer frame_answer(const Simulation& sim, const std::vector<int>& place) {
    const ContactSolution& solution = sim.frame.solution;
    FrameAnswer answer;
    answer.name =
        std::string(name(sim.contact_model)) + "." + std::string(solver_name(sim.contact_model));
    answer.solver = solution.solver;
    answer.status = solution.status;
    answer.iterations = solution.iterations;
    answer.residual = solution.residual;
    answer.seconds = sim.frame.seconds[static_cast<std::size_t>(Stage::kSolve)];
    answer.velocities = answered_twists(sim, place);
    answer.v = solution.v;
    answer.c_n = solution.c_n;
    answer.c_s = solution.c_s;
    answer.c_t = solution.c_t;
    answer.c_j = solution.c_j;
    if (sim.settings.impacts == Impacts::kSequential) {  // those are in v_free
        for (std::size_t i = 0; i < answer.c_n.size(); ++i) answer.c_n[i] -= sim.impacts.c_n[i];
        for (std::size_t i = 0; i < answer.c_j.size(); ++i) answer.c_j[i] -= sim.impacts.c_j[i];
    }
    answer.c_l = solution.c_l;
    answer.c_b = solution.c_b;
    for (const ContactRow& row : sim.frame.problem.contacts) {
        answer.s.emplace_back(row.s.head<3>());
        answer.t.emplace_back(row.t.head<3>());
    }
    return answer;
}

}  // namespace

void keep_before_step(const Simulation& sim, BeforeStep& before) {
    before.guess = sim.guess;
    before.contradicted = sim.contact_workspace.contradicted;
}

bool has_frames(const Simulation& sim) { return !at_acceleration_level(sim.contact_model); }

ProblemFrame record_frame(const Simulation& sim, const BeforeStep& before) {
    const std::vector<int> place = frame_places(sim.model);
    ProblemFrame frame;
    frame.h = sim.frame.problem.h;
    for (std::size_t i = 0; i < place.size(); ++i) {
        if (place[i] != kNone) frame.bodies.push_back(frame_body(sim, i));
    }
    frame.joints = frame_joints(sim, place);
    frame.contacts = frame_contacts(sim, place);
    RecordedStep& step = frame.step.emplace();
    step.step = sim.state.step;
    step.time = sim.state.time;
    step.problem = sim.frame.problem;
    step.model = sim.contact_model;
    step.narrowphase = sim.settings.narrowphase;
    step.restitution_threshold = rebound_in_solve(sim.settings, sim.model.gravity.norm());
    step.guess = before.guess;
    step.contradicted = before.contradicted;
    frame.answers.push_back(frame_answer(sim, place));
    return frame;
}

}  // namespace stiction

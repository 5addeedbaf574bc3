// random_trees.h - trees of random bodies and joints, in random motion, for tests.
#pragma once

#include <Eigen/Geometry>

#include "core/random.h"
#include "dynamics/tree.h"
#include "model/model.h"
#include "model/state.h"

namespace stiction {

class TreeMaker {
  public:
    explicit TreeMaker(std::uint64_t seed) : random_(seed) {}

    double number(double low, double high) { return random_.uniform(low, high); }
    Vec3 vector(double size) {
        return {number(-size, size), number(-size, size), number(-size, size)};
    }
    Quat turn() {
        Quat q(number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1));
        return q.normalized();
    }

    // `count` bodies; every joint of a random kind, to a random earlier body.
    void make(int count, bool floating) {
        model = {};
        state = {};
        model.materials.push_back({"default", {}});
        for (int i = 0; i < count; ++i) add_body(i, floating);
        finalize(model);
        set_in_motion();
    }

    [[nodiscard]] const Tree& tree() const { return model.trees.front(); }

    // Random velocities of base and joints.
    void set_in_motion() {
        VecX v(tree().dofs);
        for (Eigen::Index k = 0; k < v.size(); ++k) v[k] = number(-2, 2);
        move_tree(model, tree(), VecX::Zero(tree().dofs), 1, v, state);
    }

    Model model;
    State state;

  private:
    void add_body(int i, bool floating) {
        Body body;
        body.name = "body_" + std::to_string(i);
        body.mass = number(0.2, 3);
        Mat3 A = Mat3::Zero();  // any sum of point masses is a possible inertia
        for (int k = 0; k < 4; ++k) {
            const Vec3 r = vector(0.3);
            A += r.squaredNorm() * Mat3::Identity() - r * r.transpose();
        }
        body.inertia_B = body.mass / 4 * A;
        model.bodies.push_back(body);
        state.pose.push_back({vector(1), turn()});
        state.twist.push_back({});
        if (i == 0 && floating) return;
        constexpr std::array<JointKind, 5> kKinds = {JointKind::kRevolute, JointKind::kPrismatic,
                                                     JointKind::kSpherical, JointKind::kRevolute,
                                                     JointKind::kFixed};
        Joint joint;
        joint.name = "joint_" + std::to_string(i);
        joint.kind = i == 0 ? JointKind::kRevolute : kKinds[static_cast<std::size_t>(i) % 5];
        joint.child = i;
        joint.parent = i == 0 ? kNone : static_cast<int>(number(0, i - 1e-9));
        joint.reduced = true;
        joint.frame_C = {vector(0.3), turn()};
        joint.frame_P = {vector(0.3), turn()};
        // The child where the joint has it, at a random coordinate.
        Pose relative;
        if (joint.kind == JointKind::kRevolute)
            relative.q = Quat(Eigen::AngleAxisd(number(-3, 3), Vec3::UnitZ()));
        if (joint.kind == JointKind::kPrismatic) relative.p.z() = number(-0.5, 0.5);
        if (joint.kind == JointKind::kSpherical) relative.q = turn();
        const Pose parent =
            joint.parent == kNone ? Pose{} : state.pose[static_cast<std::size_t>(joint.parent)];
        state.pose.back() = parent * joint.frame_P * relative * joint.frame_C.inverse();
        model.joints.push_back(joint);
    }

    Random random_;
};

}  // namespace stiction

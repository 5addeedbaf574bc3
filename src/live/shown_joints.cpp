// shown_joints.cpp - impulses of motors and joint friction become forces on the coordinates.
#include "live/shown_joints.h"

#include "step/simulation.h"

namespace stiction {

void show_drives(const Simulation& sim, std::vector<ShownDrive>& drives) {
    const ContactProblem& problem = sim.frame.problem;
    drives.assign(sim.model.joints.size(), ShownDrive{});
    for (std::size_t j = 0; j < drives.size(); ++j) {
        const Motor& motor = sim.frame.forces.motors[j];
        drives[j].kind = motor.kind;
        drives[j].target = motor.target;
        drives[j].most = motor.max_force;
    }
    for (std::size_t i = 0; i < problem.bounded.size(); ++i) {
        const BoundedRow& row = problem.bounded[i];
        if (row.joint == kNone) continue;
        // Rows of revolute joints carry the link's length (assemble/joint_rows.cpp).
        const bool turns = sim.model.joints[at(row.joint)].kind == JointKind::kRevolute;
        const double unit = turns ? problem.system.links[at(row.link)].length : 1.0;
        const double force = unit * sim.frame.solution.c_b[i] / problem.h;
        ShownDrive& drive = drives[at(row.joint)];
        (row.friction ? drive.friction : drive.force) += force;
    }
}

}  // namespace stiction

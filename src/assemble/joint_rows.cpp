// joint_rows.cpp - joints as rows of the contact problem.
#include "assemble/joint_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "assemble/assemble.h"
#include "assemble/links.h"
#include "dynamics/joint_geometry.h"

namespace stiction {

namespace {

void add_limits(const Joint& joint, int joint_id, const JointGeometry& geometry,
                const JointCoordinate& coordinate, const StepSettings& settings, int link_id,
                ContactProblem& problem) {
    if (!joint.limited) return;
    // Rows for limits that ten steps at the present rate (or at one unit per second, if faster)
    // would reach.
    const double reach = 10.0 * settings.h * (std::abs(coordinate.velocity) + 1.0);
    for (const bool upper : {false, true}) {
        const double distance =
            upper ? joint.upper - coordinate.position : coordinate.position - joint.lower;
        if (distance > reach) continue;
        LimitRow& row = problem.limits.emplace_back();
        row.link = link_id;
        row.g = (upper ? -1.0 : 1.0) * geometry.g_coordinate;
        row.phi = geometry.unit * distance;
        row.bias = unilateral_bias(settings, row.phi);
        row.joint = joint_id;
        row.upper = upper;
    }
}

// A velocity motor is a row with the wanted velocity. A position motor with the force
//
//   kp (target - q+) - kd q'+
//
// at the end of the step is the soft row
//
//   q'+ + c / (h (h kp + kd)) = kp (target - q) / (h kp + kd)
void add_motor(const Motor& motor, int joint_id, const JointGeometry& geometry,
               const JointCoordinate& coordinate, double h, int link_id, ContactProblem& problem) {
    if (motor.kind == Motor::Kind::kOff) return;
    BoundedRow& row = problem.bounded.emplace_back();
    row.link = link_id;
    row.joint = joint_id;
    row.g = geometry.g_coordinate;
    if (motor.kind == Motor::Kind::kVelocity) {
        row.target = geometry.unit * motor.target;
    } else {
        const double gain = h * motor.kp + motor.kd;
        row.target = geometry.unit * motor.kp * (motor.target - coordinate.position) / gain;
        row.compliance = geometry.unit * geometry.unit / (h * gain);
    }
    row.hi = h * motor.max_force / geometry.unit;
    row.lo = -row.hi;
}

void add_joint_friction(const Joint& joint, int joint_id, const JointGeometry& geometry,
                        const JointCoordinate& coordinate, double h, int link_id,
                        ContactProblem& problem) {
    const double force = joint_friction(joint, coordinate);
    if (force <= 0) return;
    BoundedRow& row = problem.bounded.emplace_back();
    row.link = link_id;
    row.joint = joint_id;
    row.g = geometry.g_coordinate;
    row.hi = h * force / geometry.unit;
    row.lo = -row.hi;
    row.friction = true;
}

// Friction beside a position motor has a link of its own: as rows of one link, the rigid one would
// take the soft one's place, and its impulse would be the small difference of two large numbers.
bool parts_friction(const Joint& joint, const Motor& motor) {
    return motor.kind == Motor::Kind::kPosition && (joint.friction > 0 || joint.damping > 0);
}

// Limits, motor and friction of a joint, on its coordinate; they belong to link `link_id`.
void add_coordinate_rows(const Joint& joint, int j, const JointGeometry& geometry,
                         const State& state, const Forces& forces, const StepSettings& settings,
                         int link_id, ContactProblem& problem) {
    const JointCoordinate coordinate = joint_coordinate(state, joint);
    add_limits(joint, j, geometry, coordinate, settings, link_id, problem);
    const Motor& motor = forces.motors[at(j)];
    add_motor(motor, j, geometry, coordinate, settings.h, link_id, problem);
    if (!parts_friction(joint, motor))
        add_joint_friction(joint, j, geometry, coordinate, settings.h, link_id, problem);
}

LinkRows no_rows_yet(const ContactProblem& problem) {
    LinkRows rows;
    rows.contact_begin = rows.contact_end = static_cast<int>(problem.contacts.size());
    rows.joint_begin = rows.joint_end = static_cast<int>(problem.joints.size());
    rows.limit_begin = rows.limit_end = static_cast<int>(problem.limits.size());
    rows.bounded_begin = rows.bounded_end = static_cast<int>(problem.bounded.size());
    return rows;
}

// A coordinate of a tree that has rows of its own.
bool is_driven(const Joint& joint, const Motor& motor) {
    return joint.kind != JointKind::kFixed && joint.kind != JointKind::kSpherical &&
           (joint.limited || motor.kind != Motor::Kind::kOff || joint.friction > 0 ||
            joint.damping > 0);
}

// Coordinates of a tree, which are velocities already, in one side of a link: u_row is the sum of
// unit times rate over the entries of that row.
struct CoordinateSide {
    struct Entry {
        int velocity = kNone;
        std::size_t row = 0;
        double unit = 0;
    };
    std::array<Entry, 6> entry{};
    std::size_t count = 0;

    void add(int velocity, std::size_t row, double unit) { entry[count++] = {velocity, row, unit}; }
};

// X and Z of such a side, over all velocities on the ways from the coordinates to the root.
void add_coordinate_side(const Tree& tree, const CoordinateSide& coordinates, GeneralSide& side,
                         LinkSystem& system) {
    side.columns = static_cast<int>(system.columns.size());
    const Ways ways = tree.ways();
    for (std::size_t e = 0; e < coordinates.count; ++e) {
        const int velocity = coordinates.entry[e].velocity;
        const int* way = ways.way(velocity);
        system.columns.insert(system.columns.end(), way, way + ways.count(velocity));
    }
    const auto begin = system.columns.begin() + side.columns;
    std::sort(begin, system.columns.end());
    const auto end = std::unique(begin, system.columns.end());
    side.count = static_cast<int>(end - begin);
    side.X = take_from_pool(system, 12 * side.count);
    side.Z = side.X + 6 * side.count;
    for (std::size_t e = 0; e < coordinates.count; ++e) {
        const CoordinateSide::Entry& entry = coordinates.entry[e];
        const auto place =
            at(static_cast<int>(std::lower_bound(begin, end, entry.velocity) - begin));
        system.pool[at(side.X) + 6 * place + entry.row] += entry.unit;
    }
    system.columns.erase(end, system.columns.end());
    set_root_response(system, system.blocks[at(tree.block)], side);
}

// Six coordinates of a tree share a link: the solvers' cost follows the number of links. `wanted`
// chooses the joints, `add_rows` gives them their rows.
template <class Wanted, class AddRows>
void assemble_coordinates(const Model& model, const Forces& forces, const Tree& tree,
                          const Wanted& wanted, const AddRows& add_rows, ContactProblem& problem) {
    LinkSystem& system = problem.system;
    CoordinateSide taken;
    const auto finish = [&] {
        add_coordinate_side(tree, taken, system.links.back().general_a, system);
        taken.count = 0;
    };
    for (const Tree::Node& node : tree.nodes) {
        if (node.joint == kNone ||
            !wanted(model.joints[at(node.joint)], forces.motors[at(node.joint)]))
            continue;
        const Joint& joint = model.joints[at(node.joint)];
        if (taken.count == 0) {
            Link& link = system.links.emplace_back();
            link.a = tree.block;
            link.length = natural_length(model, system, joint.child, joint.parent);
            problem.link_rows.push_back(no_rows_yet(problem));
        }
        JointGeometry geometry;
        geometry.has_coordinate = true;
        geometry.unit = joint.kind == JointKind::kRevolute ? system.links.back().length : 1.0;
        geometry.g_coordinate = Vec6::Unit(static_cast<Eigen::Index>(taken.count));
        taken.add(node.first, taken.count, geometry.unit);
        add_rows(joint, node.joint, geometry, static_cast<int>(system.links.size()) - 1);
        problem.link_rows.back().limit_end = static_cast<int>(problem.limits.size());
        problem.link_rows.back().bounded_end = static_cast<int>(problem.bounded.size());
        if (taken.count == 6) finish();
    }
    if (taken.count > 0) finish();
}

}  // namespace

double joint_friction(const Joint& joint, const JointCoordinate& coordinate) {
    return joint.friction + joint.damping * std::abs(coordinate.velocity);
}

void assemble_tree_rows(const Model& model, const State& state, const Forces& forces,
                        const StepSettings& settings, const Tree& tree, ContactProblem& problem) {
    assemble_coordinates(
        model, forces, tree, is_driven,
        [&](const Joint& joint, int j, const JointGeometry& geometry, int link_id) {
            add_coordinate_rows(joint, j, geometry, state, forces, settings, link_id, problem);
        },
        problem);
    assemble_coordinates(
        model, forces, tree, parts_friction,
        [&](const Joint& joint, int j, const JointGeometry& geometry, int link_id) {
            add_joint_friction(joint, j, geometry, joint_coordinate(state, joint), settings.h,
                               link_id, problem);
        },
        problem);
}

// The two coordinates are of one tree, or of two that become coupled.
void assemble_mimics(const Model& model, const State& state, const StepSettings& settings,
                     ContactProblem& problem) {
    const bool baumgarte = settings.stabilisation == Stabilisation::kBaumgarte;
    for (int j = 0; j < static_cast<int>(model.joints.size()); ++j) {
        const Joint& joint = model.joints[at(j)];
        if (!joint.mimic || !joint.reduced) continue;
        const Body& body = model.bodies[at(joint.child)];
        const Body& other = model.bodies[at(model.joints[at(joint.mimic->joint)].child)];
        const Tree& tree = model.trees[at(body.tree)];
        const Tree& other_tree = model.trees[at(other.tree)];
        const int column = tree.nodes[at(body.node)].first;
        const int other_column = other_tree.nodes[at(other.node)].first;

        Link link;
        link.a = tree.block;
        link.length = natural_length(model, problem.system, joint.child, joint.parent);
        const double unit = joint.kind == JointKind::kRevolute ? link.length : 1.0;
        const double other_unit = unit * joint.mimic->multiplier;
        CoordinateSide own, others;
        own.add(column, 0, unit);
        if (body.tree == other.tree) {
            own.add(other_column, 0, -other_unit);
        } else {
            link.b = other_tree.block;
            others.add(other_column, 0, other_unit);
            add_coordinate_side(other_tree, others, link.general_b, problem.system);
        }
        add_coordinate_side(tree, own, link.general_a, problem.system);
        LinkRows rows = no_rows_yet(problem);
        JointRow& row = problem.joints.emplace_back();
        row.link = static_cast<int>(problem.system.links.size());
        row.g = Vec6::Unit(0);
        row.error = unit * mimic_error(model, state, joint);
        row.joint = j;
        if (baumgarte) row.bias = -settings.baumgarte * row.error / settings.h;
        rows.joint_end = static_cast<int>(problem.joints.size());
        problem.system.links.push_back(link);
        problem.link_rows.push_back(rows);
    }
}

void assemble_joints(const Model& model, const State& state, const Forces& forces,
                     const StepSettings& settings, const std::vector<TreeMotion>& trees,
                     ContactProblem& problem) {
    const bool baumgarte = settings.stabilisation == Stabilisation::kBaumgarte;
    for (int j = 0; j < static_cast<int>(model.joints.size()); ++j) {
        const Joint& joint = model.joints[at(j)];
        if (joint.reduced) continue;
        const auto link_id = static_cast<int>(problem.system.links.size());
        const Vec3 anchor = state.pose[at(joint.child)] * joint.frame_C.p;
        Link link = make_link(model, state, joint.child, joint.parent, anchor);
        if (link.a == kNone && link.b == kNone) continue;  // nothing to solve for
        link.length = natural_length(model, problem.system, joint.child, joint.parent);
        complete_link(model, state, trees, joint.child, joint.parent, anchor, link, problem.system);
        const JointGeometry geometry = joint_geometry(state, joint, link.length);
        problem.system.links.push_back(link);

        LinkRows& rows = problem.link_rows.emplace_back();
        rows.joint_begin = static_cast<int>(problem.joints.size());
        for (int k = 0; k < geometry.rows; ++k) {
            JointRow& row = problem.joints.emplace_back();
            row.link = link_id;
            row.g = geometry.g[at(k)];
            row.error = geometry.error[at(k)];
            row.joint = j;
            if (baumgarte) row.bias = -settings.baumgarte * row.error / settings.h;
        }
        rows.joint_end = static_cast<int>(problem.joints.size());
        rows.limit_begin = rows.limit_end = static_cast<int>(problem.limits.size());
        rows.bounded_begin = rows.bounded_end = static_cast<int>(problem.bounded.size());
        if (!geometry.has_coordinate) continue;
        add_coordinate_rows(joint, j, geometry, state, forces, settings, link_id, problem);
        rows.limit_end = static_cast<int>(problem.limits.size());
        rows.bounded_end = static_cast<int>(problem.bounded.size());
        if (!parts_friction(joint, forces.motors[at(j)])) continue;
        problem.system.links.push_back(link);
        LinkRows parted = no_rows_yet(problem);
        add_joint_friction(joint, j, geometry, joint_coordinate(state, joint), settings.h,
                           link_id + 1, problem);
        parted.bounded_end = static_cast<int>(problem.bounded.size());
        problem.link_rows.push_back(parted);
    }
}

}  // namespace stiction

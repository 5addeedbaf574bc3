// assemble.cpp - the contact problem of one step: rows of contacts, and all rows at another state.
#include "assemble/assemble.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "assemble/joint_rows.h"
#include "assemble/links.h"
#include "dynamics/joint_geometry.h"
#include "problem/link_motion.h"

namespace stiction {

namespace {

Vec6 point_row(const Vec3& direction, const Vec3& lever, double length) {
    Vec6 g;
    g.head<3>() = direction;
    g.tail<3>() = lever.cross(direction) * (1.0 / length);
    return g;
}

// Where a contact's rows act; p0 is the reference point of its link.
void set_directions(const Contact& contact, const Vec3& s, const Vec3& t, const Link& link,
                    const Vec3& p0, ContactRow& row) {
    const Vec3 lever = contact.p() - p0;
    row.n = point_row(contact.n, lever, link.length);
    row.s = point_row(s, lever, link.length);
    row.t = point_row(t, lever, link.length);
    row.phi = contact.phi;
}

// One contact's rows; its link must be complete.
void add_contact(const Model& model, const Contact& contact, const Vec3& s, const Vec3& t,
                 const Link& link, int link_id, const Vec3& p0, ContactProblem& problem) {
    const SurfacePair& surface = model.surface(model.geoms[at(contact.geom_a)].material,
                                               model.geoms[at(contact.geom_b)].material);
    ContactRow& row = problem.contacts.emplace_back();
    row.link = link_id;
    set_directions(contact, s, t, link, p0, row);
    row.mu_c = surface.mu_c;
    row.mu_v = surface.mu_v;
    row.eps = surface.eps;
    row.key = key(contact);
}

// Gaps that count as touching get no bias: phi/h of a resting contact is noise, which makes the
// rows of redundant contacts contradict each other; impulses then drift for thousands of sweeps. A
// contact that rebounds in this step takes its impulse at once: with bias phi/h only part of the
// approach speed would be stopped now, and restitution would be applied to that part alone.
void set_contact_bias(const StepSettings& settings, double threshold, const Link& link,
                      const ContactProblem& problem, ContactRow& row) {
    row.bias = unilateral_bias(settings, row.phi);
    const bool touches = row.phi > 0 && row.phi <= kTouching * link.length;
    if (touches && settings.stabilisation != Stabilisation::kStewartTrinkle) row.bias = 0;
    if (row.eps <= 0 || row.phi <= 0) return;
    const double approach = -row.n.dot(link_velocity(problem.system, link, problem.v));
    const double closing =
        row.phi + problem.h * row.n.dot(link_velocity(problem.system, link, problem.v_free));
    if (approach > threshold && closing < 0) row.bias = 0;
}

void assemble_contacts(const Model& model, const State& state, const ContactSet& set,
                       const StepSettings& settings, const std::vector<TreeMotion>& trees,
                       ContactProblem& problem) {
    const double threshold = restitution_threshold(settings, problem.gravity);
    const std::vector<Contact>& all = set.contacts;
    Vec3 s, t;  // contacts of one face, or of flat ground, share a normal and so their tangents
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
        Vec3 p0 = Vec3::Zero();
        for (end = begin; end < all.size() && all[end].body_a == all[begin].body_a &&
                          all[end].body_b == all[begin].body_b;
             ++end) {
            p0 += all[end].p();
        }
        const double count = static_cast<double>(end - begin);
        p0 /= count;
        double spread = 0;
        for (std::size_t i = begin; i < end; ++i) spread += (all[i].p() - p0).squaredNorm();
        spread = std::sqrt(spread / count);

        const int a = all[begin].body_a;
        const int b = all[begin].body_b;
        const auto link_id = static_cast<int>(problem.system.links.size());
        Link link = make_link(model, state, a, b, p0);
        const double natural = natural_length(model, problem.system, a, b);
        link.length = spread > 1e-3 * natural ? spread : natural;
        complete_link(model, state, trees, a, b, p0, link, problem.system);
        problem.system.links.push_back(link);

        LinkRows& rows = problem.link_rows.emplace_back();
        rows.contact_begin = static_cast<int>(problem.contacts.size());
        for (std::size_t i = begin; i < end; ++i) {
            if (i == 0 || all[i].n != all[i - 1].n) tangents(all[i].n, s, t);
            add_contact(model, all[i], s, t, link, link_id, p0, problem);
            set_contact_bias(settings, threshold, link, problem, problem.contacts.back());
        }
        rows.contact_end = static_cast<int>(problem.contacts.size());
    }
}

// The joint that a link without contacts belongs to.
int joint_of(const ContactProblem& problem, const LinkRows& rows) {
    if (rows.joint_begin < rows.joint_end) return problem.joints[at(rows.joint_begin)].joint;
    if (rows.bounded_begin < rows.bounded_end) return problem.bounded[at(rows.bounded_begin)].joint;
    return problem.limits[at(rows.limit_begin)].joint;
}

// Its rows are about coordinates of trees, which do not depend on where these are.
bool is_of_coordinates(const Model& model, const ContactProblem& problem, const LinkRows& rows) {
    return rows.contact_begin == rows.contact_end &&
           model.joints[at(joint_of(problem, rows))].reduced;
}

// The two bodies of a link of the problem (kNone: the world).
std::pair<int, int> bodies_of(const Model& model, const ContactSet& set,
                              const ContactProblem& problem, const LinkRows& rows) {
    if (rows.contact_begin < rows.contact_end) {
        const Contact& contact = set.contacts[at(rows.contact_begin)];
        return {contact.body_a, contact.body_b};
    }
    const Joint& joint = model.joints[at(joint_of(problem, rows))];
    if (joint.reduced) return {kNone, kNone};
    return {joint.child, joint.parent};
}

void move_contact_rows(const Model& model, const State& state, const ContactSet& set,
                       const std::vector<TreeMotion>& trees, const LinkRows& rows, Link& link,
                       ContactProblem& problem) {
    const Contact& first = set.contacts[at(rows.contact_begin)];
    Vec3 p0 = Vec3::Zero();
    for (int i = rows.contact_begin; i < rows.contact_end; ++i) p0 += set.contacts[at(i)].p();
    p0 /= static_cast<double>(rows.contact_end - rows.contact_begin);
    link.r_a = p0 - state.pose[at(first.body_a)].p;
    link.r_b = p0 - state.pose[at(first.body_b)].p;
    update_sides(model, trees, first.body_a, first.body_b, p0, link, problem.system);
    Vec3 s, t;  // contacts of one face share a normal and so their tangents
    for (int i = rows.contact_begin; i < rows.contact_end; ++i) {
        const Contact& contact = set.contacts[at(i)];
        if (i == rows.contact_begin || contact.n != set.contacts[at(i - 1)].n)
            tangents(contact.n, s, t);
        set_directions(contact, s, t, link, p0, problem.contacts[at(i)]);
    }
}

// Rows of coordinates of trees: their distances from limits, and the bounds of joint friction.
void move_coordinate_rows(const Model& model, const State& state, const LinkRows& rows,
                          const Link& link, ContactProblem& problem) {
    const auto unit = [&](const Joint& joint) {
        return joint.kind == JointKind::kRevolute ? link.length : 1.0;
    };
    for (int i = rows.joint_begin; i < rows.joint_end; ++i) {
        JointRow& row = problem.joints[at(i)];
        const Joint& joint = model.joints[at(row.joint)];
        row.error = unit(joint) * mimic_error(model, state, joint);
    }
    for (int i = rows.limit_begin; i < rows.limit_end; ++i) {
        LimitRow& row = problem.limits[at(i)];
        const Joint& joint = model.joints[at(row.joint)];
        const double position = joint_coordinate(state, joint).position;
        row.phi = unit(joint) * (row.upper ? joint.upper - position : position - joint.lower);
    }
    for (int i = rows.bounded_begin; i < rows.bounded_end; ++i) {
        BoundedRow& row = problem.bounded[at(i)];
        if (!row.friction) continue;
        const Joint& joint = model.joints[at(row.joint)];
        row.hi = problem.h * joint_friction(joint, joint_coordinate(state, joint)) / unit(joint);
        row.lo = -row.hi;
    }
}

void move_joint_rows(const Model& model, const State& state, const std::vector<TreeMotion>& trees,
                     const LinkRows& rows, Link& link, ContactProblem& problem) {
    const Joint& joint = model.joints[at(joint_of(problem, rows))];
    const JointGeometry geometry = joint_geometry(state, joint, link.length);
    link.r_a = geometry.point - state.pose[at(joint.child)].p;
    if (joint.parent != kNone) link.r_b = geometry.point - state.pose[at(joint.parent)].p;
    update_sides(model, trees, joint.child, joint.parent, geometry.point, link, problem.system);
    for (int i = rows.joint_begin; i < rows.joint_end; ++i) {
        problem.joints[at(i)].g = geometry.g[at(i - rows.joint_begin)];
        problem.joints[at(i)].error = geometry.error[at(i - rows.joint_begin)];
    }
    if (!geometry.has_coordinate) return;
    const JointCoordinate coordinate = joint_coordinate(state, joint);
    for (int i = rows.limit_begin; i < rows.limit_end; ++i) {
        LimitRow& row = problem.limits[at(i)];
        row.g = (row.upper ? -1.0 : 1.0) * geometry.g_coordinate;
        row.phi = geometry.unit * (row.upper ? joint.upper - coordinate.position
                                             : coordinate.position - joint.lower);
    }
    for (int i = rows.bounded_begin; i < rows.bounded_end; ++i) {
        BoundedRow& row = problem.bounded[at(i)];
        row.g = geometry.g_coordinate;
        if (!row.friction) continue;
        row.hi = problem.h * joint_friction(joint, coordinate) / geometry.unit;
        row.lo = -row.hi;
    }
}

void find_touching(const Model& model, const ContactSet& set, std::vector<TreeMotion>& trees) {
    trees.resize(model.trees.size());
    for (TreeMotion& tree : trees) tree.touches = false;
    for (const Contact& contact : set.contacts) {
        for (const int body : {contact.body_a, contact.body_b}) {
            const int tree = model.bodies[at(body)].tree;
            if (tree != kNone) trees[at(tree)].touches = true;
        }
    }
}

}  // namespace

double unilateral_bias(const StepSettings& settings, double phi) {
    if (phi > 0 || settings.stabilisation == Stabilisation::kStewartTrinkle)
        return phi / settings.h;
    if (settings.stabilisation != Stabilisation::kBaumgarte) return 0;
    return std::max(settings.baumgarte * phi / settings.h, -settings.baumgarte_max_speed);
}

double restitution_threshold(const StepSettings& settings, double gravity) {
    return settings.restitution_threshold >= 0 ? settings.restitution_threshold
                                               : 2.0 * gravity * settings.h;
}

double rebound_in_solve(const StepSettings& settings, double gravity) {
    return settings.impacts == Impacts::kSequential ? std::numeric_limits<double>::infinity()
                                                    : restitution_threshold(settings, gravity);
}

void assemble(const Model& model, const State& state, const Forces& forces,
              const ContactSet& contacts, const StepSettings& settings,
              AssembleWorkspace& workspace, ContactProblem& problem) {
    problem.h = settings.h;
    problem.gravity = model.gravity.norm();
    problem.system.links.clear();
    problem.contacts.clear();
    problem.joints.clear();
    problem.limits.clear();
    problem.bounded.clear();
    problem.link_rows.clear();
    find_touching(model, contacts, workspace.trees);
    assemble_blocks(model, state, forces, settings.h, workspace.trees, problem);
    assemble_joints(model, state, forces, settings, workspace.trees, problem);
    for (const Tree& tree : model.trees)
        assemble_tree_rows(model, state, forces, settings, tree, problem);
    assemble_mimics(model, state, settings, problem);
    assemble_contacts(model, state, contacts, settings, workspace.trees, problem);
    find_islands(problem, workspace.islands);
}

void move_blocks(const Model& model, const State& state, const Forces& forces,
                 std::vector<TreeMotion>& trees, ContactProblem& problem) {
    trees.resize(model.trees.size());
    update_blocks(model, state, forces, problem.h, trees, problem);
}

void move_rows(const Model& model, const State& state, const ContactSet& contacts,
               const std::vector<TreeMotion>& trees, ContactProblem& problem) {
    for (std::size_t l = 0; l < problem.system.links.size(); ++l) {
        const LinkRows& rows = problem.link_rows[l];
        Link& link = problem.system.links[l];
        if (rows.contact_begin < rows.contact_end) {
            move_contact_rows(model, state, contacts, trees, rows, link, problem);
        } else if (is_of_coordinates(model, problem, rows)) {
            move_coordinate_rows(model, state, rows, link, problem);
        } else {
            move_joint_rows(model, state, trees, rows, link, problem);
        }
    }
    set_prescribed_motion(model, state.twist, contacts, problem);
}

void set_prescribed_motion(const Model& model, const std::vector<Twist>& twists,
                           const ContactSet& contacts, ContactProblem& problem) {
    for (std::size_t l = 0; l < problem.system.links.size(); ++l) {
        const auto [a, b] = bodies_of(model, contacts, problem, problem.link_rows[l]);
        problem.system.links[l].u0.setZero();
        add_prescribed_motion(model, twists, a, b, problem.system.links[l]);
    }
}

}  // namespace stiction

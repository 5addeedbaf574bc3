// tree_momentum.cpp - momenta of a tree's bodies from one place to the next.
#include "dynamics/tree_momentum.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "dynamics/free_body.h"

namespace stiction {

namespace {

using Spatial = TreeMotion::Spatial;

// Of the energies that are compared: what rounding may add.
constexpr double kRounding = 1e-14;
// Of a slow tree: farthest turn of a body in a step [rad].
constexpr double kSlowTurn = 1e-3;

// Velocities of the bodies for velocities v of the tree: act(node, v_com, w).
template <class Act>
void for_each_velocity(const Model& model, const Tree& tree, const State& state,
                       const TreeMotion& motion, const double* v, std::vector<Spatial>& scratch,
                       const Act& act) {
    scratch.resize(tree.nodes.size());
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const Tree::Node& node = tree.nodes[i];
        Spatial u = node.parent == kNone ? Spatial{} : scratch[at(node.parent)];
        for (int k = node.first; k < node.first + node.dofs; ++k) {
            u.linear += v[k] * motion.S.col(k).head<3>();
            u.angular += v[k] * motion.S.col(k).tail<3>();
        }
        scratch[i] = u;
        const Vec3 c = state.pose[at(node.body)].p - motion.O;
        act(i, model.bodies[at(node.body)], Vec3(u.linear + u.angular.cross(c)), u.angular);
    }
}

double armature_energy(const Model& model, const Tree& tree, const double* v) {
    double sum = 0;
    for (const Tree::Node& node : tree.nodes) {
        if (node.joint == kNone) continue;
        for (int k = node.first; k < node.first + node.dofs; ++k)
            sum += 0.5 * model.joints[at(node.joint)].armature * v[k] * v[k];
    }
    return sum;
}

double gravity_potential(const Model& model, const Tree& tree, const State& state) {
    double sum = 0;
    for (const Tree::Node& node : tree.nodes) {
        const Body& body = model.bodies[at(node.body)];
        sum -= body.gravity_scale * body.mass * model.gravity.dot(state.pose[at(node.body)].p);
    }
    return sum;
}

void solve(const Ways& ways, const double* root, VecX& x) {
    solve_root(ways, root, x.data());
    solve_root_transposed(ways, root, x.data());
}

// The largest t in [0, 1] with a t^2 + b t + c <= 0; 0 where there is none.
double largest_share(double a, double b, double c) {
    if (c >= 0) return 0;
    if (a + b + c <= 0) return 1;
    return std::clamp((-b + std::sqrt(std::max(0.0, b * b - 4 * a * c))) / (2 * a), 0.0, 1.0);
}

// Per node: the momentum that its body has kept, what explicit Coriolis forces make of it less
// that, and its weight; all about O.
void find_momenta(const Model& model, const Tree& tree, const State& state, double h,
                  TreeMomenta& m) {
    const std::size_t count = tree.nodes.size();
    m.momentum.resize(count);
    m.change.resize(count);
    m.weight.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const int id = tree.nodes[i].body;
        const Body& body = model.bodies[at(id)];
        const Vec3 c = state.pose[at(id)].p - m.motion.O;
        const Vec3 p = body.mass * m.velocity[i];
        const Vec3 L = body.moments.cwiseProduct(m.spin_P[i]);
        m.momentum[i] = {p, c.cross(p) + (state.pose[at(id)].q * body.q_BP) * L};
        const Spatial explicit_momentum = momentum_after(m.motion, i, h);
        m.change[i] = {explicit_momentum.linear - m.momentum[i].linear,
                       explicit_momentum.angular - m.momentum[i].angular};
        const Vec3 weight = (body.gravity_scale * body.mass) * model.gravity;
        m.weight[i] = {weight, c.cross(weight)};
    }
}

void add(const Spatial& x, Spatial& sum) {
    sum.linear += x.linear;
    sum.angular += x.angular;
}

// r_M, r_d and g: S' of the three.
void gather(const Model& model, const Tree& tree, TreeMomenta& m) {
    const auto along = [&](int k, const Spatial& x) {
        return m.motion.S.col(k).head<3>().dot(x.linear) +
               m.motion.S.col(k).tail<3>().dot(x.angular);
    };
    for (std::size_t i = tree.nodes.size(); i-- > 0;) {
        const Tree::Node& node = tree.nodes[i];
        const double armature = node.joint == kNone ? 0 : model.joints[at(node.joint)].armature;
        for (int k = node.first; k < node.first + node.dofs; ++k) {
            m.r_M[k] = along(k, m.momentum[i]) + armature * m.motion.v[k];
            m.r_d[k] = along(k, m.change[i]);
            m.g[k] = along(k, m.weight[i]);
        }
        if (node.parent == kNone) continue;
        add(m.momentum[i], m.momentum[at(node.parent)]);
        add(m.change[i], m.change[at(node.parent)]);
        add(m.weight[i], m.weight[at(node.parent)]);
    }
}

// The inertia of the whole tree about O.
Mat6 locked_inertia(const TreeMotion& motion) {
    const TreeMotion::Inertia& all = motion.composite[0];
    Mat6 I;
    I << all.mass * Mat3::Identity(), -skew(all.moment), skew(all.moment), all.inertia;
    return I;
}

// v_M with the joints' velocities scaled so that T + h/2 g.v <= most.
void scale_down(double h, bool floating, double most, TreeMomenta& m) {
    double whole = 0, whole_power = 0;  // of the motion as a whole, which stays
    Vec6 base = Vec6::Zero();
    if (floating) {
        base = locked_inertia(m.motion).llt().solve(m.r_M.head<6>());
        whole = 0.5 * base.dot(m.r_M.head<6>());
        whole_power = 0.5 * h * base.dot(m.g.head<6>());
        m.v_M.head<6>() -= base;
    }
    const double T = 0.5 * m.v_M.dot(m.r_M);
    const double power = 0.5 * h * m.g.dot(m.v_M);
    const double left = most - whole - whole_power;
    double scale = 1;
    if (T + power > left && T > 0) {
        const double root = power * power + 4 * T * left;
        scale = std::clamp((-power + std::sqrt(std::max(0.0, root))) / (2 * T), 0.0, 1.0);
    }
    m.v_M *= scale;
    if (floating) m.v_M.head<6>() += base;
}

// v_M and d, then v in v_M.
void blend(const Tree& tree, double h, bool balanced, double potential, TreeMomenta& m) {
    const Ways ways = tree.ways();
    const double* root = m.H.data() + ways.entries();
    const bool floating = tree.nodes.front().joint == kNone;
    m.v_M = m.r_M;
    solve(ways, root, m.v_M);
    m.d = m.r_d;
    solve(ways, root, m.d);
    double a = 0.5 * m.d.dot(m.r_d);
    if (floating) {
        const Vec6 base = locked_inertia(m.motion).llt().solve(m.r_d.head<6>());
        a -= 0.5 * base.dot(m.r_d.head<6>());
        m.d.head<6>() -= base;
    }
    const double b = m.d.dot(m.r_M);
    const double T = 0.5 * m.v_M.dot(m.r_M);
    const double slack = kRounding * m.kinetic;
    double t = largest_share(a, b, T - m.kinetic - slack);
    if (!balanced) {
        m.v_M += t * m.d;
        return;
    }
    const double most = m.balance - potential;
    const double over =
        T + 0.5 * h * m.g.dot(m.v_M) - most - kRounding * (m.kinetic + std::abs(potential));
    if (over >= 0) {
        scale_down(h, floating, most, m);
        return;
    }
    t = std::min(t, largest_share(a, b + 0.5 * h * m.g.dot(m.d), over));
    m.v_M += t * m.d;
}

}  // namespace

bool is_slow(const TreeMotion& motion, double h) {
    const double most = kSlowTurn * kSlowTurn / (h * h);
    return std::all_of(motion.velocity.begin(), motion.velocity.end(),
                       [&](const Spatial& v) { return v.angular.squaredNorm() <= most; });
}

void remember_momenta(const Model& model, const Tree& tree, const State& state,
                      const TreeMotion& motion, Eigen::Ref<const VecX> v, double h,
                      TreeMomenta& momenta) {
    TreeMomenta& m = momenta;
    m.velocity.resize(tree.nodes.size());
    m.spin_P.resize(tree.nodes.size());
    m.kinetic = armature_energy(model, tree, v.data());
    double power = 0;
    for_each_velocity(model, tree, state, motion, v.data(), m.momentum,
                      [&](std::size_t i, const Body& body, const Vec3& v_com, const Vec3& w) {
                          m.velocity[i] = v_com;
                          const Quat q_P = state.pose[at(tree.nodes[i].body)].q * body.q_BP;
                          const Vec3 spin = q_P.conjugate() * w;
                          m.spin_P[i] = free_turn(body, spin, h).end;
                          m.kinetic += 0.5 * body.mass * v_com.squaredNorm() +
                                       0.5 * spin.dot(body.moments.cwiseProduct(spin));
                          power += body.gravity_scale * body.mass * model.gravity.dot(v_com);
                      });
    m.balance = m.kinetic - 0.5 * h * power + gravity_potential(model, tree, state);
}

void carry_momenta(const Model& model, const Tree& tree, double h, bool moved_so,
                   TreeMomenta& momenta, State& state) {
    TreeMomenta& m = momenta;
    if (m.kinetic == 0) return;
    find_motion(model, tree, state, m.motion);
    const Ways ways = tree.ways();
    m.H.resize(2 * at(ways.entries()));
    tree_inertia(model, tree, m.motion, m.H.data());
    factor(ways, m.H.data(), m.H.data() + ways.entries());
    m.r_M.resize(tree.dofs);
    m.r_d.resize(tree.dofs);
    m.g.resize(tree.dofs);
    find_momenta(model, tree, state, h, m);
    gather(model, tree, m);
    const bool balanced = moved_so && tree.dofs > 1;
    blend(tree, h, balanced, balanced ? gravity_potential(model, tree, state) : 0.0, m);
    set_tree_twists(tree, m.motion, m.v_M, state);
}

}  // namespace stiction

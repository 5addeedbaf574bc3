// max_dissipation_test.cpp - maximum dissipation: its invariants on random impacts, closed forms on
// a ramp, both forms of the program, every solver, joints beside contacts, the fallback.
#include "contact/models/max_dissipation.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <cstdio>
#include <limits>

#include "allocation_count.h"
#include "contact/solve_contact.h"
#include "core/random.h"
#include "scene/scene_files.h"
#include "scene_runs.h"
#include "solve/cone/cone_qp.h"
#include "step/simulation.h"

namespace stiction {
namespace {

constexpr const char* kSolvers[] = {"auto", "interior_point", "prox_newton"};

MaxDissipation with_solver(MaxDissipationSolver solver) {
    MaxDissipation model;
    model.solver = solver;
    return model;
}

// ---- random impacts

Vec3 random_vector(Random& random, double size) {
    return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

void add_body(Random& random, ContactProblem& problem) {
    InertiaBlock& block = problem.system.blocks.emplace_back();
    block.offset = problem.system.nv;
    problem.system.nv += 6;
    block.mass = std::pow(10.0, random.uniform(-1, 1));
    block.inv_mass = 1 / block.mass;
    const Mat3 R = Quat(random.unit() + 0.1, random.unit(), random.unit(), random.unit())
                       .normalized()
                       .toRotationMatrix();
    const Vec3 moments = block.mass * Vec3(random.uniform(0.1, 0.2), random.uniform(0.1, 0.2), 0.2);
    block.inertia = R * moments.asDiagonal() * R.transpose();
    block.inv_inertia = block.inertia.inverse();
}

int add_link(Random& random, int a, int b, ContactProblem& problem) {
    Link& link = problem.system.links.emplace_back();
    link.a = a;
    link.b = b;
    link.length = 0.5;
    link.r_a = random_vector(random, 0.5);
    if (b != kNone) link.r_b = random_vector(random, 0.5);
    problem.link_rows.emplace_back();
    return static_cast<int>(problem.system.links.size()) - 1;
}

void add_contact(Random& random, int link, double mu_v, ContactProblem& problem) {
    ContactRow& row = problem.contacts.emplace_back();
    row.link = link;
    const Vec3 n = random_vector(random, 1).normalized();
    const Vec3 p = random_vector(random, 0.3);
    Vec3 s, t;
    tangents(n, s, t);
    const auto six = [&](const Vec3& d) {
        Vec6 g;
        g << d, p.cross(d) / 0.5;
        return g;
    };
    row.n = six(n);
    row.s = six(s);
    row.t = six(t);
    row.bias = random.unit() < 0.3 ? random.uniform(0, 0.5) : 0.0;
    row.phi = row.bias * problem.h;
    row.mu_c = random.unit() < 0.1 ? 0.0 : random.uniform(0.05, 1.2);
    row.mu_v = mu_v;
    row.key.feature = static_cast<std::uint32_t>(problem.contacts.size());
}

struct ImpactSize {
    int bodies = 3, links = 4, contacts_per_link = 3;
    bool joints = false;
    double mu_v = 0;
};

// Bodies in random motion, with contacts of random place and normal. With joints, the first two
// bodies share a point.
ContactProblem random_impact(std::uint64_t seed, const ImpactSize& size) {
    Random random(seed);
    ContactProblem problem;
    problem.h = 1e-2;
    for (int i = 0; i < size.bodies; ++i) add_body(random, problem);
    if (size.joints) {
        const int link = add_link(random, 0, 1, problem);
        for (int k = 0; k < 3; ++k) {
            JointRow& row = problem.joints.emplace_back();
            row.link = link;
            row.g = Vec6::Unit(k);
            row.joint = 0;
        }
        problem.link_rows.back() = {0, 0, 0, 3, 0, 0, 0, 0};
    }
    for (int l = 0; l < size.links; ++l) {
        const int a = static_cast<int>(random.bits() % static_cast<unsigned>(size.bodies));
        const int b = static_cast<int>(random.bits() % static_cast<unsigned>(size.bodies));
        const int link = add_link(random, a, a == b || random.unit() < 0.3 ? kNone : b, problem);
        LinkRows& rows = problem.link_rows.back();
        rows.contact_begin = static_cast<int>(problem.contacts.size());
        const auto count = 1 + random.bits() % static_cast<unsigned>(size.contacts_per_link);
        for (std::uint64_t i = 0; i < count; ++i) add_contact(random, link, size.mu_v, problem);
        rows.contact_end = static_cast<int>(problem.contacts.size());
    }
    problem.v.resize(problem.system.nv);
    for (double& v : problem.v) v = random.uniform(-1, 1);
    problem.v_free = problem.v;
    problem.f = VecX::Zero(problem.system.nv);
    std::vector<int> scratch;
    find_islands(problem, scratch);
    return problem;
}

ContactSolution solve(const ContactModel& model, const ContactProblem& problem) {
    ThreadPool pool(1);
    ContactWorkspace workspace;
    Guess guess;
    ContactSolution solution;
    solve_contact(model, problem, 1e9, pool, workspace, guess, solution);
    return solution;
}

double kinetic_energy(const DenseProblem& d, const VecX& v) { return 0.5 * v.dot(d.M * v); }

VecX as_vector(const std::vector<double>& c) {
    return Eigen::Map<const VecX>(c.data(), static_cast<Eigen::Index>(c.size()));
}

// Sum of normal impulses of the contacts of one island.
double normal_sum(const ContactProblem& problem, const Island& island,
                  const std::vector<double>& c_n) {
    double sum = 0;
    for (int k = island.link_begin; k < island.link_end; ++k) {
        const LinkRows& rows = problem.link_rows[static_cast<std::size_t>(
            problem.island_links[static_cast<std::size_t>(k)])];
        for (int i = rows.contact_begin; i < rows.contact_end; ++i) {
            sum += c_n[static_cast<std::size_t>(i)];
        }
    }
    return sum;
}

// v_hat without contacts: joints alone.
VecX joint_velocity(const ContactProblem& problem, const DenseProblem& d) {
    if (problem.joints.empty()) return problem.v_free;
    const MatX M_inverse = d.M.inverse();
    const MatX W = d.J * M_inverse * d.J.transpose();
    return problem.v_free -
           M_inverse * d.J.transpose() * W.inverse() * (d.J * problem.v_free + d.J0);
}

void expect_invariants(const ContactProblem& problem, const ContactSolution& solution,
                       const ContactSolution& frictionless, double tolerance,
                       const std::string& what, double of_kappa = 1e-7) {
    const DenseProblem d = dense(problem);
    const VecX v_hat = joint_velocity(problem, d);
    EXPECT_LE(kinetic_energy(d, solution.v), kinetic_energy(d, v_hat) + tolerance) << what;
    const VecX c_n = as_vector(solution.c_n), c_s = as_vector(solution.c_s),
               c_t = as_vector(solution.c_t), c_j = as_vector(solution.c_j);
    const VecX gained = d.N.transpose() * c_n + d.S.transpose() * c_s + d.T.transpose() * c_t +
                        d.J.transpose() * c_j;
    EXPECT_LT((d.M * (solution.v - problem.v_free) - gained).norm(), 1e-10) << what;
    if (!problem.joints.empty()) {
        EXPECT_LT((d.J * solution.v + d.J0).norm(), 10 * tolerance) << what;
    }
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
        const ContactRow& contact = problem.contacts[i];
        const auto k = static_cast<Eigen::Index>(i);
        EXPECT_GE(d.N.row(k).dot(solution.v) + contact.bias, -10 * tolerance) << what;
        EXPECT_GE(c_n[k], -1e-12) << what;
        const double slip = std::hypot(d.S.row(k).dot(v_hat), d.T.row(k).dot(v_hat));
        EXPECT_LE(std::hypot(c_s[k], c_t[k]),
                  contact.mu_c * c_n[k] + problem.h * contact.mu_v * slip + 10 * tolerance)
            << what;
    }
    for (const Island& island : problem.islands) {
        const double kappa = normal_sum(problem, island, frictionless.c_n);
        EXPECT_LE(normal_sum(problem, island, solution.c_n), kappa * (1 + of_kappa) + 1e-8) << what;
    }
}

ContactSolution without_friction(ContactProblem problem) {
    for (ContactRow& contact : problem.contacts) contact.mu_c = contact.mu_v = 0;
    return solve(MaxDissipation{}, problem);
}

// Kinetic energy gained over v_hat, as a share of it: at most round-off.
double energy_gain(const ContactProblem& problem, const ContactSolution& solution) {
    const DenseProblem d = dense(problem);
    const double before = kinetic_energy(d, joint_velocity(problem, d));
    return kinetic_energy(d, solution.v) / before - 1;
}

TEST(MaxDissipation, InvariantsHoldOverRandomImpacts) {
    int failures = 0, fallbacks = 0, islands = 0, cases = 0, several = 0;
    double gain = -1;
    for (const bool joints : {false, true}) {
        for (const double mu_v : {0.0, 5.0}) {
            for (std::uint64_t seed = 1; seed <= 500; ++seed) {
                const ContactProblem problem = random_impact(seed, {3, 4, 3, joints, mu_v});
                const ContactSolution solution = solve(MaxDissipation{}, problem);
                failures += solution.failures;
                fallbacks += solution.fallbacks;
                islands += static_cast<int>(problem.islands.size());
                several += problem.islands.size() > 1;
                ++cases;
                gain = std::max(gain, energy_gain(problem, solution));
                expect_invariants(problem, solution, without_friction(problem), 1e-7,
                                  "seed " + std::to_string(seed));
            }
        }
    }
    std::printf(
        "%d random impacts, %d of several islands: largest gain of kinetic energy %.1e, "
        "unsolved %d, fallbacks %d of %d islands\n",
        cases, several, gain, failures, fallbacks, islands);
    EXPECT_GT(several, cases / 10);  // kappa per island is put to the test
    EXPECT_EQ(failures, 0);
    EXPECT_EQ(fallbacks, 0);
}

// What prox_newton gives after a few iterations, the first included, is far from the best, but no
// constraint is broken.
TEST(MaxDissipation, UnconvergedAnswersKeepToTheConstraints) {
    MaxDissipation model = with_solver(MaxDissipationSolver::kProxNewton);
    int unconverged = 0, fallbacks = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        model.max_iterations = 12 + static_cast<int>(seed % 20);
        const ContactProblem problem = random_impact(seed, {3, 4, 3, seed % 2 == 0});
        const ContactSolution solution = solve(model, problem);
        unconverged += solution.failures;
        fallbacks += solution.fallbacks;
        expect_invariants(problem, solution, without_friction(problem), 1e-6,
                          "seed " + std::to_string(seed));
    }
    EXPECT_GT(unconverged, 100);
    EXPECT_LT(fallbacks, unconverged);  // some friction is kept
}

TEST(MaxDissipation, ProxNewtonAgreesWithInteriorPoint) {
    int compared = 0;
    for (std::uint64_t seed = 1; seed <= 120; ++seed) {
        const ContactProblem problem =
            random_impact(seed, {4, 6, 4, seed % 2 == 0, seed % 3 == 0 ? 5.0 : 0.0});
        const ContactSolution first =
            solve(with_solver(MaxDissipationSolver::kProxNewton), problem);
        const ContactSolution reference =
            solve(with_solver(MaxDissipationSolver::kInteriorPoint), problem);
        if (first.status != SolveStatus::kSolved || reference.status != SolveStatus::kSolved) {
            continue;
        }
        ++compared;
        EXPECT_LT((first.v - reference.v).lpNorm<Eigen::Infinity>(), 1e-4) << "seed " << seed;
    }
    EXPECT_GT(compared, 110);  // neither ends where rows nearly depend on one another
}

// ---- the form in generalized coordinates, by a method of its own

// min 1/2 v'Mv + bias'c_n over z = (v, c_j, x) with K z in a product of simple sets: equations of
// motion and joints (points), N v + bias >= 0 and sum of c_n <= kappa (half lines), cones. Operator
// splitting with dense matrices.
struct Generalized {
    MatX K;
    VecX q, low, high;  // bounds of K z; the last 3 nc rows are cones instead
    MatX P;
    VecX mu, s;
};

Generalized generalized_form(const ContactProblem& problem, const DenseProblem& d, double kappa,
                             const VecX& s) {
    const auto nv = d.M.rows(), nj = d.J.rows(), nc = d.N.rows();
    const auto n = nv + nj + 3 * nc;
    const auto m = nv + nj + nc + 1 + 3 * nc;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    Generalized form;
    form.P = MatX::Zero(n, n);
    form.P.topLeftCorner(nv, nv) = d.M;
    form.q = VecX::Zero(n);
    form.K = MatX::Zero(m, n);
    form.low = VecX::Zero(m);
    form.high = VecX::Zero(m);
    form.K.block(0, 0, nv, nv) = d.M;
    form.K.block(0, nv, nv, nj) = -d.J.transpose();
    form.low.head(nv) = form.high.head(nv) = d.M * problem.v_free;
    form.K.block(nv, 0, nj, nv) = d.J;
    form.K.block(nv + nj, 0, nc, nv) = d.N;
    form.high.segment(nv + nj, nc + 1).setConstant(kInfinity);
    form.low[nv + nj + nc] = -kInfinity;
    form.high[nv + nj + nc] = kappa;
    form.mu.resize(nc);
    form.s = s;
    for (Eigen::Index i = 0; i < nc; ++i) {
        const ContactRow& contact = problem.contacts[static_cast<std::size_t>(i)];
        const auto x = nv + nj + 3 * i;
        form.K.block(0, x, nv, 1) = -d.N.row(i).transpose();
        form.K.block(0, x + 1, nv, 1) = -d.S.row(i).transpose();
        form.K.block(0, x + 2, nv, 1) = -d.T.row(i).transpose();
        form.low[nv + nj + i] = -contact.bias;
        form.q[x] = contact.bias;
        form.K(nv + nj + nc, x) = 1;
        form.K.block(nv + nj + nc + 1 + 3 * i, x, 3, 3).setIdentity();
        form.mu[i] = contact.mu_c;
    }
    return form;
}

VecX solve_generalized(const Generalized& form, int iterations) {
    const auto n = form.K.cols(), m = form.K.rows(), cones = m - 3 * form.mu.size();
    VecX rho = VecX::Constant(m, 1.0);
    for (Eigen::Index i = 0; i < cones; ++i) {
        if (form.low[i] == form.high[i]) rho[i] = 100;
    }
    const double sigma = 1e-6;
    const MatX inverse =
        (form.P + sigma * MatX::Identity(n, n) + form.K.transpose() * rho.asDiagonal() * form.K)
            .inverse();
    VecX z = VecX::Zero(n), w = VecX::Zero(m), y = VecX::Zero(m);
    for (int k = 0; k < iterations; ++k) {
        z = inverse * (sigma * z - form.q + form.K.transpose() * rho.cwiseProduct(w - y));
        w = form.K * z;
        y += w;
        w.head(cones) =
            y.head(cones).cwiseMax(form.low.head(cones)).cwiseMin(form.high.head(cones));
        for (Eigen::Index i = 0; i < form.mu.size(); ++i) {
            w.segment<3>(cones + 3 * i) =
                project_on_cone(form.mu[i], form.s[i], Vec3(y.segment<3>(cones + 3 * i)));
        }
        y -= w;
    }
    return z;
}

// Sum of the frictionless normal impulses, by projected Gauss-Seidel on N C N'.
double kappa_by_sweeps(const ContactProblem& problem, const DenseProblem& d, const VecX& v_hat) {
    const MatX M_inverse = d.M.inverse();
    MatX C = M_inverse;
    if (d.J.rows() > 0) {
        const MatX MJ = M_inverse * d.J.transpose();
        C -= MJ * (d.J * MJ).inverse() * MJ.transpose();
    }
    const MatX A = d.N * C * d.N.transpose();
    VecX b = d.N * v_hat;
    for (Eigen::Index i = 0; i < b.size(); ++i) {
        b[i] += problem.contacts[static_cast<std::size_t>(i)].bias;
    }
    VecX c = VecX::Zero(b.size());
    for (int k = 0; k < 20000; ++k) {
        for (Eigen::Index i = 0; i < c.size(); ++i) {
            c[i] = std::max(0.0, c[i] - (A.row(i).dot(c) + b[i]) / A(i, i));
        }
    }
    return c.sum();
}

TEST(MaxDissipation, BothFormsOfTheProgramHaveTheSameSolution) {
    int compared = 0;
    for (std::uint64_t seed = 1; seed <= 200 && compared < 25; ++seed) {
        const ContactProblem problem =
            random_impact(seed, {2, 2, 2, seed % 2 == 0, seed % 3 == 0 ? 5.0 : 0.0});
        if (problem.islands.size() != 1) continue;  // one kappa
        const DenseProblem d = dense(problem);
        const VecX v_hat = joint_velocity(problem, d);
        VecX s(d.N.rows());
        for (Eigen::Index i = 0; i < s.size(); ++i) {
            const ContactRow& contact = problem.contacts[static_cast<std::size_t>(i)];
            s[i] =
                problem.h * contact.mu_v * std::hypot(d.S.row(i).dot(v_hat), d.T.row(i).dot(v_hat));
        }
        const ContactSolution one = without_friction(problem);
        for (Eigen::Index i = 0; i < s.size(); ++i) {  // no viscous drag across a gap
            const auto k = static_cast<std::size_t>(i);
            if (problem.contacts[k].phi > 0 && one.c_n[k] <= 0) s[i] = 0;
        }
        const double kappa = kappa_by_sweeps(problem, d, v_hat);
        const Generalized form = generalized_form(problem, d, kappa, s);
        const VecX z = solve_generalized(form, 60000);
        const VecX v = z.head(d.M.rows());

        const ContactSolution solution = solve(MaxDissipation{}, problem);
        if (solution.status != SolveStatus::kSolved) continue;
        ++compared;
        double here = kinetic_energy(d, solution.v);
        for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
            here += problem.contacts[i].bias * solution.c_n[i];
        }
        EXPECT_NEAR(here, 0.5 * z.dot(form.P * z) + form.q.dot(z), 1e-6) << "seed " << seed;
        EXPECT_LT((solution.v - v).lpNorm<Eigen::Infinity>(), 1e-5) << "seed " << seed;
    }
    EXPECT_EQ(compared, 25);
}

// QP 1 and QP 2 as the scenes choose them.
TEST(MaxDissipation, EitherFormGivesTheSameVelocities) {
    for (const char* scene_name : {"stack", "ramp", "grasp", "chain", "quadruped"}) {
        const Scene scene = shipped_scene(scene_name);
        MaxDissipation first, second;
        first.form = DissipationForm::kContactSpace;
        second.form = DissipationForm::kGeneralized;
        first.tolerance = second.tolerance = 1e-10;
        Simulation sim = simulate(scene, first);
        std::string solvers[2];
        for (int i = 0; i < 30; ++i) {
            Simulation other = simulate(scene, second);
            other.state = sim.state;
            ASSERT_EQ(step(other), StepOutcome::kDone);
            ASSERT_EQ(step(sim), StepOutcome::kDone);
            EXPECT_LT((sim.frame.solution.v - other.frame.solution.v).norm(), 1e-6)
                << scene_name << " step " << i;
            if (sim.frame.problem.contacts.empty()) continue;
            solvers[0] = sim.frame.solution.solver;
            solvers[1] = other.frame.solution.solver;
        }
        if (solvers[0].empty()) continue;
        EXPECT_NE(solvers[0], solvers[1]) << scene_name;
    }
}

// A body that slides along a groove with a flat bottom and sides that lean by 60 degrees. Bottom
// and sides could share the weight in many ways; the least sum is the bottom's alone, and then
// friction is mu times the weight.
TEST(MaxDissipation, KappaIsTheLeastSumOfNormalImpulses) {
    ContactProblem problem;
    problem.h = 1e-2;
    Random random(1);
    add_body(random, problem);
    InertiaBlock& body = problem.system.blocks[0];
    body.mass = body.inv_mass = 1;
    const double lean = std::sqrt(0.75);
    for (const Vec3& n : {Vec3(0, 0, 1), Vec3(lean, 0, 0.5), Vec3(-lean, 0, 0.5)}) {
        const int link = add_link(random, 0, kNone, problem);
        problem.system.links.back().r_a = -0.1 * n;
        add_contact(random, link, 0, problem);
        const auto count = static_cast<int>(problem.contacts.size());
        problem.link_rows.back().contact_begin = count - 1;
        problem.link_rows.back().contact_end = count;
        ContactRow& row = problem.contacts.back();
        Vec3 s, t;
        tangents(n, s, t);
        row.n << n, Vec3::Zero();
        row.s << s, Vec3::Zero();
        row.t << t, Vec3::Zero();
        row.phi = row.bias = 0;
        row.mu_c = 0.5;
    }
    problem.v = problem.f = VecX::Zero(6);
    problem.v_free = VecX::Zero(6);
    problem.v_free << 0, 1, -0.0981, 0, 0, 0;
    std::vector<int> scratch;
    find_islands(problem, scratch);
    EXPECT_NEAR(as_vector(without_friction(problem).c_n).sum(), 0.0981, 1e-9);
    for (const auto solver :
         {MaxDissipationSolver::kInteriorPoint, MaxDissipationSolver::kProxNewton}) {
        const ContactSolution solution = solve(with_solver(solver), problem);
        EXPECT_EQ(solution.status, SolveStatus::kSolved);
        EXPECT_NEAR(as_vector(solution.c_n).sum(), 0.0981, 1e-7);
        EXPECT_NEAR(solution.v[1], 1 - 0.5 * 0.0981, 1e-6);
    }
}

// One kappa for the whole world would let a sliding cube borrow normal impulse, and so friction, of
// a pile far away: it slides at the closed form's speed as if alone.
TEST(MaxDissipation, IslandsDoNotShareKappa) {
    const Scene scene = SceneFiles().load(R"(version: 1
contact: {model: max_dissipation}
materials: {default: {friction: 0.3}}
bodies:
  - {name: ground, kind: static, shape: {type: plane}}
  - {name: cube, mass: 1, position: [0, 0, 0.05], velocity: [2, 1, 0],
     shape: {type: box, size: [0.1, 0.1, 0.1]}}
  - name: pile_{i}
    repeat: 3
    mass: 100
    position: [100, 0, (i + 0.5)*0.1]
    velocity: [0.001*i, 0, 0]
    shape: {type: box, size: [0.1, 0.1, 0.1]}
)");
    for (const char* solver : kSolvers) {
        Simulation sim = simulate(scene, model_named("max_dissipation", solver));
        const int n = 200;
        take_steps(sim, n);
        EXPECT_EQ(sim.frame.problem.islands.size(), 2U);
        EXPECT_NEAR(sim.state.twist[1].v.norm(), std::sqrt(5.0) - n * sim.settings.h * 0.3 * 9.81,
                    1e-5)
            << solver;
    }
}

// ---- closed forms

TEST(MaxDissipation, CubeSlidesAtTheClosedFormSpeed) {
    for (const char* solver : kSolvers) {
        for (const char* mu : {"0", "0.15", "0.3"}) {
            const double theta = 20 * M_PI / 180;
            Simulation sim = simulate(shipped_scene("ramp", {{"mu", mu}}),
                                      model_named("max_dissipation", solver));
            take_steps(sim, 500);
            const double a = 9.81 * (std::sin(theta) - std::stod(mu) * std::cos(theta));
            EXPECT_NEAR(sim.state.twist.back().v.norm(), 500 * sim.settings.h * a, 1e-6)
                << solver << ", mu " << mu;
        }
    }
}

// A block of width w and height l = 3 w on a slope tan(theta) = 1.05 w / l with mu 0.8. Coulomb's
// friction holds its foot and it tips, which takes a normal force beyond m g cos(theta), its
// kappa. With no more than that the torque of friction is at most that of the normal force at the
// lower edge, so friction is at most w / l of it: the block slides without turning.
TEST(MaxDissipation, ABlockThatShouldTipSlides) {
    const SceneFiles files;
    const double w_l = 1.0 / 3, theta = std::atan(1.05 * w_l), g = 9.81, mu = 0.8;
    Scene scene = files.load(R"(
version: 1
description: A block on a slope.
step: {h: 0.001}
contact: {model: max_dissipation}
materials: {default: {friction: 0.8}}
bodies:
  - {name: ground, kind: static, shape: {type: plane}}
  - {name: block, mass: 1, position: [0, 0, 0.15], shape: {type: box, size: [0.1, 0.1, 0.3]}}
)");
    scene.model.gravity = g * Vec3(std::sin(theta), 0, -std::cos(theta));
    const double a = g * (std::sin(theta) - std::min(mu, w_l) * std::cos(theta));
    const int steps = 200;
    for (const char* solver : kSolvers) {
        Simulation sim = simulate(scene, model_named("max_dissipation", solver));
        take_steps(sim, steps);
        const Twist& twist = sim.state.twist.back();
        EXPECT_NEAR(twist.v.x(), steps * sim.settings.h * a, 1e-6) << solver;
        EXPECT_LT(twist.w.norm(), 1e-6) << solver;
    }
    Simulation coulomb = simulate(scene, CoulombCone{});
    take_steps(coulomb, steps);
    EXPECT_GT(coulomb.state.twist.back().w.y(), 0.1);
}

// Gravity leans 30 degrees off a tangent of the level ramp: a true cone has no preferred direction.
TEST(MaxDissipation, CubeSlidesAlikeInEveryDirection) {
    const double theta = 20 * M_PI / 180, turn = 30 * M_PI / 180, mu = 0.2;
    for (const char* solver : kSolvers) {
        Scene scene = shipped_scene("ramp", {{"angle", "0"}, {"mu", "0.2"}});
        scene.model.gravity = 9.81 * Vec3(std::sin(theta) * std::cos(turn),
                                          std::sin(theta) * std::sin(turn), -std::cos(theta));
        Simulation sim = simulate(scene, model_named("max_dissipation", solver));
        take_steps(sim, 300);
        const double speed = 300 * sim.settings.h * 9.81 * (std::sin(theta) - mu * std::cos(theta));
        const Vec3 expected = speed * Vec3(std::cos(turn), std::sin(turn), 0);
        EXPECT_LT((sim.state.twist.back().v - expected).norm(), 1e-6) << solver;
    }
}

TEST(MaxDissipation, CubeStaysAboveTheFrictionAngle) {
    for (const char* solver : kSolvers) {
        Simulation sim = simulate(shipped_scene("ramp", {{"mu", "0.5"}}),
                                  model_named("max_dissipation", solver));
        const Vec3 before = sim.state.pose.back().p;
        take_steps(sim, 500);
        EXPECT_LT((sim.state.pose.back().p - before).norm(), 1e-6) << solver;
    }
}

TEST(MaxDissipation, MovesAsCoulombLcpOnTheRamp) {
    for (const char* mu : {"0.1", "0.3", "0.5"}) {
        Simulation reference =
            simulate(shipped_scene("ramp", {{"mu", mu}}), model_named("coulomb_lcp"));
        Simulation sim = simulate(shipped_scene("ramp", {{"mu", mu}}),
                                  model_named("max_dissipation", "interior_point"));
        take_steps(reference, 500);
        take_steps(sim, 500);
        EXPECT_LT((sim.state.pose.back().p - reference.state.pose.back().p).norm(), 1e-6)
            << "mu " << mu;
    }
}

// ---- joints, the fallback, large islands

TEST(MaxDissipation, JointsMoveAsUnderNoSlip) {
    for (const char* scene : {"pendulum", "chain", "motors"}) {
        Simulation reference = simulate(shipped_scene(scene), NoSlip{});
        Simulation sim = simulate(shipped_scene(scene), MaxDissipation{});
        take_steps(reference, 300);
        take_steps(sim, 300);
        for (std::size_t b = 0; b < sim.state.pose.size(); ++b) {
            EXPECT_LT((sim.state.pose[b].p - reference.state.pose[b].p).norm(), 1e-6)
                << scene << " body " << b;
        }
    }
}

TEST(MaxDissipation, GraspAndStackHold) {
    for (const char* scene : {"grasp", "stack"}) {
        for (const char* solver : kSolvers) {
            Simulation sim = simulate(shipped_scene(scene), model_named("max_dissipation", solver));
            const State before = sim.state;
            take_steps(sim, 100);
            for (std::size_t b = 0; b < sim.state.pose.size(); ++b) {
                EXPECT_LT((sim.state.pose[b].p - before.pose[b].p).norm(), 1e-6)
                    << scene << " " << solver << " body " << b;
            }
        }
    }
}

// Phase I by the method of [DS10] is the same program: contacts, joints, motors and joint friction.
TEST(MaxDissipation, GradientProjectionGivesTheSamePhaseOne) {
    MaxDissipation paper;
    paper.phase_one = PhaseOneSolver::kGradientProjection;
    for (const char* scene : {"ramp", "stack", "motors", "arm"}) {
        Simulation ours = simulate(shipped_scene(scene), MaxDissipation{});
        Simulation theirs = simulate(shipped_scene(scene), paper);
        take_steps(ours, 60);
        for (int i = 0; i < 60; ++i) {
            ASSERT_EQ(step(theirs), StepOutcome::kDone) << scene;
            EXPECT_EQ(theirs.frame.solution.failures, 0) << scene << " step " << i;
            EXPECT_EQ(theirs.frame.solution.fallbacks, 0) << scene << " step " << i;
        }
        for (std::size_t b = 0; b < ours.state.pose.size(); ++b) {
            EXPECT_LT((ours.state.pose[b].p - theirs.state.pose[b].p).norm(), 1e-7)
                << scene << " body " << b;
        }
    }
}

TEST(MaxDissipation, AFailedPhaseTwoFallsBackToPhaseOneAndIsCounted) {
    MaxDissipation model;
    model.fail_phase_two = true;
    Simulation sim = simulate(shipped_scene("ramp", {{"mu", "0.5"}}), model);
    const int n = 200;
    for (int i = 0; i < n; ++i) {
        ASSERT_EQ(step(sim), StepOutcome::kDone);
        EXPECT_EQ(sim.frame.solution.fallbacks, 1);
        EXPECT_EQ(sim.frame.solution.failures, 1);
        EXPECT_EQ(sim.frame.solution.solver, "phase_one");
        EXPECT_EQ(sim.frame.solution.status, SolveStatus::kIterationLimit);
    }
    // It slides as without friction.
    EXPECT_NEAR(sim.state.twist.back().v.norm(),
                n * sim.settings.h * 9.81 * std::sin(20 * M_PI / 180), 1e-9);
}

// An answer as good as was asked for is one, however little that is.
TEST(MaxDissipation, ALooseToleranceIsNoFailure) {
    for (const char* solver : {"auto", "interior_point"}) {
        for (const double tolerance : {1e-5, 1e-4}) {
            ContactModel model = model_named("max_dissipation", solver);
            std::get<MaxDissipation>(model).tolerance = tolerance;
            Simulation sim = simulate(shipped_scene("ramp", {{"mu", "0.3"}}), model);
            take_steps(sim, 1);
            for (int i = 1; i < 200; ++i) {
                ASSERT_EQ(step(sim), StepOutcome::kDone);
                ASSERT_EQ(sim.frame.solution.status, SolveStatus::kSolved);
                ASSERT_EQ(sim.frame.solution.fallbacks, 0);
                ASSERT_LE(sim.frame.solution.residual, tolerance);
            }
            // Every step errs by the tolerance of its velocities, which grow to that of the end.
            const double theta = 20 * M_PI / 180, n = 200;
            const double v = n * sim.settings.h * 9.81 * (std::sin(theta) - 0.3 * std::cos(theta));
            EXPECT_NEAR(sim.state.twist.back().v.norm(), v, n * tolerance * 10 * v) << solver;
        }
    }
}

// Matrices and vectors are kept between steps, whichever solver takes phase II.
TEST(MaxDissipation, WarmStepsAllocateNothing) {
    if (!kCountsAllocations) GTEST_SKIP();
    for (const char* solver : kSolvers) {
        const ContactProblem problem = random_impact(7, {3, 4, 3, true, 5.0});
        const ContactModel model = model_named("max_dissipation", solver);
        ThreadPool pool(1);
        ContactWorkspace workspace;
        Guess guess;
        ContactSolution solution;
        for (int i = 0; i < 2; ++i) {
            solve_contact(model, problem, 1e9, pool, workspace, guess, solution);
        }
        const long before = allocation_count();
        solve_contact(model, problem, 1e9, pool, workspace, guess, solution);
        EXPECT_EQ(allocation_count() - before, 0) << solver;
    }
}

// Allocations of the third solve of a problem, each from nothing; `seen` is shown every answer.
template <typename Seen>
long allocations_from_nothing(const ContactModel& model, const ContactProblem& problem,
                              const Seen& seen) {
    ThreadPool pool(1);
    ContactWorkspace workspace;
    Guess guess;
    ContactSolution solution;
    long before = 0;
    for (int i = 0; i < 3; ++i) {
        guess.multipliers.clear();
        guess.impulses.assign(guess.impulses.size(), Vec3::Zero());
        before = allocation_count();
        solve_contact(model, problem, 1e9, pool, workspace, guess, solution);
        seen(solution);
    }
    return allocation_count() - before;
}

// Through the interior too, which islands of more than twelve contacts take from nothing.
TEST(MaxDissipation, StepsThroughTheInteriorAllocateNothing) {
    if (!kCountsAllocations) GTEST_SKIP();
    const ContactProblem problem = random_impact(7, {8, 16, 3, true});
    const ContactModel model = model_named("max_dissipation", "prox_newton");
    const long count = allocations_from_nothing(
        model, problem, [](const ContactSolution& x) { EXPECT_GT(x.iterations, 10); });
    EXPECT_EQ(count, 0);
}

// 80 boxes in motion, some 320 contacts in one island: prox_newton, whose answer keeps to the
// constraints whether it converges or not.
TEST(MaxDissipation, LargeIslandsAreSolvedOnBodies) {
    Scene scene = shipped_scene("stack", {{"boxes", "80"}});
    Random random(5);
    for (std::size_t b = 1; b < scene.state.twist.size(); ++b) {
        scene.state.twist[b].v = random_vector(random, 0.1);
    }
    Simulation sim = simulate(scene, MaxDissipation{});
    ASSERT_EQ(step(sim), StepOutcome::kDone);
    const ContactProblem& problem = sim.frame.problem;
    EXPECT_GT(problem.contacts.size(), 300U);
    EXPECT_EQ(sim.frame.solution.solver, "prox_newton");
    expect_invariants(problem, sim.frame.solution, without_friction(problem), 1e-5, "stack");
    EXPECT_EQ(sim.frame.solution.fallbacks, 0);
}

// `count` spheres in layers of 100, each on four: links whose factors fill. Every second one hangs on the
// one before by a joint, the others push along x.
Scene pile_of_spheres(int count, const std::string& joint, double viscosity) {
    const std::string n = std::to_string(count);
    std::string text =
        "version: 1\n"
        "step: {h: 0.001}\n"
        "contact: {model: max_dissipation}\n"
        "materials: {default: {friction: 0.5, viscous: " +
        std::to_string(viscosity) +
        "}}\n"
        "bodies:\n"
        "  - {name: floor, kind: static, shape: {type: plane}}\n"
        "  - name: sphere_{i}\n"
        "    repeat: " +
        n +
        "\n"
        "    mass: 1\n"
        "    velocity: [0.1, \"0.05*mod(i, 3)\", \"-0.02*mod(i, 7)\"]\n"
        "    position: [\"0.08*mod(i, 10) + 0.04*mod(floor(i/100), 2)\", \"0.08*mod(floor(i/10), "
        "10) + 0.04*mod(floor(i/100), 2)\", 0.04 + 0.04*sqrt(2)*floor(i/100)]\n"
        "    shape: {type: sphere, radius: 0.04}\n";
    if (!joint.empty()) text += "joints:\n" + joint;
    return SceneFiles().load(text);
}

// Sweeps and Newton steps with factors are two ways to the one answer that a convex program has.
void expect_sweeps_find_it(const Scene& scene, double tolerance) {
    MaxDissipation model;
    model.tolerance = tolerance;
    Simulation swept = simulate(scene, model);
    model.solver = MaxDissipationSolver::kProxNewton;
    Simulation newton = simulate(scene, model);
    ASSERT_EQ(step(swept), StepOutcome::kDone);
    ASSERT_EQ(step(newton), StepOutcome::kDone);
    const ContactSolution& x = swept.frame.solution;
    const ContactSolution& y = newton.frame.solution;
    EXPECT_EQ(x.solver, "sweeps");
    EXPECT_EQ(y.solver, "prox_newton");
    EXPECT_EQ(x.status, SolveStatus::kSolved);
    EXPECT_EQ(y.status, SolveStatus::kSolved);
    EXPECT_EQ(x.fallbacks, 0);
    const double moved = (y.v - swept.frame.problem.v_free).norm();
    EXPECT_GT(moved, 0.1);
    // The residual is relative to all velocities at contacts, and leaves some hundred times as much of the
    // flattest directions.
    EXPECT_LT((x.v - y.v).norm(), 300 * tolerance * moved);
    expect_invariants(swept.frame.problem, x, without_friction(swept.frame.problem), 10 * tolerance,
                      "pile", 3 * tolerance);
}

// Some 1900 links: `auto` never factors a pile as large as that.
TEST(MaxDissipation, PilesOfAnySizeAreSwept) {
    const Scene scene = pile_of_spheres(400, "", 0);
    expect_sweeps_find_it(scene, 1e-6);
    Simulation sim = simulate(scene, MaxDissipation{});
    ASSERT_EQ(step(sim), StepOutcome::kDone);
    EXPECT_GT(sim.frame.problem.system.links.size(), 1500U);
}

TEST(MaxDissipation, PilesWithViscousFrictionAreSwept) {
    expect_sweeps_find_it(pile_of_spheres(200, "", 2), 1e-6);
}

// Joints hold in both parts of a step.
TEST(MaxDissipation, PilesWithJointsAreSwept) {
    const Scene scene = pile_of_spheres(
        200,
        "  - {name: \"pair_{i}\", repeat: 100, type: spherical, parent: \"sphere_{2*i}\", child: "
        "\"sphere_{2*i + 1}\", anchor: [\"0.04 + 0.16*mod(i, 5) + 0.04*mod(floor(i/50), 2)\", "
        "\"0.08*mod(floor(i/5), 10) + 0.04*mod(floor(i/50), 2)\", 0.04 + "
        "0.04*sqrt(2)*floor(i/50)]}\n",
        0);
    expect_sweeps_find_it(scene, 1e-6);
    Simulation sim = simulate(scene, MaxDissipation{});
    for (int i = 0; i < 20; ++i) {
        ASSERT_EQ(step(sim), StepOutcome::kDone);
        EXPECT_EQ(sim.frame.solution.failures, 0) << i;
    }
}

TEST(MaxDissipation, SweptPilesAllocateNothing) {
    if (!kCountsAllocations) GTEST_SKIP();
    Simulation sim = simulate(pile_of_spheres(400, "", 0), MaxDissipation{});
    ASSERT_EQ(step(sim), StepOutcome::kDone);
    const ContactProblem problem = sim.frame.problem;
    MaxDissipation model;
    model.tolerance = 1e-3;
    const long count = allocations_from_nothing(
        model, problem, [](const ContactSolution& x) { EXPECT_EQ(x.solver, "sweeps"); });
    EXPECT_EQ(count, 0);
}

// What a pile has after a few steps of phase II keeps to all constraints; kappa is as good as the sweeps
// of phase I, which take some 300.
TEST(MaxDissipation, SweepsCutShortKeepToTheConstraints) {
    const Scene scene = pile_of_spheres(400, "", 0);
    for (int limit = 330; limit <= 450; limit += 10) {
        MaxDissipation model;
        model.tolerance = 1e-6;
        model.max_iterations = limit;
        Simulation sim = simulate(scene, model);
        ASSERT_EQ(step(sim), StepOutcome::kDone);
        EXPECT_NE(sim.frame.solution.status, SolveStatus::kSolved) << limit;
        expect_invariants(sim.frame.problem, sim.frame.solution,
                          without_friction(sim.frame.problem), 1e-5,
                          "limit " + std::to_string(limit), 1e-5);
    }
}

}  // namespace
}  // namespace stiction

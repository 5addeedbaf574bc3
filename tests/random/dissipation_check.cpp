// dissipation_check.cpp - two more solves of the same step, and what they show.
#include "random/dissipation_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "contact/solve_contact.h"
#include "problem/link_motion.h"

namespace stiction {

namespace {

// Of kappa and of the objective: phase II has kappa with 1e-9 of slack, and tolerances are 1e-6 at
// most; an answer that is wrong in kind is off by far more.
constexpr double kSlackOfSums = 1e-5;
constexpr double kCreep = 1e-6;  // [m/s]
constexpr double kNever = std::numeric_limits<double>::infinity();

struct Sums {
    double normal = 0;     // sum of c_n over the contacts [N s]
    double objective = 0;  // [J]
    double scale = 0;      // sum of the sizes of its terms [J]
    double violation = 0;  // of non-penetration and of the cone, as velocity [m/s]
    double mass = 0;       // sum of 1 / w: impulse that a velocity of 1 m/s is worth [kg]
};

class IslandSums {
  public:
    IslandSums(const ContactProblem& problem, const Island& island, const ContactSolution& solution)
        : problem_(problem), solution_(solution) {
        sums_.objective = kinetic_energy_of(problem, island, solution.v);
        sums_.scale = sums_.objective;
        for (const int l : links_of(problem, island)) {
            const Link& link = problem.system.links[at(l)];
            const LinkRows& rows = problem.link_rows[at(l)];
            const Vec6 u = link_velocity(problem.system, link, solution.v);
            const Vec6 u_free = link_velocity(problem.system, link, problem.v_free);
            const Mat6 D = delassus_block(problem.system, link, link);
            for (int i = rows.contact_begin; i < rows.contact_end; ++i)
                add_contact(i, u, u_free, link.u0, D);
            for (int i = rows.joint_begin; i < rows.joint_end; ++i) {
                const JointRow& row = problem.joints[at(i)];
                add((row.g.dot(link.u0) - row.bias) * solution.c_j[at(i)]);
            }
            for (int i = rows.limit_begin; i < rows.limit_end; ++i) {
                const LimitRow& row = problem.limits[at(i)];
                add((row.g.dot(link.u0) + row.bias) * solution.c_l[at(i)]);
            }
            for (int i = rows.bounded_begin; i < rows.bounded_end; ++i) {
                const double c = solution.c_b[at(i)];
                const BoundedRow& row = problem.bounded[at(i)];
                add((row.g.dot(link.u0) - row.target) * c);
                add(0.5 * row.compliance * c * c);
            }
        }
    }
    [[nodiscard]] const Sums& sums() const { return sums_; }

  private:
    void add(double term) {
        sums_.objective += term;
        sums_.scale += std::abs(term);
    }
    void add_contact(int i, const Vec6& u, const Vec6& u_free, const Vec6& u0, const Mat6& D) {
        const ContactRow& row = problem_.contacts[at(i)];
        const double c_n = solution_.c_n[at(i)];
        sums_.normal += c_n;
        add((row.n.dot(u0) + row.bias) * c_n);
        add(row.s.dot(u0) * solution_.c_s[at(i)]);
        add(row.t.dot(u0) * solution_.c_t[at(i)]);
        const double bound = row.mu_c * c_n + problem_.h * row.mu_v *
                                                  std::hypot(row.s.dot(u_free), row.t.dot(u_free));
        const double friction = std::hypot(solution_.c_s[at(i)], solution_.c_t[at(i)]);
        const double weight = row.n.dot(D * row.n);
        sums_.mass += weight > 0 ? 1 / weight : 0;
        sums_.violation = std::max({sums_.violation, -(row.n.dot(u) + row.bias),
                                    weight * (friction - bound), -weight * c_n});
    }

    const ContactProblem& problem_;
    const ContactSolution& solution_;
    Sums sums_;
};

Sums sums_of(const ContactProblem& problem, std::size_t island, const ContactSolution& solution) {
    return IslandSums(problem, problem.islands[island], solution).sums();
}

ContactSolution solve_anew(const ContactModel& model, const ContactProblem& problem) {
    ThreadPool alone(1);
    ContactWorkspace workspace;
    Guess guess;
    ContactSolution solution;
    solve_contact(model, problem, kNever, alone, workspace, guess, solution);
    return solution;
}

bool may_rebound(const ContactProblem& problem) {
    return std::any_of(problem.contacts.begin(), problem.contacts.end(),
                       [](const ContactRow& row) { return row.eps > 0; });
}

// At least what gravity adds in a step, or creep: of bodies that rest, only that is a scale.
double fastest_free(const ContactProblem& problem, const Island& island) {
    double speed = std::max(problem.gravity * problem.h, kCreep);
    for (const int l : links_of(problem, island)) {
        const Vec6 u = link_velocity(problem.system, problem.system.links[at(l)], problem.v_free);
        speed = std::max(speed, u.lpNorm<Eigen::Infinity>());
    }
    return speed;
}

class Comparison {
  public:
    Comparison(const CheckedStep& step, std::vector<Violation>& out) : step_(step), out_(out) {}

    // `other` may be any point that meets the constraints.
    void expect_no_worse(std::size_t island, const Sums& own, const Sums& other, const char* what) {
        const double speed = fastest_free(step_.problem, step_.problem.islands[island]);
        const double size = own.scale + other.scale + own.mass * speed * speed;
        report(island, own.objective, other.objective + kSlackOfSums * size, what);
    }
    void expect_within_kappa(std::size_t island, const Sums& own, const Sums& without) {
        const double speed = fastest_free(step_.problem, step_.problem.islands[island]);
        const double size = without.normal + own.mass * speed;
        report(island, own.normal, without.normal + kSlackOfSums * size, "kappa");
    }

  private:
    void report(std::size_t island, double measured, double allowed, const char* what) {
        if (measured <= allowed) return;
        Violation v;
        v.check = Check::kDissipation;
        v.model = name(step_.model);
        v.solver = step_.solution.islands[island].solver;
        v.measured = measured;
        v.allowed = allowed;
        v.detail = what;
        if (out_.empty() || out_.back().check != v.check) out_.push_back(v);
    }

    const CheckedStep& step_;
    std::vector<Violation>& out_;
};

}  // namespace

void check_dissipation(const CheckedStep& step, std::vector<Violation>& violations) {
    if (!std::holds_alternative<MaxDissipation>(step.model) || may_rebound(step.problem)) return;
    ContactProblem smooth = step.problem;
    for (ContactRow& row : smooth.contacts) row.mu_c = row.mu_v = 0;
    const ContactSolution without = solve_anew(Viscous(), smooth);
    MaxDissipation interior;
    interior.solver = MaxDissipationSolver::kInteriorPoint;
    const ContactSolution reference = solve_anew(interior, step.problem);
    Comparison comparison(step, violations);
    for (std::size_t i = 0; i < step.problem.islands.size(); ++i) {
        if (step.solution.islands[i].status != SolveStatus::kSolved) continue;
        const Sums own = sums_of(step.problem, i, step.solution);
        if (without.islands[i].status == SolveStatus::kSolved) {
            const Sums phase_one = sums_of(smooth, i, without);
            comparison.expect_within_kappa(i, own, phase_one);
            comparison.expect_no_worse(i, own, phase_one, "objective against no friction");
        }
        const Sums other = sums_of(step.problem, i, reference);
        const double sound = kSlackOfSums * fastest_free(step.problem, step.problem.islands[i]);
        if (other.violation <= sound && other.normal <= (1 + kSlackOfSums) * own.normal)
            comparison.expect_no_worse(i, own, other, "objective against interior_point");
    }
}

}  // namespace stiction

// island_checks.cpp - the rows of an island against what they should do.
#include "random/island_checks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "problem/link_motion.h"
#include "random/friction_checks.h"

namespace stiction {

namespace {

using Kind = RowAnswer::Kind;

constexpr double kSlack = 30;        // island_checks.h says why
constexpr double kRounding = 1e-13;  // of the velocities that a row adds up
constexpr double kStill = 1e-12;     // [m/s] no motion
constexpr double kRebuilt = 1e-10;   // of the same velocities: v+ against what the impulses do
// Over the momentum that there is to stop and what motors bring: wedges and levers multiply that,
// but not by this much; absurd shares of redundant rows do.
constexpr double kLargestImpulse = 1e5;
// Kinetic energy that an answer without convergence may gain, of that of v_free. The safe answers
// gain none; this is for what is nearly converged.
constexpr double kUnsolvedGain = 1e-2;
// no_slip takes tangential rows of a pair to depend on others where they do but for this part of
// their length (FIND-INDICES; models/held_rows.h).
constexpr double kDependent = 1e-5;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Worst violation per check, over the islands of a step.
class Worst {
  public:
    Worst(const CheckedStep& step, std::vector<Violation>& out) : step_(step), out_(out) {}

    // `detail` is called for violations alone.
    template <class Detail>
    void add(Check check, double measured, double allowed, std::string_view solver,
             const Detail& detail) {
        if (measured <= allowed) return;  // NaN is none
        Violation v;
        v.check = check;
        v.model = name(step_.model);
        v.solver = solver;
        v.measured = measured;
        v.allowed = allowed;
        v.detail = detail();
        for (Violation& old : out_) {
            if (old.check != check) continue;
            if (measured - allowed > old.measured - old.allowed) old = v;
            return;
        }
        out_.push_back(v);
    }

  private:
    const CheckedStep& step_;
    std::vector<Violation>& out_;
};

// What is the same for all islands of a step.
struct StepChecks {
    const CheckedStep& step;
    double tolerance = 0;
    double compliance = 0;  // of every row [1/kg]
    ContactGuess last;      // of the last step, per contact

    explicit StepChecks(const CheckedStep& checked) : step(checked) {
        tolerance = std::visit([](const auto& m) { return m.tolerance; }, step.model);
        if (const auto* box = std::get_if<FrictionBox>(&step.model)) compliance = box->cfm;
        match(step.guess, step.problem, last);
    }
    template <class Model>
    [[nodiscard]] bool is() const {
        return std::holds_alternative<Model>(step.model);
    }
    // Laws that couple normal and tangents, where complementarity holds as part of the whole.
    [[nodiscard]] bool coupled() const { return is<CoulombLcp>() || is<CoulombCone>(); }
};

class IslandChecker {
  public:
    IslandChecker(const StepChecks& checks, std::size_t index, Worst& worst)
        : checks_(checks),
          step_(checks.step),
          island_(checks.step.problem.islands[index]),
          result_(checks.step.solution.islands[index]),
          answer_(answer_of(checks.step, checks.step.problem.islands[index])),
          worst_(worst) {}

    void run(CheckedIslands& islands) {
        ++islands.all;
        islands.solved += solved() ? 1 : 0;
        islands.dissipative += answer_.dissipative ? 1 : 0;
        islands.rebounding += answer_.rebounds ? 1 : 0;
        if (!check_finite()) return;
        check_impulses();
        check_momentum();
        check_energy();
        if (!solved()) return;
        for (const LinkAnswer& link : answer_.links) {
            for (std::size_t r = 0; r < link.rows.size(); ++r) check_row(link, r);
        }
    }

  private:
    [[nodiscard]] bool solved() const { return result_.status == SolveStatus::kSolved; }

    // Where rows contradict each other, compliance is what decides.
    [[nodiscard]] double most_impulse() const {
        const double yielding = checks_.compliance > 0 ? answer_.speed / checks_.compliance : 0.0;
        return kLargestImpulse * answer_.momentum + yielding;
    }
    // Of impulses that are absurd, rounding is no excuse.
    [[nodiscard]] double added_up() const {
        return answer_.speed + std::min(answer_.largest_x, answer_.largest_weight * most_impulse());
    }
    [[nodiscard]] double rounding() const { return kRounding * added_up() + kStill; }
    [[nodiscard]] double allowed() const {
        return kSlack * checks_.tolerance * answer_.speed + rounding();
    }

    template <class Detail>
    void add(Check check, double measured, double most, const Detail& detail) {
        worst_.add(check, measured, most, result_.solver, detail);
    }
    void add(Check check, double measured, const char* what, int row) {
        add(check, measured, allowed(),
            [&] { return std::string(what) + " " + std::to_string(row); });
    }

    bool check_finite() {
        const bool finite = std::isfinite(answer_.speed + answer_.worth);
        add(Check::kFinite, finite ? 0 : kInfinity, 0,
            [] { return "velocities or impulses of an island"; });
        return finite;
    }

    void check_impulses() {
        add(solved() ? Check::kImpulses : Check::kImpulsesUnsolved, answer_.largest_impulse,
            most_impulse() + kStill, [&] {
                return "largest impulse of a row [N s], status " +
                       std::string(name(result_.status));
            });
    }

    void check_momentum() {
        const VecX rebuilt = rebuilt_velocity(step_, island_, answer_);
        double worst = 0;
        for (const LinkAnswer& link : answer_.links) {
            const LinkSystem& system = step_.problem.system;
            const Vec6 u = link_velocity(system, system.links[at(link.link)], rebuilt);
            worst = std::max(worst, (u - link.u).lpNorm<Eigen::Infinity>());
        }
        add(solved() ? Check::kMomentum : Check::kMomentumUnsolved, worst,
            allowed() + kRebuilt * added_up(), [] { return "v+ against v_free + M^-1 G'c"; });
    }

    void check_energy() {
        if (!answer_.dissipative) return;
        const double before = kinetic_energy_of(step_.problem, island_, step_.problem.v_free);
        const double after = kinetic_energy_of(step_.problem, island_, step_.solution.v);
        const double share = checks_.tolerance + kRounding + (solved() ? 0.0 : kUnsolvedGain);
        add(solved() ? Check::kEnergySolved : Check::kEnergyUnsolved, after - before,
            allowed() * answer_.worth + share * before, [&] {
                std::ostringstream text;
                text << "kinetic energy " << before << " J of v_free, " << after << " J of v+"
                     << (answer_.rebounds ? ", with restitution" : "") << "; status "
                     << name(result_.status) << ", residual " << result_.residual;
                return text.str();
            });
    }

    void check_row(const LinkAnswer& link, std::size_t r) {
        const RowAnswer& row = link.rows[r];
        switch (row.kind) {
            case Kind::kJoint:
                add(Check::kJoint, std::abs(row.u + checks_.compliance * row.c), "joint row",
                    row.index);
                break;
            case Kind::kLimit:
                check_unilateral(row, 0, "limit");
                break;
            case Kind::kBounded:
                check_bounded(row);
                break;
            case Kind::kNormal:
                check_unilateral(row, step_.problem.contacts[at(row.index)].mu_c, "contact");
                if (!answer_.rebounds) check_friction(link, r);  // else it was the approach's
                break;
            case Kind::kS:
            case Kind::kT:
                break;
        }
    }

    // 0 <= c _|_ w >= 0. Phase II of max_dissipation keeps both signs, not the product.
    void check_unilateral(const RowAnswer& row, double mu, const char* what) {
        const double w = row.u + checks_.compliance * row.c;
        const double x = row.weight * row.c;
        add(Check::kApproach, -w / (checks_.coupled() ? 1 + mu : 1.0), what, row.index);
        const bool signs_alone =
            checks_.coupled() || checks_.is<MaxDissipation>() || answer_.rebounds;
        add(Check::kNormal, signs_alone ? -x : std::abs(std::min(x, w)), what, row.index);
    }

    void check_bounded(const RowAnswer& row) {
        const BoundedRow& bounded = step_.problem.bounded[at(row.index)];
        const double x = row.weight * row.c;
        const double w = row.u + (bounded.compliance + checks_.compliance) * row.c;
        const bool bounds_alone = checks_.is<MaxDissipation>() || answer_.rebounds;
        const double wanted =
            std::clamp(bounds_alone ? x : x - w, row.weight * bounded.lo, row.weight * bounded.hi);
        add(Check::kBounded, std::abs(x - wanted), "bounded row", row.index);
    }

    [[nodiscard]] static double largest_friction(const LinkAnswer& link) {
        double largest = 0;
        for (const RowAnswer& row : link.rows) {
            if (row.kind == Kind::kS || row.kind == Kind::kT)
                largest = std::max(largest, std::abs(row.c));
        }
        return largest;
    }
    // Of the contact whose normal is row r.
    [[nodiscard]] ContactAnswer contact_of(const LinkAnswer& link, std::size_t r) const {
        const RowAnswer &n = link.rows[r], &s = link.rows[r + 1], &t = link.rows[r + 2];
        const ContactRow& row = step_.problem.contacts[at(n.index)];
        ContactAnswer contact;
        contact.c = {n.c, s.c, t.c};
        contact.u = {n.u, s.u, t.u};
        contact.weight = n.weight;
        contact.mu = row.mu_c;
        contact.drag = step_.problem.h * row.mu_v;
        contact.touching = touching(step_.problem, row);
        if (checks_.last.bits[at(n.index)] != kNoGuess)
            contact.last = std::max(0.0, row.n.head<3>().dot(checks_.last.impulses[at(n.index)]));
        if (checks_.is<NoSlip>()) {
            contact.leeway = kDependent * std::hypot(s.g.norm(), t.g.norm()) * link.u.norm();
            contact.most = (1 - kDependent) * answer_.most_friction;
            // What rows that depend on others would exert these do.
            contact.at_most = link.gap && largest_friction(link) >= contact.most;
        }
        // The offset of the cone is that of the velocity with joints, v_free where there are none.
        if (checks_.is<MaxDissipation>() && row.mu_v > 0)
            contact.leeway = answer_.jointed ? kInfinity : contact.drag * std::hypot(s.q, t.q);
        return contact;
    }

    void check_friction(const LinkAnswer& link, std::size_t r) {
        const ContactAnswer contact = contact_of(link, r);
        const auto detail = [&] {
            std::ostringstream text;
            text << "contact " << link.rows[r].index << ": c " << contact.c.transpose() << ", u "
                 << contact.u.transpose() << ", w " << contact.weight << ", mu " << contact.mu;
            return text.str();
        };
        const double error =
            std::visit([&](const auto& m) { return friction_error(m, contact); }, step_.model);
        add(Check::kFriction, error, allowed(), detail);
        if (!checks_.is<CoulombCone>()) return;
        // Its second residual is over max(1, |q|) and not weighted.
        const double most = kSlack * checks_.tolerance * std::max(1.0, answer_.speed);
        add(Check::kFriction, natural_cone_error(contact),
            most + kRounding * answer_.worth + rounding(), detail);
    }

    const StepChecks& checks_;
    const CheckedStep& step_;
    const Island& island_;
    const IslandResult& result_;
    const IslandAnswer answer_;
    Worst& worst_;
};

void check_totals(const CheckedStep& step, Worst& worst) {
    SolveStatus status = SolveStatus::kSolved;
    int failures = 0;
    for (const IslandResult& island : step.solution.islands) {
        status = worse(status, island.status);
        failures += island.status != SolveStatus::kSolved ? 1 : 0;
    }
    const bool right = status == step.solution.status && failures == step.solution.failures &&
                       step.solution.islands.size() == step.problem.islands.size();
    worst.add(Check::kCounted, right ? 0 : 1, 0, step.solution.solver,
              [] { return "status and failures of the step against those of its islands"; });
    worst.add(Check::kFinite, step.solution.v.allFinite() ? 0 : kInfinity, 0, step.solution.solver,
              [] { return "velocities of the step"; });
}

}  // namespace

void check_step(const CheckedStep& step, CheckedIslands& islands,
                std::vector<Violation>& violations) {
    Worst worst(step, violations);
    check_totals(step, worst);
    const StepChecks checks(step);
    for (std::size_t i = 0; i < step.problem.islands.size(); ++i)
        IslandChecker(checks, i, worst).run(islands);
}

}  // namespace stiction

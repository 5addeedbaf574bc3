// machines.h - runs the engine and the loader and keeps what their tests ask for.
#pragma once

#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "scene_runs.h"

namespace stiction::machines {

// Of a run, or of a part of it.
struct Work {
    double drive = 0;   // by torques and motors [J]
    double facets = 0;  // taken by contacts, >= 0 [J]
    double gained = 0;  // from nowhere: unexplained, or by the integrator beyond its formula [J]
    double lifted = 0;  // by the projection, which takes overlaps away [J]
    int steps = 0, unsolved = 0;
    double contacts = 0;  // summed
    int most = 0;
    double overlap = 0;  // deepest [m]
};

inline void note(const Simulation& sim, Work& work) {
    const EnergyAccount& account = sim.frame.account;
    work.drive += account.scripts + account.motors;
    work.facets -= account.contact;
    work.gained += std::max(0.0, account.unexplained) + std::max(0.0, account.integrator_excess);
    work.lifted += std::max(0.0, account.projection);
    ++work.steps;
    work.unsolved += sim.frame.solution.status != SolveStatus::kSolved;
    const int contacts = static_cast<int>(sim.frame.contacts.contacts.size());
    work.contacts += contacts;
    work.most = std::max(work.most, contacts);
    work.overlap = std::max(work.overlap, deepest_overlap(sim));
}

struct Revolution {
    double speed = 0;  // mean, of the crankshaft [rad/s]
    Work work;
};

// Turns the engine of `cylinders` cylinders so often, or until it stands.
inline std::vector<Revolution> turn_engine(int cylinders, const std::string& model, int revolutions,
                                           const Parameters& more = {}) {
    Parameters parameters = more;
    parameters.emplace_back("cylinders", std::to_string(cylinders));
    const Scene scene = shipped_scene("engine", parameters);
    const ContactModel contact =
        name(scene.contact) == model ? scene.contact : make_contact_model(model);
    Simulation sim = simulate(scene, contact);
    sim.keep_account = true;
    const std::size_t shaft = body_named(sim.model, "crankshaft");
    std::vector<Revolution> result;
    Revolution now;
    double angle = 0, begun = 0;
    while (static_cast<int>(result.size()) < revolutions && sim.state.time < revolutions) {
        if (step(sim) != StepOutcome::kDone) {
            ADD_FAILURE() << describe_failure(sim);
            break;
        }
        note(sim, now.work);
        const double before = angle;
        angle += scene.step.h * sim.state.twist[shaft].w.y();
        if (angle < 2 * std::numbers::pi * static_cast<double>(result.size() + 1)) continue;
        const double rest =
            (angle - 2 * std::numbers::pi * static_cast<double>(result.size() + 1)) /
            (angle - before) * scene.step.h;
        const double end = sim.state.time - rest;
        now.speed = 2 * std::numbers::pi / (end - begun);
        begun = end;
        std::printf(
            "engine: %d cylinders, %-15s revolution %2zu at %6.3f rad/s; torque %.4f J, facets "
            "take "
            "%.4f J, projection %.4f J, nowhere %.1e J; %.0f contacts, most %d; %d of %d steps not "
            "solved\n",
            cylinders, model.c_str(), result.size() + 1, now.speed, now.work.drive, now.work.facets,
            now.work.lifted, now.work.gained, now.work.contacts / now.work.steps, now.work.most,
            now.work.unsolved, now.work.steps);
        std::fflush(stdout);
        result.push_back(now);
        now = Revolution{};
        // What the bearings allow: their clearance and what facets add to it.
        const Vec3& p = sim.state.pose[shaft].p;
        EXPECT_LT(std::hypot(p.x(), p.z()), 0.02);
        for (int i = 0; i < cylinders; ++i) {
            const Vec3& piston =
                sim.state.pose[body_named(sim.model, "piston_" + std::to_string(i))].p;
            EXPECT_LT(std::abs(piston.x()), 0.003) << i;
            EXPECT_GT(piston.z(), 0.08) << i;
            EXPECT_LT(piston.z(), 0.17) << i;
        }
    }
    return result;
}

}  // namespace stiction::machines

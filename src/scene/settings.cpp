// settings.cpp - what a scene says besides bodies: gravity, duration, seed, camera, step,
// collision and contact model.
#include <algorithm>
#include <limits>

#include "core/error.h"
#include "core/nearest.h"
#include "scene/builder.h"

namespace stiction {
namespace {

constexpr double kLargestStep = 1.0;              // [s]; more is a mistake of units
constexpr std::int64_t kMaxSides = 64;            // of a friction polygon: 0.12 % off the circle
constexpr std::int64_t kMaxPerCycle = 1000;       // sweeps or subspace solves of pgs_sm
constexpr std::int64_t kLargestSeed = 1LL << 53;  // whole numbers a double holds exactly

void read_step(const Node& node, StepSettings& step) {
    node.only({"h", "integrator", "stabilisation", "baumgarte", "baumgarte_max_speed",
               "max_depenetration", "joint_tolerance", "restitution_threshold", "impacts", "events",
               "time_budget"});
    step.h =
        node.number("h", step.h, {.min = 0, .max = kLargestStep, .above_min = true, .unit = "s"});
    if (const auto choice = node.find("integrator"))
        step.integrator = static_cast<Integrator>(choice->choice(kIntegratorNames, "integrator"));
    if (const auto choice = node.find("stabilisation")) {
        step.stabilisation =
            static_cast<Stabilisation>(choice->choice(kStabilisationNames, "stabilisation"));
    }
    step.baumgarte = node.number("baumgarte", step.baumgarte, between(0, 1));
    step.baumgarte_max_speed =
        node.number("baumgarte_max_speed", step.baumgarte_max_speed, at_least_zero("m/s"));
    step.max_depenetration =
        node.number("max_depenetration", step.max_depenetration, at_least_zero("m/s"));
    step.joint_tolerance = node.number("joint_tolerance", step.joint_tolerance, positive("m"));
    step.restitution_threshold =
        node.number("restitution_threshold", step.restitution_threshold, at_least_zero("m/s"));
    if (const auto choice = node.find("impacts"))
        step.impacts = static_cast<Impacts>(choice->choice(kImpactsNames, "impacts"));
    if (const auto events = node.find("events")) step.events = events->boolean();
    step.time_budget = node.number("time_budget", step.time_budget, at_least_zero("s"));
}

int read_sides(const Node& node) {
    const std::int64_t sides = node.integer(4, kMaxSides);
    if (sides % 2 != 0) node.fail("must be even, got " + std::to_string(sides));
    return static_cast<int>(sides);
}

template <class Model>
void read_accuracy(const Node& node, Model& model) {
    model.tolerance = node.number("tolerance", model.tolerance, positive(""));
    if (const auto iterations = node.find("max_iterations")) {
        model.max_iterations =
            static_cast<int>(iterations->integer(0, std::numeric_limits<int>::max()));
    }
}

// The keys of the model that is chosen; those of another model are refused as unknown.
void read_model(const Node& node, NoSlip& model) {
    node.only({"model", "solver", "repeat", "tolerance", "max_iterations", "release_separating"});
    if (const auto solver = node.find("solver")) {
        model.solver =
            static_cast<NoSlipSolver>(solver->choice(kNoSlipSolverNames, "solver of no_slip"));
    }
    if (const auto release = node.find("release_separating")) {
        model.release_separating = release->boolean();
    }
    read_accuracy(node, model);
}

void read_model(const Node& node, CoulombLcp& model) {
    node.only({"model", "solver", "repeat", "tolerance", "max_iterations", "sides", "variant"});
    if (const auto solver = node.find("solver")) {
        model.solver = static_cast<CoulombLcpSolver>(
            solver->choice(kCoulombLcpSolverNames, "solver of coulomb_lcp"));
    }
    if (const auto variant = node.find("variant")) {
        model.variant =
            static_cast<CoulombLcpVariant>(variant->choice(kCoulombLcpVariantNames, "variant"));
    }
    if (const auto sides = node.find("sides")) model.sides = read_sides(*sides);
    read_accuracy(node, model);
}

void read_model(const Node& node, Viscous& model) {
    node.only({"model", "solver", "repeat", "tolerance", "max_iterations", "level"});
    if (const auto level = node.find("level")) {
        model.level = static_cast<ViscousLevel>(level->choice(kViscousLevelNames, "level"));
    }
    if (const auto solver = node.find("solver")) {
        model.solver =
            static_cast<ViscousSolver>(solver->choice(kViscousSolverNames, "solver of viscous"));
    }
    read_accuracy(node, model);
}

void read_model(const Node& node, MaxDissipation& model) {
    node.only({"model", "solver", "repeat", "tolerance", "max_iterations", "phase_one", "form"});
    if (const auto solver = node.find("solver")) {
        if (solver->text() == "first_order")
            solver->fail("'first_order' of max_dissipation is gone; take 'prox_newton'");
        model.solver = static_cast<MaxDissipationSolver>(
            solver->choice(kMaxDissipationSolverNames, "solver of max_dissipation"));
    }
    if (const auto phase_one = node.find("phase_one")) {
        model.phase_one = static_cast<PhaseOneSolver>(
            phase_one->choice(kPhaseOneSolverNames, "phase_one of max_dissipation"));
    }
    if (const auto form = node.find("form")) {
        model.form = static_cast<DissipationForm>(
            form->choice(kDissipationFormNames, "form of max_dissipation"));
    }
    read_accuracy(node, model);
}

void read_model(const Node& node, FrictionBox& model) {
    node.only({"model", "solver", "repeat", "tolerance", "max_iterations", "cfm", "k_pgs", "k_sm"});
    if (const auto solver = node.find("solver")) {
        model.solver = static_cast<FrictionBoxSolver>(
            solver->choice(kFrictionBoxSolverNames, "solver of friction_box"));
    }
    model.cfm = node.number("cfm", model.cfm, at_least_zero("1/kg"));
    if (const auto sweeps = node.find("k_pgs"))
        model.k_pgs = static_cast<int>(sweeps->integer(1, kMaxPerCycle));
    if (const auto solves = node.find("k_sm"))
        model.k_sm = static_cast<int>(solves->integer(1, kMaxPerCycle));
    read_accuracy(node, model);
}

void read_model(const Node& node, CoulombCone& model) {
    node.only({"model", "solver", "repeat", "tolerance", "max_iterations"});
    if (const auto solver = node.find("solver")) {
        model.solver = static_cast<CoulombConeSolver>(
            solver->choice(kCoulombConeSolverNames, "solver of coulomb_cone"));
    }
    read_accuracy(node, model);
}

void read_contact_model(const Node& node, ContactModel& contact) {
    node.only({"model", "solver", "repeat", "tolerance", "max_iterations", "release_separating",
               "sides", "variant", "cfm", "k_pgs", "k_sm", "phase_one", "form", "level"});
    if (const auto model = node.find("model")) {
        (void)model->choice(kContactModelNames, "model");
        contact = make_contact_model(model->text());
    }
    std::visit([&](auto& model) { read_model(node, model); }, contact);
}

void read_contact(const Node& node, Scene& scene) {
    read_contact_model(node, scene.contact);
    if (const auto repeat = node.find("repeat")) {
        scene.model.contact_repeat = static_cast<int>(repeat->integer(1, kMaxContactCopies));
    }
}

void read_collision(const Node& node, StepSettings& step) {
    node.only({"narrowphase"});
    if (const auto choice = node.find("narrowphase")) {
        step.narrowphase =
            static_cast<NarrowphaseKind>(choice->choice(kNarrowphaseNames, "narrowphase"));
    }
}

void read_camera(const Node& node, Camera& camera) {
    node.only({"target", "eye"});
    camera.target = node.vector("target", camera.target);
    camera.eye = node.vector("eye", camera.eye);
    camera.given = true;
    if ((camera.eye - camera.target).norm() < 1e-9) node.fail("eye and target are the same point");
}

}  // namespace

void read_contact_text(const std::string& text, ContactModel& contact) {
    const Document document = parse_document(text, "contact");
    const Scope no_names;
    ReadBudget budget;
    read_contact_model(Node(document, budget, no_names), contact);
}

void read_step_text(const std::string& text, StepSettings& step) {
    const Document document = parse_document(text, "step");
    const Scope no_names;
    ReadBudget budget;
    read_step(Node(document, budget, no_names), step);
}

void choose_model(const std::string& model, const std::string& solver, Scene& scene) {
    if (!model.empty()) scene.contact = make_contact_model(model, scene.contact);
    if (!solver.empty()) set_solver(scene.contact, solver);
}

void choose_narrowphase(const std::string& name, StepSettings& step) {
    const auto known = std::find(kNarrowphaseNames.begin(), kNarrowphaseNames.end(), name);
    if (known == kNarrowphaseNames.end()) {
        throw InputError("unknown narrowphase '" + name + "'" +
                         suggestion(name, {kNarrowphaseNames.begin(), kNarrowphaseNames.end()}));
    }
    step.narrowphase = static_cast<NarrowphaseKind>(known - kNarrowphaseNames.begin());
}

void read_settings(const Node& root, Builder& builder) {
    Scene& scene = builder.scene;
    if (const auto description = root.find("description")) {
        scene.description = description->text();
        if (scene.description.find('\n') != std::string::npos) {
            description->fail("more than one line; expected a single one");
        }
    }
    scene.model.gravity = root.vector("gravity", scene.model.gravity);
    scene.duration = root.number("duration", scene.duration, positive("s"));
    if (const auto seed = root.find("seed")) {
        scene.seed = static_cast<std::uint64_t>(seed->integer(0, kLargestSeed));
    }
    if (const auto camera = root.find("camera")) read_camera(*camera, scene.camera);
    if (const auto step = root.find("step")) read_step(*step, scene.step);
    if (const auto collision = root.find("collision")) read_collision(*collision, scene.step);
    if (const auto contact = root.find("contact")) read_contact(*contact, scene);
    // Before any joint is read: the file that includes decides for those of the files it includes.
    builder.reduced = read_reduced(root, builder.reduced);
}

}  // namespace stiction

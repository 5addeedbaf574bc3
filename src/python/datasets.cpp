// datasets.cpp - datasets of frames and trajectories: reading, and solving frames again.
#include "compare/variants.h"
#include "problem_files/dataset.h"
#include "problem_files/frame_matrices.h"
#include "problem_files/frame_solver.h"
#include "problem_files/record_frame.h"
#include "python/bindings.h"
#include "python/held_world.h"
#include "record/trajectory.h"
#include "scene/find_scene.h"
#include "step/simulation.h"

namespace stiction {

namespace {

// A frame with the problem made of it.
struct HeldFrame {
    std::string place;
    ProblemFrame frame;
    FrameProblem problem;
};

HeldFrame read_held(const Dataset& dataset, std::int64_t index) {
    const auto size = static_cast<std::int64_t>(dataset.size());
    if (index < 0) index += size;
    if (index < 0 || index >= size)
        throw py::index_error(dataset.path() + " has " + std::to_string(size) + " frames");
    const auto k = static_cast<std::size_t>(index);
    HeldFrame held;
    held.place = dataset.path() + ": " + dataset.name(k);
    held.frame = dataset.read(k);
    held.problem = make_frame_problem(held.frame, held.place);
    return held;
}

// The last step of a world as a dataset would have it, without the warm starts that it had.
HeldFrame step_frame(HeldWorld& world) {
    (void)idle(world).contact_problem();  // throws where there is none
    const Simulation& sim = world.world.simulation();
    HeldFrame held;
    held.place = world.world.name() + ", step " + std::to_string(sim.state.step);
    held.frame = record_frame(sim, {});
    held.problem = make_frame_problem(held.frame, held.place);
    return held;
}

py::dict solve_frame(const HeldFrame& held, const std::string& model, const std::string& solver,
                     std::optional<double> tolerance, bool alone, bool warm, double time_budget) {
    FrameSolveSettings settings;
    settings.model = model.empty() ? held.problem.model : make_contact_model(model);
    if (!solver.empty()) set_solver(settings.model, solver);
    if (tolerance) set_tolerance(settings.model, *tolerance);
    settings.alone = alone;
    settings.warm = warm;
    settings.time_budget = time_budget;
    Interruption interruption;
    settings.ended = [&] { return !interruption.go_on(); };
    FrameAnswer answer;
    {
        const py::gil_scoped_release free;
        FrameSolver frame_solver;
        answer = frame_solver.solve(held.frame, held.problem, settings);
    }
    interruption.raise();
    py::dict dict;
    dict["name"] = answer.name;
    dict["solver"] = answer.solver;
    dict["status"] = std::string(name(answer.status));
    dict["iterations"] = answer.iterations;
    dict["residual"] = answer.residual;
    dict["natural"] = answer.quality.natural.norm;
    dict["scaled"] = answer.quality.scaled.norm;
    dict["seconds"] = answer.seconds;
    dict["quality"] = quality_dict(answer.quality);
    dict["impulses"] = table(answer.c_n.size(), 3, [&](std::size_t i, double* row) {
        put({answer.c_n[i], answer.c_s[i], answer.c_t[i]}, row);
    });
    dict["velocities"] = table(answer.velocities.size(), 6, [&](std::size_t i, double* row) {
        put(answer.velocities[i].v, row);
        put(answer.velocities[i].w, row + 3);
    });
    return dict;
}

Array frame_contacts(const HeldFrame& held) {
    const std::vector<FrameContact>& contacts = held.frame.contacts;
    return table(contacts.size(), 10, [&](std::size_t i, double* row) {
        row[0] = contacts[i].a;
        row[1] = contacts[i].b;
        put(contacts[i].p, row + 2);
        put(contacts[i].n, row + 5);
        row[8] = contacts[i].gap;
        row[9] = contacts[i].mu;
    });
}

py::dict trajectory_arrays(const std::string& path) {
    const Trajectory trajectory = read_trajectory(path);
    const std::vector<TrajectorySample>& samples = trajectory.samples;
    const std::size_t bodies = trajectory.header.bodies.size();
    const std::size_t joints = trajectory.header.joints.size();
    Array time(static_cast<py::ssize_t>(samples.size()));
    Array states({samples.size(), bodies, kStateColumns});
    Array coordinates({samples.size(), joints, std::size_t{2}});
    double* to = states.mutable_data();
    double* coordinate = coordinates.mutable_data();
    for (std::size_t i = 0; i < samples.size(); ++i) {
        time.mutable_data()[i] = samples[i].time;
        for (std::size_t b = 0; b < bodies; ++b, to += kStateColumns)
            put_body(samples[i].pose[b], samples[i].twist[b], to);
        for (const JointCoordinate& joint : samples[i].joints) {
            *coordinate++ = joint.position;
            *coordinate++ = joint.velocity;
        }
    }
    py::dict dict;
    dict["scene"] = trajectory.header.scene;
    dict["model"] = trajectory.header.model;
    dict["bodies"] = trajectory.header.bodies;
    dict["joints"] = trajectory.header.joints;
    dict["time"] = time;
    dict["states"] = states;
    dict["coordinates"] = coordinates;
    return dict;
}

}  // namespace

void bind_datasets(py::module_& module) {
    py::class_<HeldFrame>(module, "Frame", "One step's contact problem in a dataset.")
        .def_readonly("place", &HeldFrame::place)
        .def_property_readonly(
            "h", [](const HeldFrame& f) { return f.frame.h; }, "Step size [s].")
        .def_property_readonly(
            "bodies", [](const HeldFrame& f) { return f.frame.bodies.size(); },
            "Number of bodies that move.")
        .def_property_readonly(
            "remarks", [](const HeldFrame& f) { return f.frame.remarks; },
            "What the reader had to decide.")
        .def_property_readonly(
            "model", [](const HeldFrame& f) { return std::string(name(f.problem.model)); },
            "That the step was solved with.")
        .def("contact_table", &frame_contacts,
             "Contacts x 10: bodies a and b, point, normal, gap, friction coefficient.")
        .def("cone_arrays",
             [](const HeldFrame& f) { return cone_arrays(frame_cone(f.problem.problem, f.place)); })
        .def(
            "lcp",
            [](const HeldFrame& f, int sides) {
                if (sides < 4 || sides % 2 != 0) throw InputError("sides: must be even and >= 4");
                const Lcp lcp = frame_lcp(f.problem.problem, sides, f.place);
                return std::pair(lcp.A, lcp.b);
            },
            py::arg("sides"), "A, b of the LCP with a friction polygon of so many sides.")
        .def("solve", &solve_frame, py::arg("model") = "", py::arg("solver") = "",
             py::arg("tolerance") = py::none(), py::arg("alone") = true, py::arg("warm") = false,
             py::arg("time_budget") = 0.0,
             "By any model and solver; from zero, or with `warm` from the start that is stored.");
    py::class_<Dataset>(module, "Dataset", "A file of frames.")
        .def(py::init([](const std::string& path) { return Dataset(find_problem(path)); }),
             py::arg("path"))
        .def_property_readonly("path", [](const Dataset& d) { return d.path(); })
        .def("__len__", &Dataset::size)
        .def("__getitem__", &read_held, py::arg("index"));
    module.def("step_frame", &step_frame, py::arg("world"));
    module.def("is_dataset", &is_dataset, py::arg("path"));
    module.def("read_trajectory", &trajectory_arrays, py::arg("path"));
}

}  // namespace stiction

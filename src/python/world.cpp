// world.cpp - World and rollout for Python. States are arrays with a row of 13 numbers per body.
#include "world/world.h"

#include "metrics/step_quality.h"
#include "problem/contact_problem.h"
#include "python/bindings.h"
#include "python/held_world.h"
#include "record/run_summary.h"
#include "scene/find_scene.h"
#include "scene/scene.h"
#include "step/simulation.h"
#include "view/film/run_film.h"
#include "world/rollout.h"

namespace stiction {

namespace {

// A contact as a record of a structured array.
struct ContactRecord {
    std::int32_t body_a, body_b, geom_a, geom_b;
    std::uint32_t feature;
    double point[3], point_a[3], point_b[3];  // NOLINT(modernize-avoid-c-arrays): numpy's layout
    double normal[3], tangent_s[3], tangent_t[3];
    double gap, mu;
    double impulse[3];  // along normal and tangents
    double force[3];    // on A, world
    double slip[3];
};

void put_state(const State& state, double* to) {
    for (std::size_t i = 0; i < state.pose.size(); ++i, to += kStateColumns) {
        put_body(state.pose[i], state.twist[i], to);
    }
}

// The spin in principal axes is left to be found again from the twist.
State state_from(const double* from, const State& like) {
    State state;
    state.time = like.time;
    state.step = like.step;
    for (std::size_t i = 0; i < like.pose.size(); ++i, from += kStateColumns) {
        state.pose.push_back(
            {Vec3(from[0], from[1], from[2]), Quat(from[3], from[4], from[5], from[6])});
        state.twist.push_back(
            {Vec3(from[7], from[8], from[9]), Vec3(from[10], from[11], from[12])});
    }
    return state;
}

std::string shape_text(const Array& array) {
    std::string text;
    for (py::ssize_t i = 0; i < array.ndim(); ++i)
        text += (i > 0 ? " x " : "") + std::to_string(array.shape(i));
    return text.empty() ? "a single number" : text;
}

void check_columns(const Array& array, py::ssize_t ndim, std::size_t bodies, const char* rows) {
    if (array.ndim() == ndim && array.shape(ndim - 2) == static_cast<py::ssize_t>(bodies) &&
        array.shape(ndim - 1) == static_cast<py::ssize_t>(kStateColumns))
        return;
    throw InputError("state: got an array of " + shape_text(array) + "; expected " + rows +
                     std::to_string(bodies) +
                     " x 13 (position, quaternion w x y z, velocity, spin)");
}

HeldWorld make_world(const std::string& scene, const std::map<std::string, std::string>& parameters,
                     std::optional<std::uint64_t> seed, const std::string& model,
                     const std::string& solver, const std::string& narrowphase,
                     std::optional<double> h, int threads) {
    WorldOptions options;
    options.parameters.assign(parameters.begin(), parameters.end());
    options.seed = seed;
    options.model = model;
    options.solver = solver;
    options.narrowphase = narrowphase;
    options.h = h;
    options.threads = threads;
    const py::gil_scoped_release free;
    return {World(scene, options)};
}

std::int64_t run(HeldWorld& held, std::int64_t steps) {
    if (steps < 0) throw InputError("steps: must be at least 0");
    Interruption interruption;
    std::int64_t taken = 0;
    {
        const Away away(held);
        taken = held.world.run(steps, [&] { return interruption.go_on(); });
    }
    interruption.raise();
    return taken;
}

Array get_state(HeldWorld& held) {
    const State& state = idle(held).state();
    Array array({state.pose.size(), kStateColumns});
    put_state(state, array.mutable_data());
    return array;
}

void set_state(HeldWorld& held, const Array& array) {
    World& world = idle(held);
    check_columns(array, 2, world.model().bodies.size(), "");
    world.set_state(state_from(array.data(), world.state()));
}

void set_time(HeldWorld& held, double time) {
    State state = idle(held).state();
    state.time = time;
    held.world.set_state(state);
}

py::array_t<ContactRecord> contacts(HeldWorld& held) {
    const std::vector<WorldContact>& found = idle(held).contacts();
    py::array_t<ContactRecord> array(static_cast<py::ssize_t>(found.size()));
    ContactRecord* to = array.mutable_data();
    for (const WorldContact& contact : found) {
        ContactRecord& record = *to++;
        record.body_a = contact.body_a;
        record.body_b = contact.body_b;
        record.geom_a = contact.geom_a;
        record.geom_b = contact.geom_b;
        record.feature = contact.feature;
        put(contact.p(), record.point);
        put(contact.p_A, record.point_a);
        put(contact.p_B, record.point_b);
        put(contact.n, record.normal);
        put(contact.s, record.tangent_s);
        put(contact.t, record.tangent_t);
        record.gap = contact.phi;
        record.mu = contact.mu;
        put(contact.c, record.impulse);
        put(contact.impulse() / held.world.simulation().frame.problem.h, record.force);
        put(contact.slip, record.slip);
    }
    return array;
}

py::dict report(HeldWorld& held) {
    const StepReport r = idle(held).report();
    py::dict dict;
    dict["status"] = std::string(name(r.status));
    dict["solver"] = r.solver;
    dict["contacts"] = r.contacts;
    dict["iterations"] = r.iterations;
    dict["failures"] = r.failures;
    dict["fallbacks"] = r.fallbacks;
    dict["residual"] = r.residual;
    dict["seconds"] = r.seconds;
    return dict;
}

// The answer of the last step, judged by Coulomb's law whatever the model.
py::dict quality(HeldWorld& held) {
    const ContactProblem& problem = idle(held).contact_problem();
    StepQualityWorkspace workspace;
    ContactQuality quality;
    measure_quality(problem, held.world.simulation().frame.solution, {}, workspace, quality);
    return quality_dict(quality);
}

void record(HeldWorld& held, const std::string& csv, const std::string& trajectory,
            const std::string& summary, std::int64_t every, bool quality) {
    idle(held).record({csv, trajectory, summary, every, quality});
}

py::dict settings(HeldWorld& held) {
    const StepSettings& s = idle(held).settings();
    py::dict dict;
    dict["h"] = s.h;
    dict["integrator"] = std::string(name(s.integrator));
    dict["stabilisation"] = std::string(name(s.stabilisation));
    dict["baumgarte"] = s.baumgarte;
    dict["baumgarte_max_speed"] = s.baumgarte_max_speed;
    dict["max_depenetration"] = s.max_depenetration;
    dict["joint_tolerance"] = s.joint_tolerance;
    dict["restitution_threshold"] = s.restitution_threshold;
    dict["impacts"] = std::string(name(s.impacts));
    dict["events"] = s.events;
    dict["time_budget"] = s.time_budget;
    dict["narrowphase"] = std::string(name(s.narrowphase));
    return dict;
}

// The problem of the last step over all generalized velocities.
py::dict matrices(HeldWorld& held) {
    const ContactProblem& problem = idle(held).contact_problem();
    const DenseProblem d = dense(problem);
    py::dict dict;
    dict["h"] = problem.h;
    dict["M"] = d.M;
    dict["N"] = d.N;
    dict["S"] = d.S;
    dict["T"] = d.T;
    dict["J"] = d.J;
    dict["L"] = d.L;
    dict["B"] = d.B;
    dict["v"] = problem.v;
    dict["f"] = problem.f;
    dict["v_free"] = problem.v_free;
    return dict;
}

template <class Items>
std::vector<std::string> names_of(const Items& items) {
    std::vector<std::string> names;
    names.reserve(items.size());
    for (const auto& item : items) names.push_back(item.name);
    return names;
}

Array joints(HeldWorld& held) {
    const World& world = idle(held);
    return table(world.model().joints.size(), 2, [&](std::size_t i, double* row) {
        const JointCoordinate joint = joint_coordinate(world.state(), world.model().joints[i]);
        row[0] = joint.position;
        row[1] = joint.velocity;
    });
}

std::vector<std::tuple<std::string, std::string, double, double>> controls(HeldWorld& held) {
    std::vector<std::tuple<std::string, std::string, double, double>> list;
    for (const WorldControl& c : idle(held).controls())
        list.emplace_back(c.name, c.unit, c.low, c.high);
    return list;
}

// runs x kept x bodies x 13.
Array rollout_arrays(HeldWorld& held, const Array& states, const std::optional<Array>& given,
                     std::int64_t steps, std::int64_t every, int threads) {
    const World& world = idle(held);
    check_columns(states, 3, world.model().bodies.size(), "runs x ");
    const auto runs = static_cast<std::size_t>(states.shape(0));
    const std::size_t size = world.model().bodies.size() * kStateColumns;
    std::vector<State> starts;
    for (std::size_t i = 0; i < runs; ++i)
        starts.push_back(state_from(states.data() + i * size, world.state()));
    std::vector<std::vector<double>> inputs;
    if (given) {
        if (given->ndim() < 2)
            throw InputError("controls: got an array of " + shape_text(*given) +
                             "; expected runs x controls, or runs x steps x controls");
        const std::size_t each =
            given->shape(0) == 0 ? 0 : static_cast<std::size_t>(given->size() / given->shape(0));
        for (std::size_t i = 0; i < static_cast<std::size_t>(given->shape(0)); ++i)
            inputs.emplace_back(given->data() + i * each, given->data() + (i + 1) * each);
    }
    Interruption interruption;
    std::vector<std::vector<State>> kept;
    {
        const Away away(held);
        kept = rollout(world, starts, inputs, {steps, every, threads},
                       [&] { return interruption.go_on(); });
    }
    interruption.raise();
    const std::size_t count = kept.empty() ? 0 : kept.front().size();
    Array array({runs, count, world.model().bodies.size(), kStateColumns});
    double* to = array.mutable_data();
    for (const std::vector<State>& run : kept) {
        for (const State& state : run) {
            put_state(state, to);
            to += size;
        }
    }
    return array;
}

void bind_reading(py::class_<HeldWorld>& world) {
    world
        .def_property_readonly(
            "name", [](HeldWorld& w) { return idle(w).name(); }, "Of the scene.")
        .def_property_readonly(
            "path", [](HeldWorld& w) { return idle(w).path(); }, "Of the scene's file.")
        .def_property_readonly(
            "description", [](HeldWorld& w) { return idle(w).description(); },
            "The scene's line about itself.")
        .def_property_readonly(
            "parameters", [](HeldWorld& w) { return idle(w).parameters(); },
            "Of the scene, as used.")
        .def_property_readonly(
            "duration", [](HeldWorld& w) { return idle(w).duration(); },
            "That the scene proposes for a run [s].")
        .def_property_readonly(
            "warnings", [](HeldWorld& w) { return idle(w).warnings(); }, "Of the scene's reader.")
        .def_property_readonly(
            "bodies", [](HeldWorld& w) { return names_of(idle(w).model().bodies); },
            "Names, in the order of the rows of state.")
        .def_property_readonly(
            "masses",
            [](HeldWorld& w) {
                const std::vector<Body>& bodies = idle(w).model().bodies;
                VecX masses(static_cast<Eigen::Index>(bodies.size()));
                for (std::size_t i = 0; i < bodies.size(); ++i)
                    masses[static_cast<Eigen::Index>(i)] = bodies[i].mass;
                return masses;
            },
            "Of the bodies [kg]; 0: static or kinematic.")
        .def_property_readonly(
            "joint_names", [](HeldWorld& w) { return names_of(idle(w).model().joints); },
            "In the order of the rows of joints.")
        .def_property_readonly("joints", &joints, "Joints x 2: position and rate.")
        .def_property_readonly(
            "steps", [](HeldWorld& w) { return idle(w).state().step; }, "Taken since the start.")
        .def_property_readonly(
            "hash", [](HeldWorld& w) { return hash_text(idle(w).state_hash()); },
            "Of the state: equal for bit-identical states, and the program's state hash.")
        .def_property_readonly(
            "energy",
            [](HeldWorld& w) {
                const Energy e = idle(w).energy();
                return std::pair(e.kinetic, e.potential);
            },
            "Kinetic and potential [J].")
        .def_property_readonly("contacts", &contacts,
                               "Of the last step, a structured array; impulses along normal and "
                               "tangents [N s], force on body a in world axes [N].")
        .def_property_readonly("report", &report, "How the last step was solved.")
        .def_property_readonly("settings", &settings, "Of the step: the keys of a scene's step.")
        .def_property_readonly(
            "controls", &controls,
            "Name, unit, low and high of the numbers that may be changed while it runs.");
}

void bind_switches(py::class_<HeldWorld>& world) {
    world
        .def_property_readonly(
            "model", [](HeldWorld& w) { return std::string(name(idle(w).contact_model())); },
            "The contact model.")
        .def_property_readonly(
            "solver",
            [](HeldWorld& w) { return std::string(solver_name(idle(w).contact_model())); },
            "The solver that was asked for.")
        .def(
            "set_contact",
            [](HeldWorld& w, const std::string& text) { idle(w).set_contact_model(text); },
            py::arg("text"))
        .def(
            "set_step", [](HeldWorld& w, const std::string& text) { idle(w).set_settings(text); },
            py::arg("text"))
        .def(
            "set_narrowphase",
            [](HeldWorld& w, const std::string& name) { idle(w).set_narrowphase(name); },
            py::arg("name"))
        .def(
            "set_threads", [](HeldWorld& w, int n) { idle(w).set_threads(n); }, py::arg("threads"))
        .def(
            "set_friction",
            [](HeldWorld& w, std::optional<double> mu_c, std::optional<double> mu_v,
               std::optional<double> eps) { idle(w).set_friction(mu_c, mu_v, eps); },
            py::arg("mu_c"), py::arg("mu_v"), py::arg("eps"))
        .def_property(
            "control_values",
            [](HeldWorld& w) {
                const std::span<const double> x = idle(w).control_values();
                return VecX(Eigen::Map<const VecX>(x.data(), static_cast<Eigen::Index>(x.size())));
            },
            [](HeldWorld& w, const VecX& x) {
                idle(w).set_controls({x.data(), at(x.size())});
            },
            "Numbers of the scene that may be changed while it runs, as `controls` lists them. A "
            "copy; "
            "assign to set.");
}

void bind_pictures(py::class_<HeldWorld>& world) {
    world.def(
        "draw",
        [](HeldWorld& w, int width, int height, const std::string& path) {
            const FilmSettings settings{.width = width, .height = height, .overlay = false};
            check_film_size(settings, "size");
            Image image;
            {
                const Away away(w);
                image = draw_still(settings, w.world.camera(), w.world.simulation(),
                                   !w.world.contacts().empty());
                if (!path.empty()) write_png(path, image);
            }
            py::array_t<std::uint8_t> pixels({image.height, image.width, 3});
            std::copy(image.rgb.begin(), image.rgb.end(), pixels.mutable_data());
            return pixels;
        },
        py::arg("width"), py::arg("height"), py::arg("path"));
}

}  // namespace

void bind_world(py::module_& module) {
    PYBIND11_NUMPY_DTYPE(ContactRecord, body_a, body_b, geom_a, geom_b, feature, point, point_a,
                         point_b, normal, tangent_s, tangent_t, gap, mu, impulse, force, slip);
    const py::class_<WorldSnapshot> snapshot(module, "Snapshot",
                                             "State and warm starts of a world.");
    py::class_<HeldWorld> world(module, "World", "A scene that is stepped.");
    world.def(py::init(&make_world), py::arg("scene"), py::arg("parameters"), py::arg("seed"),
              py::arg("model"), py::arg("solver"), py::arg("narrowphase"), py::arg("h"),
              py::arg("threads"));
    world.def(py::init([](HeldWorld& w) { return HeldWorld{idle(w).copy()}; }), py::arg("world"));
    bind_reading(world);
    bind_switches(world);
    bind_pictures(world);
    world
        .def(
            "step",
            [](HeldWorld& w) {
                const Away away(w);
                w.world.step();
            },
            "Takes one step.")
        .def("run", &run, py::arg("steps"),
             "Takes steps; Ctrl-C ends it between two of them. Gives how many were taken.")
        .def(
            "reset", [](HeldWorld& w) { idle(w).reset(); }, "To the scene's start; settings stay.")
        .def_property("state", &get_state, &set_state,
                      "Bodies x 13: position, quaternion w x y z, velocity, spin, in world axes. A "
                      "copy; assign to set, without warm starts.")
        .def_property(
            "time", [](HeldWorld& w) { return idle(w).state().time; }, &set_time,
            "Since the scene's start [s]; assign to set.")
        .def(
            "snapshot", [](HeldWorld& w) { return idle(w).snapshot(); },
            "State, warm starts and controls, to go on from with the same bits.")
        .def(
            "restore", [](HeldWorld& w, const WorldSnapshot& s) { idle(w).restore(s); },
            py::arg("snapshot"), "Goes on from a snapshot of this scene.")
        .def(
            "save_state", [](HeldWorld& w, const std::string& p) { idle(w).save_state(p); },
            py::arg("path"), "Into a file of the program, with warm starts.")
        .def(
            "load_state", [](HeldWorld& w, const std::string& p) { idle(w).load_state(p); },
            py::arg("path"), "From a file of save_state or of stiction run --save-state.")
        .def("cone_arrays", [](HeldWorld& w) { return cone_arrays(idle(w).cone_problem()); })
        .def("quality", &quality,
             "How good the last answer is by Coulomb's law, whatever the model: norms over the "
             "contacts, and those of each.")
        .def("matrices", &matrices,
             "The last step's M, rows N, S, T, J, L, B, and v, f, v_free, h.")
        .def("record", &record, py::arg("csv"), py::arg("trajectory"), py::arg("summary"),
             py::arg("trajectory_every"), py::arg("quality"))
        .def_property_readonly(
            "is_recording", [](HeldWorld& w) { return idle(w).is_recording(); },
            "Whether steps are being recorded.")
        .def("finish_recording", [](HeldWorld& w) { idle(w).finish_recording(); })
        .def(
            "record_dataset",
            [](HeldWorld& w, const std::string& path, std::int64_t every) {
                idle(w).record_dataset(path, every);
            },
            py::arg("path"), py::arg("every"))
        .def("finish_dataset", [](HeldWorld& w) { return idle(w).finish_dataset(); });
    module.def("rollout", &rollout_arrays, py::arg("world"), py::arg("states"), py::arg("controls"),
               py::arg("steps"), py::arg("every"), py::arg("threads"));
    module.def("scenes_folder", &scenes_folder);
    module.def("problems_folder", &problems_folder);
}

}  // namespace stiction

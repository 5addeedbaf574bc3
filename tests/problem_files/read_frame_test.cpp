// read_frame_test.cpp - one frame in every form that its writers give it loads as the same problem, and
// what does not fit is refused with the dataset, its shape and what was expected.
#include "problem_files/read_frame.h"

#include <gtest/gtest.h>

#include <functional>

#include "core/error.h"
#include "problem_files/frame_arrays.h"
#include "problem_files/frame_solver.h"

namespace stiction {
namespace {

namespace read_frame_test {

// Three bodies, the third not active; a hinge between the first two, a slider of the first on the
// world with a bounded row and a limit; four contacts.
ProblemFrame example() {
    ProblemFrame frame;
    frame.h = 0.01;
    for (int i = 0; i < 3; ++i) {
        FrameBody& body = frame.bodies.emplace_back();
        body.p = {0.5 * i, 0.1 * i, 1.0};
        body.twist = {Vec3(0.1, 0.2 * i, -0.3), Vec3(0.2, 0, 0.1 * i)};
        body.force = {0.3, 0, -9.81 * (1 + i)};
        body.torque = {0, 0.1, 0};
        body.mass = 1 + i;
        body.inertia = Vec3(0.1, 0.2, 0.3).asDiagonal();
        body.inertia(0, 1) = body.inertia(1, 0) = 0.02;
        body.active = i < 2;
    }
    frame.bodies[2].twist = {};
    FrameJoint hinge;
    hinge.a = 1;
    hinge.b = 0;
    const Vec3 point(0.25, 0.1, 1.1);
    for (const Vec3& g : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}) {
        FrameRow row;
        row.J_a << g, (point - frame.bodies[1].p).cross(g);
        row.J_b << -g, -(point - frame.bodies[0].p).cross(g);
        row.violation = 1e-5;
        hinge.rows.push_back(row);
    }
    FrameJoint slider;
    slider.a = 0;
    slider.rows.resize(2);
    slider.rows[0].J_a << 1, 0, 0, 0, 0, 0;
    slider.rows[0].lo = -2;
    slider.rows[0].hi = 3;
    slider.rows[0].rate = 0.5;
    slider.rows[1].J_a << 0, 0, 0, 0, 0, 1;
    slider.rows[1].lo = 0;
    slider.rows[1].violation = 0.001;
    frame.joints = {hinge, slider};
    for (int i = 0; i < 4; ++i) {
        FrameContact contact;
        contact.a = i % 2;
        contact.b = i == 3 ? 2 : kNone;
        contact.p = {0.5 * (i % 2) + 0.1 * i, 0.05 * i, 0.9};
        contact.n = Vec3(0.1 * i, 0, 1).normalized();
        contact.gap = 1e-4 * (i - 1);
        contact.mu = 0.2 + 0.1 * i;
        frame.contacts.push_back(contact);
    }
    return frame;
}

using Objects = Hdf5Content::Objects;

Objects objects() { return as_content(frame_arrays(example())); }

ProblemFrame read(Objects content) {
    return read_frame(Hdf5Content("a.h5", "mbs_frame000001", std::move(content)));
}

std::string message(Objects content) {
    try {
        (void)read(std::move(content));
    } catch (const InputError& error) {
        return error.what();
    }
    return "(read)";
}

VecX velocities(const ProblemFrame& frame) {
    FrameSolver solver;
    const FrameProblem problem = make_frame_problem(frame, "frame");
    CoulombCone model;
    model.tolerance = 1e-11;
    const FrameAnswer answer = solver.solve(frame, problem, {model, false, false, 0, {}});
    EXPECT_EQ(answer.status, SolveStatus::kSolved);
    return answer.v;
}

void rename(Objects& content, const std::string& from, const std::string& to) {
    auto node = content.extract(from);
    ASSERT_FALSE(node.empty()) << from;
    node.key() = to;
    content.insert(std::move(node));
}

template <class T>
std::vector<T>& values(Objects& content, const std::string& name) {
    return std::get<std::vector<T>>(content.at(name).values);
}

template <class T>
void transpose_values(Hdf5Array& array) {
    auto* list = std::get_if<std::vector<T>>(&array.values);
    if (list == nullptr) return;
    const std::uint64_t rows = array.shape[0], cols = array.shape[1];
    std::vector<T> turned(list->size());
    for (std::uint64_t i = 0; i < rows; ++i) {
        for (std::uint64_t j = 0; j < cols; ++j) turned[j * rows + i] = (*list)[i * cols + j];
    }
    *list = turned;
}

void transpose_all(Objects& content) {
    for (auto& [name, array] : content) {
        if (array.shape.size() != 2) continue;
        transpose_values<double>(array);
        transpose_values<std::int64_t>(array);
        std::swap(array.shape[0], array.shape[1]);
    }
}

void set_ids(Objects& content, std::int64_t world,
             const std::function<std::int64_t(std::int64_t)>& id) {
    for (const char* name : {"bodies/ids", "contacts/pairs", "constraints/pairs"}) {
        for (std::int64_t& x : values<std::int64_t>(content, name)) x = x <= 0 ? world : id(x);
    }
}

// The columns of both joints exchanged against their pairs.
void swap_pairs(Objects& content) {
    std::vector<std::int64_t>& pairs = values<std::int64_t>(content, "constraints/pairs");
    for (std::size_t j = 0; j < pairs.size(); j += 2) std::swap(pairs[j], pairs[j + 1]);
}

void split_bounds(Objects& content, const std::string& suffix) {
    const std::vector<double> bounds = values<double>(content, "constraints/bounds");
    for (const int side : {0, 1}) {
        std::vector<double> one;
        for (std::size_t i = at(side); i < bounds.size(); i += 2) one.push_back(bounds[i]);
        content[(side == 0 ? "constraints/lower_bound" : "constraints/upper_bound") + suffix] = {
            {one.size(), 1}, one};
    }
    content.erase("constraints/bounds");
}

// Columns: 1, 2 or 3 of the same numbers.
void set_friction(Objects& content, const std::string& name, std::uint64_t cols) {
    std::vector<double> mu;
    for (const FrameContact& contact : example().contacts) mu.insert(mu.end(), cols, contact.mu);
    content[name] = {{4, cols}, mu};
}

struct Variant {
    const char* name;
    std::function<void(Objects&)> change;
};

const std::vector<Variant> kVariants = {
    {"as written", [](Objects&) {}},
    {"transposed", transpose_all},
    {"step_size", [](Objects& c) { rename(c, "timestep", "step_size"); }},
    {"settings/step_size", [](Objects& c) { rename(c, "timestep", "settings/step_size"); }},
    {"settings/h", [](Objects& c) { rename(c, "timestep", "settings/h"); }},
    {"h as an array",
     [](Objects& c) {
         rename(c, "timestep", "h");
         c.at("h").shape = {1, 1};
     }},
    {"mass", [](Objects& c) { rename(c, "bodies/masses", "bodies/mass"); }},
    {"inertia", [](Objects& c) { rename(c, "bodies/world_inertia_tensors", "bodies/inertia"); }},
    {"inertia_tensor, stacked in three dimensions",
     [](Objects& c) {
         rename(c, "bodies/world_inertia_tensors", "bodies/inertia_tensor");
         c.at("bodies/inertia_tensor").shape = {3, 3, 3};
     }},
    {"inertia_tensors of nine columns",
     [](Objects& c) {
         rename(c, "bodies/world_inertia_tensors", "bodies/inertia_tensors");
         c.at("bodies/inertia_tensors").shape = {3, 9};
     }},
    {"velocities of six columns",
     [](Objects& c) {
         c.at("bodies/velocities").shape = {3, 6};
         c.at("bodies/forces").shape = {18};
     }},
    {"gap", [](Objects& c) { rename(c, "contacts/gaps", "contacts/gap"); }},
    {"depth",
     [](Objects& c) {
         rename(c, "contacts/gaps", "contacts/depth");
         for (double& x : values<double>(c, "contacts/depth")) x = -x;
     }},
    {"mu",
     [](Objects& c) {
         c.erase("contacts/mu_s");
         c.erase("contacts/mu_k");
         set_friction(c, "contacts/mu", 1);
     }},
    {"mu_k of three columns, mu_s empty",
     [](Objects& c) {
         c["contacts/mu_s"] = {{0, 2}, std::vector<double>{}};
         set_friction(c, "contacts/mu_k", 3);
     }},
    {"mu_k scrambled",
     [](Objects& c) {
         std::vector<double>& mu = values<double>(c, "contacts/mu_k");
         std::reverse(mu.begin(), mu.end());
     }},
    {"world 0", [](Objects& c) { set_ids(c, 0, [](std::int64_t i) { return i; }); }},
    {"world -7, other ids",
     [](Objects& c) { set_ids(c, -7, [](std::int64_t i) { return 40 - 3 * i; }); }},
    {"no ids", [](Objects& c) { c.erase("bodies/ids"); }},
    {"ids as floating point",
     [](Objects& c) {
         const std::vector<std::int64_t> ids = values<std::int64_t>(c, "contacts/pairs");
         c.at("contacts/pairs").values = std::vector<double>(ids.begin(), ids.end());
     }},
    {"constraint_pairs",
     [](Objects& c) { rename(c, "constraints/pairs", "constraints/constraint_pairs"); }},
    {"swapped pairs", swap_pairs},
    {"violation", [](Objects& c) { rename(c, "constraints/violations", "constraints/violation"); }},
    {"lower_bound", [](Objects& c) { split_bounds(c, ""); }},
    {"lower_bound_f", [](Objects& c) { split_bounds(c, "_f"); }},
    {"cfm and sizes",
     [](Objects& c) {
         c["constraints/cfm"] = {{5, 1}, std::vector<double>(5, 1e-3)};
         c["constraints/nconstraints"] = {{}, std::vector<std::int64_t>{2}};
         c["contacts/size"] = {{1}, std::vector<std::int64_t>{4}};
     }},
};

TEST(ReadFrame, EveryVariantIsTheSameProblem) {
    const VecX expected = velocities(example());
    ASSERT_EQ(expected.size(), 12);
    for (const Variant& variant : kVariants) {
        SCOPED_TRACE(variant.name);
        Objects content = objects();
        variant.change(content);
        const ProblemFrame frame = read(content);
        ASSERT_EQ(frame.contacts.size(), 4U);
        ASSERT_EQ(frame.joints.size(), 2U);
        EXPECT_LT((velocities(frame) - expected).cwiseAbs().maxCoeff(), 1e-10);
    }
}

TEST(ReadFrame, SaysWhatItHadToDecide) {
    Objects content = objects();
    swap_pairs(content);
    const ProblemFrame frame = read(content);
    ASSERT_EQ(frame.remarks.size(), 1U);
    EXPECT_EQ(frame.remarks[0],
              "constraints: in 2 joints the columns of the Jacobian belong to the pair the other "
              "way round");
    EXPECT_TRUE(read(objects()).remarks.empty());
}

// At rest and on symmetric levers |J v| says nothing; only the balance of the rows tells.
TEST(ReadFrame, ChecksThatJointsBalance) {
    Objects content = objects();
    values<double>(content, "constraints/Jacobian")[3] += 0.5;
    const ProblemFrame frame = read(content);
    try {
        (void)make_frame_problem(frame, "a.h5: frame");
        FAIL() << "a torque from nowhere was accepted";
    } catch (const InputError& error) {
        EXPECT_EQ(std::string(error.what()),
                  "a.h5: frame: constraints/Jacobian: rows of joint 0 push its two bodies out of "
                  "balance; are they another pair?");
    }
}

TEST(ReadFrame, BodiesThatAreNotActiveDoNotMove) {
    Objects content = objects();
    for (std::size_t i = 12; i < 18; ++i) values<double>(content, "bodies/velocities")[i] = 5;
    EXPECT_EQ(velocities(read(content)), velocities(example()));
}

struct Fault {
    std::function<void(Objects&)> change;
    std::string message;
};

TEST(ReadFrame, RefusesWhatDoesNotFit) {
    const std::string at_frame = "a.h5: mbs_frame000001/";
    const std::vector<Fault> faults = {
        {[](Objects& c) { c.erase("timestep"); }, "timestep: there is no such dataset"},
        {[](Objects& c) { values<double>(c, "timestep")[0] = 0; },
         "timestep: is 0.000000; expected a number > 0"},
        {[](Objects& c) { c.erase("bodies/positions"); },
         "bodies/positions: there is no such dataset"},
        {[](Objects& c) {
             c.at("bodies/positions").shape = {9, 2};
             values<double>(c, "bodies/positions").resize(18);
         },
         "bodies/positions: is 9 x 2; expected 3 x 3"},
        {[](Objects& c) { values<double>(c, "contacts/points")[4] = NAN; },
         "contacts/points: entry 4 is nan; expected a finite number"},
        {[](Objects& c) { values<double>(c, "bodies/masses")[1] = -1; },
         "bodies/masses: body 1: mass is -1.000000; expected a number > 0"},
        {[](Objects& c) { values<double>(c, "bodies/world_inertia_tensors")[0] = -1; },
         "bodies/world_inertia_tensors: body 0: expected a symmetric, positive definite tensor"},
        {[](Objects& c) { values<double>(c, "bodies/quaternions")[0] = 2; },
         "bodies/quaternions: body 0 has one of length 2.000000; expected unit length, order w x "
         "y z"},
        {[](Objects& c) { values<double>(c, "contacts/normals")[2] = 3; },
         "contacts/normals: row 0 has length 3.000000; expected 1"},
        {[](Objects& c) { values<std::int64_t>(c, "contacts/pairs")[1] = 17; },
         "contacts/pairs: names body 17; there are 3, 1 to 3"},
        {[](Objects& c) { values<std::int64_t>(c, "bodies/ids")[1] = 3; },
         "bodies/ids: names body 3 twice"},
        {[](Objects& c) { values<std::int64_t>(c, "contacts/pairs")[6] = 2; },
         "contacts/pairs: row 3 names one body twice"},
        {[](Objects& c) { values<double>(c, "contacts/mu_s")[0] = -0.5; },
         "contacts/mu_s: contact 0 has a negative coefficient"},
        {[](Objects& c) { c.erase("contacts/mu_s"), c.erase("contacts/mu_k"); },
         "contacts/mu_s: there is no such dataset, nor mu_k or mu"},
        {[](Objects& c) { c.erase("contacts/gaps"); }, "contacts/gaps: there is no such dataset"},
        {[](Objects& c) { values<std::int64_t>(c, "constraints/rows")[0] = -2; },
         "constraints/rows: joint 0 has -2; expected 0 to 6"},
        {[](Objects& c) { values<std::int64_t>(c, "constraints/rows")[0] = 4; },
         "constraints/Jacobian: is 5 x 12; expected 6 x 12"},
        {[](Objects& c) { values<double>(c, "constraints/bounds")[6] = 9; },
         "constraints/bounds: row 3: the lower bound is above the upper one"},
    };
    for (const Fault& fault : faults) {
        Objects content = objects();
        fault.change(content);
        EXPECT_EQ(message(content), at_frame + fault.message);
    }
}

// Of two bodies with two contacts every array of two columns is square.
TEST(ReadFrame, SquareArraysAreTakenAsTheOthersAre) {
    ProblemFrame frame = example();
    frame.contacts.resize(2);
    const VecX expected = velocities(frame);
    Objects content = as_content(frame_arrays(frame));
    transpose_all(content);
    EXPECT_LT((velocities(read(content)) - expected).cwiseAbs().maxCoeff(), 1e-10);
}

}  // namespace read_frame_test

}  // namespace
}  // namespace stiction

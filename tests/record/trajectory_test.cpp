// trajectory_test.cpp - both formats give back what was written, bit by bit; unfinished files can
// be read.
#include "record/trajectory.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "record/ball_on_plane.h"
#include "step/simulation.h"

namespace stiction {
namespace {

using test::message_of;

// Odd numbers, a different number of contacts each time, names that need quotes.
Trajectory odd_trajectory() {
    Trajectory trajectory;
    trajectory.header = {"odd", "no_slip", 1.0 / 3.0, {"ground", "a, \"b\""}, {"hinge"}, "bullet"};
    for (int i = 0; i < 5; ++i) {
        TrajectorySample sample;
        sample.step = 7 * i;
        sample.time = i / 3.0;
        sample.pose.resize(2);
        sample.twist.resize(2);
        sample.pose[1].p = Vec3(1e-17, 1.0 / 7.0, -1e200) * (i + 1);
        sample.pose[1].q = Quat(0.5, -0.5, 0.5, -0.5);
        sample.twist[1] = {Vec3(0.1, 0.2, 0.3) * i, Vec3(-0.7, 1e-300, 5)};
        sample.joints = {{0.1 * i, -0.3}};
        for (int k = 0; k < i % 3; ++k) {
            sample.contacts.push_back(
                {1, 0, Vec3(k, 0.1, 0), Vec3::UnitZ(), Vec3(0.3, i, 9.81), -1e-9});
        }
        trajectory.samples.push_back(sample);
    }
    return trajectory;
}

void write(const std::string& path, const Trajectory& trajectory, bool finish = true) {
    TrajectoryWriter writer(path, trajectory.header);
    for (const TrajectorySample& sample : trajectory.samples) writer.add(sample);
    if (finish) writer.finish();
}

void expect_equal(const Trajectory& a, const Trajectory& b) {
    EXPECT_EQ(a.header.bodies, b.header.bodies);
    EXPECT_EQ(a.header.joints, b.header.joints);
    ASSERT_EQ(a.samples.size(), b.samples.size());
    for (std::size_t i = 0; i < a.samples.size(); ++i) {
        const TrajectorySample& x = a.samples[i];
        const TrajectorySample& y = b.samples[i];
        EXPECT_EQ(x.step, y.step);
        EXPECT_EQ(x.time, y.time);
        ASSERT_EQ(x.pose.size(), y.pose.size());
        for (std::size_t k = 0; k < x.pose.size(); ++k) {
            EXPECT_EQ(x.pose[k].p, y.pose[k].p);
            EXPECT_EQ(x.pose[k].q.coeffs(), y.pose[k].q.coeffs());
            EXPECT_EQ(x.twist[k].v, y.twist[k].v);
            EXPECT_EQ(x.twist[k].w, y.twist[k].w);
        }
        ASSERT_EQ(x.joints.size(), y.joints.size());
        for (std::size_t k = 0; k < x.joints.size(); ++k) {
            EXPECT_EQ(x.joints[k].position, y.joints[k].position);
            EXPECT_EQ(x.joints[k].velocity, y.joints[k].velocity);
        }
        ASSERT_EQ(x.contacts.size(), y.contacts.size());
        for (std::size_t k = 0; k < x.contacts.size(); ++k) {
            EXPECT_EQ(x.contacts[k].body_a, y.contacts[k].body_a);
            EXPECT_EQ(x.contacts[k].body_b, y.contacts[k].body_b);
            EXPECT_EQ(x.contacts[k].point, y.contacts[k].point);
            EXPECT_EQ(x.contacts[k].normal, y.contacts[k].normal);
            EXPECT_EQ(x.contacts[k].force, y.contacts[k].force);
            EXPECT_EQ(x.contacts[k].gap, y.contacts[k].gap);
        }
    }
}

TEST(Trajectory, BothFormatsReadBackExactly) {
    const test::ScratchFolder folder("trajectory");
    const Trajectory written = odd_trajectory();
    for (const std::string name : {"run.csv", "run.h5", "run.hdf5"}) {
        SCOPED_TRACE(name);
        write(folder / name, written);
        EXPECT_FALSE(std::filesystem::exists(part_path(folder / name)));
        const Trajectory read = read_trajectory(folder / name);
        expect_equal(written, read);
        check_trajectory(name, read);
        if (name != "run.csv") {
            EXPECT_EQ(read.header.scene, "odd");
            EXPECT_EQ(read.header.narrowphase, "bullet");
            EXPECT_EQ(read.header.h, 1.0 / 3.0);
        }
    }
}

TEST(Trajectory, ForceOfARestingBallIsItsWeight) {
    Simulation sim = test::ball_on_plane();
    sim.state.twist[1] = {};
    TrajectorySample sample;
    ASSERT_EQ(step(sim, [&](const Simulation& s) { sample_step(s, sample); }), StepOutcome::kDone);
    ASSERT_EQ(sample.contacts.size(), 1U);
    EXPECT_NEAR((sample.contacts[0].force - Vec3(0, 0, 2 * 9.81)).norm(), 0, 1e-9);
    EXPECT_EQ(sample.contacts[0].body_a, 1);
    EXPECT_EQ(sample.contacts[0].body_b, 0);
    sample_state(sim.model, sim.state, sample);
    EXPECT_TRUE(sample.contacts.empty());
}

TEST(Trajectory, WholeRowsOfAnUnfinishedCsvAreRead) {
    const test::ScratchFolder folder("trajectory_csv");
    const std::string path = folder / "run.csv";
    const Trajectory written = odd_trajectory();
    write(path, written);
    const std::string text = test::read_text(path);
    std::filesystem::rename(path, path + ".part");
    std::filesystem::rename(folder / "run.contacts.csv", folder / "run.contacts.csv.part");
    test::write_text(path + ".part", text.substr(0, text.size() - 20));
    Trajectory expected = written;
    expected.samples.pop_back();
    expect_equal(expected, read_trajectory(path + ".part"));
}

TEST(Trajectory, RefusesWhatIsNoTrajectory) {
    const test::ScratchFolder folder("trajectory_bad");
    const auto refusal = [&](const std::string& name) {
        return message_of<InputError>([&] { (void)read_trajectory(folder / name); });
    };
    EXPECT_NE(refusal("missing.h5").find("no such file"), std::string::npos);
    EXPECT_NE(refusal("run.txt").find("ends in .csv, .h5 or .hdf5"), std::string::npos);
    test::write_text(folder / "text.h5", "no HDF5");
    EXPECT_NE(refusal("text.h5").find("HDF5"), std::string::npos);
    test::write_text(folder / "a.csv", "step,t[s],ball.x[m],ball.z[m]\n");
    EXPECT_NE(refusal("a.csv").find("a.csv:1: column 3: unexpected 'ball.x[m]'"),
              std::string::npos);
    write(folder / "b.csv", odd_trajectory());
    const std::string text = test::read_text(folder / "b.csv");
    test::write_text(folder / "b.csv", text + "1,2\n");
    EXPECT_NE(refusal("b.csv").find("b.csv:7: has 2 columns"), std::string::npos);
    test::write_text(folder / "b.csv",
                     text.substr(0, text.find('\n') + 1) + "x" + text.substr(text.find('\n') + 2));
    EXPECT_NE(refusal("b.csv").find("b.csv:2: column 1: 'x' is not a number"), std::string::npos);
}

TEST(Trajectory, ChecksFindWhatIsWrong) {
    Trajectory trajectory = odd_trajectory();
    trajectory.samples[3].time = 0;
    EXPECT_THROW(check_trajectory("x", trajectory), InputError);
    trajectory = odd_trajectory();
    trajectory.samples[2].pose[1].q.w() = 0.6;
    EXPECT_NE(
        message_of<InputError>([&] { check_trajectory("x", trajectory); }).find("unit length"),
        std::string::npos);
    trajectory = odd_trajectory();
    trajectory.samples[2].contacts[0].gap = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(message_of<InputError>([&] { check_trajectory("x", trajectory); }).find("sample 2"),
              std::string::npos);
}

TEST(Trajectory, NearestSample) {
    const Trajectory trajectory = odd_trajectory();  // times 0, 1/3, 2/3, 1, 4/3
    EXPECT_EQ(sample_at(trajectory, -1), 0U);
    EXPECT_EQ(sample_at(trajectory, 0.3), 1U);
    EXPECT_EQ(sample_at(trajectory, 0.4), 1U);
    EXPECT_EQ(sample_at(trajectory, 99), 4U);
}

}  // namespace
}  // namespace stiction

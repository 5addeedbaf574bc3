// hdf5_content_test.cpp - HDF5 files that somebody brought: what they hold, and damage of every
// kind.
#include "record/hdf5_content.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/random.h"
#include "record/ball_on_plane.h"
#include "record/hdf5_handle.h"
#include "record/trajectory.h"

namespace stiction {
namespace {

Trajectory one_body_trajectory() {
    Trajectory trajectory;
    trajectory.header = {"scene", "no_slip", 0.01, {"ball"}, {}};
    for (int i = 0; i < 3; ++i) {
        TrajectorySample sample;
        sample.step = i;
        sample.time = 0.01 * i;
        sample.pose.resize(1);
        sample.twist.resize(1);
        trajectory.samples.push_back(sample);
    }
    return trajectory;
}

void write_one_body(const std::string& path) {
    const Trajectory trajectory = one_body_trajectory();
    TrajectoryWriter writer(path, trajectory.header);
    for (const TrajectorySample& sample : trajectory.samples) writer.add(sample);
    writer.finish();
}

TEST(Hdf5Content, NumbersTextsAndGroups) {
    const test::ScratchFolder folder("content");
    write_one_body(folder / "a.h5");
    const Hdf5Content content(folder / "a.h5");
    EXPECT_EQ(content.values<std::string>("@format", "a text").front(), kTrajectoryFormat);
    EXPECT_EQ(content.values<std::string>("/bodies/names", "names").front(), "ball");
    EXPECT_EQ(content.values<std::int64_t>("step", "steps"), (std::vector<std::int64_t>{0, 1, 2}));
    EXPECT_EQ(content.find("bodies/positions")->shape, (std::vector<std::uint64_t>{3, 1, 3}));
    EXPECT_NE(content.find("contacts"), nullptr);
    EXPECT_EQ(content.find("contact"), nullptr);
    EXPECT_THROW((void)content.values<double>("step", "numbers"), InputError);
}

// An attribute of many values must not be read into one variable.
TEST(Hdf5Content, AttributesThatAreLists) {
    const test::ScratchFolder folder("attributes");
    for (const char* name : {"format", "version", "scene", "model", "h"}) {
        const std::string path = folder / (std::string(name) + ".h5");
        write_one_body(path);
        {
            const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
            H5Adelete(file.id(), name);
            const hsize_t count = 1000;
            const std::vector<double> values(count, 1e300);
            const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
            const Handle attribute(H5Acreate2(file.id(), name, H5T_NATIVE_DOUBLE, space.id(),
                                              H5P_DEFAULT, H5P_DEFAULT),
                                   H5Aclose);
            H5Awrite(attribute.id(), H5T_NATIVE_DOUBLE, values.data());
        }
        const std::string error =
            test::message_of<InputError>([&] { (void)read_trajectory(path); });
        EXPECT_NE(error.find(std::string(name) == "h" ? "holds 1000 values; expected one"
                                                      : std::string("@") + name + ": expected a"),
                  std::string::npos)
            << error;
    }
}

// A dataset may say that it has more than is stored.
TEST(Hdf5Content, SizesThatAreNotThere) {
    const test::ScratchFolder folder("sizes");
    const std::string path = folder / "a.h5";
    {
        const Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                          H5Fclose);
        const hsize_t count = 300'000'000;
        const hsize_t chunk = 1000;
        const Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        H5Pset_chunk(layout.id(), 1, &chunk);
        const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
        const Handle dataset(H5Dcreate2(file.id(), "x", H5T_NATIVE_DOUBLE, space.id(), H5P_DEFAULT,
                                        layout.id(), H5P_DEFAULT),
                             H5Dclose);
    }
    EXPECT_EQ(test::message_of<InputError>([&] { const Hdf5Content content(path); }),
              path + ": x: 300000000 values in 0 bytes; the file is damaged");
}

// What comes after a header that cannot be read is not known: nobody may take it for absent.
TEST(Hdf5Content, DamagedHeadersAreNamed) {
    const test::ScratchFolder folder("headers");
    const std::string path = folder / "a.h5";
    {
        const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
        H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_LATEST);  // with checksums
        const Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()),
                          H5Fclose);
        const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
        for (const char* name : {"x", "y"})
            const Handle dataset(H5Dcreate2(file.id(), name, H5T_NATIVE_DOUBLE, space.id(),
                                            H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                                 H5Dclose);
    }
    EXPECT_NE(Hdf5Content(path).find("y"), nullptr);
    std::string bytes = test::read_text(path);
    for (const auto& [name, message] :
         {std::pair("y", "x: what follows it cannot be read; the file is damaged"),
          std::pair("x", "its first object cannot be read; the file is damaged")}) {
        const std::size_t header = bytes.rfind("OHDR");
        ASSERT_NE(header, std::string::npos) << name;
        bytes[header] = '?';
        test::write_text(path, bytes);
        EXPECT_EQ(test::message_of<InputError>([&] { const Hdf5Content content(path); }),
                  path + ": " + message);
    }
}

// Bytes changed at random: content or a message, and never a crash here.
TEST(Hdf5Content, MutatedFiles) {
    const test::ScratchFolder folder("mutated");
    write_one_body(folder / "a.h5");
    const std::string good = test::read_text(folder / "a.h5");
    Random random(7);
    int refused = 0;
    for (int i = 0; i < 150; ++i) {
        std::string bytes = good;
        for (int k = 0; k < 20 * (1 + i % 8); ++k) {
            bytes[random.bits() % bytes.size()] = static_cast<char>(random.bits() & 0xff);
        }
        test::write_text(folder / "b.h5", bytes);
        try {
            const Trajectory trajectory = read_trajectory(folder / "b.h5");
            EXPECT_LE(trajectory.samples.size(), 3U);
        } catch (const InputError& error) {
            ++refused;
            EXPECT_TRUE(std::string(error.what()).starts_with(folder / "b.h5")) << error.what();
        }
    }
    EXPECT_GT(refused, 10);
}

}  // namespace
}  // namespace stiction

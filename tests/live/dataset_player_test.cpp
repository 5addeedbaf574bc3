// dataset_player_test.cpp - frames that a live scene wrote, looked at again: the same picture, the
// same forces, and answers of other solvers beside them.
#include "live/dataset_player.h"

#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "live/frame_index.h"
#include "live/live_scenes.h"
#include "problem_files/dataset_hdf5.h"
#include "problem_files/frame_arrays.h"
#include "record/ball_on_plane.h"

namespace stiction {
namespace {

using test::ScratchFolder;

// Steps of a scene as frames, and what a window would have shown of each.
std::vector<Snapshot> record_frames(const Scene& scene, const std::string& path, int steps) {
    LiveScene live(scene, 1);
    live.start_frames(path, 1, make_manifest(scene, command_for(scene), "test"));
    std::vector<Snapshot> seen;
    for (int i = 0; i < steps; ++i) {
        EXPECT_TRUE(live.forward());
        seen.push_back(look_at(live));
        EXPECT_NE(seen.back().writing_frames, "");
    }
    live.stop_frames();
    EXPECT_EQ(look_at(live).writing_frames, "");
    EXPECT_EQ(look_at(live).frames_error, "");
    return seen;
}

std::shared_ptr<const Dataset> open(const std::string& path) {
    return std::make_shared<const Dataset>(path);
}

// Frames without the scene's text: as other programs write them.
void write_bare(const std::string& path, const Dataset& from) {
    DatasetHdf5Writer writer(path, false);
    writer.start_simulation({});
    for (std::size_t k = 0; k < from.size(); ++k) {
        ProblemFrame frame = from.read(k);
        frame.step.reset();
        frame.answers.clear();
        writer.add_frame(frame_arrays(frame));
    }
    writer.close();
}

TEST(DatasetPlayer, ShowsWhatTheRunShowed) {
    const ScratchFolder folder("dataset_player");
    for (const char* name : {"ramp", "hand3"}) {
        SCOPED_TRACE(name);
        const Scene scene = shipped_scene(name);
        const std::string path = folder / (std::string(name) + ".h5");
        const std::vector<Snapshot> seen = record_frames(scene, path, 12);
        DatasetPlayer player(open(path), 0);
        EXPECT_TRUE(player.scene().has_shapes);
        ASSERT_EQ(player.scene().scene.model.geoms.size(), scene.model.geoms.size());
        for (std::size_t i = 0; i < seen.size(); ++i) {
            ASSERT_TRUE(i == 0 || player.forward());
            const Snapshot now = look_at(player);
            EXPECT_EQ(now.state.step, seen[i].state.step);
            EXPECT_EQ(now.frame->frame, i);
            EXPECT_EQ(now.model, seen[i].model);
            // Poses are those at the start of the step.
            const State& before = i == 0 ? scene.state : seen[i - 1].state;
            for (std::size_t b = 0; b < scene.model.bodies.size(); ++b)
                EXPECT_EQ((now.state.pose[b].p - before.pose[b].p).norm(), 0) << b;
            ASSERT_EQ(now.contacts.size(), seen[i].contacts.size());
            for (std::size_t k = 0; k < now.contacts.size(); ++k) {
                const ShownContact &a = now.contacts[k], &b = seen[i].contacts[k];
                EXPECT_LT((a.normal_force - b.normal_force).norm(), 1e-9);
                EXPECT_LT((a.friction_force - b.friction_force).norm(), 1e-9);
                EXPECT_LT((a.slip - b.slip).norm(), 1e-9);
                EXPECT_EQ(a.state, b.state);
                EXPECT_EQ(a.errors.scaled, b.errors.scaled);
            }
            EXPECT_EQ(now.quality.scaled.norm, seen[i].quality.scaled.norm);
        }
        EXPECT_FALSE(player.forward());
        player.reset();
        EXPECT_EQ(look_at(player).frame->frame, 0U);
        EXPECT_FALSE(player.back());
    }
}

TEST(DatasetPlayer, PutsAnotherAnswerBesideTheStoredOne) {
    const ScratchFolder folder("dataset_player");
    record_frames(shipped_scene("ramp"), folder / "a.h5", 30);
    DatasetPlayer player(open(folder / "a.h5"), 29);
    ContactModel model = CoulombCone{};
    set_solver(model, "pgs");
    player.solve(model, false);
    Snapshot now = look_at(player);
    ASSERT_EQ(now.frame->answers.size(), 2U);
    EXPECT_EQ(now.frame->shown, 1U);
    EXPECT_EQ(now.frame->answers[1].name, "coulomb_cone.pgs");
    EXPECT_TRUE(now.frame->answers[0].stored);
    EXPECT_FALSE(now.frame->answers[1].stored);
    EXPECT_EQ(now.model, "coulomb_cone");
    EXPECT_LT(now.frame->answers[1].apart, 1e-6);
    EXPECT_GT(now.frame->answers[1].contacts[0].normal_force.norm(), 0);
    // The same solver again takes the place of its first answer.
    player.solve(model, false);
    EXPECT_EQ(look_at(player).frame->answers.size(), 2U);
    player.show_answer(0);
    now = look_at(player);
    EXPECT_EQ(now.frame->shown, 0U);
    EXPECT_EQ(now.model, name(player.model()));
    // As recorded, from the stored start: the same bits.
    player.solve(player.model(), true);
    EXPECT_EQ(look_at(player).frame->answers.back().apart, 0);
    player.show(28);
    EXPECT_EQ(look_at(player).frame->answers.size(), 1U);
}

TEST(DatasetPlayer, FramesWithoutAScenesTextAreBoxes) {
    const ScratchFolder folder("dataset_player");
    record_frames(shipped_scene("stack"), folder / "a.h5", 3);
    const auto whole = open(folder / "a.h5");
    write_bare(folder / "bare.h5", *whole);
    DatasetPlayer player(open(folder / "bare.h5"), 0);
    EXPECT_FALSE(player.scene().has_shapes);
    const Model& model = player.scene().scene.model;
    const ProblemFrame frame = whole->read(0);
    ASSERT_EQ(model.bodies.size(), frame.bodies.size() + 1);
    // The scene's bodies are boxes, so that their inertia gives their size back.
    const Scene scene = shipped_scene("stack");
    std::vector<Vec3> halves;
    for (const Geom& geom : scene.model.geoms) {
        const auto* box = std::get_if<Box>(&geom.shape);
        if (box != nullptr && scene.model.bodies[at(geom.body)].kind == BodyKind::kDynamic)
            halves.push_back(box->half);
    }
    ASSERT_EQ(halves.size(), model.geoms.size());
    for (std::size_t k = 0; k < halves.size(); ++k) {
        const auto* box = std::get_if<Box>(&model.geoms[k].shape);
        ASSERT_NE(box, nullptr);
        EXPECT_NEAR(box->half.norm(), halves[k].norm(), 1e-9);
    }
    EXPECT_TRUE(look_at(player).frame->answers.empty());
    player.solve(CoulombCone{}, false);
    EXPECT_EQ(look_at(player).frame->answers.size(), 1U);
}

TEST(DatasetPlayer, SceneOfAnotherSizeIsNotTaken) {
    const ScratchFolder folder("dataset_player");
    const Scene scene = shipped_scene("stack");
    LiveScene live(scene, 1);
    forward(live, 1);
    live.save_frame(folder / "a.h5",
                    make_manifest(scene, "stiction run stack --set boxes=2", "test"));
    DatasetPlayer player(open(folder / "a.h5"), 0);
    EXPECT_FALSE(player.scene().has_shapes);
    EXPECT_EQ(player.scene().bodies.size(), open(folder / "a.h5")->read(0).bodies.size());
}

TEST(FrameIndex, MetricsFollow) {
    const ScratchFolder folder("dataset_player");
    const std::vector<Snapshot> seen = record_frames(shipped_scene("ramp"), folder / "a.h5", 20);
    const FrameIndex index(open(folder / "a.h5"));
    while (index.read() < seen.size()) std::this_thread::yield();
    for (std::size_t k = 0; k < seen.size(); ++k) {
        const std::optional<FrameSummary> summary = index.summary(k);
        ASSERT_TRUE(summary);
        EXPECT_EQ(summary->scaled, seen[k].quality.scaled.norm);
        EXPECT_EQ(summary->resting, seen[k].quality.resting);
        EXPECT_EQ(summary->sliding, seen[k].quality.sliding);
        EXPECT_EQ(summary->iterations, seen[k].record.iterations);
    }
}

TEST(LiveFrames, SaveTheStepOnShow) {
    const ScratchFolder folder("dataset_player");
    const Scene scene = shipped_scene("ramp");
    LiveScene live(scene, 1);
    const DatasetManifest manifest = make_manifest(scene, command_for(scene), "test");
    EXPECT_THROW(live.save_frame(folder / "a.h5", manifest), InputError);
    forward(live, 10);
    back(live, 3);
    live.save_frame(folder / "a.h5", manifest);
    const Snapshot seen = look_at(live);
    DatasetPlayer player(open(folder / "a.h5"), 0);
    const Snapshot now = look_at(player);
    EXPECT_EQ(now.state.step, 7);
    ASSERT_EQ(now.contacts.size(), seen.contacts.size());
    EXPECT_EQ(now.quality.scaled.norm, seen.quality.scaled.norm);
    player.solve(player.model(), true);
    EXPECT_EQ(look_at(player).frame->answers.back().apart, 0);
}

TEST(LiveFrames, EndWhenTheRunGoesBack) {
    const ScratchFolder folder("dataset_player");
    const Scene scene = shipped_scene("ramp");
    LiveScene live(scene, 1);
    live.start_frames(folder / "a.h5", 2, make_manifest(scene, command_for(scene), "test"));
    forward(live, 9);
    back(live, 1);
    EXPECT_EQ(look_at(live).writing_frames, "");
    EXPECT_NE(look_at(live).frames_error.find("went back"), std::string::npos);
    EXPECT_EQ(open(folder / "a.h5")->size(), 4U);  // steps 2, 4, 6, 8
    EXPECT_THROW(live.start_frames(folder / "none/a.h5", 1, {}), InputError);
}

}  // namespace
}  // namespace stiction

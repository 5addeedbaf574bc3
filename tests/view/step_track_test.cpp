// step_track_test.cpp - what the timeline across the window shows of the steps that are kept.
#include "view/step_track.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

StepRecord track_record(std::int64_t step, std::string_view model = "no_slip", int failures = 0) {
    StepRecord r;
    r.step = step;
    r.t = 0.01 * static_cast<double>(step);
    r.model = model;
    r.asked = "auto";
    r.failures = failures;
    return r;
}

StepTrack track_of(int steps) {
    StepTrack track;
    for (int i = 1; i <= steps; ++i) track.add(track_record(i));
    return track;
}

TEST(StepTrack, StepsTakenAgainStayAndAnotherFutureReplacesTheOld) {
    StepTrack track = track_of(100);
    track.add(track_record(40, "coulomb_cone"));
    EXPECT_EQ(track.marks().size(), 100U);
    EXPECT_EQ(track.find(40)->model, "coulomb_cone");
    EXPECT_EQ(track.find(41)->model, "no_slip");
    track.keep(11, 40);  // what lay ahead is gone
    ASSERT_EQ(track.marks().size(), 30U);
    EXPECT_EQ(track.marks().front().step, 11);
    EXPECT_EQ(track.find(40)->step, 40);
    EXPECT_EQ(track.find(99)->step, 40);
    EXPECT_EQ(track.find(3), nullptr);
}

TEST(StepTrack, SamplesBringTouches) {
    StepTrack track = track_of(10);
    StepSample sample;
    sample.step = 4;
    sample.made = 2;
    sample.lost = 1;
    track.add(sample);
    sample.step = 5;
    sample.again = true;
    track.add(sample);
    sample.step = 50;
    track.add(sample);
    EXPECT_EQ(track.find(4)->made, 2);
    EXPECT_EQ(track.find(4)->lost, 1);
    EXPECT_EQ(track.find(5)->made, 0);
    EXPECT_EQ(track.marks().size(), 10U);
}

TEST(StepTrack, ARecordingIsThereAsAWhole) {
    Trajectory trajectory;
    trajectory.header.model = "no_slip";
    for (int i = 0; i < 4; ++i) {
        TrajectorySample sample;
        sample.step = 5 * i;
        sample.time = 0.05 * i;
        ContactForce contact;
        contact.body_a = 1;
        contact.body_b = 0;
        contact.normal = Vec3::UnitZ();
        contact.force = Vec3(0, 0, i == 2 ? 3 : 0);
        sample.contacts = {contact, contact};
        trajectory.samples.push_back(sample);
    }
    StepTrack track;
    track.show(trajectory);
    ASSERT_EQ(track.marks().size(), 4U);
    EXPECT_EQ(track.marks()[2].made, 1);  // one pair, though it has two points
    EXPECT_EQ(track.marks()[3].lost, 1);
    EXPECT_EQ(track.marks()[1].model, "no_slip");
    EXPECT_EQ(track.marks()[1].light, StepLight::kNotMeasured);
    EXPECT_EQ(track.find(7)->step, 5);
}

TEST(TrackRange, ZoomsAboutAPlaceAndStaysInside) {
    TrackRange range;
    range.fit(0, 1000);
    EXPECT_TRUE(range.whole());
    const double place = range.step(0.25);
    range.zoom(0.25, 0.5);
    EXPECT_NEAR(range.step(0.25), place, 1e-9);
    EXPECT_NEAR(range.to() - range.from(), 500, 1e-9);
    range.pan(10);
    EXPECT_NEAR(range.to(), 1000, 1e-9);
    range.pan(-10);
    EXPECT_NEAR(range.from(), 0, 1e-9);
    range.reveal(900);
    EXPECT_LT(range.from(), 900);
    EXPECT_GT(range.to(), 900);
    for (int i = 0; i < 50; ++i) range.zoom(0.5, 0.5);
    EXPECT_GE(range.to() - range.from(), 10 - 1e-9);
    range.show_all();
    range.fit(0, 1000);
    EXPECT_NEAR(range.to() - range.from(), 1000, 1e-9);
    range.zoom(0.5, 0.9);
    range.zoom(0.5, 2);  // back to all of it
    EXPECT_TRUE(range.whole());
}

TEST(TrackPicture, HasSpansMarksAndTicksWhereTheyAre) {
    StepTrack track;
    for (int i = 1; i <= 50; ++i) track.add(track_record(i));
    for (int i = 51; i <= 100; ++i) track.add(track_record(i, "friction_box", i == 75 ? 1 : 0));
    StepSample sample;
    sample.step = 10;
    sample.made = 3;
    track.add(sample);
    TrackRange range;
    range.fit(0, 100);
    const TrackPicture picture = make_track_picture(track, range, 200);
    ASSERT_EQ(picture.spans.size(), 2U);
    EXPECT_NEAR(picture.spans[0].begin, 0, 1e-9);
    EXPECT_NEAR(picture.spans[0].end, 0.5, 1e-9);
    EXPECT_EQ(picture.spans[1].model, "friction_box");
    EXPECT_FALSE(picture.spans[1].other_settings);
    int unsolved = 0;
    for (std::size_t c = 0; c < picture.columns.size(); ++c) {
        if (!picture.columns[c].unsolved) continue;
        ++unsolved;
        EXPECT_NEAR(static_cast<double>(c), 148.5, 1);
    }
    EXPECT_EQ(unsolved, 2);
    EXPECT_EQ(picture.columns[18].made, 3);
    // Closer: only what is in the range.
    range.zoom(0, 0.2);
    const TrackPicture part = make_track_picture(track, range, 100);
    ASSERT_EQ(part.spans.size(), 1U);
    EXPECT_NEAR(part.spans[0].end, 1, 1e-9);
    EXPECT_EQ(part.columns[45].made, 3);
    EXPECT_TRUE(make_track_picture({}, range, 100).spans.empty());
}

}  // namespace
}  // namespace stiction

// gallery_test.cpp - every shipped scene has its place and its picture in the gallery.
#include "view/gallery.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "draw/image.h"

namespace stiction {
namespace {

TEST(Gallery, EveryShippedSceneIsInOneGroupAndHasAPicture) {
    const std::vector<SceneSummary> shipped = list_scenes("scenes");
    ASSERT_GT(shipped.size(), 30U);
    std::size_t shown = 0;
    for (std::size_t group = 0; group < kGalleryGroups.size(); ++group)
        shown += gallery_matches(shipped, group, "").size();
    EXPECT_EQ(shown, shipped.size());
    for (const SceneSummary& scene : shipped) {
        EXPECT_LT(gallery_group(scene.name), kGalleryGroups.size() - 1) << scene.name;
        const Image picture = read_png(thumbnail_path(scene));
        EXPECT_EQ(picture.width, 192) << scene.name;
        EXPECT_EQ(picture.height, 120) << scene.name;
    }
    for (std::size_t group = 0; group + 1 < kGalleryGroups.size(); ++group) {
        for (const std::string_view name : gallery_scenes(group)) {
            const auto found = std::find_if(shipped.begin(), shipped.end(),
                                            [&](const SceneSummary& s) { return s.name == name; });
            EXPECT_NE(found, shipped.end()) << name;
        }
    }
}

TEST(Gallery, SearchesNamesAndDescriptions) {
    const std::vector<SceneSummary> shipped = {
        {"a", "grasp", "Two grippers squeeze"}, {"b", "arm", "hinges"}, {"c", "mine", "grippers"}};
    EXPECT_EQ(gallery_matches(shipped, gallery_group("grasp"), "gripp"),
              (std::vector<std::size_t>{0}));
    EXPECT_EQ(gallery_matches(shipped, gallery_group("grasp"), ""),
              (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(gallery_matches(shipped, kGalleryGroups.size() - 1, "GRIP"),
              (std::vector<std::size_t>{2}));
}

}  // namespace
}  // namespace stiction

// subject.h - what a scene is about, and a camera that does not lose it.
#pragma once

#include "view/orbit_camera.h"
#include "view/scene_picture.h"
#include "view/screen_plan.h"

namespace stiction {

// Ball around what moves: the bodies that are not far off from most of the others. Everything where
// nothing moves.
[[nodiscard]] Extent subject(const Model& model, const State& state);
// The same for a scene whose subject was `start` at first: where its parts went far apart, the
// largest of them, and of equal ones that which stayed.
[[nodiscard]] Extent subject(const Model& model, const State& state, const Extent& start);

// A ball around two; the first alone where the other is too far off to be seen with it.
[[nodiscard]] Extent around(const Extent& a, const Extent& b);

// What is to be seen when a scene opens: the subject, with what stands around it unless that is far
// larger.
[[nodiscard]] Extent opening_view(const Model& model, const State& state);

// So that the ball is seen whole in the part `free` of a view of this size [pixels].
void frame_in(OrbitCamera& camera, const Extent& ball, const Rectangle& free, double width,
              double height);

// Moves the camera away from its target until the ball fills no more than so much of the free part.
void fit_in(OrbitCamera& camera, const Extent& ball, const Rectangle& free, double width,
            double height, double most);

// Keeps a ball in the middle of `free`, as a whole where it fits: moves the camera by what is needed, sideways; back, where the
// ball fills more than fits, or than its `share`, if that is more; and after it, where it fills less
// than half of its share. Leaves it alone otherwise.
void keep_in_view(OrbitCamera& camera, const Extent& ball, const Rectangle& free, double width,
                  double height, double share = 1);

// How much of the free part the ball fills: 1 fits just so.
[[nodiscard]] double share_of(const OrbitCamera& camera, const Extent& ball, const Rectangle& free,
                              double width, double height);

}  // namespace stiction

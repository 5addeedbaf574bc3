// frame_scene.h - the scene beside the frames of a dataset: written with them, and read to show what
// their bodies look like. Frames have no shapes: those of our runs take
// them from the scene that is stored beside them, others become boxes of their mass and inertia.
#pragma once

#include "problem_files/dataset.h"
#include "problem_files/dataset_writer.h"
#include "scene/scene.h"

namespace stiction {

// The scene as its file has it; what `command` says besides is read again.
[[nodiscard]] DatasetManifest make_manifest(const Scene& scene, const std::string& command,
                                            const std::string& version);
// One that begins the same scene, as words of a command line.
[[nodiscard]] std::string command_for(const Scene& scene);

struct FrameScene {
    Scene scene;              // one more static body, `world`, is its last
    std::vector<int> bodies;  // of the scene, per body of the frame
    bool has_shapes = true;   // of the scene that the run had; otherwise boxes
    [[nodiscard]] int world() const { return static_cast<int>(scene.model.bodies.size()) - 1; }
};

// `frame` is frame number `index` of the file.
[[nodiscard]] FrameScene make_frame_scene(const Dataset& file, std::size_t index,
                                          const ProblemFrame& frame);

}  // namespace stiction

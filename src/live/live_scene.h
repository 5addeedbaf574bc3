// live_scene.h - a scene that is simulated and can be changed between steps: contact model,
// settings, coefficients, controls; a body can be dragged, a ghost runs beside it under another
// model, recent steps can be taken back, and everything can be recorded.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "live/drag.h"
#include "live/player.h"
#include "problem_files/dataset_writer.h"
#include "record/recorder.h"
#include "scene/scene.h"

namespace stiction {

struct Simulation;

class LiveScene : public Player {
  public:
    LiveScene(Scene scene, int threads);
    ~LiveScene() override;

    [[nodiscard]] const Scene& scene()
        const;  // as loaded; its model and state are those of the start
    [[nodiscard]] const Simulation& simulation() const;

    [[nodiscard]] double time() const override;
    [[nodiscard]] double h() const override;
    bool forward() override;
    bool back() override;
    void reset() override;  // state, controls and warm starts of the start; settings stay
    void abandon() override;
    void fill(Snapshot& snapshot) override;
    void take_records(std::vector<StepRecord>& records) override;
    void take_samples(std::vector<StepSample>& samples) override;
    void seek(std::int64_t step) override;  // within the history
    void watch(std::vector<Quantity> quantities, std::int64_t serial) override;

    [[nodiscard]] const LiveSettings& settings() const;
    void set_settings(const LiveSettings& settings);
    void set_control(std::size_t control, double value);
    void set_drag(const std::optional<Drag>& drag);
    // Starts from the present state; with the scene's narrowphase unless one is named.
    void set_ghost(const std::optional<ContactModel>& contact,
                   std::optional<NarrowphaseKind> narrowphase = {});
    // Scenes beside it, started from the present state; none: no more.
    void set_peers(const std::vector<PeerSettings>& peers);
    void trace_convergence();  // of the last step, for the next snapshot

    void start_recording(const OutputPaths& paths);  // throws InputError
    void stop_recording();  // files get their names; nothing when none is on
    // A dataset of the contact problems of every so many steps. Throws InputError.
    void start_frames(const std::string& path, int every, const DatasetManifest& manifest);
    void stop_frames();  // the file gets its name; nothing when none is on
    // The contact problem of the last step alone. Throws InputError, OutputError.
    void save_frame(const std::string& path, const DatasetManifest& manifest);
    void save_state(const std::string& path);  // throws InputError, OutputError
    void load_state(const std::string& path);  // throws InputError

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace stiction

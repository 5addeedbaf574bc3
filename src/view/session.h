// session.h - the scene on show: where it came from, how it runs, what is asked of it. The panels
// and keys change it; nothing here draws.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "live/live_settings.h"
#include "live/runner.h"
#include "live/snapshot.h"
#include "record/trajectory.h"
#include "scene/scene.h"
#include "view/panels/ghost_plots.h"
#include "view/scene_picture.h"
#include "view/timeline.h"

namespace stiction {

class LiveScene;

// Reads a scene with the overrides of the command line, and these parameters on top. Throws
// InputError.
using ParameterTexts = std::map<std::string, std::string>;
using SceneLoader = std::function<Scene(const std::string& path, const ParameterTexts& parameters)>;

struct Notice {
    std::string text;
    bool error = false;
    double until = 0;  // wall-clock seconds since the session began; 0: until it is dismissed
};

class Session {
  public:
    Session(SceneLoader load, int threads);

    // Each throws InputError and leaves what runs as it is.
    void open(const std::string& path, const ParameterTexts& parameters = {},
              const std::string& state = "");              // a saved state to go on from
    void show(const Scene& scene, Trajectory trajectory);  // a recorded run

    void reload();  // the same file and parameters; an error becomes a notice
    void try_open(const std::string& path, const ParameterTexts& parameters = {});
    bool reload_if_changed();  // looks at the file's time twice a second

    void update(double dt);  // once per frame: takes what the runner has to show

    [[nodiscard]] const Scene& scene() const { return scene_; }
    [[nodiscard]] const SceneMeshes& meshes() const { return meshes_; }
    [[nodiscard]] const Snapshot& now() const { return *snapshot_; }
    [[nodiscard]] const Pace& pace() const { return pace_; }
    [[nodiscard]] Runner& runner() { return *runner_; }
    [[nodiscard]] const Timeline& timeline() const { return timeline_; }
    [[nodiscard]] Timeline& timeline() { return timeline_; }
    [[nodiscard]] const GhostPlots& ghost_plots() const { return ghost_plots_; }
    [[nodiscard]] const ParameterTexts& parameters() const { return parameters_; }
    [[nodiscard]] bool is_replay() const { return replay_; }
    [[nodiscard]] std::int64_t serial() const { return serial_; }  // grows with every scene shown

    // Settings as last asked for; the snapshot has those that act.
    [[nodiscard]] const LiveSettings& wanted() const { return wanted_; }
    void ask(const LiveSettings& settings);
    void choose_model(std::size_t index);  // with the settings it had when it was last chosen
    void choose_next_solver();

    [[nodiscard]] const std::optional<ContactModel>& ghost() const { return ghost_; }
    void set_ghost(const std::optional<ContactModel>& contact);
    void trace_convergence();  // of the last step

    // Carried out between steps; not for a recorded run, which nothing can change.
    void post(std::function<void(LiveScene&)> command);

    void notify(std::string text);
    void complain(std::string text);  // an error, shown until it is dismissed
    void dismiss(std::size_t notice);
    void dismiss_errors();
    [[nodiscard]] const std::vector<Notice>& notices() const { return notices_; }
    // The fault of the scene file, while an older scene runs on; empty otherwise.
    [[nodiscard]] const std::string& scene_error() const { return scene_error_; }
    void dismiss_scene_error() { scene_error_.clear(); }

    [[nodiscard]] double seconds() const { return seconds_; }  // since the session began

  private:
    void put_on(Scene scene, std::unique_ptr<Player> player);
    void take_what_is_shown();

    SceneLoader load_;
    int threads_;
    std::string path_;
    ParameterTexts parameters_;
    std::filesystem::file_time_type file_time_{};
    double next_look_ = 0;
    std::string scene_error_;
    std::int64_t serial_ = 0;
    bool replay_ = false;

    Scene scene_;
    SceneMeshes meshes_;
    std::unique_ptr<Runner> runner_;
    std::shared_ptr<const Snapshot> snapshot_ = std::make_shared<Snapshot>();
    Pace pace_;
    std::vector<StepRecord> records_;
    Timeline timeline_;
    GhostPlots ghost_plots_;
    LiveSettings wanted_;
    std::array<ContactModel, std::variant_size_v<ContactModel>> models_;  // as last used
    std::optional<ContactModel> ghost_;
    std::vector<Notice> notices_;
    std::int64_t error_serial_ = 0;
    std::string failure_;
    double seconds_ = 0;
};

}  // namespace stiction

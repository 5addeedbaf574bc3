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
#include <thread>
#include <vector>

#include "live/live_settings.h"
#include "live/runner.h"
#include "live/snapshot.h"
#include "record/trajectory.h"
#include "scene/scene.h"
#include "view/graphs.h"
#include "view/panels/ghost_plots.h"
#include "view/scene_picture.h"
#include "view/step_track.h"
#include "view/timeline.h"
#include "view/undo.h"

namespace stiction {

class Dataset;
class FrameIndex;
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
    ~Session();

    // Files are read on a thread of its own; meanwhile this is called again and again by the one that
    // asked for them. What it throws leaves the reading to itself, however long it takes: the program
    // is then to end without destroying the session. Without it, who asks reads.
    void set_meanwhile(std::function<void()> meanwhile) { meanwhile_ = std::move(meanwhile); }

    // Each throws InputError and leaves what runs as it is.
    void open(const std::string& path, const ParameterTexts& parameters = {},
              const std::string& state = "");              // a saved state to go on from
    void show(const Scene& scene, Trajectory trajectory);  // a recorded run
    // A frame of a dataset, from 0; open() takes datasets too.
    void open_dataset(const std::string& path, std::size_t frame = 0);

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
    [[nodiscard]] const StepTrack& track() const { return track_; }
    [[nodiscard]] Graphs& graphs() { return graphs_; }
    [[nodiscard]] const Graphs& graphs() const { return graphs_; }
    [[nodiscard]] const GhostPlots& ghost_plots() const { return ghost_plots_; }
    [[nodiscard]] const ParameterTexts& parameters() const { return parameters_; }
    [[nodiscard]] bool is_replay() const { return replay_; }
    // The frames of the dataset on show; null where there is none. is_replay() holds with it: nothing
    // is simulated.
    [[nodiscard]] const FrameIndex* frames() const { return frames_.get(); }
    void show_frame(std::size_t frame);    // an error becomes a notice
    void show_answer(std::size_t answer);  // of the frame on show
    void solve_frame(bool warm);           // again, by the model that is wanted
    [[nodiscard]] std::int64_t serial() const { return serial_; }  // grows with every scene shown

    // Pauses and goes to the state after this step, or the nearest one that is kept. While one such
    // order waits, only the last of the next ones counts.
    void seek(std::int64_t step);

    // Settings as last asked for; the snapshot has those that act.
    [[nodiscard]] const LiveSettings& wanted() const { return wanted_; }
    void ask(LiveSettings settings);
    // A control of the scene, by its place in the snapshot.
    void set_control(std::size_t control, double value);
    // Takes the last edit of settings or controls back, or makes it again.
    void undo();
    void redo();
    [[nodiscard]] const Undo& edits() const { return undo_; }
    // Plays on where the run stopped at its end: whoever changes something wants to see it.
    void go_on();
    void choose_model(std::size_t index);  // with the settings it had when it was last chosen
    void choose_next_solver();

    [[nodiscard]] const std::optional<ContactModel>& ghost() const { return ghost_; }
    [[nodiscard]] std::optional<NarrowphaseKind> ghost_narrowphase() const {
        return ghost_narrowphase_;
    }
    void set_ghost(const std::optional<ContactModel>& contact,
                   std::optional<NarrowphaseKind> narrowphase = {});
    // Scenes side by side: the scene itself and these. They start from the present state.
    [[nodiscard]] const std::vector<PeerSettings>& peers() const { return peers_; }
    void set_peers(std::vector<PeerSettings> peers);
    // One more, or fewer: the first one has the model that differs most in kind.
    void add_peer();
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

    // What is wrong with the last steps and what to do; empty when they were solved.
    [[nodiscard]] const std::string& banner() const { return banner_hidden_ ? nothing_ : banner_; }
    void hide_banner();  // until steps are solved again

    [[nodiscard]] AtEnd at_end() const { return at_end_; }
    void set_at_end(AtEnd what);

    [[nodiscard]] double seconds() const { return seconds_; }  // since the session began

    // Ends the run and completes what it records; nothing may be asked of the runner any more.
    void end_run();

  private:
    template <class Read>
    auto aside(Read read);
    void forget_dataset();
    void put_on(Scene scene, std::unique_ptr<Player> player);
    void take_what_is_shown();
    void keep_what_can_be_gone_back_to();
    void show_graphs(const Scene& before);
    void send_orders();
    void make(const Edit& edit, bool back);
    void act_on(LiveSettings settings);
    void watch_trouble();
    void watch_end();

    SceneLoader load_;
    int threads_;
    std::function<void()> meanwhile_;
    std::thread reader_;
    std::string path_;
    ParameterTexts parameters_;
    std::filesystem::file_time_type file_time_{};
    double next_look_ = 0;
    std::string scene_error_;
    std::int64_t serial_ = 0;
    bool replay_ = false;
    std::unique_ptr<FrameIndex> frames_;
    std::shared_ptr<const Dataset> dataset_;
    bool frame_shapes_ = false;  // are those of a scene, the same for all frames of a simulation

    Scene scene_;
    SceneMeshes meshes_;
    std::unique_ptr<Runner> runner_;
    std::shared_ptr<const Snapshot> snapshot_ = std::make_shared<Snapshot>();
    Pace pace_;
    std::vector<StepRecord> records_;
    std::vector<StepSample> samples_;
    Timeline timeline_;
    StepTrack track_;
    Graphs graphs_;
    std::int64_t watch_serial_ = 0;  // of the quantities that the player was told of
    std::optional<std::int64_t> wanted_step_;
    GhostPlots ghost_plots_;
    Undo undo_;
    LiveSettings wanted_;
    std::array<ContactModel, std::variant_size_v<ContactModel>> models_;  // as last used
    std::vector<PeerSettings> peers_;
    std::optional<ContactModel> ghost_;
    std::optional<NarrowphaseKind> ghost_narrowphase_;  // empty: the scene's
    std::vector<Notice> notices_;
    std::int64_t error_serial_ = 0;
    std::string failure_;
    std::string banner_;
    double banner_until_ = 0;  // seconds of the session
    bool banner_hidden_ = false;
    std::string nothing_;
    double changed_at_ = -1;  // when settings were last changed [s]
    AtEnd at_end_ = AtEnd::kStop;
    bool end_told_ = false;
    std::string end_notice_;  // goes when the run goes on
    double seconds_ = 0;
};

}  // namespace stiction

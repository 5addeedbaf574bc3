// view_recorder.h - what the window records: videos in simulated time, pictures, tables, states.
// Files go to one folder under names that are free.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "draw/image.h"
#include "draw/renderer.h"
#include "draw/video.h"
#include "problem_files/dataset_writer.h"
#include "view/film/film.h"
#include "view/session.h"

namespace stiction {

struct VideoSettings {
    FilmSettings film;
    int frames_per_second = 30;
    double speed = 1;  // simulated time per time of the video
};

class ViewRecorder {
  public:
    explicit ViewRecorder(std::string folder);
    ~ViewRecorder();  // finishes what is being written

    VideoSettings& settings() { return settings_; }
    [[nodiscard]] const std::string& folder() const { return folder_; }
    [[nodiscard]] const std::string& last_file() const { return last_file_; }

    [[nodiscard]] bool filming() const { return video_ != nullptr; }
    [[nodiscard]] const VideoWriter& video() const { return *video_; }
    void start_video(Session& session);  // errors become notices, here and below
    void stop_video(Session& session);
    // Once per frame of the window: when the simulation has come to the next frame of the video,
    // takes it and lets the simulation go on.
    void film(Session& session, Renderer& renderer, const Picture& picture);

    // From another thread: completes the video; what is filmed after that is lost.
    void abandon();

    void save_picture(Session& session, const Image& image);

    [[nodiscard]] bool writing_tables() const { return tables_; }
    void start_tables(Session& session);  // CSV, JSON and trajectory of the steps from here on
    void stop_tables(Session& session);
    // Once per frame: a recording that has ended by itself (reset, full disk) is told of.
    void watch_tables(Session& session);

    // Contact problems of steps, as datasets (docs/datasets.md). They are asked for by these two and
    // written by write_frames(), once per frame of the window, with a picture of the scene.
    void save_frame() { frame_wanted_ = true; }      // the step on show
    void toggle_frames() { frames_wanted_ = true; }  // begins or ends a dataset
    int& frames_every() { return frames_every_; }    // steps from one of its frames to the next
    [[nodiscard]] bool writing_frames() const { return !frames_file_.empty(); }
    void write_frames(Session& session, Renderer& renderer, const Picture& picture);

    void save_state(Session& session);
    void load_state(Session& session);  // the one saved last

    void remember(std::string path);  // as the file written last
    void scene_changed();             // the tables of the old scene have been finished by it
    // That no file has yet, neither with this suffix nor with those besides.
    [[nodiscard]] std::string free_name(const std::string& scene, const std::string& suffix,
                                        const std::vector<std::string>& besides = {}) const;

  private:
    void film_next_at(double time, Session& session);
    void finish_video();
    [[nodiscard]] static DatasetManifest manifest(Session& session, Renderer& renderer,
                                                  const Picture& picture);
    void watch_frames(Session& session);
    void start_frames(Session& session, Renderer& renderer, const Picture& picture);

    std::string folder_;
    std::string last_file_;
    std::string last_state_;
    VideoSettings settings_;
    std::unique_ptr<Film> film_;
    std::unique_ptr<VideoWriter> video_;
    std::mutex video_mutex_;  // while video_ is exchanged
    double next_frame_ = 0;   // simulated time [s]
    double horizon_ = 0;      // half a step before: the step that reaches it is the nearest [s]
    std::int64_t epoch_ = 0;  // of the run, when the horizon was set
    bool tables_ = false;
    std::string tables_file_;   // the CSV among them
    bool tables_seen_ = false;  // the simulation has begun to write them
    bool frame_wanted_ = false, frames_wanted_ = false;
    int frames_every_ = 1;
    std::string frames_file_;  // being written; empty: none
    bool frames_seen_ = false;
};

}  // namespace stiction

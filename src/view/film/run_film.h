// run_film.h - films a run that has no window: a video in simulated time, and a picture of its end.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "record/step_record.h"
#include "scene/scene.h"
#include "view/film/film.h"

namespace stiction {

struct Simulation;

struct RunFilmSettings {
    std::string video;  // .mp4 or .mkv; empty: none
    std::string png;    // of the end of the run; empty: none
    FilmSettings film;
    double frames_per_second = 30;
    double speed = 1;  // simulated time per time of the video

    [[nodiscard]] bool wanted() const { return !video.empty() || !png.empty(); }
};

// Throws InputError for a size of pictures that cannot be.
void check_film_size(const FilmSettings& settings, const std::string& what);

// More is a mistake of units: nine hours at 30 frames per second.
inline constexpr double kMaxFrames = 1e6;

// Throws InputError for names, sizes or rates that cannot be, and where a run of this duration [s]
// would have more than kMaxFrames. Creates nothing.
void check_film(const RunFilmSettings& settings, double duration);

// A simulation as it stands; `stepped`: with contacts and forces of the step that led to it. Throws
// std::runtime_error where nothing can be drawn.
[[nodiscard]] Image draw_still(const FilmSettings& settings, const Camera& camera,
                               const Simulation& sim, bool stepped);

// A small picture of how a scene begins, for those who look through datasets; none where nothing can
// be drawn. No GL context may be current on the thread that calls.
inline constexpr FilmSettings kSmallPicture = {.width = 320, .height = 180, .overlay = false};
[[nodiscard]] std::optional<Image> picture_of(const Camera& camera, const Model& model,
                                              const State& state);

class RunFilm {
  public:
    // Opens the video and takes its first frame. Throws std::runtime_error where nothing can be
    // drawn.
    RunFilm(const RunFilmSettings& settings, const Camera& camera, const Simulation& sim);
    ~RunFilm();  // a video that was not finished is playable, as far as it goes

    void step_taken(const Simulation& sim, const StepRecord& record);
    void draw_end(const Simulation& sim);  // the picture of the end, where it is wanted
    void finish();                         // files get their names; throws OutputError
    // The video alone, from another thread while a frame is being filmed.
    void finish_video();

  private:
    friend Image draw_still(const FilmSettings& settings, const Camera& camera,
                            const Simulation& sim, bool stepped);
    friend std::optional<Image> picture_of(const Camera& camera, const Model& model,
                                           const State& state);
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace stiction

// run_film.cpp - draws steps without a display as they are taken.
#include "view/film/run_film.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/error.h"
#include "draw/offscreen.h"
#include "draw/renderer.h"
#include "draw/video.h"
#include "live/shown_contacts.h"
#include "record/output_file.h"
#include "step/simulation.h"
#include "view/orbit_camera.h"
#include "view/scene_picture.h"
#include "view/subject.h"
#include "view/timeline.h"

namespace stiction {

struct RunFilm::Impl {
    Impl(RunFilmSettings s, const Camera& camera, const Model& model, const State& state)
        : settings(std::move(s)),
          film(affordable(settings.film, model)),
          meshes(make_scene_meshes(model, state)),
          next_frame(state.time) {
        renderer.set_meshes(meshes.meshes);
        const Extent all = extent(model, state);
        OrbitCamera orbit = make_camera(camera, all.radius);
        if (!camera.given) {
            const auto width = static_cast<float>(settings.film.width);
            const auto height = static_cast<float>(settings.film.height);
            frame_in(orbit, opening_view(model, state), {0, 0, width, height}, width, height);
        }
        picture.view = orbit.viewpoint();
        if (!settings.video.empty()) {
            video.emplace(settings.video, settings.film.width, settings.film.height,
                          settings.frames_per_second);
        }
    }

    Impl(RunFilmSettings s, const Camera& camera, const Simulation& sim)
        : Impl(std::move(s), camera, sim.model, sim.state) {
        snapshot.settings.contact = sim.contact_model;
        snapshot.settings.step = sim.settings;
    }

    static FilmSettings affordable(FilmSettings film, const Model& model) {
        film.samples = std::min(film.samples, affordable_samples(model.geoms.size()));
        return film;
    }

    const Image& shoot(const Model& model, const State& state) {
        snapshot.state = state;
        fill_picture(model, meshes, snapshot, draw, {}, forces, picture);
        return film.shoot(renderer, picture, timeline, snapshot);
    }

    const Image& shoot(const Simulation& sim) {
        if (snapshot.stepped) show_contacts(sim, ContactQuality{}, snapshot.contacts);
        return shoot(sim.model, sim.state);
    }

    void film_if_due(const Simulation& sim) {
        if (!video || sim.state.time < next_frame - 0.5 * sim.settings.h) return;
        const Image& image = shoot(sim);
        // Steps longer than a frame: the same picture again, so that time runs right.
        while (sim.state.time >= next_frame - 0.5 * sim.settings.h) {
            video->add(image);
            next_frame += settings.speed / settings.frames_per_second;
        }
    }

    OffscreenContext context;  // first in, last out: all others need it
    RunFilmSettings settings;
    Renderer renderer;
    Film film;
    SceneMeshes meshes;
    DrawOptions draw;
    ForceScale forces;
    Timeline timeline;
    Snapshot snapshot;
    Picture picture;
    std::optional<VideoWriter> video;
    std::optional<Image> end;  // of the run
    double next_frame;         // simulated time [s]
};

void check_film_size(const FilmSettings& settings, const std::string& what) {
    for (const int size : {settings.width, settings.height}) {
        if (size < kSmallestFilm || size > kLargestFilm) {
            throw InputError(what + ": expected " + std::to_string(kSmallestFilm) + " to " +
                             std::to_string(kLargestFilm) + " pixels each way");
        }
    }
}

Image draw_still(const FilmSettings& settings, const Camera& camera, const Simulation& sim,
                 bool stepped) {
    RunFilmSettings still;
    still.film = settings;
    RunFilm::Impl film(still, camera, sim);
    film.snapshot.stepped = stepped;
    return film.shoot(sim);
}

void check_film(const RunFilmSettings& settings, double duration) {
    if (!settings.video.empty()) check_video_path(settings.video);
    if (!settings.png.empty()) {
        if (!settings.png.ends_with(".png"))
            throw InputError("--png " + settings.png + ": expected a name that ends in .png");
        check_writable(settings.png, true);
    }
    check_film_size(settings.film, "--size");
    if (!(settings.frames_per_second >= 1 && settings.frames_per_second <= 240))
        throw InputError("--fps: expected 1 to 240 frames per second");
    if (!(settings.speed > 0 && std::isfinite(settings.speed)))
        throw InputError("--speed: must be a finite number > 0");
    const double frames = duration / settings.speed * settings.frames_per_second;
    if (!settings.video.empty() && !(frames <= kMaxFrames)) {
        throw InputError("--video " + settings.video + ": would have more than " +
                         std::to_string(static_cast<int>(kMaxFrames)) +
                         " frames; choose a larger --speed, a lower --fps or a shorter --time");
    }
}

std::optional<Image> picture_of(const Camera& camera, const Model& model, const State& state) {
    try {
        RunFilmSettings still;
        still.film = kSmallPicture;
        return RunFilm::Impl(still, camera, model, state).shoot(model, state);
    } catch (const std::runtime_error&) {
        return std::nullopt;
    }
}

RunFilm::RunFilm(const RunFilmSettings& settings, const Camera& camera, const Simulation& sim)
    : impl_(std::make_unique<Impl>(settings, camera, sim)) {
    impl_->film_if_due(sim);
}

RunFilm::~RunFilm() = default;

void RunFilm::step_taken(const Simulation& sim, const StepRecord& record) {
    impl_->timeline.add(record);
    impl_->snapshot.record = record;
    impl_->snapshot.model = record.model;
    impl_->snapshot.stepped = true;
    impl_->film_if_due(sim);
}

void RunFilm::draw_end(const Simulation& sim) {
    if (!impl_->settings.png.empty()) impl_->end = impl_->shoot(sim);
}

void RunFilm::finish_video() {
    if (impl_->video) impl_->video->finish();
}

void RunFilm::finish() {
    std::string problem;
    try {
        finish_video();
    } catch (const OutputError& error) {
        problem = error.what();
    }
    if (impl_->end) write_png(impl_->settings.png, *impl_->end);
    if (!problem.empty()) throw OutputError(problem);
}

}  // namespace stiction

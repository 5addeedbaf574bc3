// view_recorder.cpp - starts, feeds and ends the window's recordings.
#include "view/film/view_recorder.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <utility>

#include "core/error.h"
#include "live/frame_scene.h"
#include "live/live_scene.h"
#include "view/film/run_film.h"

namespace stiction {

namespace {

constexpr int kMaxNames = 9999;  // the search for a free name is linear

bool taken(const std::filesystem::path& path) {
    return std::filesystem::exists(path) || std::filesystem::exists(path.string() + ".part");
}

}  // namespace

ViewRecorder::ViewRecorder(std::string folder) : folder_(std::move(folder)) {}

ViewRecorder::~ViewRecorder() { finish_video(); }

std::string ViewRecorder::free_name(const std::string& scene, const std::string& suffix,
                                    const std::vector<std::string>& besides) const {
    std::filesystem::create_directories(folder_);
    for (int i = 1; i <= kMaxNames; ++i) {
        char number[16];
        std::snprintf(number, sizeof number, "-%03d", i);
        const std::filesystem::path stem = std::filesystem::path(folder_) / (scene + number);
        const auto is_taken = [&stem](const std::string& s) { return taken(stem.string() + s); };
        if (!is_taken(suffix) && std::none_of(besides.begin(), besides.end(), is_taken))
            return stem.string() + suffix;
    }
    throw InputError(folder_ + ": has " + std::to_string(kMaxNames) + " recordings of '" + scene +
                     "'; move some away");
}

void ViewRecorder::remember(std::string path) { last_file_ = std::move(path); }

void ViewRecorder::start_video(Session& session) {
    if (filming()) return;
    if (session.frames() != nullptr) {
        session.notify("A dataset has no time that a video could follow; P takes a picture.");
        return;
    }
    try {
        const std::string path = free_name(session.scene().name, ".mp4");
        check_video_path(path);
        FilmSettings film = settings_.film;
        film.samples =
            std::min(film.samples, affordable_samples(session.scene().model.geoms.size()));
        film_ = std::make_unique<Film>(film);
        auto video = std::make_unique<VideoWriter>(
            path, settings_.film.width, settings_.film.height, settings_.frames_per_second);
        {
            const std::lock_guard lock(video_mutex_);
            video_ = std::move(video);
        }
        film_next_at(session.now().state.time, session);
        session.runner().play();
    } catch (const std::exception& error) {
        finish_video();
        session.complain(error.what());
    }
}

void ViewRecorder::finish_video() {
    if (video_) {
        try {
            video_->finish();
        } catch (const std::exception& error) {
            spdlog::error("{}", error.what());
        }
        remember(video_->path());
    }
    {
        const std::lock_guard lock(video_mutex_);
        video_.reset();
    }
    film_.reset();
}

void ViewRecorder::abandon() {
    const std::lock_guard lock(video_mutex_);
    if (!video_) return;
    try {
        video_->finish();
    } catch (const std::exception& error) {
        spdlog::error("{}", error.what());
    }
}

void ViewRecorder::stop_video(Session& session) {
    if (!filming()) return;
    session.runner().set_horizon(std::nullopt);
    const long long frames = video_->frames();
    finish_video();
    session.notify("wrote " + last_file_ + ", " + std::to_string(frames) + " frames");
}

// The simulation waits at the step that the frame shows.
void ViewRecorder::film_next_at(double time, Session& session) {
    const Snapshot& now = session.now();
    next_frame_ = time;
    horizon_ = time - 0.5 * now.settings.step.h;
    epoch_ = now.epoch;
    session.runner().set_horizon(horizon_, epoch_);
}

void ViewRecorder::film(Session& session, Renderer& renderer, const Picture& picture) {
    if (!filming()) return;
    const Snapshot& now = session.now();
    // Set back by a reset, or another scene: the video goes on from there.
    if (now.epoch != epoch_) film_next_at(now.state.time, session);
    if (now.state.time < horizon_) return;
    const double frame = settings_.speed / settings_.frames_per_second;
    try {
        video_->add(film_->shoot(renderer, picture, session.timeline(), now));
        film_next_at(next_frame_ + frame, session);
    } catch (const std::exception& error) {
        session.runner().set_horizon(std::nullopt);
        finish_video();
        session.complain(error.what());
    }
}

void ViewRecorder::save_picture(Session& session, const Image& image) {
    try {
        const std::string path = free_name(session.scene().name, ".png");
        write_png(path, image);
        remember(path);
        session.notify("wrote " + path);
    } catch (const std::exception& error) {
        session.complain(error.what());
    }
}

void ViewRecorder::start_tables(Session& session) {
    if (tables_ || session.is_replay()) return;
    try {
        const std::string csv = free_name(session.scene().name, ".csv", {".json", ".h5"});
        const std::string stem = csv.substr(0, csv.size() - 4);
        OutputPaths paths;
        paths.csv = csv;
        paths.json = stem + ".json";
        paths.trajectory = stem + ".h5";
        paths.quality = true;
        session.post([paths](LiveScene& live) { live.start_recording(paths); });
        tables_ = true;
        tables_seen_ = false;
        tables_file_ = csv;
        remember(csv);
    } catch (const std::exception& error) {
        session.complain(error.what());
    }
}

void ViewRecorder::stop_tables(Session& session) {
    if (!tables_) return;
    tables_ = false;
    session.post([](LiveScene& live) { live.stop_recording(); });
    remember(tables_file_);
    session.notify("wrote " + tables_file_ + ", .json and .h5");
}

void ViewRecorder::watch_tables(Session& session) {
    if (!tables_) return;
    const Snapshot& now = session.now();
    if (!now.writing.empty()) tables_seen_ = true;
    if (!tables_seen_ || !now.writing.empty()) return;
    tables_ = false;
    session.complain(tables_file_ + ": " + now.write_error);
}

void ViewRecorder::save_state(Session& session) {
    if (session.is_replay()) return;
    try {
        last_state_ = free_name(session.scene().name, ".state");
        session.post([path = last_state_](LiveScene& live) { live.save_state(path); });
        remember(last_state_);
        session.notify("saved the state to " + last_state_);
    } catch (const std::exception& error) {
        session.complain(error.what());
    }
}

void ViewRecorder::load_state(Session& session) {
    if (session.is_replay()) return;
    if (last_state_.empty()) {
        session.notify("no state was saved yet");
        return;
    }
    session.post([path = last_state_](LiveScene& live) { live.load_state(path); });
}

DatasetManifest ViewRecorder::manifest(Session& session, Renderer& renderer,
                                       const Picture& picture) {
    const Scene& scene = session.scene();
    DatasetManifest made = make_manifest(scene, command_for(scene), STICTION_VERSION);
    Film film(kSmallPicture);
    const Image& image = film.shoot(renderer, picture, session.timeline(), session.now());
    made.image = {image.width, image.height, image.rgb};
    return made;
}

void ViewRecorder::start_frames(Session& session, Renderer& renderer, const Picture& picture) {
    frames_file_ = free_name(session.scene().name, ".h5");
    frames_seen_ = false;
    session.post([path = frames_file_, every = frames_every_,
                  made = manifest(session, renderer, picture)](LiveScene& live) {
        live.start_frames(path, every, made);
    });
    remember(frames_file_);
}

// A dataset that has ended by itself, or could not begin, is told of.
void ViewRecorder::watch_frames(Session& session) {
    if (!writing_frames()) return;
    const Snapshot& now = session.now();
    if (!now.writing_frames.empty()) frames_seen_ = true;
    if (!now.writing_frames.empty() || (!frames_seen_ && session.pace().error.empty())) return;
    if (frames_seen_) session.complain(frames_file_ + ": " + now.frames_error);
    frames_file_.clear();
}

void ViewRecorder::write_frames(Session& session, Renderer& renderer, const Picture& picture) {
    watch_frames(session);
    const bool one = std::exchange(frame_wanted_, false);
    const bool toggle = std::exchange(frames_wanted_, false);
    if (session.is_replay() || !(one || toggle)) return;
    try {
        if (one) {
            const std::string path = free_name(session.scene().name, ".h5");
            session.post([path, made = manifest(session, renderer, picture)](LiveScene& live) {
                live.save_frame(path, made);
            });
            remember(path);
            session.notify("the step's contact problem goes to " + path);
        }
        if (toggle && writing_frames()) {
            session.post([](LiveScene& live) { live.stop_frames(); });
            remember(std::exchange(frames_file_, ""));
            session.notify("wrote " + last_file_);
        } else if (toggle) {
            start_frames(session, renderer, picture);
        }
    } catch (const std::exception& error) {
        session.complain(error.what());
    }
}

void ViewRecorder::scene_changed() {
    tables_ = false;
    frames_file_.clear();
}

}  // namespace stiction

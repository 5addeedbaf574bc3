// film_options.cpp - options of films and their checks.
#include "app/film_options.h"

#include <charconv>

#include "core/error.h"

namespace stiction {

void read_size(const std::string& text, int& width, int& height) {
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, width);
    const bool cross = first.ec == std::errc{} && first.ptr != end && *first.ptr == 'x';
    const auto second = cross ? std::from_chars(first.ptr + 1, end, height) : first;
    const bool whole = cross && second.ec == std::errc{} && second.ptr == end;
    const auto fits = [](int n) { return n >= kSmallestFilm && n <= kLargestFilm; };
    if (whole && fits(width) && fits(height)) return;
    throw InputError(
        "--size " + text + ": expected WIDTHxHEIGHT in pixels, for example 1280x720 (" +
        std::to_string(kSmallestFilm) + " to " + std::to_string(kLargestFilm) + " each way)");
}

void add_film_options(CLI::App& command, FilmOptions& options) {
    RunFilmSettings& film = options.film;
    command
        .add_option("--video", film.video,
                    "Film the run in simulated time, without a display: .mp4 or .mkv")
        ->type_name("FILE");
    command.add_option("--png", film.png, "Picture of the end of the run")->type_name("FILE");
    command.add_flag("--overlay", options.overlay, "Timing overlay in video and picture");
    command.add_option("--size", options.size, "Of video and picture in pixels (default 1280x720)")
        ->type_name("WxH");
    command.add_option("--fps", film.frames_per_second, "Frames per second of the video")
        ->capture_default_str();
    command
        .add_option("--speed", film.speed,
                    "Simulated seconds per second of the video; 0.1 is slow motion")
        ->capture_default_str();
}

RunFilmSettings read_film_options(const FilmOptions& options, double duration) {
    RunFilmSettings film = options.film;
    film.film.overlay = options.overlay;
    if (!options.size.empty()) read_size(options.size, film.film.width, film.film.height);
    check_film(film, duration);
    return film;
}

}  // namespace stiction

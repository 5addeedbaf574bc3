// film_options.h - options of the window and of films that several commands share.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "view/film/run_film.h"
#include "view/view.h"

namespace stiction {

// "1280x720" -> 1280, 720. Throws InputError.
void read_size(const std::string& text, int& width, int& height);

// Of every command that opens the window.
void add_window_options(CLI::App& command, ViewOptions& view, std::string& size);

// The window, with what signals do to it. Throws as show_window does.
void open_window(ViewOptions& view);

// --video, --png and what belongs to them. `size` is text until read_film_options.
struct FilmOptions {
    RunFilmSettings film;
    std::string size;
    bool overlay = false;
};
void add_film_options(CLI::App& command, FilmOptions& options);

// Checked, for a run of this duration [s]. Throws InputError.
[[nodiscard]] RunFilmSettings read_film_options(const FilmOptions& options, double duration);

}  // namespace stiction

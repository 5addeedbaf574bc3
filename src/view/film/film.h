// film.h - pictures of a scene with the timing overlay, of a fixed size, for PNG files and videos:
// with a window or without one.
#pragma once

#include <cstddef>
#include <memory>

#include "draw/image.h"
#include "draw/picture.h"
#include "draw/renderer.h"
#include "live/snapshot.h"
#include "view/panels/overlay.h"
#include "view/timeline.h"

namespace stiction {

struct FilmSettings {
    int width = 1280, height = 720;  // pixels
    int samples = 4;                 // per pixel; 1 for many bodies without a graphics card
    bool overlay = true;
};

// Samples per pixel that this machine draws in reasonable time; needs a current GL context.
[[nodiscard]] int affordable_samples(std::size_t bodies);

inline constexpr int kSmallestFilm = 64;   // pixels, either way: below it nothing can be told
inline constexpr int kLargestFilm = 7680;  // the width of 8K video

class Film {
  public:
    explicit Film(const FilmSettings& settings);  // needs a current GL context all its life
    ~Film();
    Film(const Film&) = delete;
    Film& operator=(const Film&) = delete;

    [[nodiscard]] const FilmSettings& settings() const;

    // The picture as it stands, and over it the overlay with the numbers of the timeline.
    const Image& shoot(Renderer& renderer, const Picture& picture, const Timeline& timeline,
                       const Snapshot& snapshot);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace stiction

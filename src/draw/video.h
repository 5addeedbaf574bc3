// video.h - a video file, encoded by ffmpeg through a pipe. The file grows as NAME.part in a form
// that can be played at any time, and gets its name when it is finished.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "draw/image.h"

namespace stiction {

// Throws InputError: not .mp4 or .mkv, folder missing or not writable, ffmpeg not installed.
// Creates nothing.
void check_video_path(const std::string& path);

class VideoWriter {
  public:
    VideoWriter(const std::string& path, int width, int height, double frames_per_second);
    ~VideoWriter();  // finishes too, errors are logged
    VideoWriter(const VideoWriter&) = delete;
    VideoWriter& operator=(const VideoWriter&) = delete;

    void add(const Image& image);  // of the video's size; throws OutputError with ffmpeg's words
    // Throws OutputError; further calls do nothing. Another thread may call it while a picture is
    // being added, which then is the last.
    void finish();

    [[nodiscard]] std::int64_t frames() const;
    [[nodiscard]] std::int64_t bytes() const;  // on disk so far
    [[nodiscard]] const std::string& path() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace stiction

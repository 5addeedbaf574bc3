// film.cpp - draws into a framebuffer and reads it back.
#include "view/film/film.h"

#include "draw/offscreen.h"
#include "view/ui.h"

namespace stiction {

namespace {

constexpr float kMargin = 12;            // of the overlay from the picture's corner [pixels]
constexpr double kScaleOneHeight = 720;  // letters grow with the picture
constexpr int kFirstPasses = 3;          // ImGui hides a window until it knows the window's size

UiOptions ui_options(const FilmSettings& settings) {
    return {.window = nullptr,
            .scale = static_cast<float>(settings.height / kScaleOneHeight),
            .layout_file = ""};
}

constexpr std::size_t kManyBodies = 200;  // a frame of so many takes most of a second in software

}  // namespace

int affordable_samples(std::size_t bodies) {
    return bodies > kManyBodies && is_software_renderer() ? 1 : 4;
}

struct Film::Impl {
    explicit Impl(const FilmSettings& s)
        : settings(s), buffer(s.width, s.height, s.samples), ui(ui_options(s)) {}

    void lay_out(const Snapshot& snapshot) {
        for (int passes = laid_out ? 1 : kFirstPasses; passes > 0; --passes) {
            ui.begin(settings.width, settings.height, 1.0 / 30);
            log.clear();
            draw_overlay(numbers, snapshot, 0,
                         {.left = kMargin,
                          .bottom = static_cast<float>(settings.height) - kMargin,
                          .live = false},
                         log);
            ui.end();
        }
        laid_out = true;
    }

    FilmSettings settings;
    FrameBuffer buffer;
    Ui ui;
    OverlayNumbers numbers;
    WidgetLog log;
    bool laid_out = false;
    Image image;
};

Film::Film(const FilmSettings& settings) : impl_(std::make_unique<Impl>(settings)) {}
Film::~Film() = default;

const FilmSettings& Film::settings() const { return impl_->settings; }

const Image& Film::shoot(Renderer& renderer, const Picture& picture, const Timeline& timeline,
                         const Snapshot& snapshot) {
    const FilmSettings& s = impl_->settings;
    renderer.draw(picture, s.width, s.height, impl_->buffer.id());
    impl_->buffer.resolve();
    if (s.overlay) {
        impl_->numbers.refresh_now(timeline);
        impl_->lay_out(snapshot);
        impl_->buffer.bind_resolved();
        impl_->ui.draw();
    }
    impl_->buffer.read(impl_->image);
    return impl_->image;
}

}  // namespace stiction

// window.cpp - GLFW: opens the window, gathers events.
#include "view/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace stiction {

namespace {

constexpr int kLargestWidth = 1600, kLargestHeight = 1000;  // unless asked for more [pixels]

std::string last_error() {
    const char* text = nullptr;
    glfwGetError(&text);
    return text == nullptr ? "unknown reason" : text;
}

// The screen's free area, at most the sizes above.
std::pair<int, int> fitting_size() {
    int x = 0, y = 0, width = 0, height = 0;
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    if (monitor != nullptr) glfwGetMonitorWorkarea(monitor, &x, &y, &width, &height);
    if (width <= 0 || height <= 0) return {1280, 800};
    return {std::min(kLargestWidth, width), std::min(kLargestHeight, height)};
}

}  // namespace

struct Window::Impl {
    GLFWwindow* window = nullptr;
    std::vector<WindowEvent> events;
    std::array<int, 4> windowed{};  // place and size to come back to from full screen

    static Impl& of(GLFWwindow* window) {
        return *static_cast<Impl*>(glfwGetWindowUserPointer(window));
    }

    // Mouse positions come in screen units; on some systems a unit is several pixels.
    [[nodiscard]] std::pair<double, double> pixels(double x, double y) const {
        int w = 0, h = 0, fw = 0, fh = 0;
        glfwGetWindowSize(window, &w, &h);
        glfwGetFramebufferSize(window, &fw, &fh);
        return {x * fw / std::max(w, 1), y * fh / std::max(h, 1)};
    }

    void catch_events() {
        glfwSetWindowUserPointer(window, this);
        glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int, int action, int mods) {
            if (action != GLFW_RELEASE)
                of(w).events.emplace_back(KeyEvent{key, mods, action == GLFW_REPEAT});
        });
        glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int mods) {
            double x = 0, y = 0;
            glfwGetCursorPos(w, &x, &y);
            const auto [px, py] = of(w).pixels(x, y);
            of(w).events.emplace_back(ButtonEvent{button, mods, action == GLFW_PRESS, px, py});
        });
        glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
            const auto [px, py] = of(w).pixels(x, y);
            of(w).events.emplace_back(MoveEvent{px, py});
        });
        glfwSetScrollCallback(window, [](GLFWwindow* w, double, double dy) {
            of(w).events.emplace_back(ScrollEvent{dy});
        });
        glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
            of(w).events.emplace_back(DropEvent{{paths, paths + count}});
        });
    }
};

Window::Window(const WindowOptions& options) : impl_(std::make_unique<Impl>()) {
    if (glfwInit() != GLFW_TRUE) {
        throw std::runtime_error("no window can be opened here: " + last_error() +
                                 "; to work without one: stiction run SCENE --video out.mp4");
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, options.debug ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "stiction");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "stiction");
    const auto [width, height] = fitting_size();
    impl_->window = glfwCreateWindow(options.width > 0 ? options.width : width,
                                     options.height > 0 ? options.height : height,
                                     options.title.c_str(), nullptr, nullptr);
    if (impl_->window == nullptr) {
        const std::string why = last_error();
        glfwTerminate();
        throw std::runtime_error("no window with OpenGL 3.3 can be opened: " + why +
                                 "; to work without one: stiction run SCENE --video out.mp4");
    }
    glfwMakeContextCurrent(impl_->window);
    glfwSwapInterval(1);
    impl_->catch_events();
}

Window::~Window() {
    glfwDestroyWindow(impl_->window);
    glfwTerminate();
}

GLFWwindow* Window::handle() const { return impl_->window; }
bool Window::closing() const { return glfwWindowShouldClose(impl_->window) == GLFW_TRUE; }
void Window::close() { glfwSetWindowShouldClose(impl_->window, GLFW_TRUE); }

void Window::poll(double wait) {
    if (wait > 0) {
        glfwWaitEventsTimeout(wait);
    } else {
        glfwPollEvents();
    }
}

void Window::swap() { glfwSwapBuffers(impl_->window); }

std::vector<WindowEvent> Window::take_events() { return std::exchange(impl_->events, {}); }

const std::vector<WindowEvent>& Window::events() const { return impl_->events; }

int Window::width() const {
    int width = 0, height = 0;
    glfwGetFramebufferSize(impl_->window, &width, &height);
    return width;
}

int Window::height() const {
    int width = 0, height = 0;
    glfwGetFramebufferSize(impl_->window, &width, &height);
    return height;
}

float Window::content_scale() const {
    float x = 1, y = 1;
    glfwGetWindowContentScale(impl_->window, &x, &y);
    return std::max(x, 0.5F);
}

void Window::toggle_full_screen() {
    GLFWwindow* window = impl_->window;
    std::array<int, 4>& back = impl_->windowed;
    if (glfwGetWindowMonitor(window) != nullptr) {
        glfwSetWindowMonitor(window, nullptr, back[0], back[1], back[2], back[3], 0);
        return;
    }
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    if (monitor == nullptr) return;
    glfwGetWindowPos(window, back.data(), &back[1]);
    glfwGetWindowSize(window, &back[2], &back[3]);
    const GLFWvidmode* mode = glfwGetVideoMode(monitor);
    glfwSetWindowMonitor(window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

void Window::set_title(const std::string& title) {
    glfwSetWindowTitle(impl_->window, title.c_str());
}

}  // namespace stiction

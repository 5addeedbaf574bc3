// x_messages.cpp - client messages through Xlib, whose macros are best kept out of other files.
#include "window/x_messages.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>

#include <array>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

namespace stiction::test {

namespace {

constexpr auto kPatience = std::chrono::seconds(60);

class Client {
  public:
    explicit Client(const std::string& name) : display_(XOpenDisplay(name.c_str())) {
        if (display_ == nullptr) throw std::runtime_error("no X server at " + name);
        target_ = find_target();
    }
    ~Client() { XCloseDisplay(display_); }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    [[nodiscard]] ::Display* x() const { return display_; }
    [[nodiscard]] ::Window target() const { return target_; }
    [[nodiscard]] Atom atom(const char* name) const { return XInternAtom(display_, name, False); }

    void send(const char* type, const std::array<long, 5>& data) const {
        XEvent event = {};
        event.xclient.type = ClientMessage;
        event.xclient.window = target_;
        event.xclient.message_type = atom(type);
        event.xclient.format = 32;
        for (std::size_t i = 0; i < data.size(); ++i) event.xclient.data.l[i] = data[i];
        XSendEvent(display_, target_, False, NoEventMask, &event);
        XFlush(display_);
    }

    // The next event for which `wanted` holds.
    template <class Wanted>
    XEvent wait(const char* what, const Wanted& wanted) const {
        const auto deadline = std::chrono::steady_clock::now() + kPatience;
        while (std::chrono::steady_clock::now() < deadline) {
            while (XPending(display_) > 0) {
                XEvent event;
                XNextEvent(display_, &event);
                if (wanted(event)) return event;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        throw std::runtime_error(std::string("the window does not send ") + what);
    }
    void wait_for_message(const char* type) const {
        wait(type, [this, type](const XEvent& event) {
            return event.type == ClientMessage && event.xclient.message_type == atom(type);
        });
    }

  private:
    // Without a window manager the program's window is a child of the root.
    [[nodiscard]] ::Window find_target() const {
        ::Window root = 0;
        ::Window parent = 0;
        ::Window* children = nullptr;
        unsigned count = 0;
        XQueryTree(display_, DefaultRootWindow(display_), &root, &parent, &children, &count);
        ::Window found = 0;
        for (unsigned i = 0; i < count; ++i) {
            XClassHint hint = {};
            if (XGetClassHint(display_, children[i], &hint) == 0) continue;
            if (std::string(hint.res_class) == "stiction") found = children[i];
            XFree(hint.res_name);
            XFree(hint.res_class);
        }
        XFree(children);
        if (found == 0) throw std::runtime_error("no window of the class stiction");
        return found;
    }

    ::Display* display_;
    ::Window target_ = 0;
};

}  // namespace

void ask_to_close(const std::string& display) {
    const Client client(display);
    client.send("WM_PROTOCOLS",
                {static_cast<long>(client.atom("WM_DELETE_WINDOW")), CurrentTime, 0, 0, 0});
    XSync(client.x(), False);
}

void drop_file(const std::string& display, const std::string& path) {
    const Client client(display);
    const ::Window source =
        XCreateSimpleWindow(client.x(), DefaultRootWindow(client.x()), 0, 0, 1, 1, 0, 0, 0);
    const auto from = static_cast<long>(source);
    XSetSelectionOwner(client.x(), client.atom("XdndSelection"), source, CurrentTime);
    client.send("XdndEnter",
                {from, 5L << 24, static_cast<long>(client.atom("text/uri-list")), 0, 0});
    client.send("XdndPosition", {from, 0, (500L << 16) | 300, CurrentTime,
                                 static_cast<long>(client.atom("XdndActionCopy"))});
    client.wait_for_message("XdndStatus");
    client.send("XdndDrop", {from, 0, CurrentTime, 0, 0});
    const XEvent wish = client.wait(
        "a request", [](const XEvent& event) { return event.type == SelectionRequest; });
    const XSelectionRequestEvent& request = wish.xselectionrequest;
    const std::string list = "file://" + path + "\r\n";
    XChangeProperty(client.x(), request.requestor, request.property, request.target, 8,
                    PropModeReplace, reinterpret_cast<const unsigned char*>(list.data()),
                    static_cast<int>(list.size()));
    XEvent answer = {};
    answer.xselection.type = SelectionNotify;
    answer.xselection.requestor = request.requestor;
    answer.xselection.selection = request.selection;
    answer.xselection.target = request.target;
    answer.xselection.property = request.property;
    answer.xselection.time = request.time;
    XSendEvent(client.x(), request.requestor, False, NoEventMask, &answer);
    client.wait_for_message("XdndFinished");
}

}  // namespace stiction::test

// state_log.h - what the window shows, as lines of JSON in a file: for tests that work it with
// mouse and keys.
#pragma once

#include <fstream>
#include <string>

#include "view/desk.h"

namespace stiction {

class StateLog {
  public:
    explicit StateLog(const std::string& path);  // empty: no log. Throws InputError
    // A line when something other than time has changed, and several times a second.
    void note(const Desk& desk, std::int64_t frame, int gl_errors);

  private:
    std::ofstream file_;
    std::string last_;
    double next_ = 0;
};

}  // namespace stiction

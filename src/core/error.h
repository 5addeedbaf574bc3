// error.h - bad input (scene, file, command line). Thrown at the boundary, caught in main: one
// message, exit 2.
#pragma once

#include <stdexcept>
#include <string>

namespace stiction {

class InputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace stiction

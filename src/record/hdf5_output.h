// hdf5_output.h - what the writers of HDF5 files share: their failures in words.
#pragma once

#include <string>

namespace stiction {

// Failures are reported by our own messages. The setting is that of a thread.
void silence_hdf5();

// Throws OutputError with the system's words for what went wrong unless `done`.
void must_write(bool done, const std::string& path);

}  // namespace stiction

// hdf5_output.h - what the writers of HDF5 files share: their failures in words.
#pragma once

#include <mutex>
#include <string>

namespace stiction {

// Failures are reported by our own messages. The setting is that of a thread.
void silence_hdf5();

// One for the process, as HDF5 is. HDF5 locks itself where several threads call it, but a process that
// is forked meanwhile keeps that lock for ever: threads beside the first hold this one while they write,
// and so does who forks to read.
[[nodiscard]] std::mutex& hdf5_in_use();

// Throws OutputError with the system's words for what went wrong unless `done`.
void must_write(bool done, const std::string& path);

}  // namespace stiction

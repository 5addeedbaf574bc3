// output_file.h - files that a run writes. What is written goes to NAME.part and gets its name when
// it is complete, so that a file under its own name is never half a file, and what a killed run had
// recorded is there under NAME.part.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace stiction {

// Writing failed although the output had been found writable (disk full, folder removed): the run
// fails, exit 1.
class OutputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// "WHY; MORE", each thing said once: what ended a run is often the first of what went wrong with its
// outputs.
[[nodiscard]] std::string join_problems(const std::string& why, const std::string& more);

[[nodiscard]] std::string part_path(const std::string& path);

// Throws InputError when `path` cannot be created or replaced: missing folder, a folder itself, no
// permission, a scene, robot or mesh file, which no output replaces. Creates nothing. Names of
// devices and pipes are fine unless `regular` asks for a plain file.
void check_writable(const std::string& path, bool regular = false);

// Throws InputError when two outputs, or an output and an input, are one file: by name, or by device
// and inode, as links are. Outputs count with the NAME.part that they have until they are complete.
// Devices are no files in this sense. Empty names and "-" are passed over.
void check_distinct(const std::vector<std::string>& outputs,
                    const std::vector<std::string>& inputs = {});

// Removes what is at NAME.part, a link included, so that a new file can be created there. Throws
// InputError.
void clear_part(const std::string& path);

// NAME.part -> NAME. Throws OutputError.
void publish(const std::string& path);

class OutputFile {
  public:
    explicit OutputFile(const std::string& path);  // throws InputError
    ~OutputFile();                                 // keeps NAME.part unless it is empty
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;

    void write(std::string_view text);  // throws OutputError, as flush and finish do
    void flush();
    void finish();   // closes and gives the file its name
    void discard();  // closes and removes it

    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    [[noreturn]] void fail() const;

    std::string path_;
    std::string written_path_;  // NAME.part; the name itself for devices and pipes
    std::FILE* file_ = nullptr;
    bool empty_ = true;
};

// When a stream of rows should reach its file: at once at first, then after a second or when much
// has gathered.
class FlushClock {
  public:
    [[nodiscard]] bool due(std::size_t gathered_bytes);  // restarts when it answers yes

  private:
    std::chrono::steady_clock::time_point last_{};
};

// A small output in one go.
void write_file(const std::string& path, std::string_view text);
void write_standard_output(std::string_view text);  // throws OutputError

}  // namespace stiction

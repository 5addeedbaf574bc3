// temporary_file.h - a file that lives as long as its object.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace stiction {

class TemporaryFile {
  public:
    // `ending` with its dot. Empty where no text is given.
    explicit TemporaryFile(const std::string& ending, const std::string& text = {}) {
        std::ostringstream name;  // no two of them at one time share process and address
        name << "stiction_random_" << getpid() << '_' << this << ending;
        path_ = std::filesystem::temp_directory_path() / name.str();
        std::ofstream(path_) << text;
    }
    ~TemporaryFile() { std::filesystem::remove(path_); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    [[nodiscard]] std::string path() const { return path_.string(); }

  private:
    std::filesystem::path path_;
};

}  // namespace stiction

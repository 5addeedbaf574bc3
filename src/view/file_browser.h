// file_browser.h - scenes on the disk: what a folder holds, and which were opened last.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace stiction {

struct FolderEntry {
    std::string name, path;
    bool folder = false;
};

// Folders first, then scene files (.yaml), by name; the first entry leads up. What cannot be read is
// empty. Hidden ones are left out.
[[nodiscard]] std::vector<FolderEntry> list_folder(const std::string& path);

inline constexpr std::size_t kMostRecent = 10;  // files that are remembered
void remember_file(const std::string& path, std::vector<std::string>& recent);  // newest first

struct FileBrowser {
    std::string folder;  // that is listed; empty: none yet
    std::vector<FolderEntry> entries;
    std::vector<std::string> recent;

    void go_to(const std::string& path);
};

// Whether a name holds all the words that were typed, in any case.
[[nodiscard]] bool matches(const std::string& name, const std::string& typed);

}  // namespace stiction

// file_browser.cpp - lists folders.
#include "view/file_browser.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>

namespace stiction {

namespace {

std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

}  // namespace

std::vector<FolderEntry> list_folder(const std::string& path) {
    std::vector<FolderEntry> entries;
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::absolute(path, error).lexically_normal();
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
         it.increment(error)) {
        std::error_code ignored;
        const std::string name = it->path().filename().string();
        const bool is_folder = it->is_directory(ignored);
        const std::string extension = it->path().extension().string();
        if (name.starts_with('.')) continue;
        const bool dataset = extension == ".h5" || extension == ".hdf5";
        if (is_folder || dataset || extension == ".yaml" || extension == ".yml")
            entries.push_back({name, it->path().string(), is_folder});
    }
    std::sort(entries.begin(), entries.end(), [](const FolderEntry& a, const FolderEntry& b) {
        return a.folder != b.folder ? a.folder : a.name < b.name;
    });
    if (folder.has_parent_path() && folder != folder.root_path())
        entries.insert(entries.begin(), {"..", folder.parent_path().string(), true});
    return entries;
}

void remember_file(const std::string& path, std::vector<std::string>& recent) {
    if (path.empty()) return;
    std::erase(recent, path);
    recent.insert(recent.begin(), path);
    if (recent.size() > kMostRecent) recent.resize(kMostRecent);
}

void FileBrowser::go_to(const std::string& path) {
    std::error_code error;
    folder = std::filesystem::absolute(path, error).lexically_normal().string();
    entries = list_folder(folder);
}

bool matches(const std::string& name, const std::string& typed) {
    const std::string text = lower(name);
    std::istringstream words(lower(typed));
    std::string word;
    while (words >> word) {
        if (text.find(word) == std::string::npos) return false;
    }
    return true;
}

}  // namespace stiction

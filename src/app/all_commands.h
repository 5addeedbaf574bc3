// all_commands.h - the whole command line: all commands with their options, read before any is carried
// out.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "app/commands.h"

namespace stiction {

class AllCommands {
  public:
    AllCommands();
    AllCommands(const AllCommands&) = delete;
    AllCommands& operator=(const AllCommands&) = delete;

    // What the words of a command line ask for: a command, or the text of --help or --version.
    struct Asked {
        const Command* command = nullptr;
        std::string text;
    };
    // Throws InputError. Once only.
    [[nodiscard]] Asked read(std::vector<std::string> words);

    [[nodiscard]] const std::string& log_level() const { return log_level_; }

  private:
    CLI::App app_;
    std::vector<Command> commands_;
    std::string log_level_ = "warning";
};

}  // namespace stiction

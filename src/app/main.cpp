// main.cpp - the command line: chooses the command, words what went wrong, gives the exit status (0
// done, 1 the run failed, 2 bad usage or bad input).
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "app/command_line.h"
#include "app/commands.h"
#include "core/error.h"
#include "core/nearest.h"

namespace stiction {

namespace {

constexpr const char* kFooter =
    "Examples:\n"
    "  stiction scenes                                  what there is to run\n"
    "  stiction run grasp --steps 500                   run a shipped scene, summary on the "
    "screen\n"
    "  stiction run my.yaml --csv run.csv --json run.json\n"
    "  stiction check stack --set boxes=20              what a scene contains\n"
    "  stiction compare stack --time 1                  contact models side by side\n"
    "  stiction solve RockPile_tob1.dat                 solve a stored contact problem\n"
    "Exit status: 0 done, 1 the run failed, 2 bad usage or bad input.";

const std::vector<std::string> kLogLevels = {"trace", "debug",    "info", "warning",
                                             "error", "critical", "off"};

void set_up_log(const std::string& level) {
    auto logger = spdlog::stderr_logger_st("stiction");
    logger->set_pattern("%l: %v");
    spdlog::set_default_logger(logger);
    const spdlog::level::level_enum chosen = spdlog::level::from_str(level);
    if (chosen == spdlog::level::off && level != "off") {
        throw InputError("--log-level: unknown level '" + level + "'" +
                         suggestion(level, {kLogLevels.begin(), kLogLevels.end()}));
    }
    spdlog::set_level(chosen);
}

// A first word that is no command: a misspelt one, or a scene by itself.
void check_first_word(int argc, char** argv, const std::vector<Command>& commands) {
    if (argc < 2) {
        throw InputError("a command is missing; see stiction --help");
    }
    const std::string word = argv[1];
    if (word.starts_with("-")) return;
    std::vector<std::string> names;
    for (const Command& command : commands) names.push_back(command.app->get_name());
    for (const std::string& name : names) {
        if (word == name) return;
    }
    if (word.ends_with(".yaml") || word.find('/') != std::string::npos) {
        throw InputError(
            "there is no window yet to show a scene in; to run it without one: stiction run " +
            word);
    }
    throw InputError("unknown command '" + word + "'" +
                     suggestion(word, std::vector<std::string_view>(names.begin(), names.end())));
}

int run_program(int argc, char** argv) {
    CLI::App app(
        "Stiction: a time-stepping rigid-body simulator with contact models to choose from.",
        "stiction");
    app.footer(kFooter);
    app.set_version_flag("--version", "stiction " STICTION_VERSION);
    app.require_subcommand(1);
    app.allow_extras();
    const std::vector<Command> commands = {add_run_command(app),     add_scenes_command(app),
                                           add_check_command(app),   add_replay_command(app),
                                           add_compare_command(app), add_solve_command(app)};
    std::string log_level = "warning";
    for (const Command& command : commands) {
        command.app
            ->add_option("--log-level", log_level,
                         "trace, debug, info, warning, error, critical, off")
            ->capture_default_str();
    }

    check_first_word(argc, argv, commands);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& help_or_version) {
        return app.exit(help_or_version);
    } catch (const CLI::ParseError& error) {
        refuse_leftovers(app);
        for (const Command& command : commands) {
            if (command.app->parsed())
                refuse_leftovers(*command.app);  // a misspelt option often is the cause
        }
        throw InputError(error.what());
    }
    refuse_leftovers(app);
    set_up_log(log_level);
    for (const Command& command : commands) {
        if (!command.app->parsed()) continue;
        refuse_leftovers(*command.app);
        return command.execute();
    }
    return kExitUsage;
}

}  // namespace

}  // namespace stiction

int main(int argc, char** argv) {
    try {
        return stiction::run_program(argc, argv);
    } catch (const stiction::InputError& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return stiction::kExitUsage;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return stiction::kExitFailed;
    }
}

// all_commands.cpp - commands, what they share, and what is wrong with a command line.
#include "app/all_commands.h"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

#include "app/command_line.h"
#include "core/error.h"
#include "core/nearest.h"
#include "scene/find_scene.h"

namespace stiction {

namespace {

constexpr const char* kFooter =
    "Examples:\n"
    "  stiction                                         the window with its gallery of scenes\n"
    "  stiction granular                                the window on a shipped scene\n"
    "  stiction scenes                                  what there is to run\n"
    "  stiction run grasp --steps 500                   run a shipped scene, summary on the "
    "screen\n"
    "  stiction run my.yaml --csv run.csv --json run.json\n"
    "  stiction check stack --set boxes=20              what a scene contains\n"
    "  stiction compare stack --time 1                  contact models side by side\n"
    "  stiction solve RockPile_tob1.dat                 solve a stored contact problem\n"
    "  stiction run wall --h5 wall.h5                   write contact problems; solve, compare "
    "them\n"
    "  stiction sweep grasp_friction                    many runs over parameters, one table\n"
    "  stiction bench locomotion                        repeat a table of a paper\n"
    "Exit status: 0 done, 1 the run failed, 2 bad usage or bad input.";

// The command line with its command: a scene by itself, or nothing at all, means the window.
std::vector<std::string> with_command(std::vector<std::string> words,
                                      const std::vector<Command>& commands) {
    if (words.empty()) return {"view"};
    const std::string& word = words.front();
    std::vector<std::string> names;
    names.reserve(commands.size());
    for (const Command& command : commands) names.push_back(command.app->get_name());
    if (word.starts_with("-") || std::find(names.begin(), names.end(), word) != names.end())
        return words;
    for (std::string& scene : shipped_scenes()) names.push_back(std::move(scene));
    const bool scene = word.ends_with(".yaml") || word.ends_with(".yml") ||
                       word.find('/') != std::string::npos ||
                       std::find(names.begin(), names.end(), word) != names.end();
    if (!scene) {
        throw InputError(
            "'" + word + "' is neither a command nor a shipped scene" +
            suggestion(word, std::vector<std::string_view>(names.begin(), names.end())));
    }
    words.insert(words.begin(), "view");
    return words;
}

// An empty name is a slip (an unset variable of a script), never "no output".
void refuse_empty_values(const CLI::App& command) {
    for (const CLI::Option* option : command.get_options()) {
        const std::vector<std::string>& values = option->results();
        if (option->get_expected_max() > 0 &&
            std::find(values.begin(), values.end(), "") != values.end()) {
            throw InputError(option->get_name() + ": the value is empty");
        }
    }
}

}  // namespace

AllCommands::AllCommands()
    : app_("Stiction: a time-stepping rigid-body simulator with contact models to choose from.",
           "stiction") {
    app_.footer(kFooter);
    app_.set_version_flag("--version", "stiction " STICTION_VERSION);
    app_.require_subcommand(1);
    app_.allow_extras();
    commands_ = {add_view_command(app_),    add_run_command(app_),    add_scenes_command(app_),
                 add_check_command(app_),   add_replay_command(app_), add_compare_command(app_),
                 add_solve_command(app_),   add_bench_command(app_),  add_export_command(app_),
                 add_convert_command(app_), add_sweep_command(app_)};
    for (const Command& command : commands_) {
        command.app
            ->add_option("--log-level", log_level_,
                         "trace, debug, info, warning, error, critical, off")
            ->capture_default_str();
    }
}

AllCommands::Asked AllCommands::read(std::vector<std::string> words) {
    words = with_command(std::move(words), commands_);
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    try {
        app_.parse(words);
    } catch (const CLI::Success& help_or_version) {
        std::ostringstream text;
        app_.exit(help_or_version, text, text);
        return {nullptr, text.str()};
    } catch (const CLI::ParseError& error) {
        refuse_leftovers(app_);
        for (const Command& command : commands_) {
            if (command.app->parsed())
                refuse_leftovers(*command.app);  // a misspelt option often is the cause
        }
        throw InputError(error.what());
    }
    refuse_leftovers(app_);
    for (const Command& command : commands_) {
        if (!command.app->parsed()) continue;
        refuse_leftovers(*command.app);
        refuse_empty_values(*command.app);
        return {&command, {}};
    }
    throw InputError("no command");
}

}  // namespace stiction

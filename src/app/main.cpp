// main.cpp - the command line: chooses the command, words what went wrong, gives the exit status (0
// done, 1 the run failed, 2 bad usage or bad input).
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/find_scene.h"
#include "app/interrupt.h"
#include "app/messages.h"
#include "core/error.h"
#include "core/nearest.h"
#include "scene/scene.h"

namespace stiction {

namespace {

constexpr const char* kFooter =
    "Examples:\n"
    "  stiction                                         the window, on scenes/grasp.yaml\n"
    "  stiction granular                                the window on a shipped scene\n"
    "  stiction scenes                                  what there is to run\n"
    "  stiction run grasp --steps 500                   run a shipped scene, summary on the "
    "screen\n"
    "  stiction run my.yaml --csv run.csv --json run.json\n"
    "  stiction check stack --set boxes=20              what a scene contains\n"
    "  stiction compare stack --time 1                  contact models side by side\n"
    "  stiction solve RockPile_tob1.dat                 solve a stored contact problem\n"
    "  stiction bench locomotion                        repeat a table of a paper\n"
    "Exit status: 0 done, 1 the run failed, 2 bad usage or bad input.";

// The command line with its command: a scene by itself, or nothing at all, means the window.
std::vector<std::string> with_command(int argc, char** argv, const std::vector<Command>& commands) {
    std::vector<std::string> words(argv + 1, argv + argc);
    if (words.empty()) return {"view"};
    const std::string& word = words.front();
    std::vector<std::string> names;
    for (const Command& command : commands) names.push_back(command.app->get_name());
    if (word.starts_with("-") || std::find(names.begin(), names.end(), word) != names.end())
        return words;
    for (const SceneSummary& scene : list_scenes(scenes_folder())) names.push_back(scene.name);
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

int run_program(int argc, char** argv) {
    CLI::App app(
        "Stiction: a time-stepping rigid-body simulator with contact models to choose from.",
        "stiction");
    app.footer(kFooter);
    app.set_version_flag("--version", "stiction " STICTION_VERSION);
    app.require_subcommand(1);
    app.allow_extras();
    const std::vector<Command> commands = {add_view_command(app),   add_run_command(app),
                                           add_scenes_command(app), add_check_command(app),
                                           add_replay_command(app), add_compare_command(app),
                                           add_solve_command(app),  add_bench_command(app)};
    std::string log_level = "warning";
    for (const Command& command : commands) {
        command.app
            ->add_option("--log-level", log_level,
                         "trace, debug, info, warning, error, critical, off")
            ->capture_default_str();
    }

    std::vector<std::string> words = with_command(argc, argv, commands);
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    try {
        app.parse(words);
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
        refuse_empty_values(*command.app);
        return command.execute();
    }
    return kExitUsage;
}

// Memory may run out where nothing can be thrown: on a thread of a solver, in a destructor. Any other
// cause is a fault of the program and ends it with a core.
void end_without_memory() {
    try {
        if (const std::exception_ptr thrown = std::current_exception())
            std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
        constexpr std::string_view kText = "error: out of memory\n";
        [[maybe_unused]] const auto written = write(STDERR_FILENO, kText.data(), kText.size());
        _exit(kExitFailed);
    } catch (...) {
        std::abort();
    }
    std::abort();
}

// What is thrown becomes one message and an exit status.
template <class Work>
int guarded(const Work& work) {
    try {
        return work();
    } catch (const InputError& error) {
        end_by_itself();
        print_error(error.what());
        return kExitUsage;
    } catch (const std::bad_alloc&) {
        end_by_itself();
        print_error("out of memory");
        return kExitFailed;
    } catch (const std::exception& error) {
        end_by_itself();
        print_error(error.what());
        return kExitFailed;
    }
}

}  // namespace

}  // namespace stiction

int main(int argc, char** argv) {
    using namespace stiction;
    std::set_terminate(end_without_memory);
    return guarded([&] {
        watch_signals();
        const int status = guarded([&] { return run_program(argc, argv); });
        end_by_itself();
        if (status == kExitDone) check_standard_output();
        return status;
    });
}

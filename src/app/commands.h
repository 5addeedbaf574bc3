// commands.h - the subcommands. Each add_* declares its options; the function it returns carries
// the command out and gives the exit status. Bad input is an InputError.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace stiction {

struct Command {
    CLI::App* app = nullptr;
    std::function<int()> execute;
};

[[nodiscard]] Command add_view_command(CLI::App& app);
[[nodiscard]] Command add_run_command(CLI::App& app);
[[nodiscard]] Command add_check_command(CLI::App& app);
[[nodiscard]] Command add_scenes_command(CLI::App& app);
[[nodiscard]] Command add_replay_command(CLI::App& app);
[[nodiscard]] Command add_compare_command(CLI::App& app);
[[nodiscard]] Command add_sweep_command(CLI::App& app);
[[nodiscard]] Command add_bench_command(CLI::App& app);
[[nodiscard]] Command add_solve_command(CLI::App& app);
[[nodiscard]] Command add_export_command(CLI::App& app);
[[nodiscard]] Command add_convert_command(CLI::App& app);

}  // namespace stiction

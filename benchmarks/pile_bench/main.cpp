// main.cpp - pile_bench: piles in motion. `fall` runs whole falls under the contact models, `frames`
// compares accelerations of the sweeps on recorded steps of a fall (docs/performance.md).
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <stdexcept>

#include "contact/contact_model.h"
#include "pile_bench/fall.h"
#include "pile_bench/frames.h"

namespace stiction {

namespace {

std::vector<std::string> case_names() {
    std::vector<std::string> names;
    for (const PileCase& pile : pile_cases()) names.push_back(pile.name);
    return names;
}

template <typename Act>
void for_each_case(const std::vector<std::string>& names, const Act& act) {
    for (const std::string& name : names) {
        for (const PileCase& pile : pile_cases()) {
            if (pile.name == name) act(pile);
        }
    }
}

void run_falls(const std::vector<std::string>& cases, const FallOptions& options) {
    std::printf(
        "| pile | model | steps | solved %% | largest residual | above 1e-2 | contacts | "
        "iterations | CPU us per step | state hash |\n"
        "|---|---|---:|---:|---:|---:|---:|---:|---:|---|\n");
    for_each_case(cases, [&](const PileCase& pile) { print_falls(pile, options); });
}

void run_frames(const std::vector<std::string>& cases, const FrameOptions& options) {
    std::printf(
        "Per goal: frames that met it, mean sweeps, mean CPU ms (those that did not with what they "
        "spent).\n\n| pile | law | method | frames | 1e-3 | 1e-4 | 1e-6 | 1e-8 |\n"
        "|---|---|---|---:|---:|---:|---:|---:|\n");
    for_each_case(cases, [&](const PileCase& pile) { compare_methods(pile, options); });
}

}  // namespace

int pile_bench(int argc, char** argv) {
    CLI::App app{"Piles in motion: whole falls, and accelerations of sweeps on frames of them"};
    app.require_subcommand(1);
    std::vector<std::string> cases = {"spheres250"};
    FallOptions fall;
    FrameOptions frames;
    for (const std::string_view name : kContactModelNames) fall.models.emplace_back(name);
    const auto add_common = [&](CLI::App* command, double& h) {
        command->add_option("--pile", cases, "Which piles")
            ->delimiter(',')
            ->check(CLI::IsMember(case_names()));
        command->add_option("--step", h, "Step size in seconds")->check(CLI::PositiveNumber);
    };
    CLI::App* falls = app.add_subcommand("fall", "Steps solved and their cost, model by model");
    add_common(falls, fall.h);
    falls->add_option("--models", fall.models, "Contact models")
        ->delimiter(',')
        ->check(CLI::IsMember(fall.models));
    falls->add_option("--tolerance", fall.tolerance, "Of all models")->check(CLI::PositiveNumber);
    falls->add_option("--seconds", fall.seconds, "Of simulated time")->check(CLI::PositiveNumber);
    CLI::App* compared = app.add_subcommand("frames", "Accelerations of sweeps on recorded steps");
    add_common(compared, frames.h);
    compared->add_option("--laws", frames.laws, "cone, polygon, sticking, frictionless")
        ->delimiter(',')
        ->check(
            CLI::IsMember(std::vector<std::string>(std::begin(kSweptLaws), std::end(kSweptLaws))));
    compared->add_option("--methods", frames.methods, "Part of the names of methods");
    compared->add_option("--stride", frames.stride, "Steps between frames")
        ->check(CLI::PositiveNumber);
    compared->add_option("--sweeps", frames.sweeps, "Most, of a method on a frame")
        ->check(CLI::PositiveNumber);
    compared->add_option("--start", frames.start, "Impulses at first")
        ->check(CLI::IsMember({"warm", "cold", "extrapolated"}));
    CLI11_PARSE(app, argc, argv);
    if (falls->parsed()) run_falls(cases, fall);
    if (compared->parsed()) run_frames(cases, frames);
    return 0;
}

}  // namespace stiction

int main(int argc, char** argv) {
    try {
        return stiction::pile_bench(argc, argv);
    } catch (const std::exception& fault) {
        std::fprintf(stderr, "pile_bench: %s\n", fault.what());
        return 2;
    }
}

// main.cpp - solver_bench: times the solvers by themselves, beside one another and beside those of
// Siconos Numerics (docs/solvers.md): solver_bench --help.
//
// Everything that is compared is timed in the same run: CPU time of the thread, least of several
// repeats. All seeds are fixed.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>

#include "sections.h"
#include "siconos.h"

namespace stiction {

namespace {

struct Section {
    const char* name;
    void (*run)(const BenchOptions&, Report&);
};
constexpr std::array<Section, 4> kSections = {{{"lcp", run_lcp_section},
                                               {"ppm", run_ppm_section},
                                               {"friction_box", run_friction_box_section},
                                               {"problems", run_problems_section}}};

struct Options {
    BenchOptions bench;
    std::string only;      // name of a section; empty: all
    std::string markdown;  // files
    std::string csv;
};

// OpenBLAS, which Siconos uses, reads this when it is loaded; the clock sees one thread only.
void start_over_with_one_blas_thread(char** argv) {
    if (std::getenv("OPENBLAS_NUM_THREADS")) return;
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    execv("/proc/self/exe", argv);
    std::fprintf(stderr, "solver_bench: cannot restart with OPENBLAS_NUM_THREADS=1\n");
}

std::string processor() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
    }
    return "unknown processor";
}

// How the page was measured, for its reader.
std::string preface(const Options& options) {
    std::string command = "solver_bench";
    if (!options.bench.problems.empty()) command += " --problems DIR";
    if (options.bench.siconos) command += " --siconos";
    if (options.bench.quick) command += " --quick";
    if (!options.only.empty()) command += " --only " + options.only;
    double load = 0;
    getloadavg(&load, 1);
    return "`" + command + " --markdown docs/solvers.md` on " + processor() + ", load " +
           format("%.1f", load) +
           ", compiled by " STICTION_COMPILER " with `" STICTION_FLAGS
           "`. CPU time of one thread, least of several repeats; all that is compared was timed in "
           "this run. Other load on the same cores still shows, at a load above the number of "
           "cores by up to half in single figures.";
}

void run(const Options& options) {
    if (options.bench.siconos && !kHaveSiconos) {
        std::fprintf(stderr, "solver_bench: built without Siconos; its columns are left out\n");
    }
    Report report;
    report.preface = preface(options);
    for (const Section& section : kSections) {
        if (options.only.empty() || options.only == section.name) {
            section.run(options.bench, report);
        }
    }
    if (!options.markdown.empty()) write_markdown(report, options.markdown);
    if (!options.csv.empty()) write_csv(report, options.csv);
}

}  // namespace

}  // namespace stiction

int main(int argc, char** argv) {
    stiction::Options options;
    CLI::App app{"Times the solvers on random and stored problems, beside Siconos if asked to."};
    app.add_option("--problems", options.bench.problems, "folder of stored problems")
        ->check(CLI::ExistingDirectory);
    app.add_flag("--siconos", options.bench.siconos, "run the solvers of Siconos too");
    app.add_flag("--quick", options.bench.quick, "fewer sizes, seeds and seconds");
    app.add_option("--only", options.only, "one section")
        ->check(CLI::IsMember({"lcp", "ppm", "friction_box", "problems"}));
    app.add_option("--markdown", options.markdown, "rewrite the marked part of this page");
    app.add_option("--csv", options.csv, "also write every measurement to this file");
    CLI11_PARSE(app, argc, argv);
    if (options.bench.siconos) stiction::start_over_with_one_blas_thread(argv);
    try {
        stiction::run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "solver_bench: %s\n", error.what());
        return 1;
    }
    return 0;
}

// solve_test.cpp - stiction solve: what it prints and writes, its exit status, and bad input.
#include <nlohmann/json.hpp>
#include <set>

#include "app/program.h"

namespace stiction::test {
namespace {

using Json = nlohmann::json;

// One contact with W = 1. It slides: q_T is longer than mu can hold.
const std::string kSlides = "3 1  0 3 3  3 3  1 0 0  0 1 0  0 0 1  -1 1 3  0.1\n";
// Two contacts, unlike, coupled; both press.
const std::string kTwo =
    "3 2  1 6 6  4  2 2  3 6  3 6  3 4  0 2 4  0 1 0 1\n"
    "0  2 0 0.1 0 3 0 0.1 0 2\n1  0.5 0 0 0 0.2 0 0 0 0.1\n"
    "2  0.5 0 0 0 0.2 0 0 0 0.1\n3  1 0 0 0 2 0 0 0 4\n"
    "-1 0.2 0.3 -2 5 1  0.7 0.4\n";

class Solve : public ProgramTest {
  protected:
    void SetUp() override {
        ProgramTest::SetUp();
        write("slides.dat", kSlides);
        write("two.dat", kTwo);
    }

    void expect_refused(const std::string& arguments, const std::string& message) const {
        SCOPED_TRACE(arguments);
        const std::vector<std::string> before = files();
        const Outcome outcome = run("solve " + arguments);
        EXPECT_EQ(outcome.status, 2);
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(count_lines(outcome.err), 1U) << outcome.err;
        EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
        EXPECT_EQ(files(), before);
    }
};

TEST_F(Solve, JsonHasTheDocumentedKeysAndAGoodAnswer) {
    const Outcome outcome =
        run("solve slides.dat two.dat --solvers prox_newton,newton,pgs --json -");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const Json json = Json::parse(outcome.out);
    ASSERT_EQ(json.size(), 6U);
    EXPECT_EQ(json[1]["solver"], "newton");
    EXPECT_EQ(json[3]["file"], "two.dat");
    for (const Json& row : json) {
        std::set<std::string> keys;
        for (const auto& [key, value] : row.items()) keys.insert(key);
        EXPECT_EQ(keys, (std::set<std::string>{"file", "contacts", "unknowns", "solver", "status",
                                               "cpu_ms", "iterations", "natural", "scaled",
                                               "un_min", "cone", "misalign"}));
        EXPECT_EQ(row["status"], "solved");
        EXPECT_EQ(row["unknowns"], 3 * row["contacts"].get<int>());
        EXPECT_GT(row["cpu_ms"].get<double>(), 0);
        EXPECT_LE(row["natural"].get<double>(), 1e-8);
        EXPECT_LE(row["scaled"].get<double>(), 1e-8);
        EXPECT_GE(row["un_min"].get<double>(), -1e-7);
        EXPECT_LE(row["cone"].get<double>(), 1e-7);
        EXPECT_LE(row["misalign"].get<double>(), 1e-6);
    }
}

TEST_F(Solve, TableHasALineForEachSolveAndASummaryOfSeveralFiles) {
    const Outcome one = run("solve slides.dat");
    ASSERT_EQ(one.status, 0) << one.err;
    EXPECT_EQ(count_lines(one.out), 2U);
    EXPECT_TRUE(one.out.starts_with("file ")) << one.out;
    EXPECT_NE(one.out.find("prox_newton"), std::string::npos);
    const Outcome two = run("solve slides.dat two.dat --solvers newton,pgs --repeats 1");
    ASSERT_EQ(two.status, 0) << two.err;
    EXPECT_EQ(count_lines(two.out), 1U + 4U + 1U + 3U) << two.out;
    EXPECT_NE(two.out.find("2 of 2"), std::string::npos) << two.out;
}

TEST_F(Solve, WritesTablePlotAndProfile) {
    const Outcome outcome =
        run("solve slides.dat two.dat --solvers newton,pgs --csv a.csv --json a.json --plot a.svg "
            "--profile p");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(files(), (std::vector<std::string>{"a.csv", "a.json", "a.svg", "p.csv", "p.svg",
                                                 "slides.dat", "two.dat"}));
    const std::string table = read_text(folder() / "a.csv");
    EXPECT_TRUE(
        table.starts_with("file,contacts,unknowns,solver,status,cpu_ms,iterations,natural,"
                          "scaled,un_min,cone,misalign\n"));
    EXPECT_EQ(count_lines(table), 5U);
    EXPECT_EQ(Json::parse(read_text(folder() / "a.json")).size(), 4U);
    EXPECT_TRUE(read_text(folder() / "p.csv").starts_with("tau,newton,pgs\n1,"));
    for (const char* name : {"a.svg", "p.svg"}) {
        const std::string svg = read_text(folder() / name);
        EXPECT_TRUE(svg.ends_with("</svg>\n")) << name;
        EXPECT_NE(svg.find(">newton</text>"), std::string::npos) << name;
    }
}

// The convex relaxation of a sliding contact lets it lift off (u_N = 0.3 here): no Coulomb answer.
TEST_F(Solve, AMissedToleranceIsExitOneWithEverythingWritten) {
    const Outcome outcome =
        run("solve slides.dat --solvers convex_relaxation,prox_newton --json a.json --profile p");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "error: 1 of 2 solves did not reach the tolerance 1e-08\n");
    const Json json = Json::parse(read_text(folder() / "a.json"));
    EXPECT_NE(json[0]["status"], "solved");
    EXPECT_GT(json[0]["natural"].get<double>(), 1e-3);
    EXPECT_EQ(json[1]["status"], "solved");
    EXPECT_EQ(read_text(folder() / "p.csv"), "tau,convex_relaxation,prox_newton\n1,0,1\n");
}

TEST_F(Solve, BadInput) {
    const std::string outputs = " --csv a.csv --json a.json --plot a.svg --profile p";
    write("text.dat", "This is no problem.\n");
    write("cut.dat", kTwo.substr(0, 120));
    write("plane.dat", "2" + kSlides.substr(1));
    write("nan.dat", "3 1  0 3 3  3 3  1 0 0  0 nan 0  0 0 1  -1 1 3  0.1\n");
    write("mu.dat", "3 1  0 3 3  3 3  1 0 0  0 1 0  0 0 1  -1 1 3  -0.1\n");
    write("empty.dat", "");
    write("cut.hdf5", "\x89HDF\r\n\x1a\n and no more");
    std::filesystem::create_directory(folder() / "folder");
    expect_refused("missing.dat" + outputs, "missing.dat: no such file");
    expect_refused("folder" + outputs, "folder: is a folder");
    expect_refused("slides.dat text.dat" + outputs, "text.dat:1:1: ");
    expect_refused("cut.dat" + outputs, "cut.dat:");
    expect_refused("empty.dat" + outputs, "empty.dat:1:1: ");
    expect_refused("plane.dat" + outputs, "plane.dat:1:1: dimension 2");
    expect_refused("nan.dat" + outputs, "nan.dat:1:27: ");
    expect_refused("mu.dat" + outputs, "mu.dat:1:47: mu: expected a number >= 0");
    expect_refused("cut.hdf5" + outputs, "cut.hdf5: cannot be read as an HDF5 file");
}

// For somebody who has no file yet.
TEST_F(Solve, WithoutFilesNamesThoseThatShip) {
    const Outcome named = run("solve");
    EXPECT_EQ(named.status, 0) << named.err;
    for (const char* name : {"arch", "isotropy", "joints", "stick_slip"})
        EXPECT_NE(named.out.find(name), std::string::npos) << name;
    EXPECT_EQ(run("solve stick_slip --solvers prox_newton").status, 0);
}

TEST_F(Solve, BadUsage) {
    expect_refused("slides.dat --solvers newtn", "did you mean 'newton'?");
    expect_refused("slides.dat --solvers newton,,pgs", "unknown solver ''");
    expect_refused("slides.dat --solvers pgs,pgs", "'pgs' is named twice");
    expect_refused("slides.dat --slovers pgs", "did you mean '--solvers'?");
    expect_refused("slides.dat --tol 0", "--tol");
    expect_refused("slides.dat --tol nan", "--tol");
    expect_refused("slides.dat --repeats 0", "--repeats 0: expected 1 to");
    expect_refused("slides.dat --csv missing/a.csv", "there is no folder 'missing'");
    expect_refused("slides.dat --profile missing/p", "there is no folder 'missing'");
    expect_refused("slides.dat --csv a --plot a", "the same name");
    expect_refused("slides.dat --csv slides.dat", "this command reads");
}

}  // namespace
}  // namespace stiction::test

// bad_input_test.cpp - bad input ends with status 2, one line that says what is wrong, and no file.
#include "app/program.h"

namespace stiction::test {
namespace {

class BadInput : public ProgramTest {
  protected:
    void expect_refused(const std::string& arguments, const std::string& message) const {
        SCOPED_TRACE(arguments);
        const std::vector<std::string> before = files();
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 2);
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(count_lines(outcome.err), 1U) << outcome.err;
        EXPECT_TRUE(outcome.err.starts_with("error: ")) << outcome.err;
        EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
        EXPECT_EQ(files(), before);
    }
};

TEST_F(BadInput, Scenes) {
    write("broken.yaml", "a: [1\n");
    write("typo.yaml",
          "version: 1\nduraton: 2\ncontact: {model: no_slip}\nbodies:\n"
          "  - {name: g, kind: static, shape: {type: plane}}\n");
    const std::string outputs = " --csv a.csv --json a.json --trajectory a.h5 --save-state s.json";
    expect_refused("run missing.yaml" + outputs, "missing.yaml: no such file");
    expect_refused("run graps" + outputs, "did you mean 'grasp'?");
    expect_refused("run broken.yaml" + outputs, "broken.yaml:");
    expect_refused("run typo.yaml" + outputs, "did you mean 'duration'?");
    expect_refused("run ." + outputs, "is a folder");
    expect_refused("check typo.yaml --json a.json", "duraton");
    expect_refused("run grasp --set bxoes=3" + outputs, "bxoes");
    expect_refused("run grasp --set boxes" + outputs, "key=value");
    expect_refused("run grasp --set boxes=0" + outputs, "boxes");
}

TEST_F(BadInput, Outputs) {
    write("file", "x");
    std::filesystem::create_directory(folder() / "folder");
    for (const std::string option : {"--csv", "--json", "--save-state"}) {
        expect_refused("run grasp " + option + " missing/a", "there is no folder 'missing'");
        expect_refused("run grasp " + option + " file/a", "'file' is not a folder");
        expect_refused("run grasp " + option + " folder", "is a folder");
    }
    expect_refused("run grasp --trajectory missing/a.h5", "there is no folder 'missing'");
    expect_refused("run grasp --trajectory a.txt", "ends in .csv, .h5 or .hdf5");
    expect_refused("run grasp --csv good.csv --json missing/a.json",
                   "there is no folder 'missing'");
    expect_refused("run grasp --csv a.csv --trajectory a.csv", "the same name");
}

TEST_F(BadInput, NamesAndNumbers) {
    expect_refused("run grasp --model no_slap", "did you mean 'no_slip'?");
    expect_refused("run grasp --solver sparse_pmp", "did you mean 'sparse_ppm'?");
    expect_refused("run grasp --narrowphase bulet", "did you mean 'bullet'?");
    expect_refused("run grasp --narrowphase sap",
                   "unknown narrowphase 'sap'; expected one of: exact, bullet");
    expect_refused("run grasp --stpes 5", "did you mean '--steps'?");
    expect_refused("run grasp --steps -5", "expected 0 to");
    expect_refused("run grasp --steps 2000000000", "expected 0 to");
    expect_refused("run grasp --steps many", "many");
    expect_refused("run grasp --steps 5 --time 1", "excludes");
    expect_refused("run grasp --time -1", "--time");
    expect_refused("run grasp --time nan", "--time");
    expect_refused("run grasp --time 1e9", "more than 1000000000 steps");
    expect_refused("run grasp --step 0", "--step");
    expect_refused("run grasp --time-budget -1", "--time-budget");
    expect_refused("run grasp --threads 0", "1 to 256");
    expect_refused("run grasp --threads 257", "1 to 256");
    expect_refused("run grasp --trajectory a.h5 --trajectory-every 0", "--trajectory-every");
    expect_refused("run grasp --log-level loud", "--log-level");
}

TEST_F(BadInput, Commands) {
    expect_refused("grasq", "did you mean 'grasp'?");
    expect_refused("rnu grasp", "did you mean 'run'?");
    expect_refused("missing.yaml", "missing.yaml: no such file");
    expect_refused("view grasp --model sticky", "sticky");
    expect_refused("view grasp --scale 9", "0.5 to 3");
    expect_refused("view grasp --size big", "WIDTHxHEIGHT");
    expect_refused("view grasp --load-state missing.json", "missing.json");
    expect_refused("run", "SCENE");
    expect_refused("run grasp wall", "unexpected argument 'wall'");
    expect_refused("--bogus", "unknown option '--bogus'");
    expect_refused("scenes --folder nowhere", "nowhere");
    expect_refused("replay missing.h5", "missing.h5");
}

TEST_F(BadInput, States) {
    ASSERT_EQ(run("run pendulum --steps 3 --save-state good.json --quiet").status, 0);
    const std::string good = read_text(folder() / "good.json");
    write("half.json", good.substr(0, good.size() / 2));
    std::string changed = good;
    changed.replace(changed.find("\"step\": 3"), 9, "\"step\": 4");
    write("changed.json", changed);
    expect_refused("run pendulum --load-state half.json --csv a.csv", "half.json:");
    expect_refused("run pendulum --load-state changed.json --csv a.csv", "damaged");
    expect_refused("run grasp --load-state good.json --csv a.csv", "scene 'pendulum'");
    expect_refused("run pendulum --load-state missing.json --csv a.csv", "missing.json");
}

TEST_F(BadInput, HelpAndVersionAreNoErrors) {
    for (const std::string arguments : {"--help", "run --help", "check --help", "scenes --help",
                                        "replay --help", "compare --help"}) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 0) << arguments;
        EXPECT_NE(outcome.out.find("Examples:"), std::string::npos) << arguments;
        EXPECT_EQ(outcome.err, "") << arguments;
    }
    EXPECT_TRUE(run("--version").out.starts_with("stiction "));
}

}  // namespace
}  // namespace stiction::test

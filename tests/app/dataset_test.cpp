// dataset_test.cpp - run --h5, solve, compare, export and convert on datasets, as a user calls them; and
// the files as Python and Octave see them.
#include <nlohmann/json.hpp>

#include "app/program.h"

namespace stiction::test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

class Datasets : public ProgramTest {
  protected:
    // Exit status of a command in the folder, and what it printed.
    [[nodiscard]] Outcome shell(const std::string& command) const {
        const std::string out = (folder() / "../shell_out").string();
        const int raw = std::system(
            ("cd '" + folder().string() + "' && ( " + command + " ) >'" + out + "' 2>&1 </dev/null")
                .c_str());
        return {WIFEXITED(raw) ? WEXITSTATUS(raw) : -1, read_text(out), ""};
    }
    void record(const std::string& options) const {
        const Outcome outcome = run("run " + options);
        ASSERT_EQ(outcome.status, 0) << outcome.err;
    }
    // Words of the shell that wait until the journal of a run is so long; its manifest has a picture of
    // 173 kB.
    [[nodiscard]] static std::string until_written(int bytes) {
        return "while kill -0 $pid && [ $(stat -c %s a.h5.part 2>/dev/null || echo 0) -lt " +
               std::to_string(bytes) + " ]; do sleep 0.02; done;";
    }
    // Runs a script; false: there is no h5py here.
    [[nodiscard]] bool python(const std::string& script) const {
        if (shell("/usr/bin/python3 -c 'import h5py'").status != 0) return false;
        write("script.py", script);
        const Outcome done = shell("/usr/bin/python3 script.py");
        EXPECT_EQ(done.status, 0) << done.out;
        fs::remove(folder() / "script.py");
        return true;
    }
    // The block of docs/datasets.md between "```LANGUAGE" and "```".
    [[nodiscard]] static std::string example(const std::string& language) {
        const std::string page = read_text("docs/datasets.md");
        const std::string mark = "```" + language + "\n";
        const std::size_t from = page.find(mark) + mark.size();
        return page.substr(from, page.find("```", from) - from);
    }
};

TEST_F(Datasets, RecordedFramesAreSolvedToTheSameBits) {
    record("ramp --steps 60 --h5 a.h5 --h5-every 20");
    EXPECT_EQ(files(), (std::vector<std::string>{"a.h5"}));
    const Outcome again = run("solve a.h5 --json -");
    ASSERT_EQ(again.status, 0) << again.err;
    const Json rows = Json::parse(again.out)["rows"];
    ASSERT_EQ(rows.size(), 3U);
    for (const Json& row : rows) {
        EXPECT_EQ(row["dv"], 0.0);
        EXPECT_EQ(row["status"], "solved");
        EXPECT_EQ(row["contacts"], 4);
    }
    const Outcome listed = run("solve a.h5 --list");
    EXPECT_EQ(count_lines(listed.out), 4U);
    EXPECT_NE(listed.out.find("simulation_00001/mbs_frame000003"), std::string::npos);
}

// The speed of the cube is that of the closed form under every solver of Coulomb's law.
TEST_F(Datasets, SolversAgreeOnASlidingCube) {
    record("ramp --steps 100 --h5 a.h5 --h5-steps 100");
    const Outcome outcome =
        run("compare a.h5 --solvers pgs,newton,split,prox_newton,interior_point --tol 1e-10 --csv "
            "a.csv "
            "--json a.json --report a.html --profile p --threads 2");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(files(),
              (std::vector<std::string>{"a.csv", "a.h5", "a.html", "a.json", "p.csv", "p.svg"}));
    const Json json = Json::parse(read_text(folder() / "a.json"));
    ASSERT_EQ(json["rows"].size(), 5U);
    for (const Json& row : json["rows"]) {
        EXPECT_LT(row["dv"].get<double>(), 1e-8) << row["variant"];
        EXPECT_EQ(row["fallback"], false);
    }
    EXPECT_EQ(count_lines(read_text(folder() / "a.csv")), 6U);
    const std::string page = read_text(folder() / "a.html");
    EXPECT_NE(page.find("<svg"), std::string::npos);
    EXPECT_EQ(page.find("<script"), std::string::npos);
    EXPECT_EQ(page.find("http"), page.find("http://www.w3.org/2000/svg"));  // a name, not a place
}

TEST_F(Datasets, RowsDoNotDependOnThreads) {
    record("stack --set boxes=4 --model coulomb_cone --steps 40 --h5 a.h5 --h5-every 5");
    const auto rows = [&](const std::string& threads) {
        Json all = Json::parse(
            run("compare a.h5 --solvers pgs,prox_newton,pgs_sm --json - --threads " + threads)
                .out)["rows"];
        for (Json& row : all) row.erase("cpu_ms");
        return all;
    };
    const Json one = rows("1");
    EXPECT_EQ(one.size(), 24U);
    EXPECT_EQ(one, rows("3"));
}

TEST_F(Datasets, PythonReadsTheDocumentedNumber) {
    if (shell("/usr/bin/python3 -c 'import h5py'").status != 0) GTEST_SKIP() << "no python3-h5py";
    record("ramp --steps 100 --h5 ramp.h5 --h5-steps 100");
    write("ramp.py", example("python"));
    EXPECT_EQ(shell("/usr/bin/python3 ramp.py").out, "speed 0.151154 m/s\n");
}

TEST_F(Datasets, NamesAndShapesAreThoseOfTheLayout) {
    if (shell("/usr/bin/python3 -c 'import h5py'").status != 0) GTEST_SKIP() << "no python3-h5py";
    record("motors --steps 5 --h5 a.h5 --h5-steps 5");  // 4 hinges of 5 rows, one bounded row each
    record("ramp --steps 5 --h5 a.h5 --h5-steps 5 --h5-append");
    write("names.py",
          "import h5py\n"
          "f = h5py.File('a.h5')\n"
          "print(sorted(f), sorted(f['simulation_00001/manifest']))\n"
          "for s, g in (('simulation_00001', 'constraints'), ('simulation_00002', 'bodies'),\n"
          "             ('simulation_00002', 'contacts')):\n"
          "    for n, d in sorted(f[s + '/mbs_frame000001/' + g].items()):\n"
          "        print(g + '/' + n, d.shape, d.dtype)\n"
          "print(f['simulation_00002/mbs_frame000001/timestep'].shape)\n"
          "image = f['simulation_00001/manifest/image']\n"
          "print('manifest/image', image.shape, image.dtype, image[()].std() > 1)\n");
    EXPECT_EQ(
        shell("/usr/bin/python3 names.py").out,
        "['simulation_00001', 'simulation_00002'] ['command', 'date', 'description', 'image', "
        "'scene', 'toolkit', 'version']\n"
        "constraints/Jacobian (24, 12) float64\n"
        "constraints/bounds (24, 2) float64\n"
        "constraints/pairs (4, 2) int32\n"
        "constraints/rows (4, 1) uint64\n"
        "constraints/time_derivative (24, 1) float64\n"
        "constraints/violations (24, 1) float64\n"
        "bodies/forces (6, 1) float64\n"
        "bodies/ids (1, 1) int32\n"
        "bodies/masses (1, 1) float64\n"
        "bodies/positions (1, 3) float64\n"
        "bodies/quaternions (1, 4) float64\n"
        "bodies/states (1, 1) int32\n"
        "bodies/velocities (6, 1) float64\n"
        "bodies/world_inertia_tensors (3, 3) float64\n"
        "contacts/gaps (4, 1) float64\n"
        "contacts/mu_k (4, 2) float64\n"
        "contacts/mu_s (4, 2) float64\n"
        "contacts/normals (4, 3) float64\n"
        "contacts/pairs (4, 2) int32\n"
        "contacts/points (4, 3) float64\n"
        "()\n"
        "manifest/image (180, 320, 3) uint8 True\n");
}

// Every name that a frame has, of joints, limits, motors, trees and contacts, is on the page.
TEST_F(Datasets, PageTellsEveryName) {
    record("motors --steps 5 --h5 a.h5 --h5-steps 5");
    record("hand3 --steps 60 --h5 a.h5 --h5-steps 60 --h5-append");
    record("ramp --model coulomb_lcp --steps 5 --h5 a.h5 --h5-steps 5 --h5-append");
    write("page.md", read_text("docs/datasets.md"));
    ASSERT_TRUE(
        python("import h5py, re\n"
               "told = set(re.findall(r'[A-Za-z_]+', ' '.join(re.findall('`[^`]*`',\n"
               "    re.sub('```.*?```', '', open('page.md').read(), flags=re.S)))))\n"
               "names = set()\n"
               "h5py.File('a.h5').visit(lambda name: None if '/manifest' in name else\n"
               "    names.update(name.split('/')[2:]))\n"
               "names = {name for name in names if '.' not in name}  # of solvers\n"
               "assert len(names) > 70, names\n"
               "assert names <= told, names - told\n"));
}

TEST_F(Datasets, OctaveReadsTheDocumentedNumber) {
    if (shell("octave-cli --version").status != 0) GTEST_SKIP() << "no octave";
    record("ramp --steps 100 --h5 ramp.h5 --h5-steps 100");
    ASSERT_EQ(run("export ramp.h5 --frame 1 --lcp 4 ramp.mat").status, 0);
    write("ramp.m", example("octave"));
    const std::string out = shell("octave-cli --quiet ramp.m").out;
    EXPECT_TRUE(out.starts_with("normal impulse 0.009218 N s\n")) << out;
}

TEST_F(Datasets, MatricesAreTheSameInEveryForm) {
    if (shell("/usr/bin/python3 -c 'import h5py'").status != 0) GTEST_SKIP() << "no python3-h5py";
    record("ramp --steps 100 --h5 ramp.h5 --h5-steps 100");
    for (const char* suffix : {"npz", "h5", "mtx"})
        ASSERT_EQ(run(std::string("export ramp.h5 --lcp 4 m.") + suffix).status, 0);
    write("same.py",
          "import h5py, numpy as np\n"
          "z, f = np.load('m.npz'), h5py.File('m.h5')\n"
          "rows = [l.split() for l in open('m.mtx') if l[0] != '%']\n"
          "A = np.zeros((int(rows[0][0]), int(rows[0][1])))\n"
          "for i, j, x in rows[1:]: A[int(i) - 1, int(j) - 1] = float(x)\n"
          "b = np.array([float(l) for l in open('m_b.mtx').readlines()[2:]])\n"
          "print(A.shape, (A == z['A']).all(), (A == f['A'][()]).all(), (b == z['b']).all(),\n"
          "      (b == f['b'][()]).all())\n");
    EXPECT_EQ(shell("/usr/bin/python3 same.py").out, "(24, 24) True True True True\n");
}

TEST_F(Datasets, FramesBecomeFclibProblems) {
    record("ramp --steps 100 --model coulomb_cone --h5 ramp.h5 --h5-steps 100");
    ASSERT_EQ(run("convert ramp.h5 ramp.hdf5 --to fclib").status, 0);
    ASSERT_EQ(run("convert ramp.h5 ramp.dat --to dat").status, 0);
    const Outcome solved = run("solve ramp.hdf5 ramp.dat --json -");
    EXPECT_EQ(solved.status, 0) << solved.err;
    const Json rows = Json::parse(solved.out);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0]["contacts"], 4);
}

// W and q alone, under every solver: the normal impulses carry the cube.
TEST_F(Datasets, FclibProblemsBecomeFrames) {
    record("ramp --steps 100 --h5 ramp.h5 --h5-steps 100");
    ASSERT_EQ(run("convert ramp.h5 ramp.hdf5 --to fclib").status, 0);
    const Outcome made = run("convert ramp.hdf5 back.h5 --to dataset");
    ASSERT_EQ(made.status, 0) << made.err;
    const Outcome solved =
        run("solve back.h5 --solvers pgs,newton,split,prox_newton,interior_point,pgs_sm,lemke "
            "--json -");
    EXPECT_EQ(solved.status, 0) << solved.err;
    for (const Json& row : Json::parse(solved.out)["rows"]) {
        EXPECT_EQ(row["contacts"], 4);
        EXPECT_EQ(row["sliding"], 4) << row["variant"];
    }
    ASSERT_EQ(run("convert back.h5 again.hdf5 --to fclib").status, 0);
    const Outcome listed = run("solve ramp.hdf5 again.hdf5 --tol 1e-10 --json -");
    const Json rows = Json::parse(listed.out);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0]["status"], rows[1]["status"]);
}

// A file of another writer: frames at the root from 0, arrays transposed, scalars, depths, one column
// of friction beside three, the world as 0.
TEST_F(Datasets, FramesOfOtherWritersAreTheSameProblem) {
    record("ramp --steps 100 --model coulomb_cone --h5 a.h5 --h5-steps 100");
    if (!python(
            "import h5py, numpy as np\n"
            "a = h5py.File('a.h5')['simulation_00001/mbs_frame000001']\n"
            "b = h5py.File('b.h5', 'w').create_group('mbs_frame000000')\n"
            "b['settings/step_size'] = a['timestep'][()]\n"
            "for new, old in (('positions', 'positions'), ('quaternions', 'quaternions'),\n"
            "    ('velocities', 'velocities'), ('forces', 'forces'),\n"
            "    ('inertia', 'world_inertia_tensors')):\n"
            "    b['bodies/' + new] = a['bodies/' + old][()].T\n"
            "b['bodies/mass'] = a['bodies/masses'][0, 0]\n"
            "for name in 'points', 'normals': b['contacts/' + name] = a['contacts/' + name][()].T\n"
            "b['contacts/depth'] = -a['contacts/gaps'][()].T\n"
            "pairs = a['contacts/pairs'][()].T\n"
            "b['contacts/pairs'] = np.where(pairs < 0, 0, pairs)\n"
            "mu = a['contacts/mu_s'][:, :1]\n"
            "b['contacts/mu_s'] = np.zeros((0, 2))\n"
            "b['contacts/mu_k'] = np.hstack((mu, mu, 0 * mu)).T\n"
            "a.copy('solver_data', b)\n"
            "b.parent.copy('mbs_frame000000', b.parent, 'mbs_frame000001')\n"))
        GTEST_SKIP() << "no python3-h5py";
    const Outcome solved = run("solve b.h5 --models coulomb_cone --tol 1e-11 --json -");
    ASSERT_EQ(solved.status, 0) << solved.err;
    for (const Json& row : Json::parse(solved.out)["rows"]) {
        EXPECT_LT(row["dv"].get<double>(), 1e-8);
        EXPECT_EQ(row["sliding"], 4);
    }
    const Outcome converted = run("convert b.h5 c.h5 --to dataset");
    for (const Outcome& outcome : {solved, converted}) {  // a writer's habit is told once
        const std::size_t first = outcome.err.find("arrays are transposed");
        EXPECT_NE(first, std::string::npos) << outcome.err;
        EXPECT_EQ(outcome.err.find("arrays are transposed", first + 1), std::string::npos);
    }
    EXPECT_EQ(count_lines(run("solve c.h5 --list").out), 3U);
}

// Those that ship go by their name, for compare too where no scene has it.
TEST_F(Datasets, ProblemsThatShipHaveNames) {
    const Outcome named = run("solve");
    EXPECT_EQ(named.status, 0);
    EXPECT_NE(named.out.find("stick_slip      3 frames"), std::string::npos) << named.out;
    EXPECT_EQ(run("solve stick_slip --frames 1").status, 0);
    const Outcome compared = run("compare stick_slip --solvers pgs,newton --json -");
    EXPECT_EQ(compared.status, 0) << compared.err;
    EXPECT_EQ(Json::parse(compared.out)["rows"].size(), 6U);
}

// What a killed run leaves is read as it is, and finished.
TEST_F(Datasets, KilledRunsLeaveTheirFrames) {
    for (int i = 0; i < 6; ++i) {
        (void)run("run stack --time 1e5 --h5 a.h5 --h5-every 50", "",
                  "& pid=$!; " + until_written(300000) + " sleep 0." + std::to_string(i) +
                      "; kill -KILL $pid; wait $pid");
        ASSERT_FALSE(fs::exists(folder() / "a.h5"));
        const Outcome solved = run("solve a.h5.part --json -");
        ASSERT_EQ(solved.status, 0) << solved.err;
        const Json rows = Json::parse(solved.out)["rows"];
        for (const Json& row : rows) EXPECT_EQ(row["dv"], 0.0);
        ASSERT_EQ(run("convert a.h5.part b.h5 --to dataset").status, 0);
        EXPECT_EQ(count_lines(run("solve b.h5 --list").out), rows.size() + 1);
        fs::remove(folder() / "b.h5");
        fs::remove(folder() / "a.h5.part");
    }
}

TEST_F(Datasets, TerminatedRunsAreComplete) {
    (void)run("run stack --time 1e5 --h5 a.h5 --h5-every 50", "",
              "& pid=$!; " + until_written(400000) + " kill -TERM $pid; wait $pid");
    EXPECT_EQ(files(), (std::vector<std::string>{"a.h5"}));
    EXPECT_EQ(run("solve a.h5 --frames 1:3").status, 0);
}

// More frames than can be completed within seconds stay in the journal, and the message says so.
TEST_F(Datasets, ManyFramesStayInTheJournal) {
    const Outcome outcome =
        run("run grasp --time 1e5 --h5 a.h5 --csv a.csv", "",
            "& pid=$!; " + until_written(25000000) + " kill -TERM $pid; wait $pid");
    EXPECT_NE(outcome.err.find("--to dataset completes it"), std::string::npos) << outcome.err;
    EXPECT_EQ(files(), (std::vector<std::string>{"a.csv", "a.h5.part"}));
    EXPECT_EQ(run("solve a.h5.part --frames 1000").status, 0);
}

// Ctrl-C goes to the whole group, readers of frames included: what is done is kept, and no file is
// called damaged.
TEST_F(Datasets, InterruptedComparisonsKeepWhatIsDone) {
    record("stack --set boxes=6 --model coulomb_cone --steps 400 --h5 a.h5");
    int kept = 0;
    for (const char* seconds : {"0.2", "0.4", "0.6"}) {
        const Outcome outcome = run(
            "compare a.h5 --solvers pgs,newton,prox_newton --tol 1e-14 --csv a.csv --json a.json",
            std::string("timeout -s INT ") + seconds);
        if (outcome.err.empty()) continue;  // it was quicker
        EXPECT_NE(outcome.err.find("interrupted after"), std::string::npos) << outcome.err;
        EXPECT_EQ(outcome.err.find("damaged"), std::string::npos) << outcome.err;
        const std::size_t rows = Json::parse(read_text(folder() / "a.json"))["rows"].size();
        EXPECT_EQ(count_lines(read_text(folder() / "a.csv")), rows + 1);
        EXPECT_EQ(rows % 3, 0U);
        kept += static_cast<int>(rows);
    }
    EXPECT_GT(kept, 0);
}

TEST_F(Datasets, BadInputIsToldOnce) {
    record("ramp --steps 4 --h5 a.h5");
    fs::create_directories(folder() / "sub");
    const std::string whole = read_text(folder() / "a.h5");
    write("cut.h5", whole.substr(0, whole.size() / 2));
    write("text.h5", "hello\n");
    const std::vector<std::pair<std::string, std::string>> commands = {
        {"solve cut.h5", "cut.h5: cannot be read as an HDF5 file; is it cut off"},
        {"solve sub", "sub: is a folder"},
        {"solve none.h5", "none.h5: no such file"},
        {"solve a.h5 --frames 9:9", "--frames 9:9: there is no such frame; a.h5 has 4"},
        {"solve a.h5 --frames 3:1", "--frames: found '3:1'; expected A:B with A <= B"},
        {"solve a.h5 --solvers newtn", "unknown solver 'newtn'; did you mean 'newton'?"},
        {"solve a.h5 --solvers simplex",
         "expected one of: auto, prox_newton, newton, pgs, interior_point, split, lemke, pgs_sm, "},
        {"solve a.h5 --models coulomb_con", "did you mean 'coulomb_cone'?"},
        {"solve a.h5 text.h5", "some files are datasets"},
        {"compare a.h5", "--solvers: name what is to be compared"},
        {"compare a.h5 --solvers pgs --steps 5", "--time and --steps are for scenes"},
        {"compare ramp --report a.html", "are for datasets"},
        {"export a.h5 --frame 7 a.npz", "--frame 7: a.h5 has 4 frames"},
        {"export a.h5 a.text", "unknown suffix '.text'"},
        {"export a.h5 --lcp 5 a.npz", "--lcp 5: expected an even number"},
        {"convert a.h5 b.h5 --to hdf", "--to: unknown format 'hdf'"},
        {"convert a.h5 a.h5 --to dataset", "it is a file that this command reads"},
        {"run ramp --h5-every 3", "need --h5 FILE"},
        {"run ramp --h5 sub", "is a folder, which takes one file per step that --h5-when chooses"},
        {"run ramp --h5 b.h5 --h5-when speed", "--h5-when: unknown quantity 'speed'"},
        {"run ramp --h5 missing/b.h5", "there is no folder 'missing'"},
        {"run ramp --h5 b.h5 --csv b.h5", "two outputs have the same name 'b.h5'"},
        {"run ramp --h5 text.h5 --h5-append", "text.h5"},
    };
    for (const auto& [command, message] : commands) {
        const Outcome outcome = run(command);
        EXPECT_EQ(outcome.status, 2) << command << ": " << outcome.err;
        EXPECT_NE(outcome.err.find(message), std::string::npos) << command << ": " << outcome.err;
        EXPECT_EQ(count_lines(outcome.err), 1U) << command << ": " << outcome.err;
    }
    EXPECT_EQ(files(), (std::vector<std::string>{"a.h5", "cut.h5", "sub", "text.h5"}));
}

// One message that names the dataset and the fault, status 2.
TEST_F(Datasets, FaultyFramesAreRefusedByTheirDataset) {
    record("ramp --steps 4 --h5 a.h5 --h5-steps 4");
    const std::vector<std::pair<std::string, std::string>> faults = {
        {"del f['contacts/points']; f['contacts/points'] = np.zeros((9, 2))",
         "contacts/points: is 9 x 2; expected 4 x 3"},
        {"f['contacts/gaps'][1] = np.nan", "contacts/gaps: entry 1 is nan"},
        {"f['stiction/N'][2, 1] = np.nan", "stiction/N: entry 13 is nan"},
        {"f['contacts/pairs'][3, 1] = 17", "contacts/pairs: names body 17; there are 1, 1 to 1"},
        {"del f['bodies/velocities']", "bodies/velocities: there is no such dataset"},
        {"del f['timestep']", "timestep: there is no such dataset"},
        {"f['stiction/links'][0, 0] = 9", "stiction/links: row 0 points outside of the problem"}};
    for (const auto& [fault, message] : faults) {
        fs::copy_file(folder() / "a.h5", folder() / "b.h5", fs::copy_options::overwrite_existing);
        if (!python("import h5py, numpy as np\n"
                    "f = h5py.File('b.h5', 'r+')['simulation_00001/mbs_frame000001']\n" +
                    fault + "\n"))
            GTEST_SKIP() << "no python3-h5py";
        const Outcome outcome = run("solve b.h5");
        EXPECT_EQ(outcome.status, 2) << fault;
        EXPECT_NE(outcome.err.find("b.h5: simulation_00001/mbs_frame000001/" + message),
                  std::string::npos)
            << outcome.err;
        EXPECT_EQ(count_lines(outcome.err), 1U) << outcome.err;
    }
    ASSERT_TRUE(python("import h5py\nh5py.File('o.h5', 'w')['x'] = [1, 2]\n"));
    const Outcome other = run("solve o.h5");
    EXPECT_EQ(other.status, 2);
    EXPECT_NE(other.err.find("o.h5: has neither /fclib_local nor /fclib_global, nor frames"),
              std::string::npos)
        << other.err;
}

// A pipe that nobody writes into is not waited for.
TEST_F(Datasets, PipesAreRefused) {
    ASSERT_EQ(shell("mkfifo p.h5").status, 0);
    for (const char* command :
         {"solve p.h5", "solve p.h5 --list", "compare p.h5", "export p.h5 o.npz",
          "convert p.h5 o.h5 --to dataset", "convert p.h5 o.dat --to dat", "view p.h5 --frame 1"}) {
        const Outcome outcome = run(command, "timeout 20");
        EXPECT_EQ(outcome.status, 2) << command;
        EXPECT_TRUE(outcome.err.starts_with("error: p.h5: is ")) << outcome.err;
        EXPECT_EQ(count_lines(outcome.err), 1U) << outcome.err;
    }
    EXPECT_EQ(files(), (std::vector<std::string>{"p.h5"}));
}

// A file that HDF5 has open elsewhere, and the journal of a run that goes on.
TEST_F(Datasets, FilesThatAreBeingWritten) {
    write("hold.py",
          "import h5py, time\n"
          "f = h5py.File('w.h5', 'w')\n"
          "f['x'] = 1\n"
          "f.flush()\n"
          "open('ready', 'w').close()\n"
          "time.sleep(60)\n");
    if (shell("/usr/bin/python3 -c 'import h5py'").status == 0) {
        const Outcome outcome =
            run("solve w.h5",
                "/usr/bin/python3 hold.py & pid=$!; while kill -0 $pid && [ ! -e ready ]; do "
                "sleep 0.02; done;",
                "; status=$?; kill $pid; exit $status");
        EXPECT_EQ(outcome.status, 2);
        EXPECT_NE(outcome.err.find("w.h5: cannot be read as an HDF5 file; is it cut off, or being "
                                   "written?"),
                  std::string::npos)
            << outcome.err;
    }
    const Outcome reading = run("run stack --time 1e5 --h5 a.h5 --h5-every 50", "",
                                "& pid=$!; " + until_written(300000) +
                                    " '" STICTION_PROGRAM
                                    "' solve a.h5.part --frames 1:2 --json - >../out2; "
                                    "status=$?; kill -KILL $pid; wait $pid; exit $status");
    EXPECT_EQ(reading.status, 0);
    for (const Json& row : Json::parse(read_text(folder() / "../out2"))["rows"])
        EXPECT_EQ(row["dv"], 0.0);
}

// A file that may not grow beyond 400 kB: the run ends, what was complete can be read.
TEST_F(Datasets, FullDisksLoseNothingComplete) {
    const Outcome outcome = run("run stack --time 5 --h5 a.h5", "ulimit -f 400;");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find("cannot write 'a.h5.part'"), std::string::npos) << outcome.err;
    const Outcome solved = run("solve a.h5.part --frames 1:2 --json -");
    EXPECT_EQ(solved.status, 0) << solved.err;
    for (const Json& row : Json::parse(solved.out)["rows"]) EXPECT_EQ(row["dv"], 0.0);
}

// The journal fits, the file that is made of it (more bytes per frame) does not: what is half done goes,
// the journal stays and can be completed where there is room. Blocks are of 512 bytes.
TEST_F(Datasets, FullDisksKeepTheJournal) {
    const Outcome outcome = run("run stack --steps 30 --h5 a.h5", "ulimit -f 2600;");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find("the frames are in 'a.h5.part'"), std::string::npos) << outcome.err;
    EXPECT_EQ(count_lines(outcome.err), 1U) << outcome.err;
    EXPECT_EQ(files(), (std::vector<std::string>{"a.h5.part"}));
    const Outcome converted = run("convert a.h5.part b.h5 --to dataset", "ulimit -f 2600;");
    EXPECT_EQ(converted.status, 1);
    EXPECT_EQ(files(), (std::vector<std::string>{"a.h5.part"}));
    EXPECT_EQ(run("convert a.h5.part b.h5 --to dataset").status, 0);
    EXPECT_EQ(count_lines(run("solve b.h5 --list").out), 31U);
}

}  // namespace
}  // namespace stiction::test

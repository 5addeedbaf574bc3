// problem_dat_test.cpp - text problems: both forms and both kinds of matrix read as they are meant,
// written ones read back bit for bit, and every fault is refused with its place.
#include "problem_files/problem_dat.h"

#include <gtest/gtest.h>

#include <random>

#include "core/error.h"
#include "record/ball_on_plane.h"

namespace stiction {
namespace {

using test::message_of;

// One contact with an unsymmetric W; dense and blocks both go column by column.
const std::string kDense = "3 1  0 3 3  3 3  1 2 3  4 5 6  7 8 9  -1 1 3  0.1";
const std::string kBlocks =
    "3 1\n1 3 3\n1\n1 1\n3\n3\n2 1\n0 1\n0\n0\n1 2 3\n4 5 6\n7 8 9\n-1\t1\n3\n0.1\n";
// n = 2: M = diag(2, 4), H column by column.
const std::string kGlobal = "3 1  0 2 2  2 2  2 0 0 4  0 2 3  2 3  1 0  0 2  1 1  6 8  1 2 3  0.5";

ConeProblem local(const std::string& text) {
    return std::get<ConeProblem>(parse_dat(text, "x.dat"));
}

std::string refusal(const std::string& text) {
    return message_of<InputError>([&] { (void)parse_dat(text, "x.dat"); });
}

void expect_refused(const std::string& text, const std::string& place, const std::string& what) {
    const std::string message = refusal(text);
    EXPECT_TRUE(message.starts_with("x.dat:" + place + ": ")) << message << "\nfor " << text;
    EXPECT_NE(message.find(what), std::string::npos) << message << "\nfor " << text;
}

std::string with(std::string text, const std::string& what, const std::string& instead) {
    text.replace(text.find(what), what.size(), instead);
    return text;
}

ConeProblem random_problem(std::mt19937& random, int nc) {
    std::normal_distribution<double> normal;
    std::uniform_int_distribution<int> any(0, nc - 1);
    std::vector<BlockEntry> entries;
    for (int k = 0; k < 3 * nc; ++k) {
        entries.push_back({any(random), any(random), Mat3::NullaryExpr([&] {
                               return normal(random) * std::pow(10, 20 * normal(random));
                           })});
    }
    ConeProblem problem;
    problem.W = make_block_matrix(nc, std::move(entries));
    problem.q = VecX::NullaryExpr(3 * nc, [&] { return normal(random); });
    problem.mu = VecX::NullaryExpr(nc, [&] { return std::abs(normal(random)); });
    return problem;
}

TEST(ProblemDat, DenseAndBlocksGoColumnByColumn) {
    Mat3 W;
    W << 1, 4, 7, 2, 5, 8, 3, 6, 9;
    for (const std::string& text : {kDense, kBlocks, kDense + " 0", kBlocks + "0\n"}) {
        const ConeProblem problem = local(text);
        ASSERT_EQ(problem.contacts(), 1) << text;
        EXPECT_TRUE(is_valid(problem));
        EXPECT_EQ(to_dense(problem.W), W) << text;
        EXPECT_EQ(problem.q, Vec3(-1, 1, 3)) << text;
        EXPECT_EQ(problem.mu[0], 0.1) << text;
    }
}

TEST(ProblemDat, GlobalGivesTheDynamics) {
    const auto problem = std::get<ImpliedConeProblem>(parse_dat(kGlobal, "x.dat"));
    MatX G(3, 2);
    G << 1, 0, 0, 2, 1, 1;
    EXPECT_EQ(MatX(problem.M), MatX(Eigen::Vector2d(2, 4).asDiagonal()));
    EXPECT_EQ(MatX(problem.G), G);
    EXPECT_EQ(problem.f, Eigen::Vector2d(6, 8));
    EXPECT_EQ(problem.w, Vec3(1, 2, 3));
    EXPECT_EQ(problem.mu[0], 0.5);
    const test::ScratchFolder folder("dat_global");
    test::write_text(folder / "g", kGlobal);
    const ConeProblem condensed = read_cone_problem(folder / "g");
    EXPECT_TRUE(condensed.q.isApprox(G * Eigen::Vector2d(3, 2) + Vec3(1, 2, 3), 1e-15));
    EXPECT_TRUE(to_dense(condensed.W)
                    .isApprox(G * Eigen::Vector2d(0.5, 0.25).asDiagonal() * G.transpose(), 1e-15));
}

// Blocks of heights 1 and 2 and widths 2 and 1; the second block row is empty but for a zero.
TEST(ProblemDat, BlocksOfAnySize) {
    const std::string H = "1 3 3  2  2 2  1 3  2 3  3 2  0 1 2  1 0  0  7  1  0 0 5 6";
    const std::string text = "3 1  0 3 3  3 3  1 0 0 0 1 0 0 0 1  " + H + "  1 2 3  4 5 6  0.5";
    const auto problem = std::get<ImpliedConeProblem>(parse_dat(text, "x.dat"));
    MatX expected(3, 3);
    expected << 0, 0, 7, 0, 5, 0, 0, 6, 0;
    EXPECT_EQ(MatX(problem.G), expected.transpose());
}

TEST(ProblemDat, WrittenProblemsReadBackBitForBit) {
    std::mt19937 random(7);
    const test::ScratchFolder folder("dat");
    for (int nc = 1; nc <= 40; ++nc) {
        const ConeProblem problem = random_problem(random, nc);
        write_dat(folder / "p.dat", problem);
        const ConeProblem back = read_cone_problem(folder / "p.dat");
        EXPECT_EQ(to_dense(back.W), to_dense(problem.W));
        EXPECT_EQ(back.q, problem.q);
        EXPECT_EQ(back.mu, problem.mu);
        EXPECT_TRUE(is_valid(back));
    }
}

TEST(ProblemDat, FaultsAreRefusedWithTheirPlace) {
    expect_refused("", "1:1", "ends too early");
    expect_refused("# A text\n", "1:1", "expected an integer, found '#'");
    expect_refused("\n  hello world", "2:3", "found 'hello'");
    expect_refused(std::string("\x89PNG\0", 5), "1:1", "found '?PNG?'");
    expect_refused(with(kDense, "3 1 ", "2 1 "), "1:1", "problems in the plane");
    expect_refused(with(kDense, "3 1 ", "4 1 "), "1:1", "expected 3, found 4");
    expect_refused(with(kDense, "3 1 ", "3 0 "), "1:3", "number of contacts");
    expect_refused(with(kDense, "3 1 ", "3 1.5 "), "1:3", "expected an integer, found '1.5'");
    expect_refused(with(kDense, " 0 3 3 ", " 2 3 3 "), "1:6", "kind 2 (a printed compressed");
    expect_refused(with(kDense, " 0 3 3 ", " 7 3 3 "), "1:6", "kind");
    expect_refused(with(kDense, "  3 3  1", "  3 2  1"), "1:15", "number of columns, again");
    expect_refused(with(kDense, " 5 ", " nan "), "1:27", "finite number, found 'nan'");
    expect_refused(with(kDense, " 5 ", " -inf "), "1:27", "finite number, found '-inf'");
    expect_refused(with(kDense, " 5 ", " 5x "), "1:27", "expected a number, found '5x'");
    expect_refused(with(kDense, "0.1", "-0.1"), "1:47", "expected a number >= 0");
    expect_refused(with(kDense, "0.1", "nan"), "1:47", "mu: expected a finite number");
    expect_refused(kDense + " 0 0", "1:39", "matrix H: kind -1 (6 numbers follow");
    expect_refused(kGlobal + " 0 0", "1:70", "2 more numbers");
    expect_refused(kGlobal + " x", "1:70", "found 'x'");
    expect_refused("3 2  0 3 3  3 3  1 0 0 0 1 0 0 0 1  1 2 3 4 5 6  0.1 0.1", "1:34",
                   "expected 6 x 6 for 2 contacts, found 3 x 3");
    expect_refused("3 1  0 9999 9999  9999 9999  1 2 3", "1:35", "the file ends too early");
    expect_refused("3 99999999999  0 3 3", "1:3", "number of contacts");
}

TEST(ProblemDat, FaultsOfBlocks) {
    expect_refused(with(kBlocks, "\n3\n3\n", "\n2\n3\n"), "5:1", "ends of block rows: expected 3");
    expect_refused(with(kBlocks, "\n3\n3\n", "\n3\n4\n"), "6:1", "ends of block columns");
    expect_refused(with(kBlocks, "2 1", "3 1"), "7:1", "number of pointers");
    expect_refused(with(kBlocks, "2 1", "2 2"), "7:3", "number of column indices");
    expect_refused(with(kBlocks, "0 1\n", "0 0\n"), "8:3", "expected 1, found 0");
    expect_refused(with(kBlocks, "0 1\n", "1 1\n"), "8:1", "expected 0, found 1");
    expect_refused(with(kBlocks, "0 1\n0\n", "0 1\n1\n"), "9:1", "block column: expected 0");
    expect_refused(with(kBlocks, "0\n1 2", "1\n1 2"), "10:1", "number of the block");
}

TEST(ProblemDat, EveryCutIsRefused) {
    std::mt19937 random(3);
    for (const std::string& text : {kDense, kBlocks, dat_text(random_problem(random, 3))}) {
        const std::size_t last = text.find_last_of(" \n", text.find_last_not_of(" \n"));
        for (std::size_t n = 0; n <= last; ++n) {
            EXPECT_NE(refusal(text.substr(0, n)), "") << text.substr(0, n);
        }
    }
}

// Whatever stands in a file: it is read or refused.
TEST(ProblemDat, DamageIsReadOrRefused) {
    std::mt19937 random(11);
    int refused = 0;
    for (int i = 0; i < 20000; ++i) {
        std::string text = i % 2 == 0 ? kBlocks : kGlobal;
        for (int k = 0; k < 2; ++k) {
            text[random() % text.size()] = "0123456789 .-e\n\xff"[random() % 16];
        }
        try {
            const StoredProblem problem = parse_dat(text, "x.dat");
            if (std::holds_alternative<ConeProblem>(problem)) {
                EXPECT_TRUE(is_valid(std::get<ConeProblem>(problem))) << text;
            }
        } catch (const InputError&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 5000);
    EXPECT_LT(refused, 20000);
}

TEST(ProblemFile, NamesWhatCannotBeRead) {
    const test::ScratchFolder folder("problem_file");
    const auto refused = [&](const std::string& name) {
        return message_of<InputError>([&] { (void)read_cone_problem(folder / name); });
    };
    test::write_text(folder / "singular", with(kGlobal, "2 0 0 4", "2 0 0 0"));
    EXPECT_NE(refused("missing").find("no such file"), std::string::npos);
    EXPECT_NE(refused("").find("is a folder"), std::string::npos);
    EXPECT_NE(refused("singular").find("M of the dynamics is singular"), std::string::npos);
}

// Sizes are believed only as far as the file goes: nothing of 1.6e9 rows is made.
TEST(ProblemDat, SizesThatAreNotThere) {
    const std::string local =
        "3 100000000\n1 300000000 300000000\n0 1 1\n300000000\n300000000\n2 0\n0 0\n";
    const std::string error = [&] {
        try {
            (void)parse_dat(local, "a.dat");
        } catch (const InputError& found) {
            return std::string(found.what());
        }
        return std::string();
    }();
    EXPECT_EQ(error, "a.dat:8:1: q and mu: the file ends too early; expected 400000000 numbers");
}

}  // namespace
}  // namespace stiction

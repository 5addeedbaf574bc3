// main.cpp - the main of every test program. A program holds all test files of its folder; with
// --file FOLDER/NAME_test it runs those of one of them, which is what an entry of ctest does.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace {

// A filter of the full names of all tests in that source file; empty when there are none.
std::string tests_in(std::string_view file) {
    const std::string end = "/" + std::string(file) + ".cpp";
    std::string filter;
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    for (int s = 0; s < all.total_test_suite_count(); ++s) {
        const testing::TestSuite& suite = *all.GetTestSuite(s);
        for (int t = 0; t < suite.total_test_count(); ++t) {
            const testing::TestInfo& test = *suite.GetTestInfo(t);
            if (!std::string_view(test.file()).ends_with(end)) continue;
            filter += std::string(filter.empty() ? "" : ":") + suite.name() + "." + test.name();
        }
    }
    return filter;
}

}  // namespace

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    if (argc == 1) return RUN_ALL_TESTS();
    if (argc != 3 || std::string_view(argv[1]) != "--file") {
        std::fprintf(stderr, "usage: %s [--file FOLDER/NAME_test] [options of gtest]\n", argv[0]);
        return 2;
    }
    const std::string filter = tests_in(argv[2]);
    if (filter.empty()) {  // else a file whose tests vanished would pass
        std::fprintf(stderr, "%s: no test of this program is in %s.cpp\n", argv[0], argv[2]);
        return 1;
    }
    testing::GTEST_FLAG(filter) = filter;
    return RUN_ALL_TESTS();
}

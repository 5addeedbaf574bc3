// row_journal_test.cpp - what is written is read again, whatever happens to the end of a file.
#include "sweep/row_journal.h"

#include <sstream>

#include "sweep/sweep_folder.h"

namespace stiction::test {
namespace {

using RowJournals = SweepFolder;

JobResult some_result(const std::string& id, double value, JobStatus status = JobStatus::kDone) {
    JobResult result;
    result.id = id;
    result.status = status;
    result.values["x"] = value;
    return result;
}

std::string only_file(const std::string& folder) {
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        return entry.path().string();
    return "";
}

std::string bytes_of(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

TEST_F(RowJournals, CutAnywhereAllWholeRowsAreThere) {
    {
        RowJournal journal(path("rows"));
        for (int i = 0; i < 3; ++i) journal.add(some_result("id" + std::to_string(i), i));
    }
    const std::string text = bytes_of(only_file(path("rows")));
    std::size_t most = 0;
    for (std::size_t length = 0; length <= text.size(); ++length) {
        JournalRows rows;
        read_journal_text(std::string_view(text).substr(0, length), "x.rows", rows);
        const auto lines = static_cast<std::size_t>(
            std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length), '\n'));
        EXPECT_EQ(rows.results.size(), lines == 0 ? 0 : lines - 1) << length;
        most = std::max(most, rows.results.size());
    }
    EXPECT_EQ(most, 3U);
}

TEST_F(RowJournals, AChangedByteCostsOneRow) {
    {
        RowJournal journal(path("rows"));
        for (int i = 0; i < 3; ++i) journal.add(some_result("id" + std::to_string(i), i));
    }
    std::string text = bytes_of(only_file(path("rows")));
    text[text.find("id1") + 2] = '7';
    JournalRows rows;
    read_journal_text(text, "x.rows", rows);
    EXPECT_EQ(rows.results.size(), 2U);
    EXPECT_EQ(rows.torn, 1U);
}

TEST_F(RowJournals, RowsOfManyWritersAreOneSet) {
    {
        RowJournal a(path("rows")), b(path("rows"));
        a.add(some_result("one", 1));
        b.add(some_result("two", 2));
        b.add(some_result("one", 1));
        a.add(some_result("three", 0, JobStatus::kCrashed));
        b.add(some_result("three", 3));
        const RowJournal unused(path("rows"));
    }
    const JournalRows rows = read_journals(path("rows"));
    EXPECT_EQ(rows.results.size(), 3U);
    EXPECT_EQ(rows.results.at("three").status, JobStatus::kDone);
    EXPECT_EQ(rows.conflict, "");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path("rows")), {}), 2);
    RowJournal c(path("rows"));
    c.add(some_result("two", 2.5));
    EXPECT_EQ(read_journals(path("rows")).conflict, "two");
}

TEST_F(RowJournals, OtherFilesAreRefused) {
    std::filesystem::create_directories(path("rows"));
    write("rows/a.rows", "something else\n");
    EXPECT_EQ(
        complaint([&] { (void)read_journals(path("rows")); }),
        "rows/a.rows: not a journal of a sweep; expected 'stiction sweep rows 1' as its first "
        "line");
    EXPECT_EQ(read_journals(path("nothing")).results.size(), 0U);
    EXPECT_THROW(RowJournal(path("slide.yaml")), InputError);
}

}  // namespace
}  // namespace stiction::test

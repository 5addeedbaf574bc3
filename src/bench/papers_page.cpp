// papers_page.cpp - tables as Markdown, and sections of the page by their marks.
#include "bench/papers_page.h"

#include <fmt/format.h>

namespace stiction {

namespace {

// A bar would end the cell.
std::string cell(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '|') out += '\\';
        out += c;
    }
    return out;
}

std::string table_markdown(const BenchTable& table) {
    std::string text = table.title + ":\n\n|";
    std::string rule = "|";
    for (const BenchColumn& column : table.columns) {
        text +=
            " " + cell(column.name) + (column.unit.empty() ? "" : " [" + column.unit + "]") + " |";
        rule += "---|";
    }
    text += "\n" + rule + "\n";
    for (const std::vector<BenchValue>& row : table.rows) {
        text += "|";
        for (std::size_t c = 0; c < row.size(); ++c)
            text += " " + cell(bench_text(row[c], table.columns[c].digits)) + " |";
        text += "\n";
    }
    return text;
}

}  // namespace

std::string report_markdown(const BenchReport& report, const std::string& picture,
                            const std::string& how) {
    std::string text = how + "\n\n";
    if (report.status != "done") text += "Ended early: " + report.status + ".\n\n";
    std::string details;
    for (const BenchTable& table : report.tables)
        (table.detail ? details : text) += table_markdown(table) + "\n";
    for (const std::string& note : report.notes) text += "- " + note + "\n";
    if (!report.notes.empty()) text += "\n";
    if (!picture.empty()) text += fmt::format("![{}]({})\n\n", report.benchmark, picture);
    if (!details.empty())
        text += "<details><summary>Details</summary>\n\n" + details + "</details>\n\n";
    return text;
}

std::string with_section(std::string page, const std::string& name, const std::string& heading,
                         const std::string& text) {
    const std::string begin = "<!-- " + name + ":begin -->\n";
    const std::string end = "<!-- " + name + ":end -->\n";
    const std::size_t from = page.find(begin);
    const std::size_t to = page.find(end);
    if (from != std::string::npos && to != std::string::npos && from < to)
        return page.replace(from + begin.size(), to - from - begin.size(), "\n" + text);
    if (page.empty()) page = "# The papers, repeated\n";
    if (page.back() != '\n') page += "\n";
    return page + "\n## " + heading + "\n\n" + begin + "\n" + text + end;
}

}  // namespace stiction

// report.cpp - tables as text, Markdown and CSV.
#include "report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <numeric>
#include <stdexcept>

namespace stiction {

namespace {

constexpr const char* kBegin = "<!-- solver_bench:begin -->";
constexpr const char* kEnd = "<!-- solver_bench:end -->";

std::vector<std::size_t> column_widths(const Table& table) {
    std::vector<std::size_t> widths;
    for (const std::string& name : table.header) widths.push_back(name.size());
    for (const std::vector<std::string>& row : table.rows) {
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
    }
    return widths;
}

void print_row(const std::vector<std::string>& row, const std::vector<std::size_t>& widths) {
    for (std::size_t c = 0; c < row.size(); ++c) {
        const int width = static_cast<int>(widths[c]);
        std::printf("%*s%s", c == 0 ? -width : width, row[c].c_str(),
                    c + 1 < row.size() ? "  " : "\n");
    }
}

std::string markdown_row(const std::vector<std::string>& row) {
    std::string line = "|";
    for (const std::string& cell : row) line += " " + cell + " |";
    return line + "\n";
}

std::string markdown(const Table& table) {
    std::string text = "### " + table.title + "\n\n";
    for (const std::string& paragraph : table.intro) text += paragraph + "\n\n";
    text += markdown_row(table.header) + "| ---";
    for (std::size_t c = 1; c < table.header.size(); ++c) text += " | ---:";
    text += " |\n";
    for (const std::vector<std::string>& row : table.rows) text += markdown_row(row);
    text += "\n";
    for (const std::string& line : table.summary) text += "- " + line + "\n";
    if (!table.summary.empty()) text += "\n";
    return text;
}

std::string read_if_there(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_text(const std::string& path, const std::string& text) {
    std::ofstream file(path);
    file << text;
    file.close();
    if (!file) throw std::runtime_error("cannot write " + path);
}

}  // namespace

std::string format(const char* pattern, double value) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), pattern, value);
    return text.data();
}

std::string significant(double value) {
    if (value == 0) return "-";
    const double size = std::abs(value);
    const int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.1 ? 3 : 4;
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return text.data();
}

void print(const Table& table) {
    std::printf("\n%s\n", table.title.c_str());
    for (const std::string& paragraph : table.intro) std::printf("%s\n", paragraph.c_str());
    const std::vector<std::size_t> widths = column_widths(table);
    print_row(table.header, widths);
    for (const std::vector<std::string>& row : table.rows) print_row(row, widths);
    for (const std::string& line : table.summary) std::printf("  %s\n", line.c_str());
    std::fflush(stdout);
}

void write_markdown(const Report& report, const std::string& path) {
    std::string page = read_if_there(path);
    std::size_t begin = page.find(kBegin), end = page.find(kEnd);
    if ((begin == std::string::npos) != (end == std::string::npos) || end < begin) {
        throw std::runtime_error(path + ": one of the marks of solver_bench is missing");
    }
    if (begin == std::string::npos) {
        if (!page.empty()) page += "\n";
        begin = page.size();
        page += std::string(kBegin) + "\n";
        end = page.size();
        page += std::string(kEnd) + "\n";
    }
    std::string text = std::string(kBegin) + "\n\n" + report.preface + "\n\n";
    for (const Table& table : report.tables) text += markdown(table);
    write_text(path, page.substr(0, begin) + text + page.substr(end));
}

void write_csv(const Report& report, const std::string& path) {
    std::string text = "section,problem,size,solver,tolerance,cpu_us,residual\n";
    for (const Measurement& m : report.measurements) {
        text += m.section + "," + m.problem + "," + std::to_string(m.size) + "," + m.solver + "," +
                format("%g", m.tolerance) + "," + format("%.4f", 1e6 * m.seconds) + "," +
                format("%.3g", m.residual) + "\n";
    }
    write_text(path, text);
}

double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y) {
    const auto n = static_cast<double>(x.size());
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double lx = std::log(x[i]), ly = std::log(y[i]);
        sx += lx;
        sy += ly;
        sxx += lx * lx;
        sxy += lx * ly;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

double geometric_mean(const std::vector<double>& values) {
    const double sum = std::accumulate(values.begin(), values.end(), 0.0,
                                       [](double s, double v) { return s + std::log(v); });
    return std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace stiction

// report.h - what the sections measured: tables with a few words around them, for the terminal and
// for a marked part of a Markdown page, and one line per measurement for a CSV file.
#pragma once

#include <string>
#include <vector>

namespace stiction {

struct Table {
    std::string title;
    std::vector<std::string> intro;  // paragraphs before the rows
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;  // first column is text, the others are numbers
    std::vector<std::string> summary;            // lines after the rows
};

struct Measurement {
    std::string section, problem, solver;
    int size = 0;          // unknowns, or contacts of a stored problem
    double tolerance = 0;  // asked for
    double seconds = 0;    // CPU time; 0: did not end
    double residual = 0;   // reached, relative, by our measure; the worse of two for a cone problem
};

struct Report {
    std::string preface;  // how it was measured
    std::vector<Table> tables;
    std::vector<Measurement> measurements;
};

[[nodiscard]] std::string format(const char* pattern, double value);  // of printf, one number
[[nodiscard]] std::string significant(double value);  // three digits without exponent; "-" for 0

void print(const Table& table);  // to standard output, columns aligned

// Replaces what stands between the marks of solver_bench in the file; adds the marks if there are
// none, and the file. Throws std::runtime_error.
void write_markdown(const Report& report, const std::string& path);
void write_csv(const Report& report, const std::string& path);

// Slope of log y over log x by least squares: the exponent p of y ~ x^p.
[[nodiscard]] double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y);

[[nodiscard]] double geometric_mean(const std::vector<double>& values);  // NaN for none

}  // namespace stiction

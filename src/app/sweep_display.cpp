// sweep_display.cpp - draws over what was drawn before.
#include "app/sweep_display.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/printable.h"
#include "sweep/summary_columns.h"

namespace stiction {

namespace {

constexpr std::size_t kShownRows = 8;
constexpr std::size_t kWidestCell = 24;  // characters: the rest of a message is in the table

std::size_t terminal_width() {
    winsize size = {};
    constexpr std::size_t kUsual = 80;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsual;
    return size.ws_col;
}

std::string shown(const Cell& cell) {
    const auto* number = std::get_if<double>(&cell);
    if (number == nullptr) return cell_text(cell);
    char text[32];
    std::snprintf(text, sizeof text, "%.5g", *number);
    return text;
}

}  // namespace

std::string duration_text(double seconds) {
    const auto whole = static_cast<long long>(std::lround(seconds));
    const long long hours = whole / 3600, minutes = whole / 60 % 60, rest = whole % 60;
    if (hours > 0) return std::to_string(hours) + " h " + std::to_string(minutes) + " min";
    if (minutes > 0) return std::to_string(minutes) + " min " + std::to_string(rest) + " s";
    return std::to_string(rest) + " s";
}

SweepDisplay::SweepDisplay(const Plan& plan, std::int64_t missing, bool wanted)
    : plan_(plan), missing_(missing), active_(wanted && isatty(STDERR_FILENO) == 1) {}

SweepDisplay::~SweepDisplay() { hide(); }

double SweepDisplay::seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
}

void SweepDisplay::add(const JobResult& result) {
    ++ended_;
    if (result.status != JobStatus::kDone) ++failed_;
    if (!active_) return;
    std::vector<std::string> row = {std::to_string(result.number)};
    for (const std::string& value : job_values(plan_.sweep, result.number)) row.push_back(value);
    row.push_back(result.status == JobStatus::kDone ? "done" : "failed: " + result.message);
    for (const KeptColumn& column : plan_.sweep.keep) {
        const auto found = result.values.find(column.path);
        row.push_back(found == result.values.end() ? "" : shown(found->second));
    }
    rows_.push_back(std::move(row));
    if (rows_.size() > kShownRows) rows_.pop_front();
}

std::string SweepDisplay::progress_line() const {
    constexpr int kBar = 30;  // columns: the numbers beside it fit into 80
    const double share = static_cast<double>(ended_) / static_cast<double>(missing_);
    const auto filled = static_cast<std::size_t>(share * kBar);
    std::string line = "[" + std::string(filled, '#') + std::string(kBar - filled, '.') + "] " +
                       std::to_string(ended_) + " of " + std::to_string(missing_) + " jobs";
    if (failed_ > 0) line += ", " + std::to_string(failed_) + " failed";
    line += ", " + duration_text(seconds());
    if (ended_ > 0) line += ", " + duration_text(seconds() / share - seconds()) + " left";
    return line;
}

std::vector<std::string> SweepDisplay::table_lines() const {
    std::vector<std::string> head = {"job"};
    for (const std::string& name : job_columns(plan_.sweep)) head.push_back(name);
    head.emplace_back("status");
    for (const KeptColumn& column : plan_.sweep.keep) head.push_back(column.name);
    std::vector<std::vector<std::string>> rows = {head};
    rows.insert(rows.end(), rows_.begin(), rows_.end());
    std::vector<std::string> lines(rows.size());
    for (std::size_t c = 0; c < head.size(); ++c) {
        std::size_t width = 0;
        for (auto& row : rows) {
            row[c] = printable(row[c]).substr(0, kWidestCell);
            width = std::max(width, row[c].size());
        }
        for (std::size_t r = 0; r < rows.size(); ++r)
            lines[r] +=
                (c == 0 ? "" : "  ") + std::string(width - rows[r][c].size(), ' ') + rows[r][c];
    }
    return lines;
}

void SweepDisplay::show() {
    constexpr std::chrono::milliseconds kInterval{100};  // often enough for the eye
    if (!active_ || missing_ == 0 || Clock::now() < next_) return;
    next_ = Clock::now() + kInterval;
    std::vector<std::string> lines = table_lines();
    lines.push_back(progress_line());
    const std::size_t width = terminal_width() - 1;
    std::string text = drawn_ > 0 ? "\033[" + std::to_string(drawn_) + "A" : "";
    for (const std::string& line : lines) text += "\r\033[K" + line.substr(0, width) + "\n";
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
    drawn_ = static_cast<int>(lines.size());
}

void SweepDisplay::hide() {
    if (drawn_ == 0) return;
    std::fprintf(stderr, "\033[%dA\r\033[J", drawn_);
    std::fflush(stderr);
    drawn_ = 0;
}

}  // namespace stiction

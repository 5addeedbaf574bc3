// messages.cpp - errors, log, and whether standard output took what it was given.
#include "app/messages.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <new>
#include <vector>

#include "core/error.h"
#include "core/nearest.h"
#include "core/printable.h"
#include "record/output_file.h"

namespace stiction {

namespace {

const std::vector<std::string> kLogLevels = {"trace", "debug",    "info", "warning",
                                             "error", "critical", "off"};

// %* in the pattern: the message, fit for a terminal.
class PrintableMessage : public spdlog::custom_flag_formatter {
  public:
    void format(const spdlog::details::log_msg& message, const std::tm&,
                spdlog::memory_buf_t& out) override {
        const std::string text =
            message_text(std::string_view(message.payload.data(), message.payload.size()));
        out.append(text.data(), text.data() + text.size());
    }
    [[nodiscard]] std::unique_ptr<custom_flag_formatter> clone() const override {
        return std::make_unique<PrintableMessage>();
    }
};

}  // namespace

void print_error(std::string_view text) {
    std::fputs(("error: " + message_text(text) + "\n").c_str(), stderr);
}

std::string message_of(const std::exception& error) {
    return dynamic_cast<const std::bad_alloc*>(&error) != nullptr ? "out of memory" : error.what();
}

void set_up_log(const std::string& level) {
    auto logger = spdlog::stderr_logger_mt("stiction");
    auto formatter = std::make_unique<spdlog::pattern_formatter>();
    formatter->add_flag<PrintableMessage>('*').set_pattern("%l: %*");
    logger->set_formatter(std::move(formatter));
    spdlog::set_default_logger(logger);
    const spdlog::level::level_enum chosen = spdlog::level::from_str(level);
    if (chosen == spdlog::level::off && level != "off") {
        throw InputError("--log-level: unknown level '" + level + "'" +
                         suggestion(level, {kLogLevels.begin(), kLogLevels.end()}));
    }
    spdlog::set_level(chosen);
}

void check_standard_output() {
    std::cout.flush();
    const bool failed_before = std::ferror(stdout) != 0 || !std::cout;
    if (std::fflush(stdout) == 0 && !failed_before) return;
    throw OutputError("cannot write to standard output: " +
                      std::string(errno == 0 ? "it failed" : std::strerror(errno)));
}

}  // namespace stiction

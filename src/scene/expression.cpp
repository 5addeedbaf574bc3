// expression.cpp - recursive-descent evaluation of arithmetic with named values.
#include "scene/expression.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/nearest.h"
#include "core/random.h"

namespace stiction {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

// A number in [0, 1) that the two decide and nothing else. (0 is added so that -0 gives what 0 does.)
double random_of(double x, double y) {
    Random first(std::bit_cast<std::uint64_t>(x + 0.0));
    return Random(first.bits() ^ std::bit_cast<std::uint64_t>(y + 0.0)).unit();
}

struct Function {
    std::string_view name;
    std::size_t arguments;
    double (*call)(double, double);
};

constexpr std::array<Function, 14> kFunctions = {{
    {"sin", 1, [](double x, double) { return std::sin(x); }},
    {"cos", 1, [](double x, double) { return std::cos(x); }},
    {"tan", 1, [](double x, double) { return std::tan(x); }},
    {"asin", 1, [](double x, double) { return std::asin(x); }},
    {"acos", 1, [](double x, double) { return std::acos(x); }},
    {"atan", 1, [](double x, double) { return std::atan(x); }},
    {"sqrt", 1, [](double x, double) { return std::sqrt(x); }},
    {"abs", 1, [](double x, double) { return std::abs(x); }},
    {"floor", 1, [](double x, double) { return std::floor(x); }},
    {"ceil", 1, [](double x, double) { return std::ceil(x); }},
    {"min", 2, [](double x, double y) { return std::min(x, y); }},
    {"max", 2, [](double x, double y) { return std::max(x, y); }},
    {"mod", 2, [](double x, double y) { return x - y * std::floor(x / y); }},
    {"random", 2, random_of},
}};

constexpr std::array<std::string_view, 8> kReserved = {"pi", "deg", "i",     "j",
                                                       "k",  "n",   "index", "world"};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Recursive descent, one function per level of precedence; -2^2 is -4 and 2^3^2 is 2^9.
class Parser {
  public:
    Parser(std::string_view text, const Scope& scope) : text_(text), scope_(scope) {}

    double parse() {
        const double value = sum();
        skip_space();
        if (at_ < text_.size()) fail("unexpected '" + std::string(text_.substr(at_)) + "'");
        return value;
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw ExpressionError("cannot evaluate '" + std::string(text_) + "': " + what);
    }

    void skip_space() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    }

    bool take(char c) {
        skip_space();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    double sum() {
        double value = product();
        for (;;) {
            if (take('+')) {
                value += product();
            } else if (take('-')) {
                value -= product();
            } else {
                return value;
            }
        }
    }

    double product() {
        double value = sign();
        for (;;) {
            if (take('*')) {
                value *= sign();
            } else if (take('/')) {
                value /= sign();
            } else {
                return value;
            }
        }
    }

    double sign() {
        if (take('-')) return -sign();
        if (take('+')) return sign();
        return power();
    }

    double power() {
        const double base = with_unit();
        return take('^') ? std::pow(base, sign()) : base;
    }

    double with_unit() {
        const double value = primary();
        skip_space();
        if (at_ < text_.size() && is_letter(text_[at_])) {
            const std::string_view unit = name();
            if (unit != "deg") fail("unexpected '" + std::string(unit) + "'");
            return value * kDegree;
        }
        return value;
    }

    double primary() {
        skip_space();
        if (at_ >= text_.size()) fail("it ends where a value is expected");
        if (take('(')) {
            const double value = sum();
            if (!take(')')) fail("')' is missing");
            return value;
        }
        if (is_digit(text_[at_]) || text_[at_] == '.') return number();
        if (is_letter(text_[at_])) return named();
        fail("unexpected '" + std::string(text_.substr(at_)) + "'");
    }

    double number() {
        double value = 0;
        const char* begin = text_.data() + at_;
        const char* end = text_.data() + text_.size();
        const auto [stop, error] = std::from_chars(begin, end, value);
        if (error == std::errc::result_out_of_range) fail("a number is out of range");
        if (error != std::errc()) fail("unexpected '" + std::string(text_.substr(at_)) + "'");
        at_ += static_cast<std::size_t>(stop - begin);
        return value;
    }

    std::string_view name() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
        return text_.substr(begin, at_ - begin);
    }

    double named() {
        const std::string_view id = name();
        if (take('(')) return function(id);
        if (const double* value = scope_.find(id)) return *value;
        if (id == "pi") return std::numbers::pi;
        std::vector<std::string_view> valid = scope_.names();
        fail("unknown name '" + std::string(id) + "'" + suggestion(id, valid));
    }

    double function(std::string_view id) {
        const auto* f = std::find_if(kFunctions.begin(), kFunctions.end(),
                                     [&](const Function& g) { return g.name == id; });
        if (f == kFunctions.end()) {
            std::vector<std::string_view> valid;
            for (const Function& g : kFunctions) valid.push_back(g.name);
            fail("unknown function '" + std::string(id) + "'" + suggestion(id, valid));
        }
        std::array<double, 2> x{};
        for (std::size_t i = 0; i < f->arguments; ++i) {
            if (i > 0 && !take(',')) fail(std::string(id) + " takes two values");
            x[i] = sum();
        }
        if (!take(')')) fail("')' is missing after the value of " + std::string(id));
        return f->call(x[0], x[1]);
    }

    std::string_view text_;
    const Scope& scope_;
    std::size_t at_ = 0;
};

}  // namespace

const double* Scope::find(std::string_view name) const {
    for (const Scope* scope = this; scope != nullptr; scope = scope->outer) {
        for (const auto& [id, value] : scope->values) {
            if (id == name) return &value;
        }
    }
    return nullptr;
}

std::vector<std::string_view> Scope::names() const {
    std::vector<std::string_view> all;
    for (const Scope* scope = this; scope != nullptr; scope = scope->outer) {
        for (const auto& entry : scope->values) all.push_back(entry.first);
    }
    return all;
}

double evaluate(std::string_view text, const Scope& scope) {
    if (text.size() > kLongestExpression) {
        throw ExpressionError("an expression of " + std::to_string(text.size()) +
                              " characters; expected at most " +
                              std::to_string(kLongestExpression));
    }
    return Parser(text, scope).parse();
}

bool is_free_name(std::string_view name) {
    if (name.empty() || !is_letter(name[0])) return false;
    if (!std::all_of(name.begin(), name.end(),
                     [](char c) { return is_letter(c) || is_digit(c); })) {
        return false;
    }
    return std::none_of(kFunctions.begin(), kFunctions.end(),
                        [&](const Function& f) { return f.name == name; }) &&
           std::find(kReserved.begin(), kReserved.end(), name) == kReserved.end();
}

}  // namespace stiction

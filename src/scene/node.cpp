// node.cpp - typed access to scene nodes with errors that name file, line, column and key.
#include "scene/node.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

#include "core/error.h"
#include "core/nearest.h"

namespace stiction {
namespace {

std::string written(double x) {
    std::ostringstream out;
    out.precision(12);
    out << x;
    return out.str();
}

std::string bound(const char* relation, double x, std::string_view unit) {
    return std::string(relation) + written(x) + (unit.empty() ? "" : " " + std::string(unit));
}

std::string described(const Range& range) {
    const bool low = std::isfinite(range.min);
    const bool high = std::isfinite(range.max);
    std::string text;
    if (low) text = bound(range.above_min ? "> " : ">= ", range.min, range.unit);
    if (high) text += (low ? " and " : "") + bound("<= ", range.max, range.unit);
    return text;
}

}  // namespace

Node Node::child(const Value& value, std::string path) const {
    Node node = *this;
    node.value_ = &value;
    node.path_ = std::move(path);
    node.named_ = false;
    return node;
}

Node Node::in(const Scope& scope) const {
    Node node = *this;
    node.scope_ = &scope;
    return node;
}

Node Node::named(const std::string& name) const {
    Node node = *this;
    node.path_ += " '" + name + "'";
    node.named_ = true;
    return node;
}

std::string Node::place() const {
    return document_->path + ":" + std::to_string(value_->line) + ":" +
           std::to_string(value_->column);
}

std::string Node::path_to(std::string_view key) const {
    return path_ + (path_.empty() ? "" : named_ ? ": " : ".") + std::string(key);
}

void Node::fail(const std::string& what) const {
    throw InputError(place() + ": " + path_ + (path_.empty() ? "" : ": ") + what);
}

void Node::fail_at_key(std::size_t index, const std::string& what) const {
    Value at_key;
    at_key.line = value_->keys[index].line;
    at_key.column = value_->keys[index].column;
    child(at_key, path_).fail(what);
}

std::string Node::found() const {
    switch (value_->kind) {
        case Value::Kind::kNothing:
            return "nothing";
        case Value::Kind::kScalar:
            return "'" + value_->text + "'";
        case Value::Kind::kList:
            return "a list of " + std::to_string(size());
        case Value::Kind::kMap:
            return "keys and values";
    }
    return "";
}

void Node::expect_map() const {
    if (!is_map()) fail("found " + found() + "; expected keys and values");
}

void Node::expect_list(std::string_view of_what) const {
    if (!is_list()) fail("found " + found() + "; expected a list of " + std::string(of_what));
}

std::vector<Node> Node::entries(const char* key, std::string_view of_what) const {
    std::vector<Node> result;
    const std::optional<Node> list = find(key);
    if (!list) return result;
    list->expect_list(of_what);
    for (std::size_t i = 0; i < list->size(); ++i) result.push_back((*list)[i]);
    return result;
}

void Node::only(const std::vector<std::string_view>& keys) const {
    expect_map();
    for (std::size_t i = 0; i < size(); ++i) {
        if (std::find(keys.begin(), keys.end(), key(i)) == keys.end()) {
            fail_at_key(i, "unknown key '" + key(i) + "'" + suggestion(key(i), keys));
        }
    }
}

std::optional<Node> Node::find(const char* key) const {
    const Value* value = is_map() ? value_->find(key) : nullptr;
    if (value == nullptr) return std::nullopt;
    return child(*value, path_to(key));
}

Node Node::at(const char* key) const {
    expect_map();
    if (const std::optional<Node> node = find(key)) return *node;
    fail("key '" + std::string(key) + "' is missing");
}

Node Node::operator[](std::size_t index) const {
    const Value& value = value_->items[index];
    if (is_map()) return child(value, path_to(key(index)));
    return child(value, path_ + "[" + std::to_string(index) + "]");
}

double Node::number(const Range& range) const {
    if (!is_scalar()) fail("found " + found() + "; expected a number");
    if (++budget_->numbers > kMaxNumbers) {
        fail("more than " + std::to_string(kMaxNumbers) + " numbers in one scene");
    }
    double x = 0;
    try {
        x = value_->text.find_first_of("iInN") == 1 && value_->text[0] == '.'
                ? std::numeric_limits<double>::quiet_NaN()  // .inf and .nan
                : evaluate(value_->text, *scope_);
    } catch (const ExpressionError& error) {
        fail("expected a number; " + std::string(error.what()));
    }
    if (!std::isfinite(x)) fail("must be a finite number, got " + found());
    if (x < range.min || x > range.max || (range.above_min && x == range.min)) {
        fail("must be " + described(range) + ", got " + written(x));
    }
    return x;
}

std::int64_t Node::integer(std::int64_t min, std::int64_t max) const {
    const double x = number(between(static_cast<double>(min), static_cast<double>(max)));
    if (x != std::floor(x)) fail("must be a whole number, got " + written(x));
    return static_cast<std::int64_t>(x);
}

bool Node::boolean() const {
    if (is_scalar() && value_->text == "true") return true;
    if (is_scalar() && value_->text == "false") return false;
    fail("found " + found() + "; expected true or false");
}

const std::string& Node::text() const {
    if (!is_scalar()) fail("found " + found() + "; expected a text");
    return value_->text;
}

std::string Node::reference() const {
    const std::string& pattern = text();
    std::string result;
    for (std::size_t at = 0; at < pattern.size();) {
        if (pattern[at] != '{') {
            result += pattern[at++];
            continue;
        }
        const std::size_t end = pattern.find('}', at);
        if (end == std::string::npos) fail("found '" + pattern + "'; expected '}' after '{'");
        Value inner = *value_;
        inner.text = pattern.substr(at + 1, end - at - 1);
        constexpr std::int64_t kLargest = 1'000'000'000;  // a name has room for its digits
        result += std::to_string(child(inner, path_).integer(-kLargest, kLargest));
        at = end + 1;
    }
    return result;
}

std::string Node::name() const {
    const std::string result = reference();
    const auto fits = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
    };
    constexpr std::size_t kLongestName = 64;  // names head columns and are parts of file names
    if (result.empty() || result.size() > kLongestName ||
        !std::all_of(result.begin(), result.end(), fits)) {
        fail("found '" + result + "'; expected a name of 1 to 64 letters, digits, '_', '-' or '.'");
    }
    return result;
}

Vec3 Node::vector(const Range& range) const {
    if (!is_list() || size() != 3) fail("found " + found() + "; expected a list of 3 numbers");
    return {(*this)[0].number(range), (*this)[1].number(range), (*this)[2].number(range)};
}

Vec3 Node::direction() const {
    const Vec3 x = vector();
    if (x.norm() < 1e-9) fail("the vector has no length; expected a direction");
    return x.normalized();
}

std::size_t Node::choice(std::span<const std::string_view> names, std::string_view what) const {
    const std::string& id = text();
    const auto it = std::find(names.begin(), names.end(), id);
    if (it == names.end()) {
        fail("unknown " + std::string(what) + " '" + id + "'" +
             suggestion(id, {names.begin(), names.end()}));
    }
    return static_cast<std::size_t>(it - names.begin());
}

double Node::number(const char* key, double otherwise, const Range& range) const {
    const std::optional<Node> node = find(key);
    return node ? node->number(range) : otherwise;
}

Vec3 Node::vector(const char* key, const Vec3& otherwise) const {
    const std::optional<Node> node = find(key);
    return node ? node->vector() : otherwise;
}

}  // namespace stiction

// node.h - a value of a scene file together with its place, its path of keys and the names in
// scope. All reading goes through it, so that every complaint has one form:
//   file:line:column: path.to.key: what was found; what is expected[; did you mean 'x'?]
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"
#include "scene/document.h"
#include "scene/expression.h"

namespace stiction {

// What a number may be.
struct Range {
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
    bool above_min = false;  // min itself is excluded
    std::string_view unit = "";
};
[[nodiscard]] constexpr Range positive(std::string_view unit) {
    return {.min = 0, .above_min = true, .unit = unit};
}
[[nodiscard]] constexpr Range at_least_zero(std::string_view unit) {
    return {.min = 0, .unit = unit};
}
[[nodiscard]] constexpr Range between(double min, double max) { return {.min = min, .max = max}; }

// Numbers evaluated in one scene: repetition asks for more of them than the files hold.
inline constexpr std::int64_t kMaxNumbers = 10'000'000;

// What all nodes of one scene share.
struct ReadBudget {
    std::int64_t numbers = 0;  // evaluated so far
};

class Node {
  public:
    Node(const Document& document, ReadBudget& budget, const Scope& scope)
        : document_(&document), value_(&document.root), budget_(&budget), scope_(&scope) {}

    // The same node with other names in scope; with its item's name in messages: bodies[2] 'crate':
    // mass.
    [[nodiscard]] Node in(const Scope& scope) const;
    [[nodiscard]] Node named(const std::string& name) const;

    [[nodiscard]] bool is_map() const { return value_->kind == Value::Kind::kMap; }
    [[nodiscard]] bool is_list() const { return value_->kind == Value::Kind::kList; }
    [[nodiscard]] bool is_scalar() const { return value_->kind == Value::Kind::kScalar; }
    [[nodiscard]] const Scope& scope() const { return *scope_; }
    [[nodiscard]] const Document& document() const { return *document_; }
    [[nodiscard]] std::string place() const;  // file:line:column

    // Maps. `only` complains about every other key.
    void only(const std::vector<std::string_view>& keys) const;
    void expect_map() const;
    [[nodiscard]] bool has(const char* key) const {
        return is_map() && value_->find(key) != nullptr;
    }
    [[nodiscard]] std::optional<Node> find(const char* key) const;
    [[nodiscard]] Node at(const char* key) const;  // complains when it is missing
    [[nodiscard]] const std::string& key(std::size_t index) const {
        return value_->keys[index].text;
    }
    [[noreturn]] void fail_at_key(std::size_t index, const std::string& what) const;

    // Lists, and the values of maps.
    [[nodiscard]] std::size_t size() const { return value_->items.size(); }
    [[nodiscard]] Node operator[](std::size_t index) const;
    void expect_list(std::string_view of_what) const;
    // Of the list under `key` of a map; none where there is no such key.
    [[nodiscard]] std::vector<Node> entries(const char* key, std::string_view of_what) const;

    // Scalars and short vectors; numbers may be expressions and are finite.
    [[nodiscard]] double number(const Range& range = {}) const;
    [[nodiscard]] std::int64_t integer(std::int64_t min, std::int64_t max) const;
    [[nodiscard]] bool boolean() const;
    [[nodiscard]] const std::string& text() const;
    // With {expression} replaced by its integer value: any text, or one fit to name a new thing.
    [[nodiscard]] std::string reference() const;
    [[nodiscard]] std::string name() const;
    [[nodiscard]] Vec3 vector(const Range& range = {}) const;
    [[nodiscard]] Vec3 direction() const;  // normalised
    [[nodiscard]] std::size_t choice(std::span<const std::string_view> names,
                                     std::string_view what) const;

    // Optional entries of a map.
    [[nodiscard]] double number(const char* key, double otherwise, const Range& range = {}) const;
    [[nodiscard]] Vec3 vector(const char* key, const Vec3& otherwise) const;

    [[noreturn]] void fail(const std::string& what) const;

  private:
    [[nodiscard]] Node child(const Value& value, std::string path) const;
    [[nodiscard]] std::string path_to(std::string_view key) const;
    [[nodiscard]] std::string found() const;  // "a list", "'text'", ...

    const Document* document_;
    const Value* value_;
    ReadBudget* budget_;
    const Scope* scope_;
    std::string path_;
    bool named_ = false;
};

}  // namespace stiction

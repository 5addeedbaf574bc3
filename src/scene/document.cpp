// document.cpp - YAML text to plain nodes with line and column; the only yaml-cpp code.
#include "scene/document.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <unordered_map>

#include "core/error.h"
#include "core/input_file.h"

namespace stiction {
namespace {

std::string place(const std::string& path, int line, int column) {
    return path + ":" + std::to_string(line) + ":" + std::to_string(column) + ": ";
}

// Nothing but comments and white space.
bool is_blank(const std::string& text) {
    constexpr std::size_t kEnd = std::string::npos;
    std::size_t at = 0;
    while ((at = text.find_first_not_of(" \t\r\n", at)) != kEnd && text[at] == '#') {
        at = text.find('\n', at);
        if (at == kEnd) break;
    }
    return at == kEnd;
}

// Builds values as the parser meets them, so that every limit holds while the text is read. What an
// alias names is copied.
class ValueBuilder : public YAML::EventHandler {
  public:
    explicit ValueBuilder(const std::string& path) : path_(path) {}

    [[nodiscard]] Value take() { return std::move(root_); }

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (started_) fail(mark, "the scene ends before this; expected one YAML document per file");
        started_ = true;
    }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        add(make(Value::Kind::kNothing, mark), anchor);
    }
    void OnScalar(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                  const std::string& text) override {
        Value value = make(Value::Kind::kScalar, mark);
        value.text = text;
        add(std::move(value), anchor);
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto named = anchors_.find(anchor);
        if (named == anchors_.end()) fail(mark, "an alias of a value that is not complete");
        count(size_of(named->second), mark);
        check_depth(levels_.size() + depth_of(named->second), mark);
        add(named->second, YAML::NullAnchor);
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value /*style*/) override {
        open(Value::Kind::kList, mark, anchor);
    }
    void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value /*style*/) override {
        open(Value::Kind::kMap, mark, anchor);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapEnd() override { close(); }

  private:
    // A list or map whose end is not yet seen.
    struct Level {
        Value value;
        YAML::anchor_t anchor;
        bool key_is_next;                            // of a map
        std::unordered_map<std::string, int> lines;  // of its keys
    };

    [[noreturn]] void fail(int line, int column, const std::string& what) const {
        throw InputError(place(path_, line, column) + what);
    }
    [[noreturn]] void fail(const YAML::Mark& mark, const std::string& what) const {
        fail(std::max(1, mark.line + 1), std::max(1, mark.column + 1), what);
    }

    Value make(Value::Kind kind, const YAML::Mark& mark) {
        Value value;
        value.kind = kind;
        value.line = std::max(1, mark.line + 1);
        value.column = std::max(1, mark.column + 1);
        count(1, mark);
        return value;
    }

    void count(int values, const YAML::Mark& mark) {
        count_ += values;
        if (count_ > kMaxValues)
            fail(mark, "more than " + std::to_string(kMaxValues) + " values in one file");
    }

    void check_depth(std::size_t depth, const YAML::Mark& mark) const {
        if (depth > kDeepestNesting)
            fail(mark, "nested deeper than " + std::to_string(kDeepestNesting) + " levels");
    }

    static int size_of(const Value& value) {
        int size = 1;
        for (const Value& item : value.items) size += size_of(item);
        return size;
    }
    static std::size_t depth_of(const Value& value) {
        std::size_t depth = 0;
        for (const Value& item : value.items) depth = std::max(depth, depth_of(item) + 1);
        return depth;
    }

    void open(Value::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
        if (!levels_.empty() && levels_.back().key_is_next)
            fail(mark, "a key must be a plain word");
        check_depth(levels_.size(), mark);
        levels_.push_back({make(kind, mark), anchor, kind == Value::Kind::kMap, {}});
    }

    void close() {
        Level level = std::move(levels_.back());
        levels_.pop_back();
        add(std::move(level.value), level.anchor);
    }

    void add(Value value, YAML::anchor_t anchor) {
        if (anchor != YAML::NullAnchor) anchors_[anchor] = value;
        if (levels_.empty()) {
            root_ = std::move(value);
            return;
        }
        Level& level = levels_.back();
        if (level.key_is_next) {
            add_key(value, level);
            return;
        }
        if (level.value.kind == Value::Kind::kMap) {
            level.key_is_next = true;
            if (value.kind == Value::Kind::kNothing) {  // stands nowhere: its key does
                value.line = level.value.keys.back().line;
                value.column = level.value.keys.back().column;
            }
        }
        level.value.items.push_back(std::move(value));
    }

    void add_key(const Value& key, Level& level) const {
        if (key.kind != Value::Kind::kScalar)
            fail(key.line, key.column, "a key must be a plain word");
        const auto [earlier, is_new] = level.lines.insert({key.text, key.line});
        if (!is_new) {
            fail(key.line, key.column,
                 "key '" + key.text + "' is given twice; the first is in line " +
                     std::to_string(earlier->second));
        }
        level.value.keys.push_back({key.text, key.line, key.column});
        level.key_is_next = false;
    }

    const std::string& path_;
    bool started_ = false;
    int count_ = 0;
    Value root_;
    std::vector<Level> levels_;
    std::map<YAML::anchor_t, Value> anchors_;
};

}  // namespace

const Value* Value::find(const std::string& key) const {
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (keys[i].text == key) return &items[i];
    }
    return nullptr;
}

Document parse_document(const std::string& text, const std::string& path, const std::string& what) {
    try {
        std::istringstream stream(text);
        YAML::Parser parser(stream);
        ValueBuilder builder(path);
        while (parser.HandleNextDocument(builder)) {
        }
        if (is_blank(text)) {
            throw InputError(place(path, 1, 1) + "the file is empty; expected a " + what +
                             " that starts with 'version: 1'");
        }
        Document document{path, builder.take()};
        if (document.root.kind != Value::Kind::kMap) {
            throw InputError(place(path, document.root.line, document.root.column) + "not a " +
                             what + "; expected keys and values, the first 'version: 1'");
        }
        return document;
    } catch (const YAML::Exception& error) {
        const std::string where = error.mark.is_null()
                                      ? path + ": "
                                      : place(path, error.mark.line + 1, error.mark.column + 1);
        throw InputError(where + "not valid YAML: " + error.msg);
    }
}

Document read_document(const std::string& path, const std::string& what) {
    return parse_document(read_input_file(path, "a " + what + " (.yaml)", kLargestFile), path,
                          what);
}

}  // namespace stiction

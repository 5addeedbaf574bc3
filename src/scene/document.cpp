// document.cpp - YAML text to plain nodes with line and column; the only yaml-cpp code.
#include "scene/document.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/error.h"

namespace stiction {
namespace {

std::string place(const std::string& path, int line, int column) {
    return path + ":" + std::to_string(line) + ":" + std::to_string(column) + ": ";
}

std::string read_text(const std::string& path) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found) {
        throw InputError(path + ": no such file; expected a scene (.yaml)");
    }
    if (status.type() == std::filesystem::file_type::directory) {
        throw InputError(path + ": is a directory; expected a scene (.yaml)");
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) throw InputError(path + ": cannot be opened for reading");
    std::string text;
    std::array<char, 1U << 16> chunk;
    while (text.size() <= kLargestFile && file) {
        file.read(chunk.data(), chunk.size());
        text.append(chunk.data(), static_cast<std::size_t>(file.gcount()));
    }
    if (file.bad()) throw InputError(path + ": cannot be read");
    if (text.size() > kLargestFile) {
        throw InputError(path + ": larger than " + std::to_string(kLargestFile >> 20U) +
                         " MiB, the most a scene file may have");
    }
    return text;
}

// Nothing but comments and white space.
bool is_blank(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first != std::string::npos && line[first] != '#') return false;
    }
    return true;
}

// Remembers where a document starts and ignores what it holds.
struct StartOfDocument : YAML::EventHandler {
    YAML::Mark mark;

    void OnDocumentStart(const YAML::Mark& start) override { mark = start; }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
    void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
    void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  const std::string&) override {}
    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                         YAML::EmitterStyle::value) override {}
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                    YAML::EmitterStyle::value) override {}
    void OnMapEnd() override {}
};

// YAML::LoadAll would tell too, but never returns when a document starts with a stray comma or
// bracket.
void check_single(const std::string& path, const std::string& text) {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    StartOfDocument handler;
    if (parser.HandleNextDocument(handler) && parser.HandleNextDocument(handler)) {
        throw InputError(place(path, handler.mark.line + 1, handler.mark.column + 1) +
                         "the scene ends before this; expected one YAML document per file");
    }
}

class Converter {
  public:
    explicit Converter(const std::string& path) : path_(path) {}

    Value convert(const YAML::Node& node, int depth) {
        Value value;
        value.line = std::max(1, node.Mark().line + 1);  // an empty node has no mark
        value.column = std::max(1, node.Mark().column + 1);
        if (depth > kDeepestNesting) {
            fail(value.line, value.column,
                 "nested deeper than " + std::to_string(kDeepestNesting) + " levels");
        }
        if (++count_ > kMaxValues) {
            fail(value.line, value.column,
                 "more than " + std::to_string(kMaxValues) + " values in one file");
        }
        if (node.IsScalar()) {
            value.kind = Value::Kind::kScalar;
            value.text = node.Scalar();
        } else if (node.IsSequence()) {
            value.kind = Value::Kind::kList;
            value.items.reserve(node.size());
            for (const YAML::Node& item : node) value.items.push_back(convert(item, depth + 1));
        } else if (node.IsMap()) {
            value.kind = Value::Kind::kMap;
            convert_map(node, depth, value);
        }
        return value;
    }

  private:
    [[noreturn]] void fail(int line, int column, const std::string& what) const {
        throw InputError(place(path_, line, column) + what);
    }

    void convert_map(const YAML::Node& node, int depth, Value& value) {
        for (const auto& entry : node) {
            Value::Key key;
            key.line = entry.first.Mark().line + 1;
            key.column = entry.first.Mark().column + 1;
            if (!entry.first.IsScalar()) fail(key.line, key.column, "a key must be a plain word");
            key.text = entry.first.Scalar();
            for (const Value::Key& earlier : value.keys) {
                if (earlier.text == key.text) {
                    fail(key.line, key.column,
                         "key '" + key.text + "' is given twice; the first is in line " +
                             std::to_string(earlier.line));
                }
            }
            Value item = convert(entry.second, depth + 1);
            if (item.kind == Value::Kind::kNothing) {  // stands nowhere: its key does
                item.line = key.line;
                item.column = key.column;
            }
            value.keys.push_back(std::move(key));
            value.items.push_back(std::move(item));
        }
    }

    const std::string& path_;
    int count_ = 0;
};

}  // namespace

const Value* Value::find(const std::string& key) const {
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (keys[i].text == key) return &items[i];
    }
    return nullptr;
}

Document read_document(const std::string& path) {
    const std::string text = read_text(path);
    try {
        const YAML::Node root = YAML::Load(text);
        if (is_blank(text)) {
            throw InputError(place(path, 1, 1) +
                             "the file is empty; expected a scene that starts "
                             "with 'version: 1'");
        }
        check_single(path, text);
        Document document{path, Converter(path).convert(root, 0)};
        if (document.root.kind != Value::Kind::kMap) {
            throw InputError(place(path, document.root.line, document.root.column) +
                             "not a scene; expected keys and values, the first 'version: 1'");
        }
        return document;
    } catch (const YAML::Exception& error) {
        const std::string where = error.mark.is_null()
                                      ? path + ": "
                                      : place(path, error.mark.line + 1, error.mark.column + 1);
        throw InputError(where + "not valid YAML: " + error.msg);
    }
}

}  // namespace stiction

// mesh_ply.cpp - PLY: a header of words that says what the elements are made of, then the elements
// as words or bytes. Of them the positions of "vertex" and the corners of "face" are kept.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#include "import/mesh_formats.h"
#include "import/words.h"

namespace stiction {

namespace {

enum class PlyForm { kText, kLittle, kBig };

struct PlyType {
    int bytes = 0;
    bool real = false, is_signed = true;
};

struct PlyProperty {
    std::string name;
    PlyType type;                   // of the value, or of each in a list
    std::optional<PlyType> length;  // of a list
};

struct PlyElement {
    std::string name;
    long count = 0;
    std::vector<PlyProperty> properties;
};

constexpr long kMaxCorners = 1000;  // of one face
constexpr std::size_t kMaxPlyProperties = 100;

PlyType ply_type(const Words& words, std::string_view word) {
    struct Named {
        std::string_view a, b;
        PlyType type;
    };
    static constexpr std::array<Named, 8> kTypes = {{{"char", "int8", {1, false, true}},
                                                     {"uchar", "uint8", {1, false, false}},
                                                     {"short", "int16", {2, false, true}},
                                                     {"ushort", "uint16", {2, false, false}},
                                                     {"int", "int32", {4, false, true}},
                                                     {"uint", "uint32", {4, false, false}},
                                                     {"float", "float32", {4, true, true}},
                                                     {"double", "float64", {8, true, true}}}};
    for (const Named& named : kTypes) {
        if (word == named.a || word == named.b) return named.type;
    }
    words.wrong(word,
                "the type of a property (char, uchar, short, ushort, int, uint, float, double)");
}

struct PlyHeader {
    PlyForm form = PlyForm::kText;
    std::vector<PlyElement> elements;
};

PlyProperty ply_property(Words& words) {
    PlyProperty property;
    std::string_view word = words.in_line();
    if (word == "list") {
        property.length = ply_type(words, words.in_line());
        if (property.length->real) words.fail("the length of a list must be a whole number");
        word = words.in_line();
    }
    property.type = ply_type(words, word);
    property.name = words.in_line();
    return property;
}

PlyForm ply_form(const Words& words, std::string_view word) {
    if (word == "ascii") return PlyForm::kText;
    if (word == "binary_little_endian") return PlyForm::kLittle;
    if (word == "binary_big_endian") return PlyForm::kBig;
    words.wrong(word, "ascii, binary_little_endian or binary_big_endian");
}

PlyHeader ply_header(Words& words) {
    if (words.in_line() != "ply") words.fail("not a PLY file; expected 'ply' first");
    (void)words.line();
    PlyHeader header;
    for (std::size_t properties = 0; !words.at_end(); (void)words.line()) {
        const std::string_view key = words.in_line();
        if (key == "end_header") {
            (void)words.line();
            return header;
        }
        if (key == "format") header.form = ply_form(words, words.in_line());
        if (key == "element") {
            PlyElement element;
            element.name = words.in_line();
            element.count = words.whole(words.in_line(), "the number of elements");
            if (element.count < 0) words.fail("a negative number of elements");
            header.elements.push_back(std::move(element));
        }
        if (key == "property") {
            if (header.elements.empty()) words.fail("a property before any element");
            if (++properties > kMaxPlyProperties) words.fail("more than 100 properties");
            header.elements.back().properties.push_back(ply_property(words));
        }
    }
    words.fail("the file ends in its header; expected end_header");
}

// Values one after another, as words or bytes.
class PlyValues {
  public:
    PlyValues(Words& words, std::string_view bytes, PlyForm form, const std::string& name)
        : words_(words), bytes_(bytes.substr(words.offset())), form_(form), name_(name) {}

    double value(const PlyType& type) {
        if (form_ == PlyForm::kText) return words_.number(words_.next(), "a number");
        return type.real ? real(type) : static_cast<double>(whole(type));
    }

    long length(const PlyType& type) {
        const double n = value(type);
        if (n < 0 || n > kMaxCorners)
            fail("a list of " + std::to_string(n) + " values; expected at most " +
                 std::to_string(kMaxCorners));
        return static_cast<long>(n);
    }

    // Elements have at least so many bytes: refuses before memory is asked for.
    void expect_room(const PlyElement& element) const {
        std::size_t least = form_ == PlyForm::kText ? 2 * element.properties.size() : 0;
        if (form_ != PlyForm::kText) {
            for (const PlyProperty& p : element.properties)
                least += static_cast<std::size_t>(p.length ? p.length->bytes : p.type.bytes);
        }
        const std::size_t left = form_ == PlyForm::kText ? words_.left() + 1 : bytes_.size();
        if (element.properties.empty() || static_cast<std::size_t>(element.count) > left / least) {
            fail("the file ends too early; expected " + std::to_string(element.count) +
                 " elements '" + element.name + "'");
        }
    }

    [[noreturn]] void fail(const std::string& what) const {
        if (form_ == PlyForm::kText) words_.fail(what);
        throw InputError(name_ + ": " + what);
    }

  private:
    std::uint64_t take(int size) {
        if (bytes_.size() < static_cast<std::size_t>(size)) fail("the file ends too early");
        std::array<unsigned char, 8> raw{};
        std::memcpy(raw.data(), bytes_.data(), static_cast<std::size_t>(size));
        bytes_.remove_prefix(static_cast<std::size_t>(size));
        if (form_ == PlyForm::kBig) std::reverse(raw.begin(), raw.begin() + size);
        return std::bit_cast<std::uint64_t>(raw);
    }

    double real(const PlyType& type) {
        const std::uint64_t bits = take(type.bytes);
        const double x = type.bytes == 8 ? std::bit_cast<double>(bits)
                                         : std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        if (!std::isfinite(x)) fail("a number that is not finite");
        return x;
    }

    std::int64_t whole(const PlyType& type) {
        const std::uint64_t bits = take(type.bytes);
        const int unused = 64 - 8 * type.bytes;
        if (!type.is_signed) return static_cast<std::int64_t>(bits);
        return static_cast<std::int64_t>(bits << unused) >> unused;
    }

    Words& words_;
    std::string_view bytes_;
    PlyForm form_;
    const std::string& name_;
};

void read_ply_vertices(const PlyElement& element, PlyValues& in, ImportedMesh& mesh) {
    if (static_cast<std::size_t>(element.count) > kMaxMeshVertices) in.fail(kTooManyVertices);
    for (long i = 0; i < element.count; ++i) {
        Vec3 x = Vec3::Zero();
        for (const PlyProperty& p : element.properties) {
            long n = p.length ? in.length(*p.length) : 1;
            for (; n > 0; --n) {
                const double value = in.value(p.type);
                if (p.name == "x") x.x() = value;
                if (p.name == "y") x.y() = value;
                if (p.name == "z") x.z() = value;
            }
        }
        mesh.vertices.push_back(x);
    }
}

int ply_corner(double value, const PlyValues& in, long vertices) {
    if (value < 0 || value >= static_cast<double>(vertices) || value != std::floor(value)) {
        in.fail("a corner names vertex " + std::to_string(value) + "; expected 0 to " +
                std::to_string(vertices - 1));
    }
    return static_cast<int>(value);
}

// Any other element is passed over by the same loop.
void read_ply_faces(const PlyElement& element, PlyValues& in, long vertices, ImportedMesh& mesh) {
    std::vector<int> corners;
    for (long i = 0; i < element.count; ++i) {
        for (const PlyProperty& p : element.properties) {
            const bool is_corners = element.name == "face" && p.length &&
                                    (p.name == "vertex_indices" || p.name == "vertex_index");
            corners.clear();
            for (long n = p.length ? in.length(*p.length) : 1; n > 0; --n) {
                const double value = in.value(p.type);
                if (is_corners) corners.push_back(ply_corner(value, in, vertices));
            }
            add_fan(corners, mesh);
        }
    }
}

}  // namespace

ImportedMesh parse_ply(std::string_view bytes, const std::string& name) {
    Words words(bytes, name);
    const PlyHeader header = ply_header(words);
    long vertices = 0;
    for (const PlyElement& element : header.elements) {
        if (element.name == "vertex") vertices = element.count;
    }
    PlyValues in(words, bytes, header.form, name);
    ImportedMesh mesh;
    for (const PlyElement& element : header.elements) {
        if (element.count == 0) continue;
        in.expect_room(element);
        if (element.name == "vertex") {
            read_ply_vertices(element, in, mesh);
        } else {
            read_ply_faces(element, in, vertices, mesh);
        }
    }
    // A second element "vertex" could make the first one's count smaller than what was read, never
    // larger than what is there: corners are checked against the last count.
    if (static_cast<long>(mesh.vertices.size()) < vertices) in.fail("vertices are missing");
    return mesh;
}

}  // namespace stiction

// mesh_stl.cpp - STL: 80 bytes, the number of triangles and 50 bytes for each; or words.
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "import/mesh_formats.h"
#include "import/words.h"

namespace stiction {

namespace {

static_assert(std::endian::native == std::endian::little, "binary STL is little-endian");

constexpr std::size_t kStlHead = 84;      // [bytes] a remark of 80, then the number of triangles
constexpr std::size_t kStlTriangle = 50;  // [bytes] normal, three corners, two bytes for anything

std::size_t stl_triangles(std::string_view bytes) {
    std::uint32_t count = 0;
    std::memcpy(&count, bytes.data() + kStlHead - sizeof count, sizeof count);
    return count;
}

// Text starts with "solid", but so do some binary files: what decides is whether the length fits.
bool is_binary_stl(std::string_view bytes) {
    if (bytes.size() < kStlHead) return false;
    if (bytes.size() == kStlHead + stl_triangles(bytes) * kStlTriangle) return true;
    return !bytes.starts_with("solid");
}

void add_triangle(const std::array<Vec3, 3>& corners, ImportedMesh& mesh) {
    const auto first = static_cast<int>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), corners.begin(), corners.end());
    mesh.triangles.push_back({first, first + 1, first + 2});
}

ImportedMesh parse_binary_stl(std::string_view bytes, const std::string& name) {
    const std::size_t count = stl_triangles(bytes);
    if (bytes.size() < kStlHead + count * kStlTriangle) {
        throw InputError(name + ": the file ends too early; expected " + std::to_string(count) +
                         " triangles of an STL file, found " +
                         std::to_string((bytes.size() - kStlHead) / kStlTriangle));
    }
    ImportedMesh mesh;
    if (3 * count > kMaxMeshVertices * 3) throw InputError(name + ": " + kTooManyVertices);
    for (std::size_t i = 0; i < count; ++i) {
        std::array<float, 12> x;
        std::memcpy(x.data(), bytes.data() + kStlHead + i * kStlTriangle, sizeof x);
        add_triangle({Vec3(x[3], x[4], x[5]), Vec3(x[6], x[7], x[8]), Vec3(x[9], x[10], x[11])},
                     mesh);
    }
    return mesh;
}

void expect_word(Words& words, const char* wanted) {
    const std::string_view word = words.next();
    if (word != wanted) words.wrong(word, wanted);
}

// After "facet".
std::array<Vec3, 3> stl_facet(Words& words) {
    expect_word(words, "normal");
    for (int i = 0; i < 3; ++i) (void)words.next();  // often nonsense; the corners' order counts
    expect_word(words, "outer");
    expect_word(words, "loop");
    std::array<Vec3, 3> corners;
    for (Vec3& corner : corners) {
        expect_word(words, "vertex");
        for (double& x : corner) x = words.number(words.next(), "a finite number");
    }
    expect_word(words, "endloop");
    expect_word(words, "endfacet");
    return corners;
}

ImportedMesh parse_text_stl(std::string_view text, const std::string& name) {
    Words words(text, name);
    ImportedMesh mesh;
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        if (word != "solid") words.wrong(word, "solid");
        (void)words.line();  // its name
        for (word = words.next(); word == "facet"; word = words.next()) {
            if (mesh.vertices.size() >= 3 * kMaxMeshVertices) words.fail(kTooManyVertices);
            add_triangle(stl_facet(words), mesh);
        }
        if (word != "endsolid") words.wrong(word, "facet or endsolid");
        (void)words.line();
    }
    return mesh;
}

}  // namespace

ImportedMesh parse_stl(std::string_view bytes, const std::string& name) {
    return is_binary_stl(bytes) ? parse_binary_stl(bytes, name) : parse_text_stl(bytes, name);
}

}  // namespace stiction

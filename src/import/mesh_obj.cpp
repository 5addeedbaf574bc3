// mesh_obj.cpp - vertices and faces of a Wavefront OBJ text; all else in it is passed over.
#include "import/mesh_formats.h"
#include "import/words.h"

namespace stiction {

namespace {

// "7", "7/1", "7//3": counted from 1, or backwards from the last vertex where negative.
int obj_corner(const Words& words, std::string_view word, std::size_t vertices) {
    const long index = words.whole(word.substr(0, word.find('/')), "the number of a vertex");
    const auto n = static_cast<long>(vertices);
    if (index == 0 || index > n || index < -n) {
        words.fail("'" + std::string(word) + "' names no vertex read so far (there are " +
                   std::to_string(vertices) + ")");
    }
    return static_cast<int>(index > 0 ? index - 1 : n + index);
}

}  // namespace

ImportedMesh parse_obj(std::string_view text, const std::string& name) {
    Words words(text, name);
    ImportedMesh mesh;
    std::vector<int> corners;
    for (; !words.at_end(); (void)words.line()) {
        const std::string_view key = words.in_line();
        if (key == "v") {
            Vec3 x;
            for (double& value : x) value = words.number(words.in_line(), "a finite number");
            if (mesh.vertices.size() >= kMaxMeshVertices) words.fail(kTooManyVertices);
            mesh.vertices.push_back(x);
        } else if (key == "f") {
            corners.clear();
            for (std::string_view word = words.in_line(); !word.empty(); word = words.in_line())
                corners.push_back(obj_corner(words, word, mesh.vertices.size()));
            if (corners.size() < 3) words.fail("a face of fewer than three corners");
            add_fan(corners, mesh);
        }
    }
    return mesh;
}

}  // namespace stiction

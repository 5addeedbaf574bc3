# Writes OUTPUT, a C++ source with the text of every file of SHADERS (a list separated by |), so that the program needs
# no files beside itself. Run by the build of stiction_draw.
string(REPLACE "|" ";" SHADERS "${SHADERS}")
set(text "// Made by src/draw/embed_shaders.cmake from shaders/.
#include <stdexcept>
#include <string>

#include \"draw/shader_program.h\"

namespace stiction {

std::string_view shader_source(std::string_view name) {
")
foreach(shader ${SHADERS})
  get_filename_component(name ${shader} NAME)
  file(READ ${shader} source)
  string(APPEND text "    if (name == \"${name}\") return R\"glsl(${source})glsl\";\n")
endforeach()
string(APPEND text "    throw std::logic_error(\"no shader '\" + std::string(name) + \"'\");
}

}  // namespace stiction
")
file(WRITE ${OUTPUT} "${text}")

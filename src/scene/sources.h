// sources.h - a scene file and all that it includes, and the scene's parameters.
#pragma once

#include <deque>
#include <string>

#include "scene/document.h"
#include "scene/expression.h"
#include "scene/node.h"
#include "scene/scene.h"

namespace stiction {

// Of one scene, includes counted: each is opened inside the one that includes it.
inline constexpr std::size_t kMaxFiles = 64;

// Included files come before the file that includes them, each once, so that later ones may
// override earlier ones. The addresses of documents stay valid as long as the deque lives.
using Sources = std::deque<Document>;
[[nodiscard]] Sources read_sources(const std::string& path);

// More than anyone sets by hand; every expression looks its names up among them.
inline constexpr std::size_t kMaxParameters = 256;

// Values of all parameters: the overrides, otherwise the defaults, which may use parameters
// declared before them.
[[nodiscard]] Scope read_parameters(const Sources& sources, ReadBudget& budget,
                                    const SceneOverrides& overrides);

}  // namespace stiction

// urdf_outline.h - first pass over a URDF file: checks what urdfdom passes over or reports without
// a place, and keeps where each link and joint is.
#pragma once

#include <string>
#include <vector>

namespace stiction {

struct UrdfEntry {
    std::string name;
    std::string place;  // file:line:column
};

// A link's parent joint comes before the joints of its children; joints[i] has the child
// links[i + 1].
struct UrdfOutline {
    std::vector<UrdfEntry> links;
    std::vector<UrdfEntry> joints;
};

// `any_inertia`: moments that no body has will do as long as they are not negative.
// Throws InputError: file:line:column: joint 'elbow': what was found; what is expected.
[[nodiscard]] UrdfOutline outline_urdf(const std::string& text, const std::string& path,
                                       bool any_inertia = false);

}  // namespace stiction

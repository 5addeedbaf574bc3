// draw_choices.h - what may be drawn or not: one table for the panel's boxes and for their keys.
#pragma once

#include <array>

#include "view/input/keys.h"
#include "view/scene_picture.h"

namespace stiction {

struct DrawChoice {
    const char* id;  // of its box in the widget log
    const char* label;
    bool DrawOptions::*value;
    Action action;
};

inline constexpr std::array<DrawChoice, 13> kDrawChoices = {{
    {"draw/contacts", "contact points", &DrawOptions::contacts, Action::kContacts},
    {"draw/normals", "normals", &DrawOptions::normals, Action::kNormals},
    {"draw/forces", "forces", &DrawOptions::forces, Action::kForces},
    {"draw/cones", "friction sets", &DrawOptions::cones, Action::kCones},
    {"draw/errors", "points by error", &DrawOptions::errors, Action::kErrors},
    {"draw/islands", "islands", &DrawOptions::islands, Action::kIslands},
    {"draw/joints", "joints, limits", &DrawOptions::joints, Action::kJoints},
    {"draw/pivots", "pivots, bases", &DrawOptions::pivots, Action::kPivots},
    {"draw/centres", "centres of mass", &DrawOptions::centres, Action::kCentres},
    {"draw/wireframe", "wireframe", &DrawOptions::wireframe, Action::kWireframe},
    {"draw/transparent", "transparent", &DrawOptions::transparent, Action::kTransparent},
    {"draw/shadows", "shadows", &DrawOptions::shadows, Action::kShadows},
    {"draw/grid", "grid", &DrawOptions::grid, Action::kGrid},
}};

}  // namespace stiction

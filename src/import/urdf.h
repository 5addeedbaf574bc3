// urdf.h - robots from URDF files, read by urdfdom. What is not understood or not supported is an
// InputError that names the file, the line and the link or joint.
// Read: inertial, collision, joints of all types but planar, and shapes of visuals where they are
// asked for. Not read: colours, transmissions, sensors, safety controllers, calibration and
// everything meant for other programs.
#pragma once

#include <string>
#include <vector>

#include "import/robot.h"

namespace stiction {

struct UrdfOptions {
    // Folders that hold packages, or are one: package://NAME/rest is looked for as
    // FOLDER/NAME/rest, and as FOLDER/rest where FOLDER ends in NAME. The folders above the file
    // are tried last.
    std::vector<std::string> packages = {};
    bool ignore_meshes = false;   // leave them out instead of looking for the files
    bool visuals = false;         // read them too; meshes as they are, not their hulls
    bool ignore_inertia = false;  // take moments that no body has as long as they are not negative
};

[[nodiscard]] ImportedRobot import_urdf(const std::string& path, const UrdfOptions& options = {});

}  // namespace stiction

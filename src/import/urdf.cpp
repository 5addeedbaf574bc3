// urdf.cpp - URDF through urdfdom: its model turned into plain links and joints.
#include "import/urdf.h"

#include <console_bridge/console.h>
#include <urdf_parser/urdf_parser.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>

#include "core/error.h"
#include "core/input_file.h"
#include "import/mesh.h"
#include "import/urdf_outline.h"
#include "model/mesh_surface.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestUrdf = 16U << 20;  // [bytes]; robots have some hundred KiB

// urdfdom says what is wrong through console_bridge, whose handler is one for the process: keep the
// first error instead of printing it. Held under a lock because scenes may load on several threads.
class Listener : public console_bridge::OutputHandler {
  public:
    Listener() { console_bridge::useOutputHandler(this); }
    ~Listener() override { console_bridge::restorePreviousOutputHandler(); }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    void log(const std::string& text, console_bridge::LogLevel level, const char* /*file*/,
             int /*line*/) override {
        if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR && first_error.empty()) {
            first_error = text;
        }
    }

    std::string first_error;
};
std::mutex listener_mutex;  // NOLINT: guards state that console_bridge keeps per process

urdf::ModelInterfaceSharedPtr parse(const std::string& text, const std::string& path) {
    const std::lock_guard lock(listener_mutex);
    const Listener listener;
    urdf::ModelInterfaceSharedPtr model;
    std::string why;
    try {
        model = urdf::parseURDF(text);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        why = error.what();
    }
    if (model) return model;
    if (!listener.first_error.empty()) why = listener.first_error;
    throw InputError(path + ": not a valid URDF" + (why.empty() ? "" : ": " + why));
}

Vec3 vec(const urdf::Vector3& x) { return {x.x, x.y, x.z}; }

Pose pose(const urdf::Pose& x) {
    const urdf::Rotation& q = x.rotation;
    return {vec(x.position), Quat(q.w, q.x, q.y, q.z).normalized()};
}

// Turns the name of a mesh into the path of a file.
class MeshFinder {
  public:
    // `found` gets the path of every mesh, each once.
    MeshFinder(const std::string& urdf_path, const UrdfOptions& options,
               std::vector<std::string>& found)
        : folder_(fs::absolute(urdf_path).lexically_normal().parent_path()), found_(found) {
        for (const std::string& package : options.packages) search_.emplace_back(package);
        for (fs::path above = folder_;; above = above.parent_path()) {
            search_.push_back(above);
            if (above == above.parent_path()) break;
        }
    }

    // Complains with the words of `context` before.
    [[nodiscard]] std::string find(const std::string& name, const std::string& context) const {
        std::string path = locate(name, context);
        if (std::find(found_.begin(), found_.end(), path) == found_.end()) found_.push_back(path);
        return path;
    }

  private:
    [[nodiscard]] std::string locate(const std::string& name, const std::string& context) const {
        constexpr std::string_view kPackage = "package://", kFile = "file://";
        if (name.starts_with(kPackage)) return in_package(name.substr(kPackage.size()), context);
        if (!name.starts_with(kFile) && name.find("://") != std::string::npos) {
            throw InputError(context + "'" + name +
                             "': expected a path, or one that starts with package:// or file://");
        }
        const fs::path path = name.starts_with(kFile) ? fs::path(name.substr(kFile.size()))
                                                      : folder_ / fs::path(name);
        if (!is_file(path)) {
            throw InputError(context + "'" + name + "' is not a file (looked for " +
                             path.lexically_normal().string() + ")");
        }
        return path.lexically_normal().string();
    }

    static bool is_file(const fs::path& path) {
        std::error_code error;
        return fs::is_regular_file(path, error);
    }

    [[nodiscard]] std::string in_package(const std::string& rest,
                                         const std::string& context) const {
        const std::size_t slash = rest.find('/');
        const std::string package = rest.substr(0, slash);
        if (slash == std::string::npos || package.empty()) {
            throw InputError(context + "'package://" + rest + "': expected package://NAME/path");
        }
        const fs::path inside = rest.substr(slash + 1);
        for (fs::path folder : search_) {
            if (is_file(folder / package / inside)) return (folder / package / inside).string();
            folder = fs::absolute(folder).lexically_normal();
            if (!folder.has_filename()) folder = folder.parent_path();  // written with a final /
            if (folder.filename() == package && is_file(folder / inside)) {
                return (folder / inside).string();
            }
        }
        throw InputError(context + "'package://" + rest +
                         "' is not in the packages given nor in a " +
                         "folder above the file; expected the folder that holds '" + package +
                         "' under 'packages' (or 'ignore: [meshes]')");
    }

    fs::path folder_;               // of the URDF file
    std::vector<fs::path> search_;  // folders that hold packages, or are one
    std::vector<std::string>& found_;
};

Hull hull_of(const urdf::Mesh& mesh, const MeshFinder& finder, const std::string& context) {
    const std::string path = finder.find(mesh.filename, context);
    try {
        return make_hull(read_mesh(path, vec(mesh.scale)).vertices);
    } catch (const InputError& error) {
        throw InputError(context + "'" + mesh.filename + "': " + error.what());
    }
}

TriangleMesh surface_of(const urdf::Mesh& mesh, const MeshFinder& finder,
                        const std::string& context) {
    const std::string path = finder.find(mesh.filename, context);
    try {
        const ImportedMesh read = read_mesh(path, vec(mesh.scale));
        return {std::make_shared<const MeshSurface>(read.vertices, read.triangles)};
    } catch (const InputError& error) {
        throw InputError(context + "'" + mesh.filename + "': " + error.what());
    }
}

Shape shape_of(const urdf::Geometry& geometry, const MeshFinder& finder,
               const std::string& context) {
    switch (geometry.type) {
        case urdf::Geometry::SPHERE:
            return Sphere{static_cast<const urdf::Sphere&>(geometry).radius};
        case urdf::Geometry::BOX:
            return Box{0.5 * vec(static_cast<const urdf::Box&>(geometry).dim)};
        case urdf::Geometry::CYLINDER: {
            const auto& cylinder = static_cast<const urdf::Cylinder&>(geometry);
            return Cylinder{cylinder.radius, 0.5 * cylinder.length};
        }
        default:
            return hull_of(static_cast<const urdf::Mesh&>(geometry), finder, context);
    }
}

RobotLink link_of(const urdf::Link& from, const UrdfEntry& entry, const MeshFinder& finder,
                  const UrdfOptions& options) {
    RobotLink link;
    link.name = entry.name;
    link.place = entry.place;
    if (from.inertial && from.inertial->mass > 0) {
        const urdf::Inertial& inertial = *from.inertial;
        const Pose pose_LI = pose(inertial.origin);
        Mat3 I;
        I << inertial.ixx, inertial.ixy, inertial.ixz, inertial.ixy, inertial.iyy, inertial.iyz,
            inertial.ixz, inertial.iyz, inertial.izz;
        link.mass = inertial.mass;
        link.com_L = pose_LI.p;
        link.inertia_L = pose_LI.R() * I * pose_LI.R().transpose();
    }
    const std::string context = entry.place + ": link '" + entry.name + "': mesh: ";
    for (const urdf::CollisionSharedPtr& collision : from.collision_array) {
        const bool mesh = collision->geometry->type == urdf::Geometry::MESH;
        if (options.ignore_meshes && mesh) continue;
        link.shapes.push_back(
            {shape_of(*collision->geometry, finder, context), pose(collision->origin)});
    }
    for (const urdf::VisualSharedPtr& visual : from.visual_array) {
        const bool mesh = visual->geometry->type == urdf::Geometry::MESH;
        if (!options.visuals || (options.ignore_meshes && mesh)) continue;
        link.visuals.push_back(
            {mesh ? Shape(surface_of(static_cast<const urdf::Mesh&>(*visual->geometry), finder,
                                     context))
                  : shape_of(*visual->geometry, finder, context),
             pose(visual->origin)});
    }
    return link;
}

RobotJointKind kind_of(const urdf::Joint& joint) {
    switch (joint.type) {
        case urdf::Joint::REVOLUTE:
        case urdf::Joint::CONTINUOUS:
            return RobotJointKind::kRevolute;
        case urdf::Joint::PRISMATIC:
            return RobotJointKind::kPrismatic;
        case urdf::Joint::FLOATING:
            return RobotJointKind::kFloating;
        default:
            return RobotJointKind::kFixed;
    }
}

RobotJoint joint_of(const urdf::Joint& from, const UrdfEntry& entry) {
    RobotJoint joint;
    joint.name = entry.name;
    joint.place = entry.place;
    joint.kind = kind_of(from);
    joint.origin = pose(from.parent_to_joint_origin_transform);
    if (joint.kind == RobotJointKind::kFixed || joint.kind == RobotJointKind::kFloating) {
        return joint;
    }
    joint.axis = vec(from.axis).normalized();
    if (from.limits) {
        joint.limited = from.type != urdf::Joint::CONTINUOUS;
        joint.lower = from.limits->lower;
        joint.upper = from.limits->upper;
        joint.effort = from.limits->effort;
        joint.velocity = from.limits->velocity;
    }
    if (from.dynamics) {
        joint.damping = from.dynamics->damping;
        joint.friction = from.dynamics->friction;
    }
    return joint;
}

using Indices = std::map<std::string, int>;

Indices indices_of(const std::vector<UrdfEntry>& entries) {
    Indices result;
    for (const UrdfEntry& entry : entries)
        result.insert({entry.name, static_cast<int>(result.size())});
    return result;
}

}  // namespace

ImportedRobot import_urdf(const std::string& path, const UrdfOptions& options) {
    const std::string text = read_input_file(path, "a robot (.urdf)", kLargestUrdf);
    const UrdfOutline outline = outline_urdf(text, path, options.ignore_inertia);
    const urdf::ModelInterfaceSharedPtr model = parse(text, path);
    ImportedRobot robot{model->getName(), path, {}, {}, {}};
    const MeshFinder finder(path, options, robot.meshes);
    for (const UrdfEntry& entry : outline.links) {
        robot.links.push_back(link_of(*model->getLink(entry.name), entry, finder, options));
    }
    const Indices links = indices_of(outline.links), joints = indices_of(outline.joints);
    for (const UrdfEntry& entry : outline.joints) {
        const urdf::Joint& from = *model->getJoint(entry.name);
        RobotJoint joint = joint_of(from, entry);
        joint.parent = links.at(from.parent_link_name);
        joint.child = links.at(from.child_link_name);
        if (from.mimic) {
            joint.mimic = {joints.at(from.mimic->joint_name), from.mimic->multiplier,
                           from.mimic->offset};
        }
        robot.joints.push_back(std::move(joint));
    }
    return robot;
}

}  // namespace stiction

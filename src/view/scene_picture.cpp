// scene_picture.cpp - bodies as instances, contacts and joints as marks.
#include "view/scene_picture.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <variant>

#include "view/friction_set.h"
#include "view/joint_marks.h"
#include "view/palette.h"

namespace stiction {

namespace {

constexpr std::size_t kManyGeoms = 200;  // from here on round shapes are small and drawn coarsely
constexpr double kArrowLength = 1.6;     // of the largest force, in sizes of a body: reaches out
constexpr double kSettle = 0.05;   // of the force scale's logarithm per picture: falls in 1 s or so
constexpr double kOutlier = 6;     // times the force that three quarters do not exceed
constexpr float kTwoTone = 0.16F;  // contrast of the two halves of round bodies

// One mesh for all shapes that are scaled copies of each other.
class MeshShelf {
  public:
    MeshShelf(std::vector<Mesh>& meshes, Detail detail) : meshes_(meshes), detail_(detail) {}

    SceneMeshes::GeomMesh place(const Shape& shape) {
        return std::visit([this](const auto& s) { return mesh_of(s); }, shape);
    }

  private:
    using GeomMesh = SceneMeshes::GeomMesh;

    GeomMesh mesh_of(const Plane& /*plane*/) { return {}; }
    GeomMesh mesh_of(const Sphere& sphere) {
        if (sphere_ == kNone) sphere_ = add(unit_sphere(detail_));
        return {sphere_, Vec3f::Constant(static_cast<float>(sphere.radius))};
    }
    GeomMesh mesh_of(const Box& box) {
        if (box_ == kNone) box_ = add(unit_box());
        return {box_, box.half.cast<float>()};
    }
    GeomMesh mesh_of(const Cylinder& cylinder) {
        if (cylinder_ == kNone) cylinder_ = add(unit_cylinder(detail_));
        const auto r = static_cast<float>(cylinder.radius);
        return {cylinder_, Vec3f(r, r, static_cast<float>(cylinder.half_length))};
    }
    GeomMesh mesh_of(const Capsule& capsule) {
        for (const auto& [known, mesh] : capsules_) {
            if (known.radius == capsule.radius && known.half_length == capsule.half_length)
                return {mesh, Vec3f::Ones()};
        }
        capsules_.emplace_back(capsule, add(capsule_mesh(capsule, detail_)));
        return {capsules_.back().second, Vec3f::Ones()};
    }
    GeomMesh mesh_of(const Hull& hull) {
        for (const auto& [known, mesh] : hulls_) {
            if (known.vertices == hull.vertices) return {mesh, Vec3f::Ones()};
        }
        hulls_.emplace_back(hull, add(hull_mesh(hull)));
        return {hulls_.back().second, Vec3f::Ones()};
    }
    GeomMesh mesh_of(const Heightfield& field) {
        return shared(field.grid.get(), [&] { return height_mesh(*field.grid); });
    }
    GeomMesh mesh_of(const TriangleMesh& mesh) {
        return shared(mesh.surface.get(), [&] { return surface_mesh(*mesh.surface); });
    }
    template <class Make>
    GeomMesh shared(const void* surface, Make make) {
        for (const auto& [known, mesh] : surfaces_) {
            if (known == surface) return {mesh, Vec3f::Ones()};
        }
        surfaces_.emplace_back(surface, add(make()));
        return {surfaces_.back().second, Vec3f::Ones()};
    }

    int add(Mesh mesh) {
        meshes_.push_back(std::move(mesh));
        return static_cast<int>(meshes_.size()) - 1;
    }

    std::vector<Mesh>& meshes_;
    Detail detail_;
    int sphere_ = kNone, box_ = kNone, cylinder_ = kNone;
    std::vector<std::pair<Capsule, int>> capsules_;
    std::vector<std::pair<Hull, int>> hulls_;
    std::vector<std::pair<const void*, int>> surfaces_;
};

double median(std::vector<double>& values, double otherwise) {
    if (values.empty()) return otherwise;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

Eigen::Matrix<float, 3, 4> transform(const Pose& pose, const Vec3f& scale) {
    Eigen::Matrix<float, 3, 4> m;
    m.leftCols<3>() = pose.R().cast<float>() * scale.asDiagonal();
    m.col(3) = pose.p.cast<float>();
    return m;
}

// Rolling is seen by two tones.
bool is_round(const Shape& shape) {
    return std::holds_alternative<Sphere>(shape) || std::holds_alternative<Cylinder>(shape) ||
           std::holds_alternative<Capsule>(shape);
}

Colour body_colour(const Model& model, const Snapshot& snapshot, const DrawOptions& options,
                   const Highlight& highlight, int body) {
    if (body == highlight.body) return palette::kSelected;
    const BodyKind kind = model.bodies[at(body)].kind;
    if (options.islands && kind == BodyKind::kDynamic) {
        const int island =
            at(body) < snapshot.island_of.size() ? snapshot.island_of[at(body)] : kNone;
        return island == kNone ? palette::kGrey : palette::turn(at(island));
    }
    if (kind == BodyKind::kStatic) return palette::kStatic;
    if (kind == BodyKind::kKinematic) return palette::kKinematic;
    return palette::turn(at(body));
}

double distance_of(const Viewpoint& view) { return (view.eye - view.target).norm(); }

// Walls that stand between the camera and the scene are left out.
void add_plane(const Pose& pose, Picture& picture) {
    const Vec3f normal = pose.R().col(2).cast<float>();
    const bool floor = normal.z() > 0.5F;
    const bool seen = normal.dot(picture.view.eye - pose.p.cast<float>()) > 0;
    if (!floor && !seen) return;
    Ground ground;
    ground.transform = transform(pose, Vec3f::Ones());
    ground.cell = grid_cell(distance_of(picture.view));
    if (!floor) ground.colour = palette::kWall;
    picture.grounds.push_back(ground);
}

// One mesh that moves with a body, and its ghost.
void add_mesh(int body, const Pose& pose_BG, const SceneMeshes::GeomMesh& mesh, Colour colour,
              float tones, const Model& model, const Snapshot& snapshot, Picture& picture) {
    const Pose pose = snapshot.state.pose[at(body)] * pose_BG;
    picture.bodies.push_back({mesh.mesh, transform(pose, mesh.scale), colour, tones});
    if (snapshot.ghost && model.bodies[at(body)].kind == BodyKind::kDynamic) {
        const Pose ghost = snapshot.ghost->state.pose[at(body)] * pose_BG;
        picture.bodies.push_back({mesh.mesh, transform(ghost, 1.002F * mesh.scale),
                                  palette::with_alpha(palette::kGhost, 0.4F)});
    }
}

// Of pieces that stand for a mesh the mesh is drawn.
void add_bodies(const Model& model, const SceneMeshes& meshes, const Snapshot& snapshot,
                const DrawOptions& options, const Highlight& highlight, Picture& picture) {
    const auto colour_of = [&](int body) {
        Colour colour = body_colour(model, snapshot, options, highlight, body);
        if (options.transparent) colour.a = 0.4F;
        return colour;
    };
    for (std::size_t g = 0; g < model.geoms.size(); ++g) {
        const Geom& geom = model.geoms[g];
        const SceneMeshes::GeomMesh& mesh = meshes.geoms[g];
        if (geom.hidden) continue;
        if (mesh.mesh == kNone) {
            add_plane(snapshot.state.pose[at(geom.body)] * geom.pose_BG, picture);
            continue;
        }
        add_mesh(geom.body, geom.pose_BG, mesh, colour_of(geom.body),
                 is_round(geom.shape) ? kTwoTone : 0, model, snapshot, picture);
    }
    for (std::size_t v = 0; v < model.visuals.size(); ++v) {
        const Visual& visual = model.visuals[v];
        add_mesh(visual.body, visual.pose_BG, meshes.visuals[v], colour_of(visual.body), 0, model,
                 snapshot, picture);
    }
}

// Where a scene has no ground of its own: a pale floor below everything, to see depth and shadows
// by. Nothing ever touches it: where something falls past it, it is not drawn.
void add_backdrop(const Model& model, const Snapshot& snapshot, const SceneMeshes& meshes,
                  Picture& picture) {
    const double height = meshes.start.centre.z() - 1.3 * meshes.start.radius;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        if (model.bodies[i].kind == BodyKind::kDynamic && snapshot.state.pose[i].p.z() < height)
            return;
    }
    Ground floor;
    floor.transform.col(3) =
        Vec3(meshes.start.centre.x(), meshes.start.centre.y(), height).cast<float>();
    floor.cell = grid_cell(distance_of(picture.view));
    floor.colour = {0.90F, 0.91F, 0.93F, 1};
    picture.grounds.push_back(floor);
}

// The largest force; or, where a few are far larger than the rest (a step that was not solved), a
// bound that lets the rest be seen.
double usual_force(const Snapshot& snapshot) {
    std::vector<double> forces;
    for (const ShownContact& c : snapshot.contacts) {
        const double force = std::max(c.normal_force.norm(), c.friction_force.norm());
        if (std::isfinite(force) && force > 0) forces.push_back(force);
    }
    if (forces.empty()) return 0;
    std::sort(forces.begin(), forces.end());
    const double usual = forces[3 * (forces.size() - 1) / 4];
    return std::min(forces.back(), kOutlier * usual);
}

void update_scale(const Snapshot& snapshot, const SceneMeshes& meshes, ForceScale& scale) {
    scale.metres = kArrowLength * meshes.size;
    const bool fitted = scale.newtons > 0;
    if (fitted && (scale.pinned || scale.step == snapshot.state.step)) return;
    scale.step = snapshot.state.step;
    const double floor = std::max(usual_force(snapshot), 0.5 * meshes.weight);
    scale.newtons =
        floor >= scale.newtons ? floor : scale.newtons * std::pow(floor / scale.newtons, kSettle);
}

// Along the force, not longer than the longest arrow [m].
Vec3 arrow_of(const Vec3& force, const ForceScale& scale, float factor) {
    const double size = force.norm();
    if (!std::isfinite(size) || size == 0) return Vec3::Zero();
    return std::min(size / scale.newtons, kLongestArrow) * scale.metres * factor / size * force;
}

void add_arrow(const Vec3& from, const Vec3& force, const ForceScale& scale, float factor,
               float radius, const Colour& colour, Picture& picture) {
    const Vec3 arrow = arrow_of(force, scale, factor);
    if (arrow.norm() < radius) return;
    const Vec3f to = (from + arrow).cast<float>();
    picture.arrows.push_back({from.cast<float>(), to, radius, colour});
    if (force.norm() > kLongestArrow * scale.newtons)
        picture.dots.push_back({to, 2.5F * radius, colour});
}

// The set of forces that the model allows at this normal force, true to the scale of the arrows,
// and the whole force inside it.
void add_friction_set(const ShownContact& contact, double side, const FrictionSet& set,
                      const ForceScale& scale, float factor, float radius, Picture& picture) {
    if (contact.state == ContactState::kOpen || set.kind == FrictionSetKind::kUnbounded) return;
    // Flat sets are drawn smaller, with their force, so that they do not fill the picture.
    const double flat = std::max(1.0, std::min(contact.mu_c, kSteepest));
    const Vec3 normal = side / flat * arrow_of(contact.normal_force, scale, factor);
    const double height = normal.norm();
    if (height < 0.5 * radius || !(contact.mu_c > 0)) return;
    const Colour& colour = palette::kContactStates[static_cast<std::size_t>(contact.state)];
    picture.cones.push_back(friction_mark(set, contact.point, normal / height, contact.mu_c, height,
                                          palette::with_alpha(colour, 0.35F)));
    const double shown = height / contact.normal_force.norm();  // [m/N], also where it was cut
    const Vec3 whole = side * shown * (contact.normal_force + contact.friction_force);
    picture.arrows.push_back({contact.point.cast<float>(), (contact.point + whole).cast<float>(),
                              0.7F * radius, palette::kWholeForce});
}

void add_contact(const ShownContact& contact, const SceneMeshes& meshes, const DrawOptions& options,
                 const Highlight& highlight, bool pointed, const FrictionSet& set,
                 const ForceScale& scale, Picture& picture) {
    const float size = static_cast<float>(meshes.size) * options.mark_scale;
    const Vec3f point = contact.point.cast<float>();
    const Colour colour = options.errors
                              ? error_colour(contact.errors.scaled)
                              : palette::kContactStates[static_cast<std::size_t>(contact.state)];
    if (options.contacts) picture.dots.push_back({point, 0.08F * size, colour});
    if (pointed) picture.dots.push_back({point, 0.16F * size, palette::kPurple});
    if (options.normals) {
        const Vec3f end = point + size * contact.normal.cast<float>();
        picture.arrows.push_back({point, end, 0.02F * size, palette::kGrey});
    }
    const double side = highlight.body != kNone && contact.body_b == highlight.body ? -1 : 1;
    if (options.forces) {
        add_arrow(contact.point, side * contact.normal_force, scale, options.force_scale,
                  0.035F * size, palette::kNormalForce, picture);
        add_arrow(contact.point, side * contact.friction_force, scale, options.force_scale,
                  0.035F * size, palette::kFrictionForce, picture);
    }
    if (options.cones)
        add_friction_set(contact, side, set, scale, options.force_scale, 0.035F * size, picture);
}

void add_contacts(const Snapshot& snapshot, const SceneMeshes& meshes, const DrawOptions& options,
                  const Highlight& highlight, const ForceScale& scale, Picture& picture) {
    const FrictionSet set = friction_set(snapshot.model, snapshot.settings.contact);
    for (std::size_t i = 0; i < snapshot.contacts.size(); ++i) {
        add_contact(snapshot.contacts[i], meshes, options, highlight,
                    static_cast<int>(i) == highlight.contact, set, scale, picture);
    }
}

void add_centres(const Model& model, const Snapshot& snapshot, const SceneMeshes& meshes,
                 const DrawOptions& options, Picture& picture) {
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        if (model.bodies[i].kind != BodyKind::kDynamic) continue;
        const float radius = 0.1F * static_cast<float>(meshes.size) * options.mark_scale;
        picture.dots.push_back({snapshot.state.pose[i].p.cast<float>(), radius, palette::kCentre});
    }
}

void add_drag(const Snapshot& snapshot, const SceneMeshes& meshes, const DrawOptions& options,
              Picture& picture) {
    if (!snapshot.drag) return;
    const float size = static_cast<float>(meshes.size) * options.mark_scale;
    const Vec3f from = snapshot.drag->point.cast<float>();
    const Vec3f to = snapshot.drag->target.cast<float>();
    picture.dots.push_back({to, 0.1F * size, palette::kPurple});
    picture.arrows.push_back({from, to, 0.03F * size, palette::kPurple});
}

}  // namespace

float grid_cell(double distance) {
    return static_cast<float>(std::pow(10.0, std::round(std::log10(std::max(distance, 1e-6) / 8))));
}

Colour error_colour(double error) {
    const double decades = std::log10(kLargeError / kSmallError);
    const double x =
        std::isfinite(error)
            ? std::clamp(std::log10(std::max(error, kSmallError) / kSmallError) / decades, 0.0, 1.0)
            : 1.0;
    const std::size_t i = x < 0.5 ? 0 : 1;
    const auto share = static_cast<float>(2 * x - static_cast<double>(i));
    const Colour &a = palette::kErrors[i], &b = palette::kErrors[i + 1];
    return {a.r + share * (b.r - a.r), a.g + share * (b.g - a.g), a.b + share * (b.b - a.b), 1};
}

SceneMeshes make_scene_meshes(const Model& model, const State& start) {
    SceneMeshes made;
    made.start = extent(model, start);
    const Detail detail = model.geoms.size() > kManyGeoms ? Detail::kCoarse : Detail::kFine;
    MeshShelf shelf(made.meshes, detail);
    std::vector<double> sizes;
    std::vector<double> weights;
    for (const Geom& geom : model.geoms) {
        made.geoms.push_back(geom.hidden ? SceneMeshes::GeomMesh{} : shelf.place(geom.shape));
        const Body& body = model.bodies[at(geom.body)];
        if (body.kind != BodyKind::kDynamic) continue;
        sizes.push_back(bounding_radius(geom.shape));
        weights.push_back(body.mass * model.gravity.norm());
    }
    for (const Visual& visual : model.visuals) made.visuals.push_back(shelf.place(visual.shape));
    made.size = median(sizes, 0.1);
    made.weight = std::max(median(weights, 1), 1e-9);
    return made;
}

Extent extent(const Model& model, const State& state) {
    Eigen::AlignedBox3d box;
    for (const Geom& geom : model.geoms) {
        const double radius = bounding_radius(geom.shape);
        if (!std::isfinite(radius)) continue;
        const Vec3 centre = (state.pose[at(geom.body)] * geom.pose_BG).p;
        box.extend(centre + Vec3::Constant(radius));
        box.extend(centre - Vec3::Constant(radius));
    }
    if (box.isEmpty()) return {};
    return {box.center(), std::max(0.5 * box.diagonal().norm(), 1e-6)};
}

void fill_picture(const Model& model, const SceneMeshes& meshes, const Snapshot& snapshot,
                  const DrawOptions& options, const Highlight& highlight, ForceScale& scale,
                  Picture& picture) {
    picture.bodies.clear();
    picture.grounds.clear();
    picture.arrows.clear();
    picture.dots.clear();
    picture.lines.clear();
    picture.cones.clear();
    const Extent all = extent(model, snapshot.state);
    picture.centre = all.centre.cast<float>();
    picture.radius = static_cast<float>(all.radius);
    picture.shadows = options.shadows;
    picture.wireframe = options.wireframe;
    picture.grid = options.grid;
    update_scale(snapshot, meshes, scale);
    add_bodies(model, meshes, snapshot, options, highlight, picture);
    if (picture.grounds.empty() && options.grid) add_backdrop(model, snapshot, meshes, picture);
    add_contacts(snapshot, meshes, options, highlight, scale, picture);
    if (options.joints) add_joint_marks(model, snapshot, meshes.size * options.mark_scale, picture);
    if (options.pivots)
        add_pivots(model, snapshot.state, meshes.size * options.mark_scale, picture);
    if (options.centres) add_centres(model, snapshot, meshes, options, picture);
    add_drag(snapshot, meshes, options, picture);
}

}  // namespace stiction

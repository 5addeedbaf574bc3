// picture.h - what is to be drawn, as plain data: bodies as instances of meshes, marks (arrows,
// dots, lines, cones) and how to look at them. Nothing here knows a simulation or OpenGL.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace stiction {

using Vec3f = Eigen::Vector3f;

struct Colour {
    float r = 1, g = 1, b = 1, a = 1;  // linear factors as on the screen (sRGB), 0 .. 1
};

// Triangles in a frame of their own. Normals per vertex; edges that should look sharp have their
// vertices twice.
struct Mesh {
    std::vector<Vec3f> positions;
    std::vector<Vec3f> normals;
    std::vector<std::uint32_t> triangles;  // three indices each
};

// One copy of a mesh: world = transform * (x, 1). The transform may scale along the mesh's axes.
struct Instance {
    int mesh = 0;  // index into the meshes that the renderer was given
    Eigen::Matrix<float, 3, 4> transform = Eigen::Matrix<float, 3, 4>::Identity();
    Colour colour;       // alpha below 1: drawn after all others, blended, without shadow
    float two_tone = 0;  // 0 .. 1: every second octant is darker, so that a ball is seen to turn
};

// Marks are drawn over the bodies: where a body hides them they shine through, dimmed.
struct Arrow {
    Vec3f from = Vec3f::Zero(), to = Vec3f::Zero();  // [m]
    float radius = 0.002F;                           // of the shaft [m]
    Colour colour;
};

struct Dot {
    Vec3f at = Vec3f::Zero();  // [m]
    float radius = 0.004F;     // [m]
    Colour colour;
};

struct Line {
    Vec3f from = Vec3f::Zero(), to = Vec3f::Zero();  // [m]
    Colour colour;
};

struct ConeMark {                 // opens from its apex along the axis
    Vec3f apex = Vec3f::Zero();   // [m]
    Vec3f axis = Vec3f::UnitZ();  // its length is the cone's height [m]
    float slope = 1;              // radius at the open end over height
    Colour colour;
    int sides = 0;                  // 0: round; otherwise a pyramid, whose corners are that far out
    Vec3f corner = Vec3f::UnitX();  // direction of the first one, across the axis
    float foot = 0;                 // radius at the apex, in parts of that at the open end
};

struct Viewpoint {
    Vec3f eye{1, -2, 1};           // [m]
    Vec3f target = Vec3f::Zero();  // [m]
    Vec3f up = Vec3f::UnitZ();
    float field_of_view = 0.7F;     // vertical [rad]
    float near = 0.01F, far = 100;  // planes [m]
};

// z = height, in the plane's own frame: a ground with a grid that fades with the distance.
struct Ground {
    Eigen::Matrix<float, 3, 4> transform = Eigen::Matrix<float, 3, 4>::Identity();
    float cell = 0.1F;  // of the grid [m]; every tenth line is stronger
    Colour colour{0.80F, 0.81F, 0.83F, 1};
};

struct Picture {
    Viewpoint view;
    Vec3f centre = Vec3f::Zero();  // of what casts shadows [m]
    float radius = 1;              // around it: what the shadow map covers [m]
    std::vector<Instance> bodies;
    std::vector<Ground> grounds;
    std::vector<Arrow> arrows;
    std::vector<Dot> dots;
    std::vector<Line> lines;
    std::vector<ConeMark> cones;
    bool shadows = true;
    bool wireframe = false;
    bool grid = true;
    Colour sky_top{0.62F, 0.70F, 0.80F, 1};
    Colour sky_bottom{0.93F, 0.94F, 0.96F, 1};
};

}  // namespace stiction

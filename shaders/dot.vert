// dot.vert - a small ball at a point.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 centre;  // w: radius
layout(location = 4) in vec4 colour;

out vec3 world;
out vec3 world_normal;
flat out vec4 shade;

void main() {
    world = centre.xyz + centre.w * position;
    world_normal = normal;
    shade = colour;
    gl_Position = view_projection * vec4(world, 1.0);
}

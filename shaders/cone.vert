// cone.vert - opens from its apex along its axis: round, or with corners.
layout(location = 0) in vec3 position;  // cos, sin, 0 at the apex and 1 at the open end
layout(location = 2) in vec4 apex;      // w: radius there, in parts of that at the open end
layout(location = 3) in vec4 axis;      // w: slope
layout(location = 4) in vec4 colour;
layout(location = 5) in vec4 corner;    // direction of the first corner; w: how many, 0: round

out vec3 world;
out vec3 world_normal;
out float height;  // 0 at the apex, 1 at the open end
flat out vec4 shade;

const float kTurn = 6.28318530718;

void main() {
    float length_m = length(axis.xyz);
    vec3 z = length_m > 0.0 ? axis.xyz / length_m : vec3(0.0, 0.0, 1.0);
    vec3 across = corner.xyz - dot(corner.xyz, z) * z;
    if (dot(across, across) < 1e-8) across = cross(abs(z.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0), z);
    vec3 x = normalize(across);
    vec3 radial = position.x * x + position.y * cross(z, x);
    vec3 outward = radial;
    if (corner.w > 0.0) {
        float side = kTurn / corner.w;
        float angle = atan(position.y, position.x);
        float inside = mod(angle + 1e-4, side) - 1e-4 - 0.5 * side;  // from the middle of the side
        float middle = angle - inside;
        outward = cos(middle) * x + sin(middle) * cross(z, x);
        radial *= cos(0.5 * side) / cos(inside);
    }
    float wide = mix(apex.w, 1.0, position.z);
    world = apex.xyz + length_m * (position.z * z + wide * axis.w * radial);
    world_normal = outward - (1.0 - apex.w) * axis.w * z;
    height = position.z;
    shade = colour;
    gl_Position = view_projection * vec4(world, 1.0);
}

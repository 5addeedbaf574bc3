// cone.vert - opens from its apex along its axis.
layout(location = 0) in vec3 position;  // cos, sin, 0 at the apex and 1 at the open end
layout(location = 2) in vec4 apex;
layout(location = 3) in vec4 axis;      // w: slope
layout(location = 4) in vec4 colour;

out vec3 world;
out vec3 world_normal;
out float height;  // 0 at the apex, 1 at the open end
flat out vec4 shade;

void main() {
    float length_m = length(axis.xyz);
    vec3 z = length_m > 0.0 ? axis.xyz / length_m : vec3(0.0, 0.0, 1.0);
    vec3 x = normalize(cross(abs(z.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0), z));
    vec3 radial = position.x * x + position.y * cross(z, x);
    world = apex.xyz + position.z * length_m * (z + axis.w * radial);
    world_normal = radial - axis.w * z;
    height = position.z;
    shade = colour;
    gl_Position = view_projection * vec4(world, 1.0);
}

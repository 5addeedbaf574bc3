// arrow.vert - stretches the arrow's profile between two points.
layout(location = 0) in vec3 position;  // cos, sin, place on the profile
layout(location = 1) in vec3 normal;    // radial, axial
layout(location = 2) in vec4 from;      // w: radius of the shaft
layout(location = 3) in vec4 to;
layout(location = 4) in vec4 colour;

out vec3 world;
out vec3 world_normal;
flat out vec4 shade;

void main() {
    vec3 along = to.xyz - from.xyz;
    float length_m = length(along);
    vec3 z = length_m > 0.0 ? along / length_m : vec3(0.0, 0.0, 1.0);
    vec3 x = normalize(cross(abs(z.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0), z));
    vec3 y = cross(z, x);
    // A short arrow is a small one: its head keeps its form.
    float radius = min(from.w, length_m / 9.0);
    float head = 6.0 * radius, head_radius = 2.5 * radius;
    float neck = length_m - head;
    int at = int(position.z + 0.5);
    float r = at == 0 || at == 4 ? 0.0 : (at == 3 ? head_radius : radius);
    float h = at < 2 ? 0.0 : (at == 4 ? length_m : neck);
    vec3 radial = position.x * x + position.y * y;
    world = from.xyz + r * radial + h * z;
    world_normal = normal.x * radial + normal.y * z;
    shade = colour;
    gl_Position = view_projection * vec4(world, 1.0);
}

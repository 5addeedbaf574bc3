// body.vert - one instance of a mesh in the world.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 column_x;  // of the transform, per instance
layout(location = 3) in vec3 column_y;
layout(location = 4) in vec3 column_z;
layout(location = 5) in vec3 origin;
layout(location = 6) in vec4 colour;
layout(location = 7) in float two_tone;

out vec3 world;
out vec3 world_normal;
out vec3 local;
flat out vec4 albedo;  // linear
flat out float tone;

void main() {
    world = origin + position.x * column_x + position.y * column_y + position.z * column_z;
    // Normals turn with the cofactors of the transform, which are right for any scaling.
    vec3 yz = cross(column_y, column_z), zx = cross(column_z, column_x), xy = cross(column_x, column_y);
    world_normal = (normal.x * yz + normal.y * zx + normal.z * xy) * sign(dot(column_x, yz));
    local = position;
    albedo = vec4(to_linear(colour.rgb), colour.a);
    tone = two_tone;
    gl_Position = view_projection * vec4(world, 1.0);
}

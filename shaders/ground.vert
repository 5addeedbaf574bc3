// ground.vert - a large square of the plane, around the point below the eye.
uniform mat4x3 frame;   // of the plane
uniform vec4 square;    // x, y: its middle, z: half its side, in the plane [m]

out vec3 world;
out vec2 place;  // in the plane [m]

void main() {
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
    place = square.xy + square.z * corner;
    world = frame * vec4(place, 0.0, 1.0);
    gl_Position = view_projection * vec4(world, 1.0);
}

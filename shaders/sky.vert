// sky.vert - one triangle over the whole picture, behind everything.
out vec4 far_point;

void main() {
    vec2 corner = vec2(float((gl_VertexID & 1) << 2), float((gl_VertexID & 2) << 1)) - 1.0;
    far_point = inverse_view_projection * vec4(corner, 1.0, 1.0);
    gl_Position = vec4(corner, 1.0, 1.0);
}

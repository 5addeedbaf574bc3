// blur.vert - one triangle over the whole picture.
out vec2 at;

void main() {
    vec2 corner = vec2(float((gl_VertexID & 1) << 2), float((gl_VertexID & 2) << 1)) - 1.0;
    at = 0.5 + 0.5 * corner;
    gl_Position = vec4(corner, 0.0, 1.0);
}

// line.frag - smooth over one pixel at both sides.
uniform float strength;

noperspective in float side;
flat in vec4 shade;
out vec4 pixel;

void main() {
    float cover = clamp(0.5 * viewport.z + 0.5 - abs(side), 0.0, 1.0);
    pixel = vec4(shade.rgb, shade.a * strength * cover);
}

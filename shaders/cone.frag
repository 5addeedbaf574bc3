// cone.frag - like thin glass: denser where it is seen edge-on and at its rim.
uniform float strength;

in vec3 world;
in vec3 world_normal;
in float height;
flat in vec4 shade;
out vec4 pixel;

void main() {
    float facing = abs(dot(normalize(world_normal), normalize(eye.xyz - world)));
    float rim = smoothstep(1.0 - 2.5 * fwidth(height), 1.0 - 0.5 * fwidth(height), height);
    float dense = shade.a * (1.0 + 0.9 * pow(1.0 - facing, 2.0));
    pixel = vec4(shade.rgb, min(max(dense, rim * min(3.0 * shade.a, 0.9)), 1.0) * strength);
}

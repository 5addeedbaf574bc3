// mark.frag - arrows and dots: clear colours, shaded just enough to look round.
uniform float strength;  // below 1 where a body hides it

in vec3 world;
in vec3 world_normal;
flat in vec4 shade;
out vec4 pixel;

void main() {
    vec3 normal = normalize(world_normal);
    float light = 0.5 + 0.5 * dot(normal, to_light.xyz);
    pixel = vec4(shade.rgb * (0.62 + 0.38 * light), shade.a * strength);
}

// light.glsl - sky from above, its reflection from below, one light with a shadow and a faint one at
// the eye; precedes every fragment shader.
uniform sampler2DShadow shadow_map;

// Breaks up the steps of 8 bit colours in smooth gradients: less than one step, different from pixel to pixel.
vec3 dithered(vec3 colour) {
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    return colour + (noise - 0.5) / 255.0;
}

// 1 in the light, 0 in the shadow. Sixteen samples, each of which the sampler takes between four pixels: an edge
// some six pixels wide. Where the outermost four and the middle agree, the others are not needed; none are outside
// the map. Loops whose length is not known beforehand, because software rasterisers run both sides of an `if`.
float light_reaching(vec3 position) {
    vec3 at = (shadow_lookup * vec4(position, 1.0)).xyz;
    at.z = min(at.z, 1.0);
    vec2 outside = abs(at.xy - 0.5);
    int probes = to_light.w > 0.0 && max(outside.x, outside.y) < 0.5 ? 5 : 0;
    float step = 1.6 * shadow_pixel.x;
    float sum = 0.0;
    for (int i = 0; i < probes; ++i) {
        vec2 place = i == 4 ? vec2(0.0) : vec2(float(i & 1), float(i >> 1)) * 3.0 - 1.5;
        sum += texture(shadow_map, vec3(at.xy + step * place, at.z));
    }
    int samples = sum > 0.0 && sum < 5.0 ? 16 : 0;
    float reaching = probes == 0 || sum >= 5.0 ? 16.0 : 0.0;
    for (int i = 0; i < samples; ++i) {
        vec2 place = vec2(float(i & 3), float(i >> 2)) - 1.5;
        reaching += texture(shadow_map, vec3(at.xy + step * place, at.z));
    }
    return reaching / 16.0;
}

// Of a matt surface; `open` is how much of its surroundings it sees, `gloss` adds a soft highlight.
vec3 lit(vec3 albedo, vec3 normal, vec3 position, float reaching, float open, float gloss) {
    const vec3 kKey = vec3(0.74, 0.71, 0.65);
    const vec3 kAbove = vec3(0.37, 0.40, 0.44), kBelow = vec3(0.24, 0.23, 0.22);
    vec3 to_eye = normalize(eye.xyz - position);
    float facing = max(dot(normal, to_eye), 0.0);
    float key = max(dot(normal, to_light.xyz), 0.0) * reaching;
    vec3 around = mix(kBelow, kAbove, 0.5 + 0.5 * normal.z) + 0.20 * facing;
    float shine = pow(max(dot(normal, normalize(to_light.xyz + to_eye)), 0.0), 48.0) * reaching;
    float rim = 1.0 - facing;
    rim *= rim;
    return albedo * (open * around + key * kKey) + gloss * (shine * kKey + 0.35 * rim * rim * open * kAbove);
}

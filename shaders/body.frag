// body.frag - a lit body.
in vec3 world;
in vec3 world_normal;
in vec3 local;
flat in vec4 albedo;
flat in float tone;
out vec4 pixel;

// -1 or 1 by octant of the mesh's frame, smooth over one pixel.
float octant() {
    vec3 side = clamp(local / max(fwidth(local), vec3(1e-6)), -1.0, 1.0);
    return side.x * side.y * side.z;
}

// Near the ground a surface that does not look up sees less light.
float openness(vec3 normal) {
    if (contact.w == 0.0) return 1.0;
    float height = max((contact_lookup * vec4(world, 1.0)).z, 0.0);
    return 1.0 - 0.5 * exp(-height / contact.x) * (0.5 - 0.5 * normal.z);
}

void main() {
    vec3 normal = normalize(gl_FrontFacing ? world_normal : -world_normal);
    vec3 base = albedo.rgb * (1.0 - tone * (0.5 - 0.5 * octant()));
    // Looked up a little outside the body, or it would shade itself where the light grazes it.
    float slope = 1.0 - max(dot(normal, to_light.xyz), 0.0);
    vec3 outside = world + shadow_pixel.y * (normal * (1.0 + 2.5 * slope) + to_light.xyz);
    vec3 colour = lit(base, normal, world, light_reaching(outside), openness(normal), 0.22);
    pixel = vec4(dithered(to_screen(colour)), albedo.a);
}

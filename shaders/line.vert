// line.vert - a segment as a strip of constant width on the screen.
layout(location = 0) in vec3 position;  // along 0 .. 1, side -1 .. 1
layout(location = 2) in vec4 from;
layout(location = 3) in vec4 to;
layout(location = 4) in vec4 colour;

noperspective out float side;  // pixels from the middle
flat out vec4 shade;

void main() {
    vec4 a = view_projection * vec4(from.xyz, 1.0), b = view_projection * vec4(to.xyz, 1.0);
    // What lies behind the near plane has no place on the screen: cut it off there.
    float da = a.z + a.w, db = b.z + b.w;
    if (da < 0.0 && db > 0.0) a = mix(a, b, da / (da - db));
    if (db < 0.0 && da > 0.0) b = mix(b, a, db / (db - da));
    vec2 along = (b.xy / b.w - a.xy / a.w) * viewport.xy;
    vec2 across = dot(along, along) > 0.0 ? normalize(vec2(-along.y, along.x)) : vec2(0.0, 1.0);
    vec4 end = position.x < 0.5 ? a : b;
    side = position.y * (0.5 * viewport.z + 1.0);
    end.xy += side * across * 2.0 / viewport.xy * end.w;
    shade = colour;
    gl_Position = da < 0.0 && db < 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : end;
}

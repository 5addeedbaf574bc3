#version 330 core
// frame.glsl - what is the same for a whole picture; precedes every shader. Colours here are linear.
layout(std140) uniform Frame {
    mat4 view_projection;
    mat4 inverse_view_projection;
    mat4 light_matrix;   // world -> clip space of the shadow map
    mat4 shadow_lookup;  // world -> 0 .. 1 in the shadow map
    mat4 contact_lookup; // world -> x, y: 0 .. 1 in the picture of contact_shade.h, z: height over the ground [m]
    vec4 eye;            // [m]
    vec4 to_light;       // unit; w: 1 with shadows, 0 without
    vec4 shadow_pixel;   // x: of the map's side, y: in the world [m]
    vec4 contact;        // x: heights over the ground that count as near [m], y: largest [m]; w: 1 with a ground
    vec4 sky_top;
    vec4 sky_bottom;
    vec4 viewport;       // x, y: size [pixels]; z: width of lines [pixels]
};

vec3 to_linear(vec3 srgb) { return pow(srgb, vec3(2.2)); }
vec3 to_screen(vec3 linear) { return pow(clamp(linear, 0.0, 1.0), vec3(1.0 / 2.2)); }

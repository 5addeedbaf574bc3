// sky.frag - from the colour at the horizon to that above, by the direction of view.
in vec4 far_point;
out vec4 pixel;

void main() {
    vec3 direction = normalize(far_point.xyz / far_point.w - eye.xyz);
    float height = smoothstep(-0.05, 0.75, direction.z);
    pixel = vec4(dithered(to_screen(mix(sky_bottom.rgb, sky_top.rgb, height))), 1.0);
}

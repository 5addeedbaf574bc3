// ground.frag - a matt plane with a grid, in the shadow of the bodies, lost in the distance.
uniform mat4x3 frame;
uniform vec4 ground;   // colour, linear; w: how much of it is seen
uniform vec4 square;   // z: where it has faded away [m]
uniform float cell;    // of the grid [m]; 0: none
uniform float shaded;  // 1: this is the ground that contact_shade.h looked from
uniform sampler2D contact_shade;

in vec3 world;
in vec2 place;
out vec4 pixel;

// How much lines of `width` (share of a cell) along both axes cover of this pixel. Lines thinner than a pixel
// become fainter instead, and a grid finer than the pixels becomes its mean.
float lines(vec2 at, float width) {
    vec2 pixel_size = vec2(length(vec2(dFdx(at.x), dFdy(at.x))), length(vec2(dFdx(at.y), dFdy(at.y))));
    vec2 drawn = clamp(vec2(width), pixel_size, vec2(0.5));
    vec2 soft = pixel_size * 1.5;
    vec2 distance = 1.0 - abs(fract(at) * 2.0 - 1.0);
    vec2 cover = (1.0 - smoothstep(drawn - soft, drawn + soft, distance)) * clamp(width / drawn, 0.0, 1.0);
    cover = mix(cover, vec2(width), clamp(pixel_size * 2.0 - 1.0, 0.0, 1.0));
    return mix(cover.x, 1.0, cover.y);
}

void main() {
    vec3 normal = normalize(frame[2]);
    vec3 colour = ground.rgb;
    if (cell > 0.0) {
        float thin = lines(place / cell, 0.022), strong = lines(place / (10.0 * cell), 0.006);
        colour *= 1.0 - 0.34 * thin;
        colour *= 1.0 - 0.50 * strong;
    }
    float open = 1.0 - 0.9 * shaded * texture(contact_shade, (contact_lookup * vec4(world, 1.0)).xy).r;
    colour = lit(colour, normal, world, light_reaching(world), open, 0.0);
    float away = distance(world, eye.xyz) / square.z;
    float seen = ground.w * exp(-6.0 * away * away) * (1.0 - smoothstep(0.6, 1.0, away));
    pixel = vec4(dithered(to_screen(colour)), seen);
}

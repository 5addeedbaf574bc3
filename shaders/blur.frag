// blur.frag - a bell along one direction; each sample is the mean of two pixels.
uniform sampler2D picture;
uniform vec4 pixel_step;  // x, y: to the next pixel

in vec2 at;
out float shade;

void main() {
    float sum = 0.0, weights = 0.0;
    for (int i = 0; i < 6; ++i) {
        float away = 2.0 * float(i) - 5.0;  // pixels, between two
        float weight = exp(-0.08 * away * away);
        sum += weight * texture(picture, at + (away + 0.5) * pixel_step.xy).r;
        weights += weight;
    }
    shade = sum / weights;
}

// contact.frag - 1 where a body touches the ground, less the higher it is.
in float height;
out float shade;

void main() { shade = exp(-max(height, 0.0) / contact.x); }

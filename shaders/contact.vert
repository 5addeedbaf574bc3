// contact.vert - bodies seen from the ground below them, nearest first.
layout(location = 0) in vec3 position;
layout(location = 2) in vec3 column_x;
layout(location = 3) in vec3 column_y;
layout(location = 4) in vec3 column_z;
layout(location = 5) in vec3 origin;

out float height;  // over the ground [m]

void main() {
    vec3 world = origin + position.x * column_x + position.y * column_y + position.z * column_z;
    vec3 at = (contact_lookup * vec4(world, 1.0)).xyz;
    height = at.z;
    gl_Position = vec4(2.0 * at.xy - 1.0, at.z / contact.y, 1.0);
}

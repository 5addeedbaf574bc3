// shadow.vert - bodies seen from the light.
layout(location = 0) in vec3 position;
layout(location = 2) in vec3 column_x;
layout(location = 3) in vec3 column_y;
layout(location = 4) in vec3 column_z;
layout(location = 5) in vec3 origin;

void main() {
    vec3 world = origin + position.x * column_x + position.y * column_y + position.z * column_z;
    gl_Position = light_matrix * vec4(world, 1.0);
}

// shadow.frag - depth only.
void main() {}

// Compiled only so that the headers which most files include are read once (cmake/TilescopeOptions.cmake).
int main() { return 0; }

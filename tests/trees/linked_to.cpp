extern "C" int NAME();
int main() { return NAME(); }

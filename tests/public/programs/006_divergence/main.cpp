// Like zjin-lcf/HeCBench divergence-cuda (files of C++ and CUDA); flags: -std=c++17
#include <cmath>
#include <iostream>
#include <vector>
#include "shape.hpp"
int main() {
    const Shape shape{50, 40};
    std::vector<double> vx(2000), vy(2000), want(2000), got(2000);
    for (int i = 0; i < 2000; i++) vx[i] = std::sin(0.3 * i), vy[i] = std::cos(0.7 * i);
    divergence_host(shape, vx.data(), vy.data(), want.data());
    const double seconds = divergence_device(shape, vx.data(), vy.data(), got.data());
    std::cout << seconds << " s\n" << (want == got ? "PASS" : "FAIL") << std::endl;
    return want == got ? 0 : 1;
}

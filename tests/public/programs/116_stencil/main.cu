// Like tugot17/pmpp chapter-8/code (stencil.cu, stencil.h, benchmark.cu)
#include <iostream>
#include <vector>
#include "stencil.h"
int main() {
    const unsigned N = 14;
    std::vector<float> in(N * N * N), want(in.size(), 0.f), got(in.size(), 1.f);
    for (size_t i = 0; i < in.size(); i++) in[i] = i % 13;
    stencil_sequential(in.data(), want.data(), N);
    stencil_shared(in.data(), got.data(), N);
    std::cout << (got == want ? "PASS" : "FAIL") << std::endl;
    return got != want;
}

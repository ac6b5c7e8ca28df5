// Like spig0126/cuda-parallel-programming bfpRayTracing (main.cu, vec3.h, sphere.h, bvh.h, bfp.cuh, ...)
#include <cstdio>
#include <iostream>
#include <vector>
#include "bfp.cuh"
#include "sphere.h"
int main() {
    hittable_list world;
    world.add(make_shared<sphere>(point3(0, 0, -3), 1.f));
    world.add(make_shared<sphere>(point3(2, 1, -5), 1.5f));
    const int side = 24, n = side * side;
    std::vector<float> grey(n), back(n);
    for (int i = 0; i < n; i++) {
        float x = i % side / 12.f - 1, y = i / side / 12.f - 1;
        grey[i] = world.hit({point3(0, 0, 0), vec3(x, y, -1)}) ? 0.8f - 0.1f * x : 0.3f + 0.2f * y;
    }
    float *d, *d2;
    int* block;
    cudaMalloc(&d, n * sizeof(float));
    cudaMalloc(&d2, n * sizeof(float));
    cudaMalloc(&block, n * sizeof(int));
    cudaMemcpy(d, grey.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    to_block<<<(n + 127) / 128, 128>>>(d, block, 16, n);
    from_block<<<(n + 127) / 128, 128>>>(block, d2, 16, n);
    cudaMemcpy(back.data(), d2, n * sizeof(float), cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int i = 0; i < n; i++) ok = ok && std::fabs(grey[i] - back[i]) < 1.f / 65536;
    std::cout << (ok ? "PASS" : "FAIL") << std::endl;
    cudaFree(d);
    cudaFree(d2);
    cudaFree(block);
    return !ok;
}

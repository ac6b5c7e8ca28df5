// The kernel of every program here, so that its counts can be compared.
#pragma once

extern "C" __global__ void add(const float* a, const float* b, float* c, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) c[i] = a[i] + b[(i * 7) % n];
}

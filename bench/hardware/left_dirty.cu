// What a launch writes to device memory though it stores nothing: lines that were dirty in L2 before it. Each launch
// reads so many MB. Prints one JSON line a launch, in order.
#include <cstdint>

#include "../../examples/check.h"

namespace {
__global__ void reads(const float4* in, std::size_t count, float* out) {
    float sum = 0;
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
        const float4 v = in[i];
        sum += v.x + v.y + v.z + v.w;
    }
    if (sum == 12345.0f) *out = sum;
}
__global__ void writes(float4* out, std::size_t count) {
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step)
        out[i] = make_float4(1, 2, 3, 4);
}
}  // namespace

int main() {
    char *set = nullptr, *other = nullptr;
    float* out = nullptr;
    CHECK(cudaMalloc(&set, std::size_t{256} << 20));
    CHECK(cudaMalloc(&other, std::size_t{256} << 20));
    CHECK(cudaMalloc(&out, 4));
    CHECK(cudaMemset(set, 0, std::size_t{256} << 20));
    CHECK(cudaMemset(other, 0, std::size_t{256} << 20));
    const auto read = [&](const char* what, std::size_t mib) {
        reads<<<264, 512>>>(reinterpret_cast<const float4*>(set), (mib << 20) / 16, out);
        CHECK(cudaDeviceSynchronize());
        std::printf("{\"what\": \"%s\", \"mib\": %zu}\n", what, mib);
    };
    for (const std::size_t mib : {1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 256}) read("reads", mib);
    // Twice in a row: what the first pushed out the second does not find, unless somebody writes between them.
    for (int again = 0; again < 3; ++again) read("again", 256);
    for (const std::size_t mib : {1, 4, 16}) {
        writes<<<264, 512>>>(reinterpret_cast<float4*>(other), (mib << 20) / 16);
        CHECK(cudaDeviceSynchronize());
        std::printf("{\"what\": \"writes\", \"mib\": %zu}\n", mib);
        read("behind writes", 256);
        read("again", 256);
    }
    return 0;
}

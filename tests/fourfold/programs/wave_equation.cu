// A string that swings: three buffers that change places, and the ends held.
#include "fourfold.cuh"

__global__ void swing(const float* before, const float* now, float* after, int count, float ratio) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const bool end = i == 0 || i == count - 1;
    after[i] = end ? 0 : __fmaf_rn(ratio, now[i - 1] - 2 * now[i] + now[i + 1], 2 * now[i] - before[i]);
}

int main() {
    constexpr int count = 300, steps = 20;
    std::vector<float> start(count);
    for (int i = 0; i < count; ++i)
        start[i] = i == 0 || i == count - 1 ? 0 : static_cast<float>(std::exp(-0.01 * (i - 100) * (i - 100)));
    std::vector<float> h[3] = {start, start, start};
    const Buffer<float> d0(start), d1(start), d2(count);
    float* d[3] = {d0, d1, d2};
    for (int step = 0; step < steps; ++step) {
        swing<<<3, 128>>>(d[step % 3], d[(step + 1) % 3], d[(step + 2) % 3], count, 0.25f);
        const auto &before = h[step % 3], &now = h[(step + 1) % 3];
        auto& after = h[(step + 2) % 3];
        for (int i = 0; i < count; ++i)
            after[i] = i == 0 || i == count - 1
                           ? 0
                           : std::fma(0.25f, now[i - 1] - 2 * now[i] + now[i + 1], 2 * now[i] - before[i]);
    }
    CHECK(cudaGetLastError());
    return near("string", to_host(d[(steps + 1) % 3], count), h[(steps + 1) % 3], 1e-4);
}

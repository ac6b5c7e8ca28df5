// Heat in a plate: five-point steps between two pitched arrays, tiles with a halo, rows copied in two dimensions.
#include <cmath>
#include <utility>

#include "program.cuh"

constexpr int kWide = 32, kHigh = 8;

struct Plate {
    float* cells;
    size_t pitch;
    __device__ float* row(int y) const { return reinterpret_cast<float*>(reinterpret_cast<char*>(cells) + y * pitch); }
};
__global__ void diffuse(Plate from, Plate to, int width, int height, float rate) {
    __shared__ float tile[kHigh + 2][kWide + 2];
    const int x0 = blockIdx.x * kWide - 1, y0 = blockIdx.y * kHigh - 1;
    const int thread = threadIdx.y * kWide + threadIdx.x;
    for (int k = thread; k < (kHigh + 2) * (kWide + 2); k += kWide * kHigh) {
        const int x = x0 + k % (kWide + 2), y = y0 + k / (kWide + 2);
        const bool inside = x >= 0 && x < width && y >= 0 && y < height;
        tile[k / (kWide + 2)][k % (kWide + 2)] = inside ? from.row(y)[x] : 0.0f;
    }
    __syncthreads();
    const int x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y;
    if (x >= width || y >= height) return;
    const int i = threadIdx.x + 1, j = threadIdx.y + 1;
    const float own = tile[j][i];
    const bool edge = x == 0 || y == 0 || x == width - 1 || y == height - 1;
    const float around = tile[j][i - 1] + tile[j][i + 1] + tile[j - 1][i] + tile[j + 1][i];
    to.row(y)[x] = edge ? own : own + rate * (around - 4.0f * own);
}

int main() {
    constexpr int width = 77, height = 45, steps = 12;
    constexpr float rate = 0.2f;
    std::vector<float> start(width * height, 20.0f);
    for (int x = 0; x < width; ++x) start[x] = 100.0f;  // one hot side
    for (int y = 15; y < 25; ++y)
        for (int x = 30; x < 40; ++x) start[y * width + x] = 300.0f;
    std::vector<float> expected = start, next = start;
    for (int s = 0; s < steps; ++s) {
        for (int y = 1; y < height - 1; ++y)
            for (int x = 1; x < width - 1; ++x) {
                const float* c = &expected[y * width + x];
                next[y * width + x] = c[0] + rate * (c[-1] + c[1] + c[-width] + c[width] - 4.0f * c[0]);
            }
        std::swap(expected, next);
    }

    Plate a, b;
    CHECK(cudaMallocPitch(&a.cells, &a.pitch, width * sizeof(float), height));
    CHECK(cudaMallocPitch(&b.cells, &b.pitch, width * sizeof(float), height));
    const bool pitched = a.pitch >= width * sizeof(float) && a.pitch % 32 == 0;
    CHECK(cudaMemset2D(b.cells, b.pitch, 0, width * sizeof(float), height));
    CHECK(cudaMemcpy2D(a.cells, a.pitch, start.data(), width * sizeof(float), width * sizeof(float), height,
                       cudaMemcpyHostToDevice));
    const dim3 block(kWide, kHigh), grid((width + kWide - 1) / kWide, (height + kHigh - 1) / kHigh);
    for (int s = 0; s < steps; ++s) {
        diffuse<<<grid, block>>>(a, b, width, height, rate);
        CHECK(cudaGetLastError());
        std::swap(a, b);
    }
    std::vector<float> found(width * height);
    CHECK(cudaMemcpy2D(found.data(), width * sizeof(float), a.cells, a.pitch, width * sizeof(float), height,
                       cudaMemcpyDeviceToHost));
    bool close = true;
    for (int i = 0; i < width * height; ++i) close &= std::abs(found[i] - expected[i]) < 1e-3f;

    // A window out of the middle, device to device, then to the host.
    constexpr int wide = 10, high = 6;
    float* window;
    std::vector<float> part(wide * high);
    CHECK(cudaMalloc(&window, part.size() * sizeof(float)));
    const char* corner = reinterpret_cast<const char*>(a.cells) + 20 * a.pitch + 33 * sizeof(float);
    CHECK(cudaMemcpy2D(window, wide * sizeof(float), corner, a.pitch, wide * sizeof(float), high,
                       cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy(part.data(), window, part.size() * sizeof(float), cudaMemcpyDeviceToHost));
    bool same = true;
    for (int i = 0; i < wide * high; ++i) same &= part[i] == found[(20 + i / wide) * width + 33 + i % wide];
    for (float* p : {a.cells, b.cells, window}) CHECK(cudaFree(p));
    return verdict("pitch of a plate", pitched) | verdict("heat in a plate", close) |
           verdict("window of a plate", same);
}

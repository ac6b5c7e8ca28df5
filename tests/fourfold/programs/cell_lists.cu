// Particles sorted into cells, and forces from the nine cells around.
#include "fourfold.cuh"

constexpr int kCells = 8;

__device__ __host__ inline int cell_of(float2 p) { return int(p.y) * kCells + int(p.x); }

__global__ void count(const float2* p, int* counts, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&counts[cell_of(p[i])], 1);
}

__global__ void scan(const int* counts, int* starts) {
    __shared__ int sums[kCells * kCells];
    const int t = threadIdx.x;
    sums[t] = counts[t];
    for (int o = 1; o < kCells * kCells; o *= 2) {
        __syncthreads();
        const int left = t >= o ? sums[t - o] : 0;
        __syncthreads();
        sums[t] += left;
    }
    starts[t + 1] = sums[t];
}

__global__ void place(const float2* p, const int* starts, int* filled, int* order, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int cell = cell_of(p[i]);
    order[starts[cell] + atomicAdd(&filled[cell], 1)] = i;
}

__global__ void neighbours(const float2* p, const int* starts, const int* order, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int found = 0;
    for (int c = 0; c < 9; ++c) {
        const int x = int(p[i].x) + c % 3 - 1, y = int(p[i].y) + c / 3 - 1;
        if (x < 0 || y < 0 || x >= kCells || y >= kCells) continue;
        for (int k = starts[y * kCells + x]; k < starts[y * kCells + x + 1]; ++k) {
            const float dx = p[order[k]].x - p[i].x, dy = p[order[k]].y - p[i].y;
            found += order[k] != i && dx * dx + dy * dy < 1;
        }
    }
    out[i] = found;
}

int main() {
    constexpr int n = 300;
    const std::vector<float> xy = numbers<float>(n * 2, 0, kCells - 0.01);
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) {
            const float dx = xy[2 * k] - xy[2 * i], dy = xy[2 * k + 1] - xy[2 * i + 1];
            expected[i] += i != k && dx * dx + dy * dy < 1;
        }
    const Buffer<float> p(xy);
    const Buffer<int> counts(kCells * kCells), starts(kCells * kCells + 1), filled(kCells * kCells), order(n), out(n);
    const auto* at = (const float2*)p.at;
    count<<<3, 128>>>(at, counts, n);
    scan<<<1, kCells * kCells>>>(counts, starts);
    place<<<3, 128>>>(at, starts, filled, order, n);
    neighbours<<<3, 128>>>(at, starts, order, out, n);
    return same("neighbours", out.host(), expected);
}

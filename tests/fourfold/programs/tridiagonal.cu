// Many small systems: a thread each, and a block each by reduction of all equations at once.
#include "fourfold.cuh"

constexpr int kSize = 32;

__global__ void thread_each(const float* a, const float* b, const float* c, const float* d, float* x, int systems) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems) return;
    float upper[kSize], right[kSize];
    upper[0] = c[s * kSize] / b[s * kSize], right[0] = d[s * kSize] / b[s * kSize];
    for (int i = 1; i < kSize; ++i) {
        const int at = s * kSize + i;
        const float scale = 1 / (b[at] - a[at] * upper[i - 1]);
        upper[i] = c[at] * scale, right[i] = (d[at] - a[at] * right[i - 1]) * scale;
    }
    x[s * kSize + kSize - 1] = right[kSize - 1];
    for (int i = kSize - 2; i >= 0; --i) x[s * kSize + i] = right[i] - upper[i] * x[s * kSize + i + 1];
}

__global__ void block_each(const float* a, const float* b, const float* c, const float* d, float* x) {
    __shared__ float as[kSize], bs[kSize], cs[kSize], ds[kSize];
    const int i = threadIdx.x, at = blockIdx.x * kSize + i;
    as[i] = i > 0 ? a[at] : 0, bs[i] = b[at], cs[i] = i < kSize - 1 ? c[at] : 0, ds[i] = d[at];
    __syncthreads();
    for (int step = 1; step < kSize; step *= 2) {
        const int low = i - step, high = i + step;
        const float k1 = low >= 0 ? as[i] / bs[low] : 0, k2 = high < kSize ? cs[i] / bs[high] : 0;
        const float na = low >= 0 ? -as[low] * k1 : 0, nc = high < kSize ? -cs[high] * k2 : 0;
        const float nb = bs[i] - (low >= 0 ? cs[low] * k1 : 0) - (high < kSize ? as[high] * k2 : 0);
        const float nd = ds[i] - (low >= 0 ? ds[low] * k1 : 0) - (high < kSize ? ds[high] * k2 : 0);
        __syncthreads();
        as[i] = na, bs[i] = nb, cs[i] = nc, ds[i] = nd;
        __syncthreads();
    }
    x[at] = ds[i] / bs[i];
}

int main() {
    constexpr int systems = 20, count = systems * kSize;
    const std::vector<float> a = numbers<float>(count, -1, 1), b = numbers<float>(count, 3, 4, 2),
                             c = numbers<float>(count, -1, 1, 3), x = numbers<float>(count, -1, 1, 4);
    std::vector<float> d(count);
    for (int i = 0; i < count; ++i)
        d[i] = b[i] * x[i] + (i % kSize > 0 ? a[i] * x[i - 1] : 0) + (i % kSize < kSize - 1 ? c[i] * x[i + 1] : 0);
    const Buffer<float> da(a), db(b), dc(c), dd(d), first(count), second(count);
    thread_each<<<1, 32>>>(da, db, dc, dd, first, systems);
    block_each<<<systems, kSize>>>(da, db, dc, dd, second);
    return near("a thread each", first.host(), x) + near("a block each", second.host(), x);
}

// The depth in parts, a block for each: partial sums in a workspace, added by a second kernel.
#include "fourfold.cuh"

__global__ void parts(const float* a, const float* b, float* workspace, int m, int n, int k) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, part = blockIdx.y, depth = k / gridDim.y;
    if (i >= m * n) return;
    float sum = 0;
    for (int d = part * depth; d < (part + 1) * depth; ++d) sum += a[i / n * k + d] * b[d * n + i % n];
    workspace[part * m * n + i] = sum;
}

__global__ void together(const float* workspace, float* c, int count, int splits) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
        float sum = 0;
        for (int part = 0; part < splits; ++part) sum += workspace[part * count + i];
        c[i] = fmaxf(sum, 0.0f);
    }
}

int main() {
    constexpr int m = 12, n = 20, k = 256, splits = 8;
    const std::vector<float> a = numbers<float>(m * k, -1, 1), b = numbers<float>(n * k, -1, 1, 12);
    std::vector<float> expected(m * n);
    for (int i = 0; i < m * n; ++i) {
        double sum = 0;
        for (int d = 0; d < k; ++d) sum += double(a[i / n * k + d]) * b[d * n + i % n];
        expected[i] = sum > 0 ? static_cast<float>(sum) : 0;
    }
    const Buffer<float> da(a), db(b), workspace(m * n * splits), c(m * n);
    parts<<<dim3((m * n + 127) / 128, splits), 128>>>(da, db, workspace, m, n, k);
    together<<<1, 128>>>(workspace, c, m * n, splits);
    return near("product", c.host(), expected, 1e-4);
}

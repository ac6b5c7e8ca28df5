// Bytes with four products an instruction, and a scale for each row.
#include "fourfold.cuh"

__global__ void product(const int* a, const int* b, const float* scales, int* sums, float* out, int n, int words) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || column >= n) return;
    int sum = 0;
    for (int i = 0; i < words; ++i) sum = __dp4a(a[row * words + i], b[column * words + i], sum);
    sums[row * n + column] = sum;
    out[row * n + column] = sum * scales[row];
}

int main() {
    constexpr int n = 40, words = 12;
    const std::vector<signed char> a = numbers<signed char>(n * words * 4, -128, 127),
                                   b = numbers<signed char>(n * words * 4, -128, 127, 2);
    const std::vector<float> scales = numbers<float>(n, 0, 1, 6);
    std::vector<int> sums(n * n);
    std::vector<float> out(n * n);
    for (int i = 0; i < n * n; ++i) {
        for (int k = 0; k < words * 4; ++k) sums[i] += a[i / n * words * 4 + k] * b[i % n * words * 4 + k];
        out[i] = sums[i] * scales[i / n];
    }
    const Buffer<signed char> da(a), db(b);
    const Buffer<float> ds(scales), dout(n * n);
    const Buffer<int> dsums(n * n);
    product<<<dim3(2, 5), dim3(32, 8)>>>((const int*)da.at, (const int*)db.at, ds, dsums, dout, n, words);
    return same("sums", dsums.host(), sums) + same("scaled", dout.host(), out);
}

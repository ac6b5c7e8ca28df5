// The four products of a library: each factor as it is or turned.
#include "fourfold.cuh"

template <bool TurnA, bool TurnB>
__global__ void product(const float* a, const float* b, float* c, int m, int n, int k, float alpha, float beta) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || column >= n) return;
    float sum = 0;
    for (int i = 0; i < k; ++i)
        sum += (TurnA ? a[i * m + row] : a[row * k + i]) * (TurnB ? b[column * k + i] : b[i * n + column]);
    c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

int main() {
    constexpr int m = 21, n = 33, k = 18;
    const std::vector<float> a = numbers<float>(m * k, -2, 2), b = numbers<float>(n * k, -2, 2, 5),
                             c = numbers<float>(m * n, 0, 1, 9);
    const Buffer<float> da(a), db(b);
    const dim3 block(16, 8), grid((n + 15) / 16, (m + 7) / 8);
    int bad = 0;
    for (int form = 0; form < 4; ++form) {
        const bool turn_a = form & 1, turn_b = form & 2;
        const Buffer<float> out(c);
        if (form == 0) product<false, false><<<grid, block>>>(da, db, out, m, n, k, 2, 0.5f);
        if (form == 1) product<true, false><<<grid, block>>>(da, db, out, m, n, k, 2, 0.5f);
        if (form == 2) product<false, true><<<grid, block>>>(da, db, out, m, n, k, 2, 0.5f);
        if (form == 3) product<true, true><<<grid, block>>>(da, db, out, m, n, k, 2, 0.5f);
        std::vector<float> expected(m * n);
        for (int r = 0; r < m; ++r)
            for (int q = 0; q < n; ++q) {
                double sum = 0;
                for (int i = 0; i < k; ++i)
                    sum += double(turn_a ? a[i * m + r] : a[r * k + i]) * (turn_b ? b[q * k + i] : b[i * n + q]);
                expected[r * n + q] = static_cast<float>(2 * sum + 0.5 * c[r * n + q]);
            }
        bad += near("product", out.host(), expected);
    }
    return bad;
}

// The k largest of each row: lists in registers of every thread, merged by taking the best head again and again.
#include <algorithm>
#include <functional>

#include "fourfold.cuh"

template <int K>
__global__ void top(const float* in, int columns, float* out) {
    float best[K];
    for (int k = 0; k < K; ++k) best[k] = -3e38f;
    for (int i = threadIdx.x; i < columns; i += 32) {
        float value = in[blockIdx.x * columns + i];
#pragma unroll
        for (int k = 0; k < K; ++k)
            if (value > best[k]) {
                const float kept = best[k];
                best[k] = value;
                value = kept;
            }
    }
    for (int k = 0; k < K; ++k) {
        float head = best[0];
        for (int mask = 16; mask; mask >>= 1) head = fmaxf(head, __shfl_xor_sync(~0u, head, mask));
        const unsigned who = __ballot_sync(~0u, best[0] == head);
        if (threadIdx.x == __ffs(who) - 1) {
            for (int j = 0; j + 1 < K; ++j) best[j] = best[j + 1];
            best[K - 1] = -3e38f;
        }
        if (threadIdx.x == 0) out[blockIdx.x * K + k] = head;
    }
}

int main() {
    constexpr int rows = 6, columns = 200, k = 5;
    std::vector<float> values = numbers<float>(rows * columns, -10, 10), expected;
    const Buffer<float> in(values), out(rows * k);
    top<k><<<rows, 32>>>(in, columns, out);
    for (int r = 0; r < rows; ++r) {
        const auto row = values.begin() + r * columns;
        std::sort(row, row + columns, std::greater<>());
        expected.insert(expected.end(), row, row + k);
    }
    return same("top five", out.host(), expected);
}

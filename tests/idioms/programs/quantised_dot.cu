// A matrix of bytes times vectors of bytes: four products an instruction, scales a row, rounding back to bytes.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "program.cuh"

__global__ void multiply(const int8_t* weights, const int8_t* inputs, const float* scales, int columns, int batch,
                         int8_t* out) {
    const int row = blockIdx.x, lane = threadIdx.x % 32;
    for (int v = threadIdx.x / 32; v < batch; v += blockDim.x / 32) {
        const int* w = reinterpret_cast<const int*>(weights + row * columns);
        const int* x = reinterpret_cast<const int*>(inputs + v * columns);
        int sum = 0;
        for (int i = lane; i < columns / 4; i += 32) sum = __dp4a(w[i], x[i], sum);
        sum = __reduce_add_sync(0xffffffffu, sum);
        if (lane == 0) {
            const int rounded = __float2int_rn(__fmul_rn(__int2float_rn(sum), scales[row]));
            out[v * gridDim.x + row] = static_cast<int8_t>(max(-128, min(127, rounded)));
        }
    }
}

int main() {
    constexpr int rows = 48, columns = 256, batch = 6;
    std::vector<int8_t> weights(rows * columns), inputs(batch * columns), expected(batch * rows);
    std::vector<float> scales(rows);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<int8_t>(i * 37 % 251 - 125);
    for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = static_cast<int8_t>(i * i % 241 - 120);
    for (int r = 0; r < rows; ++r) scales[r] = 0.001f / (r + 1);
    for (int v = 0; v < batch; ++v)
        for (int r = 0; r < rows; ++r) {
            int sum = 0;
            for (int c = 0; c < columns; ++c) sum += weights[r * columns + c] * inputs[v * columns + c];
            const float scaled = static_cast<float>(sum) * scales[r];
            expected[v * rows + r] = static_cast<int8_t>(std::clamp(std::nearbyint(scaled), -128.0f, 127.0f));
        }
    int8_t *w = to_device(weights), *x = to_device(inputs), *out = to_device(expected);
    float* s = to_device(scales);
    CHECK(cudaMemset(out, 0, expected.size()));
    multiply<<<rows, 64>>>(w, x, s, columns, batch, out);
    CHECK(cudaGetLastError());
    const bool same = to_host(out, expected.size()) == expected;
    CHECK(cudaFree(w));
    CHECK(cudaFree(x));
    CHECK(cudaFree(s));
    CHECK(cudaFree(out));
    return verdict("product of bytes", same);
}

// Rows to bytes by their largest magnitude, rounded to even, and back.
#include "fourfold.cuh"

__global__ void quantise(const float* x, signed char* q, float* scales, int width) {
    __shared__ unsigned largest;
    if (threadIdx.x == 0) largest = 0;
    __syncthreads();
    const float* row = x + blockIdx.x * width;
    float mine = 0;
    for (int i = threadIdx.x; i < width; i += blockDim.x) mine = fmaxf(mine, fabsf(row[i]));
    atomicMax(&largest, __float_as_uint(mine));
    __syncthreads();
    const float scale = __uint_as_float(largest) / 127.0f;
    if (threadIdx.x == 0) scales[blockIdx.x] = scale;
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        q[blockIdx.x * width + i] = static_cast<signed char>(__float2int_rn(__fdiv_rn(row[i], scale)));
}

__global__ void back(const char4* q, const float* scales, float4* x, int vectors) {
    const float scale = scales[blockIdx.x];
    const char4 bytes = q[blockIdx.x * vectors + threadIdx.x];
    x[blockIdx.x * vectors + threadIdx.x] =
        make_float4(bytes.x * scale, bytes.y * scale, bytes.z * scale, bytes.w * scale);
}

int main() {
    constexpr int rows = 12, width = 128;
    const std::vector<float> x = numbers<float>(rows * width, -3, 3);
    std::vector<signed char> bytes(x.size());
    for (int r = 0; r < rows; ++r) {
        float largest = 0;
        for (int i = 0; i < width; ++i) largest = std::fmax(largest, std::fabs(x[r * width + i]));
        for (int i = 0; i < width; ++i)
            bytes[r * width + i] = static_cast<signed char>(std::nearbyint(x[r * width + i] / (largest / 127)));
    }
    const Buffer<float> in(x), scales(rows), out(x.size());
    const Buffer<signed char> q(x.size());
    quantise<<<rows, 64>>>(in, q, scales, width);
    back<<<rows, width / 4>>>((const char4*)q.at, scales, (float4*)out.at, width / 4);
    return same("bytes", q.host(), bytes) + near("values", out.host(), x, 0.02);
}

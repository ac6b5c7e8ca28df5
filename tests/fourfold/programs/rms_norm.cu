// Rows scaled by the root of their mean square, four values at a time, and a residual added on the way.
#include "fourfold.cuh"

__device__ float sum_of_block(float value) {
    __shared__ float warps[32];
    for (int offset = 16; offset > 0; offset >>= 1) value += __shfl_xor_sync(0xffffffff, value, offset);
    if ((threadIdx.x & 31) == 0) warps[threadIdx.x >> 5] = value;
    __syncthreads();
    value = threadIdx.x < (blockDim.x >> 5) ? warps[threadIdx.x] : 0;
    if (threadIdx.x < 32) {
        for (int offset = 16; offset > 0; offset >>= 1) value += __shfl_xor_sync(0xffffffff, value, offset);
        if (threadIdx.x == 0) warps[0] = value;
    }
    __syncthreads();
    return warps[0];
}

__global__ void normalise(const float4* in, float4* residual, const float4* weight, float4* out, int vectors,
                          float epsilon) {
    in += blockIdx.x * vectors, residual += blockIdx.x * vectors, out += blockIdx.x * vectors;
    float squares = 0;
    for (int i = threadIdx.x; i < vectors; i += blockDim.x) {
        const float4 a = in[i], b = residual[i], x = {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
        residual[i] = x;
        squares += x.x * x.x + x.y * x.y + x.z * x.z + x.w * x.w;
    }
    const float scale = rsqrtf(sum_of_block(squares) / (4 * vectors) + epsilon);
    for (int i = threadIdx.x; i < vectors; i += blockDim.x) {
        const float4 x = residual[i], w = weight[i];
        out[i] = make_float4(x.x * scale * w.x, x.y * scale * w.y, x.z * scale * w.z, x.w * scale * w.w);
    }
}

int main() {
    constexpr int rows = 10, width = 512;
    const std::vector<float> x = numbers<float>(rows * width, -2, 2), r = numbers<float>(rows * width, -1, 1, 3),
                             w = numbers<float>(width, 0, 2, 4);
    std::vector<float> expected(x.size());
    for (int row = 0; row < rows; ++row) {
        double squares = 0;
        for (int i = 0; i < width; ++i) squares += std::pow(double(x[row * width + i]) + r[row * width + i], 2);
        for (int i = 0; i < width; ++i)
            expected[row * width + i] = static_cast<float>((x[row * width + i] + r[row * width + i]) /
                                                           std::sqrt(squares / width + 1e-5) * w[i]);
    }
    const Buffer<float> in(x), residual(r), weight(w), out(x.size());
    normalise<<<rows, 64>>>((float4*)in.at, (float4*)residual.at, (float4*)weight.at, (float4*)out.at, width / 4,
                            1e-5f);
    return near("normalised", out.host(), expected);
}

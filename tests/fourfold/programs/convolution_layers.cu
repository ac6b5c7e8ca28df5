// Images through filters: straight, as columns and a product, one filter a channel, and pooling of two kinds.
#include "fourfold.cuh"

__global__ void straight(const float* x, const float* w, float* y, int channels, int side) {
    const int out = side - 2, i = blockIdx.x * blockDim.x + threadIdx.x, filter = blockIdx.y;
    if (i >= out * out) return;
    float sum = 0;
    for (int c = 0; c < channels; ++c)
        for (int k = 0; k < 9; ++k)
            sum += x[(c * side + i / out + k / 3) * side + i % out + k % 3] * w[(filter * channels + c) * 9 + k];
    y[filter * out * out + i] = sum;
}

__global__ void columns(const float* x, float* made, int channels, int side) {
    const int out = side - 2, i = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (i < out * out)
        made[row * out * out + i] = x[(row / 9 * side + i / out + row % 9 / 3) * side + i % out + row % 3];
}

__global__ void product(const float* w, const float* made, float* y, int depth, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    float sum = 0;
    for (int k = 0; k < depth; ++k) sum += w[blockIdx.y * depth + k] * made[k * count + i];
    y[blockIdx.y * count + i] = sum;
}

__global__ void pool(const float* x, float* largest, float* mean, int side) {
    const int half = side / 2, i = threadIdx.y * half + threadIdx.x,
              at = (blockIdx.x * side + 2 * threadIdx.y) * side + 2 * threadIdx.x;
    const float a = x[at], b = x[at + 1], c = x[at + side], d = x[at + side + 1];
    largest[blockIdx.x * half * half + i] = fmaxf(fmaxf(a, b), fmaxf(c, d));
    mean[blockIdx.x * half * half + i] = 0.25f * (a + b + c + d);
}

int main() {
    constexpr int channels = 3, filters = 4, side = 18, out = 16, count = out * out;
    const std::vector<float> x = numbers<float>(channels * side * side, -1, 1),
                             w = numbers<float>(filters * channels * 9, -1, 1, 2);
    std::vector<float> expected(filters * count), high(filters * count / 4), mean(filters * count / 4);
    for (int i = 0; i < filters * count; ++i)
        for (int k = 0; k < channels * 9; ++k)
            expected[i] += x[(k / 9 * side + i % count / out + k % 9 / 3) * side + i % out + k % 3] *
                           w[i / count * channels * 9 + k];
    const Buffer<float> dx(x), dw(w), y(filters * count), z(filters * count), made(channels * 9 * count),
        top(high.size()), middle(mean.size());
    straight<<<dim3(2, filters), 128>>>(dx, dw, y, channels, side);
    columns<<<dim3(4, channels * 9), 64>>>(dx, made, channels, side);
    product<<<dim3(2, filters), 128>>>(dw, made, z, channels * 9, count);
    pool<<<filters, dim3(out / 2, out / 2)>>>(y, top, middle, out);
    const std::vector<float> found = y.host();
    for (std::size_t i = 0; i < high.size(); ++i) {
        const float* at = &found[(i / 64 * out + 2 * (i % 64 / 8)) * out + 2 * (i % 8)];
        high[i] = std::fmax(std::fmax(at[0], at[1]), std::fmax(at[out], at[out + 1]));
        mean[i] = 0.25f * (at[0] + at[1] + at[out] + at[out + 1]);
    }
    return near("straight", found, expected) + near("as a product", z.host(), expected) +
           same("largest", top.host(), high) + same("mean", middle.host(), mean);
}

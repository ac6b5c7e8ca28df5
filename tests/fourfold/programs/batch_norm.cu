// Mean and variance of channels over a batch, then scale and shift; images of NCHW.
#include "fourfold.cuh"

__global__ void statistics(const float* x, float* mean, float* variance, int batch, int channels, int area) {
    extern __shared__ float sums[];
    float* squares = sums + blockDim.x;
    const int channel = blockIdx.x, t = threadIdx.x;
    float sum = 0, square = 0;
    for (int i = t; i < batch * area; i += blockDim.x) {
        const float value = x[(i / area * channels + channel) * area + i % area];
        sum += value;
        square += value * value;
    }
    sums[t] = sum, squares[t] = square;
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        __syncthreads();
        if (t < step) sums[t] += sums[t + step], squares[t] += squares[t + step];
    }
    if (t == 0) {
        const float m = sums[0] / (batch * area);
        mean[channel] = m;
        variance[channel] = squares[0] / (batch * area) - m * m;
    }
}

__global__ void apply(const float* x, const float* mean, const float* variance, const float* gamma, const float* beta,
                      float* y, int channels, int area) {
    const int i = threadIdx.x + blockDim.x * threadIdx.y, at = (blockIdx.y * channels + blockIdx.x) * area + i,
              c = blockIdx.x;
    if (i < area) y[at] = (x[at] - mean[c]) * rsqrtf(variance[c] + 1e-5f) * gamma[c] + beta[c];
}

int main() {
    constexpr int batch = 4, channels = 6, side = 12, area = side * side, count = batch * channels * area;
    const std::vector<float> x = numbers<float>(count, -1, 3), g = numbers<float>(channels, 0, 2, 2),
                             b = numbers<float>(channels, -1, 1, 3);
    std::vector<float> expected(count);
    for (int c = 0; c < channels; ++c) {
        double sum = 0, square = 0;
        for (int i = 0; i < count; ++i)
            if (i / area % channels == c) sum += x[i], square += double(x[i]) * x[i];
        const double mean = sum / (batch * area), variance = square / (batch * area) - mean * mean;
        for (int i = 0; i < count; ++i)
            if (i / area % channels == c)
                expected[i] = static_cast<float>((x[i] - mean) / std::sqrt(variance + 1e-5) * g[c] + b[c]);
    }
    const Buffer<float> in(x), gamma(g), beta(b), mean(channels), variance(channels), out(count);
    statistics<<<channels, 128, 2 * 128 * sizeof(float)>>>(in, mean, variance, batch, channels, area);
    apply<<<dim3(channels, batch), dim3(side, side)>>>(in, mean, variance, gamma, beta, out, channels, area);
    return near("normalised", out.host(), expected, 1e-3);
}

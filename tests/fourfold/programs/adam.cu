// A step of an optimiser over weights, gradients and two moments, with the norm of the gradient clipped first.
#include "fourfold.cuh"

struct Settings {
    float rate, beta1, beta2, epsilon, decay;
    int step;
};

__global__ void squares_of(const float* g, double* out, int count) {
    double sum = 0;
    for (int i = threadIdx.x; i < count; i += blockDim.x) sum += double(g[i]) * g[i];
    atomicAdd(out, sum);
}

__global__ void adam(float* w, const float* g, float* m, float* v, const double* squares, Settings s, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const float clip = fminf(1.0f, 1.0f / sqrtf(static_cast<float>(*squares))), gradient = g[i] * clip;
    m[i] = s.beta1 * m[i] + (1 - s.beta1) * gradient;
    v[i] = s.beta2 * v[i] + (1 - s.beta2) * gradient * gradient;
    const float mean = m[i] / (1 - powf(s.beta1, s.step)), square = v[i] / (1 - powf(s.beta2, s.step));
    w[i] -= s.rate * (mean / (sqrtf(square) + s.epsilon) + s.decay * w[i]);
}

int main() {
    constexpr int count = 1000;
    const std::vector<float> w = numbers<float>(count, -1, 1), g = numbers<float>(count, -1, 1, 5);
    std::vector<float> expected = w, m(count), v(count);
    double squares = 0;
    for (const float x : g) squares += double(x) * x;
    const Buffer<float> dw(w), dg(g), dm(count), dv(count);
    const Buffer<double> sum(1);
    squares_of<<<1, 32>>>(dg, sum, count);
    for (int step = 1; step <= 3; ++step) {
        adam<<<(count + 127) / 128, 128>>>(dw, dg, dm, dv, sum, {0.01f, 0.9f, 0.999f, 1e-8f, 0.1f, step}, count);
        for (int i = 0; i < count; ++i) {
            const float gradient = g[i] * static_cast<float>(1 / std::sqrt(squares));
            m[i] = 0.9f * m[i] + 0.1f * gradient;
            v[i] = 0.999f * v[i] + 0.001f * gradient * gradient;
            expected[i] -=
                0.01f * (m[i] / (1 - std::pow(0.9f, step)) / (std::sqrt(v[i] / (1 - std::pow(0.999f, step))) + 1e-8f) +
                         0.1f * expected[i]);
        }
    }
    return near("weights", dw.host(), expected, 1e-3);
}

// The loss of rows of logits and its gradient, in one kernel.
#include "fourfold.cuh"

__global__ void loss(const float* logits, const int* labels, float* losses, float* gradient, int classes) {
    const int row = blockIdx.x, lane = threadIdx.x;
    const float* x = logits + row * classes;
    float largest = -1e30f, sum = 0;
    for (int i = lane; i < classes; i += 32) largest = fmaxf(largest, x[i]);
    for (int o = 16; o; o >>= 1) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, o));
    for (int i = lane; i < classes; i += 32) sum += expf(x[i] - largest);
    for (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
    if (lane == 0) losses[row] = logf(sum) + largest - x[labels[row]];
    for (int i = lane; i < classes; i += 32)
        gradient[row * classes + i] = (expf(x[i] - largest) / sum - (i == labels[row] ? 1.0f : 0.0f)) / gridDim.x;
}

int main() {
    constexpr int rows = 24, classes = 100;
    const std::vector<float> x = numbers<float>(rows * classes, -5, 5);
    const std::vector<int> labels = numbers<int>(rows, 0, classes - 1, 77);
    std::vector<float> losses(rows), gradient(rows * classes);
    for (int r = 0; r < rows; ++r) {
        double sum = 0;
        for (int i = 0; i < classes; ++i) sum += std::exp(double(x[r * classes + i]));
        losses[r] = static_cast<float>(std::log(sum) - x[r * classes + labels[r]]);
        for (int i = 0; i < classes; ++i)
            gradient[r * classes + i] =
                static_cast<float>((std::exp(double(x[r * classes + i])) / sum - (i == labels[r])) / rows);
    }
    const Buffer<float> logits(x), out(rows), slope(rows * classes);
    const Buffer<int> which(labels);
    loss<<<rows, 32>>>(logits, which, out, slope, classes);
    return near("loss", out.host(), losses) + near("gradient", slope.host(), gradient);
}

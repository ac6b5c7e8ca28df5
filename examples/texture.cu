// An image turned by 30 degrees: from linear memory by hand, and from an array by the texture unit, with clamped and
// with repeating edges. The unit's weights have 8 bits, so its results differ from exact ones by up to 1/256 of a step.
#include <cmath>
#include <vector>

#include <cuda_runtime.h>

#include "check.h"

constexpr int kSize = 128;
constexpr float kCosine = 0.8660254f, kSine = 0.5f;

__host__ __device__ void source_of(int x, int y, float& u, float& v) {
    const float dx = x + 0.5f - kSize / 2, dy = y + 0.5f - kSize / 2;
    u = kCosine * dx - kSine * dy + kSize / 2;
    v = kSine * dx + kCosine * dy + kSize / 2;
}

__host__ __device__ float between(const float* image, float u, float v, bool repeats) {
    const float left = floorf(u - 0.5f), top = floorf(v - 0.5f);
    const float right_share = u - 0.5f - left, lower_share = v - 0.5f - top;
    float sum = 0;
    for (int row = 0; row < 2; ++row)
        for (int column = 0; column < 2; ++column) {
            int x = static_cast<int>(left) + column, y = static_cast<int>(top) + row;
            x = repeats ? (x + 2 * kSize) % kSize : min(max(x, 0), kSize - 1);
            y = repeats ? (y + 2 * kSize) % kSize : min(max(y, 0), kSize - 1);
            sum +=
                image[y * kSize + x] * (column ? right_share : 1 - right_share) * (row ? lower_share : 1 - lower_share);
        }
    return sum;
}

__global__ void turn_by_hand(const float* image, float* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float u, v;
    source_of(x, y, u, v);
    out[y * kSize + x] = between(image, u, v, false);
}

__global__ void turn_by_texture(cudaTextureObject_t image, float* out, float scale) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float u, v;
    source_of(x, y, u, v);
    out[y * kSize + x] = tex2D<float>(image, u * scale, v * scale);
}

int main() {
    std::vector<float> image(kSize * kSize), out(kSize * kSize);
    for (int i = 0; i < kSize * kSize; ++i) image[i] = std::sin(i % kSize * 0.2f) + std::cos(i / kSize * 0.1f);
    float* const device_image = to_device(image);
    float* const device_out = device_buffer<float>(out.size());

    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&array, &format, kSize, kSize));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, image.data(), kSize * sizeof(float), kSize * sizeof(float), kSize,
                              cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc clamped{};
    clamped.addressMode[0] = clamped.addressMode[1] = cudaAddressModeClamp;
    clamped.filterMode = cudaFilterModeLinear;
    cudaTextureDesc repeating = clamped;
    repeating.addressMode[0] = repeating.addressMode[1] = cudaAddressModeWrap;
    repeating.normalizedCoords = 1;
    cudaTextureObject_t with_edges, without_edges;
    CHECK(cudaCreateTextureObject(&with_edges, &resource, &clamped, nullptr));
    CHECK(cudaCreateTextureObject(&without_edges, &resource, &repeating, nullptr));

    const dim3 block(16, 16), grid(kSize / 16, kSize / 16);
    Verdict verdict;
    const auto verify = [&](const char* name, bool repeats, float tolerance) {
        finish_launch();
        out = to_host(device_out, out.size());
        float worst = 0;
        for (int i = 0; i < kSize * kSize; ++i) {
            float u, v;
            source_of(i % kSize, i / kSize, u, v);
            worst = std::fmax(worst, std::fabs(out[i] - between(image.data(), u, v, repeats)));
        }
        verdict.that(name, worst <= tolerance);
    };
    turn_by_hand<<<grid, block>>>(device_image, device_out);
    verify("by hand", false, 1e-4f);
    turn_by_texture<<<grid, block>>>(with_edges, device_out, 1.0f);
    verify("texture, clamped", false, 0.02f);
    turn_by_texture<<<grid, block>>>(without_edges, device_out, 1.0f / kSize);
    verify("texture, repeating", true, 0.02f);

    CHECK(cudaDestroyTextureObject(with_edges));
    CHECK(cudaDestroyTextureObject(without_edges));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(device_image));
    CHECK(cudaFree(device_out));
    return verdict.status();
}

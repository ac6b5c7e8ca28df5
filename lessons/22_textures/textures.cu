// An image turned by an angle: read with loads, and through textures of linear and pitched memory and of an array.
//
//   textures ANGLE    in degrees; 30 without it
//
// Build it alone: nvcc -std=c++17 textures.cu
#include <algorithm>
#include <cmath>
#include <set>
#include "../lesson.h"

constexpr int kSize = 256, kPoints = 4096;
struct Turn {
    float cosine, sine;
};

// Where a pixel of the turned image comes from: 0.5 is the middle of the first texel.
__host__ __device__ void source_of(Turn turn, int x, int y, float& u, float& v) {
    const float dx = x + 0.5f - kSize / 2, dy = y + 0.5f - kSize / 2;
    u = turn.cosine * dx - turn.sine * dy + kSize / 2;
    v = turn.sine * dx + turn.cosine * dy + kSize / 2;
}

// My pixel, and where it comes from.
__device__ int my_pixel(Turn turn, float& u, float& v) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    source_of(turn, x, y, u, v);
    return y * kSize + x;
}

// The four texels around a point, clamped at the edges, and how far it is from the upper left one to the next ones.
struct Around {
    int x0, x1, y0, y1;
    float a, b;
};
__host__ __device__ Around around(float u, float v) {
    const float left = floorf(u - 0.5f), top = floorf(v - 0.5f);
    const int last = kSize - 1, x = (int)left, y = (int)top;
    return {min(max(x, 0), last),     min(max(x + 1, 0), last), min(max(y, 0), last),
            min(max(y + 1, 0), last), u - 0.5f - left,          v - 0.5f - top};
}
__host__ __device__ float mix(Around at, float p00, float p10, float p01, float p11) {
    return (1 - at.b) * ((1 - at.a) * p00 + at.a * p10) + at.b * ((1 - at.a) * p01 + at.a * p11);
}

__host__ __device__ float by_loads(const float* image, float u, float v) {
    const Around at = around(u, v);
    const float *upper = image + at.y0 * kSize, *lower = image + at.y1 * kSize;
    return mix(at, upper[at.x0], upper[at.x1], lower[at.x0], lower[at.x1]);  // [loads]
}

__global__ void from_loads(const float* image, float* out, Turn turn) {
    float u, v;
    const int i = my_pixel(turn, u, v);
    out[i] = by_loads(image, u, v);
}

__global__ void from_linear(cudaTextureObject_t image, float* out, Turn turn) {
    float u, v;
    const int i = my_pixel(turn, u, v);
    const Around at = around(u, v);
    const int upper = at.y0 * kSize, lower = at.y1 * kSize;
    out[i] = mix(at, tex1Dfetch<float>(image, upper + at.x0), tex1Dfetch<float>(image, upper + at.x1),
                 tex1Dfetch<float>(image, lower + at.x0), tex1Dfetch<float>(image, lower + at.x1));
}

__global__ void from_pitched(cudaTextureObject_t image, float* out, Turn turn) {
    float u, v;
    const int i = my_pixel(turn, u, v);
    out[i] = tex2D<float>(image, u, v);  // [pitched]
}

__global__ void from_array(cudaTextureObject_t image, float* out, Turn turn) {
    float u, v;
    const int i = my_pixel(turn, u, v);
    out[i] = tex2D<float>(image, u, v);  // [array]
}

// From the middle of the first texel to the middle of the second, in equal steps.
__global__ void between_two(cudaTextureObject_t line, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= kPoints) out[i] = tex1D<float>(line, 0.5f + i / (float)kPoints);  // [between]
}

// Half a texel left of the image, whose width is 1 here.
__global__ void beyond(cudaTextureObject_t line, float* out) { *out = tex1D<float>(line, -0.125f); }

cudaArray_t array_of(const std::vector<float>& texels, int width, int height) {
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&array, &format, width, height > 1 ? height : 0));
    const std::size_t row = width * sizeof(float);
    CHECK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), row, row, height, cudaMemcpyHostToDevice));
    return array;
}

cudaTextureObject_t texture_of(const cudaResourceDesc& resource, cudaTextureFilterMode filter,
                               cudaTextureAddressMode mode = cudaAddressModeClamp, bool normalised = false) {
    cudaTextureDesc description{};
    description.addressMode[0] = description.addressMode[1] = mode;
    description.filterMode = filter;
    description.normalizedCoords = normalised;
    description.borderColor[0] = -1;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
}
cudaResourceDesc resource_of(cudaArray_t array) {
    cudaResourceDesc resource{cudaResourceTypeArray};
    resource.res.array.array = array;
    return resource;
}

int main(int argc, char** argv) {
    const int degrees = argc > 1 ? std::atoi(argv[1]) : 30;
    const float radians = degrees * 3.14159265f / 180;
    const Turn turn{degrees % 180 == 90 ? 0 : std::cos(radians), std::sin(radians)};  // 0 exactly

    const std::vector<float> image = eighths(kSize * kSize, 22);
    std::vector<float> want(image.size());
    for (int i = 0; i < kSize * kSize; ++i) {
        float u, v;
        source_of(turn, i % kSize, i / kSize, u, v);
        want[i] = by_loads(image.data(), u, v);
    }
    float* const linear = to_device(image);
    float* pitched;
    std::size_t pitch, row = kSize * sizeof(float);
    CHECK(cudaMallocPitch(&pitched, &pitch, row, kSize));
    CHECK(cudaMemcpy2D(pitched, pitch, image.data(), row, row, kSize, cudaMemcpyHostToDevice));
    cudaArray_t array = array_of(image, kSize, kSize);

    cudaResourceDesc of_linear{cudaResourceTypeLinear}, of_pitched{cudaResourceTypePitch2D};
    of_linear.res.linear = {linear, cudaCreateChannelDesc<float>(), image.size() * sizeof(float)};
    of_pitched.res.pitch2D = {pitched, cudaCreateChannelDesc<float>(), kSize, kSize, pitch};
    const cudaTextureObject_t linear_texture = texture_of(of_linear, cudaFilterModePoint);
    const cudaTextureObject_t pitched_texture = texture_of(of_pitched, cudaFilterModeLinear);
    const cudaTextureObject_t array_texture = texture_of(resource_of(array), cudaFilterModeLinear);

    const dim3 block(32, 8), grid(kSize / 32, kSize / 8);
    float* const out = device_buffer<float>(image.size());
    Verdict verdict;
    const auto worst_of = [&](const std::vector<float>& result) {
        float worst = 0;
        for (std::size_t i = 0; i < result.size(); ++i) worst = std::max(worst, std::fabs(result[i] - want[i]));
        return worst;
    };
    launch("loads", [&] { from_loads<<<grid, block>>>(linear, out, turn); });
    const std::vector<float> by_hand = to_host(out, image.size());
    verdict.that("loads", worst_of(by_hand) < 1e-3);
    launch("linear", [&] { from_linear<<<grid, block>>>(linear_texture, out, turn); });
    verdict.equal("linear memory", to_host(out, image.size()), by_hand);
    launch("pitched", [&] { from_pitched<<<grid, block>>>(pitched_texture, out, turn); });
    const std::vector<float> by_unit = to_host(out, image.size());
    figure("largest difference", worst_of(by_unit));
    launch("array", [&] { from_array<<<grid, block>>>(array_texture, out, turn); });
    verdict.equal("array", to_host(out, image.size()), by_unit);

    // What the unit's weights are made of: a texel of 0 beside one of 1, in 4,096 steps.
    cudaArray_t two = array_of({0, 1}, 2, 1);
    const cudaTextureObject_t pair = texture_of(resource_of(two), cudaFilterModeLinear);
    float* const line = device_buffer<float>(kPoints + 1);
    launch("between", [&] { between_two<<<(kPoints + 256) / 256, 256>>>(pair, line); });
    const std::vector<float> steps = to_host(line, kPoints + 1);
    figure("different values", std::set<float>(steps.begin(), steps.end()).size());
    figure("smallest step", steps[kPoints / 2 + 16] - steps[kPoints / 2]);

    // Beyond the edge: four texels, 1 to 4.
    cudaArray_t four = array_of({1, 2, 3, 4}, 4, 1);
    const auto edge = [&](const char* name, cudaTextureAddressMode mode, bool normalised) {
        const cudaTextureObject_t texture = texture_of(resource_of(four), cudaFilterModePoint, mode, normalised);
        launch(name, [&] { beyond<<<1, 1>>>(texture, line); });
        figure(name, to_host(line, 1)[0]);
    };
    edge("clamp", cudaAddressModeClamp, true);
    edge("wrap", cudaAddressModeWrap, true);
    edge("mirror", cudaAddressModeMirror, true);
    edge("border", cudaAddressModeBorder, true);
    edge("wrap of texels", cudaAddressModeWrap, false);
    return verdict.status();
}

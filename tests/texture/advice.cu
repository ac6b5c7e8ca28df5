// One image, walked through textures in ways of which each is told what it should be told: check_advice.py.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

constexpr int kWidth = 2048, kHeight = 2048;

__global__ void rows(cudaTextureObject_t image, float* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    out[y * kWidth + x] = 2 * tex2D<float>(image, x + 0.5f, y + 0.5f);
}

// The unit clamps what lies beyond the edges.
__global__ void rows_and_edges(cudaTextureObject_t image, float* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    out[y * kWidth + x] = tex2D<float>(image, x - 0.5f, y + 0.5f) + tex2D<float>(image, x + 1.5f, y + 0.5f);
}

__global__ void linear_rows(cudaTextureObject_t numbers, float* out) {
    int i = blockIdx.y * kWidth + blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * tex1Dfetch<float>(numbers, i);
}

// Within the image all the same: a quarter of a turn about its middle, and some more.
__global__ void turned(cudaTextureObject_t image, float* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float dx = (x - kWidth / 2) * 0.5f, dy = (y - kHeight / 2) * 0.5f;
    float u = 0.6f * dx - 0.8f * dy + kWidth / 2, v = 0.8f * dx + 0.6f * dy + kHeight / 2;
    out[y * kWidth + x] = tex2D<float>(image, u, v);
}

// Warps go down the columns.
__global__ void columns(cudaTextureObject_t image, float* out) {
    int y = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y;
    out[x * kHeight + y] = tex2D<float>(image, x + 0.5f, y + 0.5f);
}

__global__ void filtered(cudaTextureObject_t image, float* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    out[y * kWidth + x] = tex2D<float>(image, x * 0.7f + 0.8f, y * 0.7f + 0.8f);
}

__global__ void filtered_by_hand(cudaTextureObject_t image, float* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    float u = x * 0.7f + 0.3f, v = y * 0.7f + 0.3f;
    float left = floorf(u), top = floorf(v), a = u - left, b = v - top;
    float upper =
        (1 - a) * tex2D<float>(image, left + 0.5f, top + 0.5f) + a * tex2D<float>(image, left + 1.5f, top + 0.5f);
    float lower =
        (1 - a) * tex2D<float>(image, left + 0.5f, top + 1.5f) + a * tex2D<float>(image, left + 1.5f, top + 1.5f);
    out[y * kWidth + x] = (1 - b) * upper + b * lower;
}

static cudaTextureObject_t texture_of(const cudaResourceDesc& resource, cudaTextureFilterMode filter) {
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = filter;
    cudaTextureObject_t texture = 0;
    if (cudaCreateTextureObject(&texture, &resource, &how, nullptr) != cudaSuccess) exit(1);
    return texture;
}

int main() {
    std::vector<float> pixels(kWidth * kHeight);
    for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = i % 1000;
    cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    float *out, *numbers;
    cudaMallocArray(&array, &floats, kWidth, kHeight);
    cudaMemcpy2DToArray(array, 0, 0, pixels.data(), kWidth * 4, kWidth * 4, kHeight, cudaMemcpyHostToDevice);
    cudaMalloc(&out, pixels.size() * 4);
    cudaMalloc(&numbers, pixels.size() * 4);
    cudaMemcpy(numbers, pixels.data(), pixels.size() * 4, cudaMemcpyHostToDevice);
    cudaResourceDesc of_array, of_rows, of_line;
    memset(&of_array, 0, sizeof of_array);
    of_array.resType = cudaResourceTypeArray;
    of_array.res.array.array = array;
    memset(&of_rows, 0, sizeof of_rows);
    of_rows.resType = cudaResourceTypePitch2D;
    of_rows.res.pitch2D.devPtr = numbers;
    of_rows.res.pitch2D.desc = floats;
    of_rows.res.pitch2D.width = kWidth;
    of_rows.res.pitch2D.height = kHeight;
    of_rows.res.pitch2D.pitchInBytes = kWidth * 4;
    memset(&of_line, 0, sizeof of_line);
    of_line.resType = cudaResourceTypeLinear;
    of_line.res.linear.devPtr = numbers;
    of_line.res.linear.desc = floats;
    of_line.res.linear.sizeInBytes = pixels.size() * 4;
    cudaTextureObject_t tiles = texture_of(of_array, cudaFilterModePoint),
                        pitched = texture_of(of_rows, cudaFilterModePoint);
    cudaTextureObject_t line = texture_of(of_line, cudaFilterModePoint),
                        smooth = texture_of(of_array, cudaFilterModeLinear);
    dim3 by_row(kWidth / 256, kHeight), square(kWidth / 16, kHeight / 16), by_16(16, 16);
    rows<<<by_row, 256>>>(tiles, out);
    rows_and_edges<<<by_row, 256>>>(tiles, out);
    linear_rows<<<by_row, 256>>>(line, out);
    turned<<<square, by_16>>>(tiles, out);
    columns<<<by_row, 256>>>(pitched, out);
    columns<<<by_row, 256>>>(tiles, out);
    filtered<<<by_row, 256>>>(smooth, out);
    filtered_by_hand<<<by_row, 256>>>(tiles, out);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    printf("PASS\n");
    return 0;
}

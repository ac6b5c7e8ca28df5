// An image turned about its middle, in each of the four address modes, from an array and from pitched memory.
#include <cuda_runtime.h>

#include <cassert>
#include <cmath>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <string>

#define CUDA_CHECK(x)                                                                      \
    if ((x) != cudaSuccess) {                                                              \
        std::cerr << cudaGetErrorString(cudaGetLastError()) << " at " << __LINE__ << '\n'; \
        return 1;                                                                          \
    }

__global__ void transformKernel(float* output, cudaTextureObject_t texObj, int width, int height, float cosine,
                                float sine) {
    unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float u = x / (float)width - 0.5f;
    float v = y / (float)height - 0.5f;
    float tu = __fmaf_rn(u, cosine, __fmul_rn(-v, sine)) + 0.5f;
    float tv = __fmaf_rn(v, cosine, __fmul_rn(u, sine)) + 0.5f;
    output[y * width + x] = tex2D<float>(texObj, tu, tv);
}

static int wrapped(int i, int n, cudaTextureAddressMode mode) {
    if (mode == cudaAddressModeWrap) return ((i % n) + n) % n;
    if (mode == cudaAddressModeClamp) return std::min(std::max(i, 0), n - 1);
    if (mode == cudaAddressModeMirror) {
        int there = ((i % (2 * n)) + 2 * n) % (2 * n);
        return there < n ? there : 2 * n - 1 - there;
    }
    return i < 0 || i >= n ? -1 : i;
}

int main() {
    const int width = 64, height = 64;
    const float angle = 0.5f, cosine = 1.5f * std::cos(angle), sine = 1.5f * std::sin(angle);
    float h_data[height][width], h_out[height][width];
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) h_data[y][x] = float((x * 7 + y * 13 + x * y) % 97);

    cudaChannelFormatDesc channelDesc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaArray_t cuArray;
    CUDA_CHECK(cudaMallocArray(&cuArray, &channelDesc, width, height));
    const size_t spitch = width * sizeof(float);
    CUDA_CHECK(
        cudaMemcpy2DToArray(cuArray, 0, 0, h_data, spitch, width * sizeof(float), height, cudaMemcpyHostToDevice));
    float* pitched;
    size_t pitch;
    CUDA_CHECK(cudaMallocPitch(&pitched, &pitch, spitch, height));
    CUDA_CHECK(cudaMemcpy2D(pitched, pitch, h_data, spitch, spitch, height, cudaMemcpyHostToDevice));
    float* output;
    CUDA_CHECK(cudaMalloc(&output, width * height * sizeof(float)));

    int failed = 0;
    const char* const names[] = {"wrap", "clamp", "mirror", "border"};
    for (int from = 0; from < 2; ++from)
        for (auto mode : {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder}) {
            cudaResourceDesc resDesc{};
            if (from == 0) {
                resDesc.resType = cudaResourceTypeArray;
                resDesc.res.array.array = cuArray;
            } else {
                resDesc.resType = cudaResourceTypePitch2D;
                resDesc.res.pitch2D.devPtr = pitched;
                resDesc.res.pitch2D.desc = channelDesc;
                resDesc.res.pitch2D.width = width;
                resDesc.res.pitch2D.height = height;
                resDesc.res.pitch2D.pitchInBytes = pitch;
            }
            cudaTextureDesc texDesc{};
            texDesc.addressMode[0] = mode;
            texDesc.addressMode[1] = mode;
            texDesc.filterMode = cudaFilterModeLinear;
            texDesc.readMode = cudaReadModeElementType;
            texDesc.normalizedCoords = 1;
            texDesc.borderColor[0] = 50.f;
            cudaTextureObject_t texObj = 0;
            CUDA_CHECK(cudaCreateTextureObject(&texObj, &resDesc, &texDesc, nullptr));
            dim3 threadsperBlock(16, 16);
            dim3 numBlocks((width + threadsperBlock.x - 1) / threadsperBlock.x,
                           (height + threadsperBlock.y - 1) / threadsperBlock.y);
            transformKernel<<<numBlocks, threadsperBlock>>>(output, texObj, width, height, cosine, sine);
            CUDA_CHECK(cudaMemcpy(h_out, output, width * height * sizeof(float), cudaMemcpyDeviceToHost));
            double worst = 0, total = 0;
            for (int y = 0; y < height; ++y)
                for (int x = 0; x < width; ++x) {
                    float u = x / (float)width - 0.5f, v = y / (float)height - 0.5f;
                    double tu = (u * cosine - v * sine + 0.5) * width - 0.5,
                           tv = (v * cosine + u * sine + 0.5) * height - 0.5;
                    int i = (int)std::floor(tu), j = (int)std::floor(tv);
                    double a = tu - i, b = tv - j, want = 0;
                    for (int dj = 0; dj < 2; ++dj)
                        for (int di = 0; di < 2; ++di) {
                            int c = wrapped(i + di, width, mode), r = wrapped(j + dj, height, mode);
                            double texel = c < 0 || r < 0 ? 50.0 : h_data[r][c];
                            want += texel * (di ? a : 1 - a) * (dj ? b : 1 - b);
                        }
                    worst = std::max(worst, std::abs(want - h_out[y][x]));
                    total += h_out[y][x];
                }
            // Weights have eight bits: half a step of 1/256 in each direction, of texels up to 96 apart.
            const bool ok = worst < 96 * 2 * 0.5 / 256 + 0.2;
            failed += !ok;
            std::cout << (from ? "pitched " : "array   ") << std::setw(6) << names[mode] << "  sum " << std::fixed
                      << std::setprecision(6) << total << (ok ? "  PASS" : "  FAIL") << std::endl;
            CUDA_CHECK(cudaDestroyTextureObject(texObj));
        }
    cudaFreeArray(cuArray);
    cudaFree(pitched);
    cudaFree(output);
    return failed;
}

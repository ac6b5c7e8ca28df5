// Disparity of a stereo pair: textures of packed pixels on pitched memory, absolute differences of four bytes at a
// time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

#include <cuda_runtime.h>
#include <device_launch_parameters.h>

#define blockSize_x 32
#define blockSize_y 8
#define RAD 3

template <typename T>
void check(T result, char const* const func, const char* const file, int const line) {
    if (result) {
        fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line, static_cast<unsigned int>(result),
                cudaGetErrorName(result), func);
        exit(EXIT_FAILURE);
    }
}
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)

__device__ unsigned int __usad4(unsigned int A, unsigned int B, unsigned int C = 0) {
    unsigned int result;
    asm("vabsdiff4.u32.u32.u32.add"
        " %0, %1, %2, %3;"
        : "=r"(result)
        : "r"(A), "r"(B), "r"(C));
    return result;
}

__global__ void stereoDisparityKernel(unsigned int* g_odata, int w, int h, int minDisparity, int maxDisparity,
                                      cudaTextureObject_t tex2Dleft, cudaTextureObject_t tex2Dright) {
    const int tidx = blockDim.x * blockIdx.x + threadIdx.x;
    const int tidy = blockDim.y * blockIdx.y + threadIdx.y;
    __shared__ unsigned int diff[blockSize_y + 2 * RAD][blockSize_x + 2 * RAD];
    unsigned int bestCost = 9999999, bestDisparity = 0;
    for (int d = minDisparity; d <= maxDisparity; d++) {
        for (int j = threadIdx.y; j < blockSize_y + 2 * RAD; j += blockSize_y)
            for (int i = threadIdx.x; i < blockSize_x + 2 * RAD; i += blockSize_x) {
                const int x = blockIdx.x * blockSize_x + i - RAD, y = blockIdx.y * blockSize_y + j - RAD;
                const unsigned int imLeft = tex2D<unsigned int>(tex2Dleft, x, y);
                const unsigned int imRight = tex2D<unsigned int>(tex2Dright, x + d, y);
                diff[j][i] = __usad4(imLeft, imRight);
            }
        __syncthreads();
        unsigned int cost = 0;
#pragma unroll
        for (int j = 0; j <= 2 * RAD; j++)
#pragma unroll
            for (int i = 0; i <= 2 * RAD; i++) cost += diff[threadIdx.y + j][threadIdx.x + i];
        if (cost < bestCost) {
            bestCost = cost;
            bestDisparity = d + 8;
        }
        __syncthreads();
    }
    if (tidy < h && tidx < w) g_odata[tidy * w + tidx] = bestDisparity;
}

int main() {
    const int w = 100, h = 44, minDisp = -6, maxDisp = 0;
    std::vector<unsigned int> left(w * h), right(w * h), disparity(w * h);
    unsigned int seed = 7;
    for (auto& pixel : left) pixel = (seed = seed * 69069u + 1u) ^ seed >> 15;
    // The right image is the left one, moved by 2 in the upper half and by 5 in the lower.
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const int moved = x + (y < h / 2 ? 2 : 5);
            right[y * w + x] = left[y * w + (moved < w ? moved : w - 1)];
        }
    unsigned int *d_left, *d_right, *d_out;
    size_t pitch_left, pitch_right;
    checkCudaErrors(cudaMallocPitch((void**)&d_left, &pitch_left, w * sizeof(unsigned int), h));
    checkCudaErrors(cudaMallocPitch((void**)&d_right, &pitch_right, w * sizeof(unsigned int), h));
    checkCudaErrors(cudaMalloc((void**)&d_out, w * h * sizeof(unsigned int)));
    checkCudaErrors(cudaMemcpy2D(d_left, pitch_left, left.data(), w * 4, w * 4, h, cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMemcpy2D(d_right, pitch_right, right.data(), w * 4, w * 4, h, cudaMemcpyHostToDevice));

    cudaChannelFormatDesc ca_desc = cudaCreateChannelDesc<unsigned int>();
    cudaTextureObject_t tex2Dleft, tex2Dright;
    cudaResourceDesc texRes;
    memset(&texRes, 0, sizeof(cudaResourceDesc));
    texRes.resType = cudaResourceTypePitch2D;
    texRes.res.pitch2D.devPtr = d_left;
    texRes.res.pitch2D.desc = ca_desc;
    texRes.res.pitch2D.width = w;
    texRes.res.pitch2D.height = h;
    texRes.res.pitch2D.pitchInBytes = pitch_left;
    cudaTextureDesc texDescr;
    memset(&texDescr, 0, sizeof(cudaTextureDesc));
    texDescr.normalizedCoords = false;
    texDescr.filterMode = cudaFilterModePoint;
    texDescr.addressMode[0] = cudaAddressModeClamp;
    texDescr.addressMode[1] = cudaAddressModeClamp;
    texDescr.readMode = cudaReadModeElementType;
    checkCudaErrors(cudaCreateTextureObject(&tex2Dleft, &texRes, &texDescr, NULL));
    texRes.res.pitch2D.devPtr = d_right;
    texRes.res.pitch2D.pitchInBytes = pitch_right;
    checkCudaErrors(cudaCreateTextureObject(&tex2Dright, &texRes, &texDescr, NULL));

    dim3 numThreads(blockSize_x, blockSize_y, 1);
    dim3 numBlocks((w + numThreads.x - 1) / numThreads.x, (h + numThreads.y - 1) / numThreads.y);
    stereoDisparityKernel<<<numBlocks, numThreads>>>(d_out, w, h, minDisp, maxDisp, tex2Dleft, tex2Dright);
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaMemcpy(disparity.data(), d_out, w * h * sizeof(unsigned int), cudaMemcpyDeviceToHost));

    const auto at = [&](const std::vector<unsigned int>& image, int x, int y) {
        x = x < 0 ? 0 : x >= w ? w - 1 : x, y = y < 0 ? 0 : y >= h ? h - 1 : y;
        return image[y * w + x];
    };
    int wrong = 0, found = 0;
    unsigned int checkSum = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            unsigned int best = 9999999, which = 0;
            for (int d = minDisp; d <= maxDisp; d++) {
                unsigned int cost = 0;
                for (int j = -RAD; j <= RAD; j++)
                    for (int i = -RAD; i <= RAD; i++) {
                        const unsigned int a = at(left, x + i, y + j), b = at(right, x + i + d, y + j);
                        for (int c = 0; c < 32; c += 8) cost += abs((int)(a >> c & 255) - (int)(b >> c & 255));
                    }
                if (cost < best) best = cost, which = d + 8;
            }
            wrong += which != disparity[y * w + x];
            found += disparity[y * w + x] == (y < h / 2 ? 6u : 3u);
            checkSum += disparity[y * w + x] * (unsigned)(x + 3 * y + 1);
        }
    printf("GPU Checksum = %u, %d of %d pixels moved as they should\n", checkSum, found, w * h);
    printf("%s\n", wrong == 0 ? "PASS" : "FAIL");
    checkCudaErrors(cudaFree(d_out));
    checkCudaErrors(cudaFree(d_left));
    checkCudaErrors(cudaFree(d_right));
    checkCudaErrors(cudaDestroyTextureObject(tex2Dleft));
    checkCudaErrors(cudaDestroyTextureObject(tex2Dright));
    return wrong != 0;
}

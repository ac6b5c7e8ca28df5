// What CUDA says to misuses of arrays, textures and surfaces. Each runs in a process of its own.
//
// usage: texture_misuse       a line for each: its name, and what it gave
//        texture_misuse N     the N-th alone
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <cuda_runtime.h>

namespace {

__global__ void sample2(cudaTextureObject_t t, float* out) { out[threadIdx.x] = tex2D<float>(t, threadIdx.x, 1); }
__global__ void sample3(cudaTextureObject_t t, float* out) { out[threadIdx.x] = tex3D<float>(t, threadIdx.x, 1, 1); }
__global__ void sample1(cudaTextureObject_t t, float* out) { out[threadIdx.x] = tex1D<float>(t, threadIdx.x + 0.5f); }
__global__ void fetch1(cudaTextureObject_t t, float* out, int from) {
    out[threadIdx.x] = tex1Dfetch<float>(t, from + static_cast<int>(threadIdx.x));
}
template <class T>
__global__ void put(cudaSurfaceObject_t s, int x, int y, T value) {
    surf2Dwrite(value, s, x, y);
}
template <class T>
__global__ void put_mode(cudaSurfaceObject_t s, int x, int y, T value, int clamps) {
    if (clamps)
        surf2Dwrite(value, s, x, y, cudaBoundaryModeClamp);
    else
        surf2Dwrite(value, s, x, y, cudaBoundaryModeZero);
}
template <class T>
__global__ void take(cudaSurfaceObject_t s, int x, int y, float* out) {
    const T value = surf2Dread<T>(s, x, y);
    __builtin_memcpy(out, &value, sizeof(T) < 4 ? sizeof(T) : 4);
}

const cudaChannelFormatDesc kFloats = {32, 0, 0, 0, cudaChannelFormatKindFloat};
const cudaChannelFormatDesc kInts = {32, 0, 0, 0, cudaChannelFormatKindSigned};
const cudaChannelFormatDesc kBytes = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};
float buffer[1 << 16];
float* device = nullptr;

cudaArray_t array_of(int w = 16, int h = 8, unsigned flags = 0, cudaChannelFormatDesc format = kFloats) {
    cudaArray_t array = nullptr;
    if (const auto e = cudaMallocArray(&array, &format, w, h, flags)) std::printf("[array: %s] ", cudaGetErrorName(e));
    return array;
}
cudaError_t array_with(int x, int y, int z, int w, cudaChannelFormatKind kind, std::size_t width = 16,
                       std::size_t height = 8, unsigned flags = 0) {
    cudaArray_t array = nullptr;
    const cudaChannelFormatDesc format = {x, y, z, w, kind};
    return cudaMallocArray(&array, &format, width, height, flags);
}
cudaError_t volume_with(std::size_t w, std::size_t h, std::size_t d, unsigned flags = 0) {
    cudaArray_t array = nullptr;
    return cudaMalloc3DArray(&array, &kFloats, make_cudaExtent(w, h, d), flags);
}
cudaResourceDesc of_array(cudaArray_t array) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}
cudaResourceDesc of_memory(void* memory, std::size_t bytes, cudaChannelFormatDesc format = kFloats) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = format;
    resource.res.linear.sizeInBytes = bytes;
    return resource;
}
cudaResourceDesc of_rows(void* memory, std::size_t w, std::size_t h, std::size_t pitch) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = memory;
    resource.res.pitch2D.desc = kFloats;
    resource.res.pitch2D.width = w;
    resource.res.pitch2D.height = h;
    resource.res.pitch2D.pitchInBytes = pitch;
    return resource;
}
cudaTextureObject_t made = 0;
cudaError_t texture(const cudaResourceDesc& resource, const std::function<void(cudaTextureDesc&)>& change = {},
                    const cudaResourceViewDesc* view = nullptr) {
    cudaTextureDesc texture{};
    for (auto& mode : texture.addressMode) mode = cudaAddressModeClamp;
    if (change) change(texture);
    return cudaCreateTextureObject(&made, &resource, &texture, view);
}
cudaSurfaceObject_t surface(cudaArray_t array) {
    cudaSurfaceObject_t object = 0;
    const cudaResourceDesc resource = of_array(array);
    if (const auto e = cudaCreateSurfaceObject(&object, &resource)) std::printf("[surface: %s] ", cudaGetErrorName(e));
    return object;
}
cudaMipmappedArray_t mipmapped(unsigned levels, int w = 16, int h = 8) {
    cudaMipmappedArray_t array = nullptr;
    if (const auto e = cudaMallocMipmappedArray(&array, &kFloats, make_cudaExtent(w, h, 0), levels))
        std::printf("[mipmapped: %s] ", cudaGetErrorName(e));
    return array;
}
cudaError_t launched() {
    if (const auto e = cudaGetLastError()) return std::printf("[launch] "), e;
    const auto e = cudaDeviceSynchronize();
    if (!e && cudaMemcpy(buffer, device, 128, cudaMemcpyDeviceToHost) == cudaSuccess)
        std::printf("[%g %g %g] ", buffer[0], buffer[1], buffer[17]);
    return e;
}
cudaError_t copy3(const std::function<void(cudaMemcpy3DParms&)>& change) {
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(buffer, 64, 16, 8);
    copy.dstArray = array_of();
    copy.extent = make_cudaExtent(16, 8, 1);
    copy.kind = cudaMemcpyHostToDevice;
    change(copy);
    return cudaMemcpy3D(&copy);
}

struct Misuse {
    const char* name;
    std::function<cudaError_t()> run;
};

#include "texture_misuses.h"

}  // namespace

int main(int argc, char** argv) {
    const std::vector<Misuse> misuses = all_misuses();
    if (argc > 1) {
        const Misuse& misuse = misuses.at(std::atoi(argv[1]));
        for (int i = 0; i < 1 << 16; ++i) buffer[i] = static_cast<float>(i + 1);
        cudaMalloc(&device, sizeof(buffer));
        cudaMemcpy(device, buffer, sizeof(buffer), cudaMemcpyHostToDevice);
        cudaGetLastError();
        std::printf("%-44s ", misuse.name);
        std::fflush(stdout);
        std::printf("%s\n", cudaGetErrorName(misuse.run()));
        std::fflush(stdout);
        return 0;
    }
    for (std::size_t i = 0; i < misuses.size(); ++i) {
        const pid_t child = fork();
        if (child == 0) {
            const std::string number = std::to_string(i);
            execl("/proc/self/exe", argv[0], number.c_str(), static_cast<char*>(nullptr));
            _exit(9);
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status)) std::printf("signal %d\n", WTERMSIG(status));
        std::fflush(stdout);
    }
    return 0;
}

// Ways to launch, what a device says of itself, errors.
#include <string>
#include <utility>

#include "idioms.cuh"

#define CHECK(call)                                                                              \
    do {                                                                                         \
        const cudaError_t error_ = (call);                                                       \
        if (error_ != cudaSuccess) {                                                             \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_)); \
            report.check(false);                                                                 \
        }                                                                                        \
    } while (0)

struct Settings {
    int bias;
    float scale;
    char name[8];
};
__global__ void settles(int* out, Settings s, double d) {
    out[threadIdx.x] = static_cast<int>(threadIdx.x * s.scale + d) + s.bias + s.name[1];
}
IDIOM(launch_through_a_pointer_and_arguments) {
    Buffer<int> out(32);
    int* p = out;
    Settings s = {5, 2.0f, "abc"};
    double d = 0.5;
    void* arguments[] = {&p, &s, &d};
    CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(&settles), dim3(1), dim3(32), arguments, 0, nullptr));
    report.expect(out, [](int i) { return 2 * i + 5 + 'b'; });
}

template <int N>
__global__ void plus_n(int* out, int x) {
    out[threadIdx.x] = threadIdx.x + N + x;
}
IDIOM(launch_with_a_configuration) {
    Buffer<int> out(32);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1), config.blockDim = dim3(32), config.dynamicSmemBytes = 128;
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeCooperative;
    attribute[0].val.cooperative = 1;
    config.attrs = attribute, config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, plus_n<4>, out.get(), 6));
    report.expect(out, [](int i) { return i + 10; });
}

IDIOM(table_of_kernels) {
    Buffer<int> out(96);
    using Kernel = void (*)(int*, int);
    const Kernel kernels[] = {plus_n<0>, plus_n<100>, plus_n<-7>};
    for (int k = 0; k < 3; ++k) kernels[k]<<<1, 32>>>(out.get() + 32 * k, k);
    report.expect(out, [](int i) {
        const int n[] = {0, 100, -7};
        return i % 32 + n[i / 32] + i / 32;
    });
}

template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), int n, Arguments&&... arguments) {
    constexpr int block = 64;
    kernel<<<dim3((n + block - 1) / block), block>>>(std::forward<Arguments>(arguments)...);
}
__global__ void fills(float* out, int n, float value) {
    if (const int i = thread_index(); i < n) out[i] = value * i;
}
IDIOM(launcher_that_forwards) {
    Buffer<float> out(150);
    launch(fills, 150, out.get(), 150, 1.5);
    report.expect(out, [](int i) { return 1.5f * i; });
}

IDIOM(errors_that_are_asked_for) {
    fills<<<1, 4096>>>(nullptr, 0, 0.0f);
    const cudaError_t seen = cudaPeekAtLastError(), first = cudaGetLastError(), after = cudaGetLastError();
    // Which error it is hangs on the release of the runtime.
    report.check(seen != cudaSuccess && first == seen && after == cudaSuccess);
    const std::string name = cudaGetErrorName(cudaErrorInvalidConfiguration),
                      text = cudaGetErrorString(cudaErrorMemoryAllocation);
    report.bytes(name.data(), name.size()), report.bytes(text.data(), text.size());
    report.check(name == "cudaErrorInvalidConfiguration" && text == "out of memory");
    void* p = nullptr;
    report.check(cudaMalloc(&p, size_t{1} << 50) == cudaErrorMemoryAllocation);
    report.check(cudaGetLastError() == cudaErrorMemoryAllocation);
    report.check(cudaSetDevice(99) == cudaErrorInvalidDevice);
    cudaGetLastError();
}

IDIOM(what_the_device_says) {
    int count = 0, value = 0;
    CHECK(cudaGetDeviceCount(&count));
    CHECK(cudaSetDevice(count - 1));
    cudaDeviceProp prop;
    CHECK(cudaGetDeviceProperties(&prop, 0));
    report.check(prop.warpSize == 32 && prop.maxThreadsPerBlock == 1024 && prop.maxThreadsDim[2] == 64);
    for (const cudaDeviceAttr attribute :
         {cudaDevAttrMaxThreadsPerBlock, cudaDevAttrMultiProcessorCount, cudaDevAttrMaxSharedMemoryPerBlock,
          cudaDevAttrWarpSize, cudaDevAttrComputeCapabilityMajor, cudaDevAttrComputeCapabilityMinor,
          cudaDevAttrMaxRegistersPerBlock, cudaDevAttrConcurrentManagedAccess, cudaDevAttrCooperativeLaunch,
          cudaDevAttrL2CacheSize, cudaDevAttrMaxSharedMemoryPerBlockOptin}) {
        CHECK(cudaDeviceGetAttribute(&value, attribute, 0));
        report.value(value);
    }
    report.value(prop.multiProcessorCount), report.value(prop.major), report.value(prop.totalConstMem),
        report.value(prop.sharedMemPerMultiprocessor);
    int runtime = 0, driver = 0;
    CHECK(cudaRuntimeGetVersion(&runtime));
    CHECK(cudaDriverGetVersion(&driver));
    report.check(runtime >= 11000 && driver >= 11000);
    int peer = -1;
    cudaDeviceCanAccessPeer(&peer, 0, 0);
    report.value(peer);
}

__global__ void __launch_bounds__(256) occupied(float* out) { out[thread_index()] = thread_index() * 0.5f; }
IDIOM(occupancy_decides_the_block) {
    int grid = 0, block = 0, blocks = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, occupied, 0, 0));
    report.check(block > 0 && block <= 256 && grid > 0);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, occupied, 256, 0));
    report.check(blocks == 8);
    CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        &grid, &block, occupied, [](int threads) { return size_t(threads) * 4; }, 256));
    Buffer<float> out(512);
    occupied<<<2, 256>>>(out);
    report.expect(out, [](int i) { return i * 0.5f; });
}

IDIOM(attributes_of_a_kernel) {
    cudaFuncAttributes attributes = {};
    CHECK(cudaFuncGetAttributes(&attributes, occupied));
    report.check(attributes.maxThreadsPerBlock == 256 && attributes.sharedSizeBytes == 0 && attributes.numRegs > 0);
    CHECK(cudaFuncSetCacheConfig(occupied, cudaFuncCachePreferL1));
    size_t limit = 0;
    CHECK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    report.check(limit >= 1024);
}

__device__ __noinline__ int not_inlined(int x) { return x * 3 + 1; }
__device__ __forceinline__ int inlined(int x) { return not_inlined(x) - 1; }
__global__ void __launch_bounds__(64, 4) called(int* __restrict__ out) { out[threadIdx.x] = inlined(threadIdx.x); }
IDIOM(inlined_and_not) {
    Buffer<int> out(64);
    called<<<1, 64>>>(out);
    report.expect(out, [](int i) { return 3 * i; });
}

__host__ __device__ int where() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    return 7;
#elif defined(__CUDA_ARCH__)
    return 1;
#else
    return 0;
#endif
}
__device__ int only(int x) { return x + 1; }
__host__ int only(long x) { return static_cast<int>(x) + 2; }
__global__ void asks(int* out) { *out = where() * 10 + only(4); }
IDIOM(code_for_each_side) {
    Buffer<int> out(1);
    asks<<<1, 1>>>(out);
    report.expect(out, [](int) { return 75; });
    report.check(where() == 0 && only(4l) == 6);
}

extern "C" __global__ void plain_name(int* out) { *out = 17; }
namespace {
__global__ void hidden(int* out) { *out += 4; }
}  // namespace
IDIOM(names_of_c_and_of_this_file) {
    Buffer<int> out(1);
    plain_name<<<1, 1>>>(out);
    hidden<<<1, 1>>>(out);
    report.expect(out, [](int) { return 21; });
}

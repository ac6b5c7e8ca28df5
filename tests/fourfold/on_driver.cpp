// As much of CUDA's runtime as the programs here call, over the driver alone: what a program does that was written for
// the driver. Its kernels come from the program's fat binary, or from its source by NVRTC (TILESCOPE_BY_NVRTC).
#include "on_driver.h"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cxxabi.h>
#ifdef TILESCOPE_BY_NVRTC
#include <nvrtc.h>
#endif

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

using on_driver::at;
using on_driver::note;
using on_driver::start;

namespace {

struct Wrapper {
    unsigned magic, version;
    const void* container;
    void* linked;
};

struct Kernel {
    std::string name;
    CUfunction function = nullptr;
};

struct Call {
    dim3 grid, block;
    std::size_t shared;
    cudaStream_t stream;
};

const void* container = nullptr;
// Made before the program's own constructors, which register its kernels.
#define TILESCOPE_EARLY __attribute__((init_priority(200)))
TILESCOPE_EARLY std::map<const void*, Kernel> kernels;
TILESCOPE_EARLY std::map<const void*, std::string> variables;
TILESCOPE_EARLY std::map<void**, std::string> managed;  // where the program keeps the address
TILESCOPE_EARLY std::vector<Call> calls;
CUmodule module = nullptr;
cudaError_t last = cudaSuccess;

void need(CUresult result, const char* what) {
    if (result == CUDA_SUCCESS) return;
    std::fprintf(stderr, "%s: %d\n", what, static_cast<int>(result));
    std::exit(70);
}

#ifdef TILESCOPE_BY_NVRTC
// "bilateral<2>" of "void bilateral<2>(float const*, float*)"; empty for names of C.
std::string expression_of(const std::string& name) {
    int status = 0;
    char* const text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
    if (status != 0 || text == nullptr) return {};
    std::string whole = text;
    std::free(text);
    int angles = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        if (whole[i] == '<') ++angles;
        if (whole[i] == '>') --angles;
        if (whole[i] == ' ' && angles == 0) {
            whole.erase(0, i + 1);
            break;
        }
        if (whole[i] == '(' && angles == 0) break;
    }
    for (std::size_t i = 0; i < whole.size(); ++i) {
        if (whole[i] == '<') ++angles;
        if (whole[i] == '>') --angles;
        if (whole[i] == '(' && angles == 0) return whole.substr(0, i);
    }
    return whole;
}

void need_rtc(nvrtcProgram program, nvrtcResult result) {
    if (result == NVRTC_SUCCESS) return;
    std::size_t bytes = 0;
    nvrtcGetProgramLogSize(program, &bytes);
    std::string log(bytes, '\0');
    nvrtcGetProgramLog(program, log.data());
    std::fprintf(stderr, "NVRTC: %s\n%s\n", nvrtcGetErrorString(result), log.c_str());
    std::exit(71);
}

}  // namespace

// The program's file, and where CUDA's headers are.
extern "C" const char* const source_of_kernels;
extern "C" const char* const include_option;

namespace {

void load() {
    std::ifstream file(source_of_kernels);
    const std::string source{std::istreambuf_iterator<char>(file), {}};
    nvrtcProgram program = nullptr;
    need_rtc(program, nvrtcCreateProgram(&program, source.c_str(), source_of_kernels, 0, nullptr, nullptr));
    std::map<const void*, std::string> expressions;
    for (const auto& [at, kernel] : kernels)
        if (const std::string name = expression_of(kernel.name); !name.empty()) {
            expressions[at] = name;
            need_rtc(program, nvrtcAddNameExpression(program, name.c_str()));
        }
    const char* options[] = {"-arch=compute_90", "-std=c++17", "-lineinfo", include_option};
    need_rtc(program, nvrtcCompileProgram(program, 4, options));
    for (const auto& [at, name] : expressions) {
        const char* lowered = nullptr;
        need_rtc(program, nvrtcGetLoweredName(program, name.c_str(), &lowered));
        kernels[at].name = lowered;
    }
    std::size_t bytes = 0;
    need_rtc(program, nvrtcGetPTXSize(program, &bytes));
    std::string ptx(bytes, '\0');
    need_rtc(program, nvrtcGetPTX(program, ptx.data()));
    nvrtcDestroyProgram(&program);
    need(cuModuleLoadData(&module, ptx.c_str()), "cuModuleLoadData");
}
#else
void load() { need(cuModuleLoadData(&module, container), "cuModuleLoadData"); }
#endif

Kernel* kernel_of(const void* host) {
    start();
    const auto found = kernels.find(host);
    if (found == kernels.end()) return nullptr;
    Kernel& kernel = found->second;
    if (kernel.function == nullptr)
        need(cuModuleGetFunction(&kernel.function, module, kernel.name.c_str()), kernel.name.c_str());
    return &kernel;
}

CUdeviceptr symbol(const void* host) {
    start();
    CUdeviceptr address = 0;
    std::size_t bytes = 0;
    const auto found = variables.find(host);
    if (found != variables.end()) need(cuModuleGetGlobal(&address, &bytes, module, found->second.c_str()), "symbol");
    return address;
}

int attribute(CUdevice_attribute which) {
    int value = 0;
    cuDeviceGetAttribute(&value, which, 0);
    return value;
}

}  // namespace

void on_driver::start() {
    if (module != nullptr) return;
    CUdevice device = 0;
    CUcontext context = nullptr;
    need(cuInit(0), "cuInit");
    need(cuDeviceGet(&device, 0), "cuDeviceGet");
    need(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    need(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    if (container == nullptr) return;
    load();
    for (const auto& [place, name] : managed) {
        CUdeviceptr address = 0;
        std::size_t bytes = 0;
        need(cuModuleGetGlobal(&address, &bytes, module, name.c_str()), name.c_str());
        *place = reinterpret_cast<void*>(address);
    }
}

cudaError_t on_driver::note(CUresult result) {
    if (result == CUDA_SUCCESS) return cudaSuccess;
    return last = static_cast<cudaError_t>(result);
}

CUfunction on_driver::function_of(const void* host) {
    Kernel* const kernel = kernel_of(host);
    return kernel != nullptr ? kernel->function : nullptr;
}

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
    container = static_cast<const Wrapper*>(wrapper)->container;
    return const_cast<void**>(&container);
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) {
    start();
    return 1;
}
void __cudaRegisterManagedVar(void**, void** place, char*, const char* name, int, std::size_t, int, int) {
    managed[place] = name;
}
void __cudaRegisterFunction(void**, const char* host, char*, const char* name, int, void*, void*, void*, void*, int*) {
    kernels[host].name = name;
}
void __cudaRegisterVar(void**, char* host, char*, const char* name, int, std::size_t, int, int) {
    variables[host] = name;
}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream) {
    calls.push_back({grid, block, shared, stream});
    return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
    const Call call = calls.back();
    calls.pop_back();
    *grid = call.grid, *block = call.block, *shared = call.shared;
    *static_cast<cudaStream_t*>(stream) = call.stream;
    return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
    *kernel = reinterpret_cast<cudaKernel_t>(kernel_of(host));
    return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                               cudaStream_t stream) {
    return note(cuLaunchKernel(reinterpret_cast<Kernel*>(kernel)->function, grid.x, grid.y, grid.z, block.x, block.y,
                               block.z, shared, stream, arguments, nullptr));
}
cudaError_t cudaLaunchKernel(const void* host, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t stream) {
    return __cudaLaunchKernel(reinterpret_cast<cudaKernel_t>(kernel_of(host)), grid, block, arguments, shared, stream);
}

cudaError_t cudaMalloc(void** out, std::size_t bytes) {
    start();
    return note(cuMemAlloc(reinterpret_cast<CUdeviceptr*>(out), bytes));
}
cudaError_t cudaMallocManaged(void** out, std::size_t bytes, unsigned flags) {
    start();
    return note(cuMemAllocManaged(reinterpret_cast<CUdeviceptr*>(out), bytes, flags));
}
cudaError_t cudaFree(void* pointer) {
    start();
    return pointer == nullptr ? cudaSuccess : note(cuMemFree(at(pointer)));
}
cudaError_t cudaMallocHost(void** out, std::size_t bytes) {
    start();
    return note(cuMemAllocHost(out, bytes));
}
cudaError_t cudaHostAlloc(void** out, std::size_t bytes, unsigned flags) {
    start();
    return note(cuMemHostAlloc(out, bytes, flags));
}
cudaError_t cudaFreeHost(void* pointer) { return note(cuMemFreeHost(pointer)); }
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    start();
    if (kind == cudaMemcpyHostToDevice) return note(cuMemcpyHtoD(at(to), from, bytes));
    if (kind == cudaMemcpyDeviceToHost) return note(cuMemcpyDtoH(to, at(from), bytes));
    if (kind == cudaMemcpyDeviceToDevice) return note(cuMemcpyDtoD(at(to), at(from), bytes));
    return note(cuMemcpy(at(to), at(from), bytes));
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    start();
    if (kind == cudaMemcpyHostToDevice) return note(cuMemcpyHtoDAsync(at(to), from, bytes, stream));
    if (kind == cudaMemcpyDeviceToHost) return note(cuMemcpyDtoHAsync(to, at(from), bytes, stream));
    if (kind == cudaMemcpyDeviceToDevice) return note(cuMemcpyDtoDAsync(at(to), at(from), bytes, stream));
    return note(cuMemcpyAsync(at(to), at(from), bytes, stream));
}
cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
    start();
    return note(cuMemsetD8(at(to), static_cast<unsigned char>(value), bytes));
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
    start();
    return note(cuMemsetD8Async(at(to), static_cast<unsigned char>(value), bytes, stream));
}
cudaError_t cudaMemcpyToSymbol(const void* host, const void* from, std::size_t bytes, std::size_t offset,
                               cudaMemcpyKind kind) {
    return cudaMemcpy(reinterpret_cast<void*>(symbol(host) + offset), from, bytes, kind);
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* host, std::size_t bytes, std::size_t offset,
                                 cudaMemcpyKind kind) {
    return cudaMemcpy(to, reinterpret_cast<void*>(symbol(host) + offset), bytes, kind);
}
cudaError_t cudaGetSymbolAddress(void** out, const void* host) {
    *out = reinterpret_cast<void*>(symbol(host));
    return cudaSuccess;
}
cudaError_t cudaMallocPitch(void** out, std::size_t* pitch, std::size_t width, std::size_t height) {
    start();
    return note(cuMemAllocPitch(reinterpret_cast<CUdeviceptr*>(out), pitch, width, height, 4));
}
cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    return note(cuMemsetD2D8(at(to), pitch, static_cast<unsigned char>(value), width, height));
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    start();
    CUDA_MEMCPY2D copy{};
    const bool from_host = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost;
    const bool to_host = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost;
    copy.srcMemoryType = from_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    copy.srcHost = from;
    copy.srcDevice = at(from);
    copy.srcPitch = from_pitch;
    copy.dstMemoryType = to_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    copy.dstHost = to;
    copy.dstDevice = at(to);
    copy.dstPitch = to_pitch;
    copy.WidthInBytes = width;
    copy.Height = height;
    return note(stream == nullptr ? cuMemcpy2D(&copy) : cuMemcpy2DAsync(&copy, stream));
}
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind) {
    return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, nullptr);
}
cudaError_t cudaMemGetInfo(std::size_t* available, std::size_t* total) {
    start();
    return note(cuMemGetInfo(available, total));
}

cudaError_t cudaDeviceSynchronize() {
    start();
    return note(cuCtxSynchronize());
}
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
cudaError_t cudaSetDevice(int) {
    start();
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
    start();
    return note(cuDeviceGetCount(count));
}
cudaError_t cudaDeviceReset() { return cudaSuccess; }
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int) {
    start();
    *value = attribute(static_cast<CUdevice_attribute>(which));
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* out, int) {
    start();
    std::memset(out, 0, sizeof *out);
    cuDeviceGetName(out->name, sizeof out->name, 0);
    cuDeviceTotalMem(&out->totalGlobalMem, 0);
    out->major = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    out->minor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    out->multiProcessorCount = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    out->warpSize = attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
    out->maxThreadsPerBlock = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    out->maxThreadsPerMultiProcessor = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    out->sharedMemPerBlock = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    out->sharedMemPerMultiprocessor = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    out->regsPerBlock = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
    out->l2CacheSize = attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    out->memoryBusWidth = attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
    out->concurrentKernels = attribute(CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS);
    out->canMapHostMemory = attribute(CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY);
    out->cooperativeLaunch = attribute(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH);
    out->asyncEngineCount = attribute(CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT);
    for (int i = 0; i < 3; ++i) {
        out->maxGridSize[i] = attribute(static_cast<CUdevice_attribute>(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + i));
        out->maxThreadsDim[i] = attribute(static_cast<CUdevice_attribute>(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + i));
    }
    return cudaSuccess;
}

cudaError_t cudaGetLastError() {
    const cudaError_t error = last;
    last = cudaSuccess;
    return error;
}
cudaError_t cudaPeekAtLastError() { return last; }
const char* cudaGetErrorString(cudaError_t error) {
    const char* text = nullptr;
    cuGetErrorString(static_cast<CUresult>(error), &text);
    return text;
}
const char* cudaGetErrorName(cudaError_t error) {
    const char* text = nullptr;
    cuGetErrorName(static_cast<CUresult>(error), &text);
    return text;
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    start();
    return note(cuStreamCreate(stream, CU_STREAM_DEFAULT));
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    start();
    return note(cuStreamCreate(stream, flags));
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return note(cuStreamDestroy(stream)); }
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return note(cuStreamSynchronize(stream)); }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    return note(cuStreamWaitEvent(stream, event, flags));
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
    start();
    return note(cuEventCreate(event, CU_EVENT_DEFAULT));
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    start();
    return note(cuEventCreate(event, flags));
}
cudaError_t cudaEventDestroy(cudaEvent_t event) { return note(cuEventDestroy(event)); }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) { return note(cuEventRecord(event, stream)); }
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return note(cuEventSynchronize(event)); }
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t first, cudaEvent_t then) {
    return note(cuEventElapsedTime(ms, first, then));
}
cudaError_t cudaFuncSetAttribute(const void* host, cudaFuncAttribute which, int value) {
    return note(cuFuncSetAttribute(kernel_of(host)->function, static_cast<CUfunction_attribute>(which), value));
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* host, int threads,
                                                          std::size_t shared) {
    return note(cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel_of(host)->function, threads, shared));
}

}  // extern "C"

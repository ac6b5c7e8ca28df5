// What the driver says to misuses of its calls. Each runs in a process of its own, sixteen at a time.
//
// usage: driver_misuse       a line for each: its name, in brackets what came of it, and the error
//        driver_misuse N     the N-th alone
//
// A name that begins with "uninitialised" runs before cuInit, all others with the primary context current.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <cuda.h>

namespace {

constexpr std::size_t kGrain = std::size_t{2} << 20;
constexpr CUdeviceptr kNowhere = 0x123456000;
constexpr std::size_t kHuge = SIZE_MAX;
unsigned char host[1 << 16];

const char* const kKernels = R"(.version 8.0
.target sm_90
.address_size 64
.global .align 4 .u32 counter;
.visible .entry store(.param .u64 at, .param .u32 value) {
  .reg .b64 %a;
  .reg .b32 %v;
  ld.param.u64 %a, [at];
  ld.param.u32 %v, [value];
  st.global.u32 [%a], %v;
  ret;
}
.visible .entry load(.param .u64 at, .param .u64 out) {
  .reg .b64 %a, %b;
  .reg .b32 %v;
  ld.param.u64 %a, [at];
  ld.param.u64 %b, [out];
  ld.global.u32 %v, [%a];
  st.global.u32 [%b], %v;
  ret;
}
.visible .entry nothing() { ret; }
)";

const char* name_of(CUresult code) {
    const char* name = nullptr;
    return cuGetErrorName(code, &name) == CUDA_SUCCESS ? name : "no name";
}
// What a step before the misuse says when it should not.
void must(CUresult code, const char* what) {
    if (code != CUDA_SUCCESS) std::printf("[%s: %s] ", what, name_of(code));
}
#define MUST(call) must(call, #call)

CUmodule module_of() {
    static CUmodule module = nullptr;
    if (module == nullptr) MUST(cuModuleLoadData(&module, kKernels));
    return module;
}
CUfunction function(const char* name) {
    CUfunction found = nullptr;
    MUST(cuModuleGetFunction(&found, module_of(), name));
    return found;
}
CUdeviceptr memory(std::size_t bytes = 4096) {
    CUdeviceptr address = 0;
    MUST(cuMemAlloc(&address, bytes));
    return address;
}
CUdeviceptr managed(std::size_t bytes = 4096) {
    CUdeviceptr address = 0;
    MUST(cuMemAllocManaged(&address, bytes, CU_MEM_ATTACH_GLOBAL));
    return address;
}
CUdeviceptr freed() {
    const CUdeviceptr address = memory();
    MUST(cuMemFree(address));
    return address;
}
CUresult store(CUdeviceptr at, unsigned value = 7) {
    void* values[] = {&at, &value};
    const CUresult launched = cuLaunchKernel(function("store"), 1, 1, 1, 1, 1, 1, 0, nullptr, values, nullptr);
    return launched != CUDA_SUCCESS ? launched : cuCtxSynchronize();
}
CUresult load(CUdeviceptr at) {
    CUdeviceptr out = memory(4);
    void* values[] = {&at, &out};
    MUST(cuLaunchKernel(function("load"), 1, 1, 1, 1, 1, 1, 0, nullptr, values, nullptr));
    const CUresult done = cuCtxSynchronize();
    unsigned value = 0;
    if (done == CUDA_SUCCESS && cuMemcpyDtoH(&value, out, 4) == CUDA_SUCCESS) std::printf("[%u] ", value);
    return done;
}
CUstream stream() {
    CUstream made = nullptr;
    MUST(cuStreamCreate(&made, CU_STREAM_NON_BLOCKING));
    return made;
}
CUevent event(unsigned flags = 0) {
    CUevent made = nullptr;
    MUST(cuEventCreate(&made, flags));
    return made;
}

// Virtual memory.
CUmemAllocationProp at_device(int device = 0) {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    return properties;
}
CUdeviceptr reserve(std::size_t bytes = kGrain) {
    CUdeviceptr address = 0;
    MUST(cuMemAddressReserve(&address, bytes, 0, 0, 0));
    return address;
}
CUmemGenericAllocationHandle physical(std::size_t bytes = kGrain) {
    CUmemGenericAllocationHandle handle = 0;
    const CUmemAllocationProp properties = at_device();
    MUST(cuMemCreate(&handle, bytes, &properties, 0));
    return handle;
}
CUresult create_with(const std::function<void(CUmemAllocationProp&)>& change, std::size_t bytes = kGrain) {
    CUmemGenericAllocationHandle handle = 0;
    CUmemAllocationProp properties = at_device();
    change(properties);
    return cuMemCreate(&handle, bytes, &properties, 0);
}
CUresult allow(CUdeviceptr at, std::size_t bytes, int flags = 3, int device = 0, int kind = 1) {
    CUmemAccessDesc access{};
    access.location = {static_cast<CUmemLocationType>(kind), device};
    access.flags = static_cast<CUmemAccess_flags>(flags);
    return cuMemSetAccess(at, bytes, &access, 1);
}
CUresult show_access(CUdeviceptr at, int device = 0) {
    unsigned long long flags = 99;
    CUmemLocation location{CU_MEM_LOCATION_TYPE_DEVICE, device};
    const CUresult code = cuMemGetAccess(&flags, &location, at);
    std::printf("[%llu] ", flags);
    return code;
}
// Mapped memory of `pieces` handles, side by side.
CUdeviceptr mapped(int pieces = 1, int flags = 3, std::size_t reserved = 0) {
    const std::size_t bytes = pieces * kGrain;
    const CUdeviceptr at = reserve(reserved == 0 ? bytes : reserved);
    for (int i = 0; i < pieces; ++i) MUST(cuMemMap(at + i * kGrain, kGrain, 0, physical(), 0));
    if (flags != 0) MUST(allow(at, bytes, flags));
    return at;
}

// Graphs.
CUgraph graph() {
    CUgraph made = nullptr;
    MUST(cuGraphCreate(&made, 0));
    return made;
}
CUgraphNode empty_node(CUgraph in) {
    CUgraphNode node = nullptr;
    MUST(cuGraphAddEmptyNode(&node, in, nullptr, 0));
    return node;
}
CUDA_MEMSET_NODE_PARAMS set_of(CUdeviceptr at) {
    CUDA_MEMSET_NODE_PARAMS set{};
    set.dst = at;
    set.elementSize = 4;
    set.width = 16;
    set.height = 1;
    return set;
}
CUgraphNode set_node(CUgraph in) {
    CUgraphNode node = nullptr;
    CUcontext context = nullptr;
    MUST(cuCtxGetCurrent(&context));
    const CUDA_MEMSET_NODE_PARAMS set = set_of(memory());
    MUST(cuGraphAddMemsetNode(&node, in, nullptr, 0, &set, context));
    return node;
}
CUDA_KERNEL_NODE_PARAMS launch_of(const char* name) {
    CUDA_KERNEL_NODE_PARAMS launch{};
    launch.func = function(name);
    launch.gridDimX = launch.gridDimY = launch.gridDimZ = 1;
    launch.blockDimX = launch.blockDimY = launch.blockDimZ = 1;
    return launch;
}
CUgraphNode kernel_node(CUgraph in) {
    CUgraphNode node = nullptr;
    const CUDA_KERNEL_NODE_PARAMS launch = launch_of("nothing");
    MUST(cuGraphAddKernelNode(&node, in, nullptr, 0, &launch));
    return node;
}
CUgraphExec exec_of(CUgraph from) {
    CUgraphExec exec = nullptr;
    MUST(cuGraphInstantiateWithFlags(&exec, from, 0));
    return exec;
}
CUuserObject object(unsigned count = 1) {
    CUuserObject made = nullptr;
    MUST(cuUserObjectCreate(
        &made, host, [](void*) {}, count, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    return made;
}

// Pools.
CUmemPoolProps pool_of(int device = 0) {
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    return properties;
}
CUmemoryPool pool() {
    CUmemoryPool made = nullptr;
    const CUmemPoolProps properties = pool_of();
    MUST(cuMemPoolCreate(&made, &properties));
    return made;
}

CUarray array(unsigned flags = 0) {
    CUarray made = nullptr;
    CUDA_ARRAY3D_DESCRIPTOR shape{16, 8, 0, CU_AD_FORMAT_FLOAT, 1, flags};
    MUST(cuArray3DCreate(&made, &shape));
    return made;
}

struct Misuse {
    const char* name;
    std::function<CUresult()> run;
};

#include "driver_misuses.h"
#include "driver_misuses_more.h"

std::vector<Misuse> all_misuses() {
    std::vector<Misuse> all = memory_misuses();
    for (Misuse& misuse : work_misuses()) all.push_back(misuse);
    return all;
}

void run_alone(const Misuse& misuse) {
    alarm(30);  // a stream may wait for ever
    std::printf("%-52s ", misuse.name);
    std::fflush(stdout);
    if (std::strncmp(misuse.name, "uninitialised", 13) != 0) {
        CUdevice device = 0;
        CUcontext context = nullptr;
        MUST(cuInit(0));
        MUST(cuDeviceGet(&device, 0));
        MUST(cuDevicePrimaryCtxRetain(&context, device));
        MUST(cuCtxSetCurrent(context));
    }
    std::printf("%s\n", name_of(misuse.run()));
    std::fflush(stdout);
    std::_Exit(0);
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<Misuse> misuses = all_misuses();
    if (argc > 1) run_alone(misuses.at(std::strtoul(argv[1], nullptr, 10)));
    constexpr std::size_t kAtOnce = 16;
    for (std::size_t first = 0; first < misuses.size(); first += kAtOnce) {
        const std::size_t end = std::min(misuses.size(), first + kAtOnce);
        int pipes[kAtOnce][2];
        pid_t children[kAtOnce];
        for (std::size_t i = first; i < end; ++i) {
            if (pipe(pipes[i - first]) != 0) return 1;
            children[i - first] = fork();
            if (children[i - first] == 0) {
                dup2(pipes[i - first][1], 1);
                const std::string number = std::to_string(i);
                execl("/proc/self/exe", argv[0], number.c_str(), static_cast<char*>(nullptr));
                _exit(9);
            }
            close(pipes[i - first][1]);
        }
        for (std::size_t i = first; i < end; ++i) {
            char text[4096];
            while (const ssize_t bytes = read(pipes[i - first][0], text, sizeof text)) {
                if (bytes < 0) break;
                std::fwrite(text, 1, static_cast<std::size_t>(bytes), stdout);
            }
            int status = 0;
            waitpid(children[i - first], &status, 0);
            close(pipes[i - first][0]);
            if (WIFSIGNALED(status)) std::printf("signal %d\n", WTERMSIG(status));
            std::fflush(stdout);
        }
    }
    return 0;
}

// Calls of the driver, one after the other; each result that is not the one wanted is printed. Argument: code as PTX.
#include <cuda.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

static int failed = 0;

static void expect(bool holds, const char* what, int line) {
    if (holds) return;
    std::printf("line %d: %s\n", line, what);
    ++failed;
}
#define EXPECT(what) expect((what), #what, __LINE__)
#define OK(call) expect((call) == CUDA_SUCCESS, #call, __LINE__)

static CUfunction function_of(CUmodule module, const char* name) {
    CUfunction function = nullptr;
    OK(cuModuleGetFunction(&function, module, name));
    return function;
}

static void devices() {
    int count = 0, value = 0, version = 0;
    size_t bytes = 0;
    char name[64] = {};
    CUuuid uuid;
    OK(cuDeviceGetCount(&count));
    EXPECT(count == 1);
    OK(cuDriverGetVersion(&version));
    EXPECT(version == 13000);
    OK(cuDeviceGetName(name, sizeof name, 0));
    EXPECT(name[0] != '\0');
    OK(cuDeviceTotalMem(&bytes, 0));
    EXPECT(bytes > (size_t{1} << 30));
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    EXPECT(value == 32);
    OK(cuDeviceGetUuid(&uuid, 0));
}

static void contexts() {
    CUcontext first = nullptr, second = nullptr, current = nullptr, popped = nullptr;
    OK(cuCtxGetCurrent(&current));
    EXPECT(current == nullptr);
    CUdeviceptr memory = 0;
    EXPECT(cuMemAlloc(&memory, 4) == CUDA_ERROR_INVALID_CONTEXT);
    OK(cuDevicePrimaryCtxRetain(&first, 0));
    OK(cuDevicePrimaryCtxRetain(&second, 0));
    EXPECT(first == second);
    OK(cuDevicePrimaryCtxRelease(0));
    OK(cuCtxPushCurrent(first));
    OK(cuCtxGetCurrent(&current));
    EXPECT(current == first);
    CUdevice device = 5;
    OK(cuCtxGetDevice(&device));
    EXPECT(device == 0);
    OK(cuCtxPopCurrent(&popped));
    EXPECT(popped == first);
    OK(cuCtxSetCurrent(first));
    size_t limit = 0;
    OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
    OK(cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE));
    EXPECT(limit == 4096);
}

static void memory() {
    CUdeviceptr a = 0, base = 0;
    size_t size = 0, pitch = 0, left = 0, total = 0;
    OK(cuMemAlloc(&a, 1024));
    OK(cuMemGetAddressRange(&base, &size, a + 100));
    EXPECT(base == a && size == 1024);
    OK(cuMemsetD32(a, 7, 256));
    std::vector<unsigned> host(256);
    OK(cuMemcpyDtoH(host.data(), a, 1024));
    EXPECT(host[0] == 7 && host[255] == 7);
    OK(cuMemsetD16(a, 0x0102, 4));
    OK(cuMemsetD8(a + 8, 9, 4));
    OK(cuMemcpyDtoH(host.data(), a, 1024));
    EXPECT(host[0] == 0x01020102 && host[2] == 0x09090909 && host[3] == 7);
    unsigned kind = 0;
    OK(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, a));
    EXPECT(kind == CU_MEMORYTYPE_DEVICE);
    OK(cuMemGetInfo(&left, &total));
    EXPECT(left < total);
    OK(cuMemGetInfo(&left, nullptr));
    OK(cuMemGetInfo(nullptr, &total));
    OK(cuMemGetInfo(nullptr, nullptr));
    EXPECT(left < total);
    CUdeviceptr rows = 0, managed = 0, later = 0;
    OK(cuMemAllocPitch(&rows, &pitch, 100, 10, 4));
    EXPECT(pitch >= 100);
    std::vector<unsigned char> from(1000, 5), to(1000, 0);
    CUDA_MEMCPY2D copy;
    std::memset(&copy, 0, sizeof copy);
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = from.data();
    copy.srcPitch = 100;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = rows;
    copy.dstPitch = pitch;
    copy.WidthInBytes = 100;
    copy.Height = 10;
    OK(cuMemcpy2D(&copy));
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = rows;
    copy.srcPitch = pitch;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = to.data();
    copy.dstPitch = 100;
    OK(cuMemcpy2D(&copy));
    EXPECT(to == from);
    OK(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
    std::memset(reinterpret_cast<void*>(managed), 1, 64);
    OK(cuMemcpy(a, managed, 64));
    void* pinned = nullptr;
    OK(cuMemHostAlloc(&pinned, 64, 0));
    OK(cuMemcpyDtoH(pinned, a, 64));
    EXPECT(static_cast<char*>(pinned)[63] == 1);
    CUstream stream = nullptr;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuMemAllocAsync(&later, 64, stream));
    OK(cuMemcpyDtoDAsync(later, a, 64, stream));
    OK(cuMemFreeAsync(later, stream));
    // A stream names its context; the default stream belongs to the current one (as on an H200).
    CUcontext own = nullptr;
    OK(cuCtxPopCurrent(&own));
    OK(cuMemAllocAsync(&later, 64, stream));
    OK(cuMemsetD8Async(later, 1, 64, stream));
    OK(cuMemFreeAsync(later, stream));
    OK(cuStreamSynchronize(stream));
    EXPECT(cuMemAllocAsync(&later, 64, nullptr) == CUDA_ERROR_INVALID_CONTEXT);
    EXPECT(cuMemAllocAsync(&later, 64, CU_STREAM_LEGACY) == CUDA_ERROR_INVALID_CONTEXT);
    OK(cuCtxPushCurrent(own));
    CUevent begin = nullptr, end = nullptr;
    float milliseconds = -1;
    OK(cuEventCreate(&begin, 0));
    OK(cuEventCreate(&end, 0));
    OK(cuEventRecord(begin, stream));
    OK(cuEventRecord(end, stream));
    OK(cuEventSynchronize(end));
    OK(cuEventElapsedTime(&milliseconds, begin, end));
    EXPECT(milliseconds >= 0);
    OK(cuEventDestroy(begin));
    OK(cuEventDestroy(end));
    OK(cuStreamSynchronize(stream));
    OK(cuStreamDestroy(stream));
    OK(cuMemFreeHost(pinned));
    OK(cuMemFree(managed));
    OK(cuMemFree(rows));
    OK(cuMemFree(a));
}

static void modules(const std::string& ptx) {
    CUmodule module = nullptr;
    char log[256] = "x";
    CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log, reinterpret_cast<void*>(uintptr_t{sizeof log})};
    OK(cuModuleLoadDataEx(&module, ptx.c_str(), 2, names, values));
    EXPECT(log[0] == '\0');
    CUfunction count = function_of(module, "count"), none = nullptr;
    EXPECT(cuModuleGetFunction(&none, module, "absent") == CUDA_ERROR_NOT_FOUND);
    CUdeviceptr counter = 0, out = 0;
    size_t bytes = 0;
    OK(cuModuleGetGlobal(&counter, &bytes, module, "counter"));
    EXPECT(bytes == 4);
    int value = 10, threads = 0, blocks = 0, grid = 0;
    OK(cuMemcpyHtoD(counter, &value, 4));
    OK(cuMemAlloc(&out, 4));
    OK(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, count));
    EXPECT(threads == 1024);
    OK(cuFuncSetAttribute(count, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000));
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count, 64, 256));
    EXPECT(blocks > 0);
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &threads, count, nullptr, 0, 0));
    EXPECT(grid > 0 && threads > 0);
    // Packed parameters, and the same by cuLaunchKernelEx.
    size_t size = sizeof out;
    void* packed[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &out, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    OK(cuLaunchKernel(count, 1, 1, 1, 64, 1, 1, 256, nullptr, nullptr, packed));
    OK(cuMemcpyDtoH(&value, out, 4));
    EXPECT(value == 63 + 10 + 2);
    CUlaunchConfig config;
    std::memset(&config, 0, sizeof config);
    config.gridDimX = config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
    config.blockDimX = 32;
    config.sharedMemBytes = 128;
    void* parameters[] = {&out};
    OK(cuLaunchKernelEx(&config, count, parameters, nullptr));
    OK(cuMemcpyDtoH(&value, out, 4));
    EXPECT(value == 31 + 11 + 2);

    CUlibrary library = nullptr;
    CUkernel kernel = nullptr;
    CUfunction function = nullptr;
    OK(cuLibraryLoadData(&library, ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    OK(cuLibraryGetKernel(&kernel, library, "count"));
    OK(cuKernelGetFunction(&function, kernel));
    OK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 128, nullptr, parameters, nullptr));
    OK(cuMemcpyDtoH(&value, out, 4));
    EXPECT(value == 31 + 3 + 2);  // a library's variables are its own
    OK(cuLibraryUnload(library));

    CUgraph graph = nullptr;
    CUgraphExec exec = nullptr;
    CUstream stream = nullptr;
    OK(cuStreamCreate(&stream, 0));
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuLaunchKernel(count, 1, 1, 1, 32, 1, 1, 128, stream, parameters, nullptr));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemcpyDtoH(&value, out, 4));
    EXPECT(value == 31 + 12 + 2);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuStreamDestroy(stream));
    OK(cuMemFree(out));
    OK(cuModuleUnload(module));
}

static void arrays() {
    CUDA_ARRAY_DESCRIPTOR said, told;
    said.Width = 16;
    said.Height = 4;
    said.Format = CU_AD_FORMAT_FLOAT;
    said.NumChannels = 2;
    CUarray array = nullptr;
    OK(cuArrayCreate(&array, &said));
    OK(cuArrayGetDescriptor(&told, array));
    EXPECT(told.Width == 16 && told.Height == 4 && told.Format == CU_AD_FORMAT_FLOAT && told.NumChannels == 2);
    std::vector<float> from(16 * 2 * 4), to(16 * 2 * 4, 0.0f);
    for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(i);
    CUDA_MEMCPY2D copy;
    std::memset(&copy, 0, sizeof copy);
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = from.data();
    copy.srcPitch = copy.WidthInBytes = 128;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array;
    copy.Height = 4;
    OK(cuMemcpy2D(&copy));
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.srcArray = array;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = to.data();
    copy.dstPitch = 128;
    OK(cuMemcpy2D(&copy));
    EXPECT(to == from);
    OK(cuMemcpyAtoH(to.data(), array, 8, 4));
    EXPECT(to[0] == 2.0f);
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC texture;
    std::memset(&resource, 0, sizeof resource);
    std::memset(&texture, 0, sizeof texture);
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    CUtexObject object = 0;
    OK(cuTexObjectCreate(&object, &resource, &texture, nullptr));
    OK(cuTexObjectDestroy(object));
    OK(cuArrayDestroy(array));
    EXPECT(cuArrayDestroy(array) == CUDA_ERROR_INVALID_HANDLE);
}

static void nodes() {
    CUgraph graph = nullptr;
    CUgraphExec exec = nullptr;
    CUgraphNode first = nullptr, second = nullptr;
    CUdeviceptr memory = 0;
    CUcontext context = nullptr;
    int value = 0;
    OK(cuCtxGetCurrent(&context));
    OK(cuMemAlloc(&memory, 64));
    OK(cuGraphCreate(&graph, 0));
    CUDA_MEMSET_NODE_PARAMS set;
    std::memset(&set, 0, sizeof set);
    set.dst = memory;
    set.value = 5;
    set.elementSize = 4;
    set.width = 16;
    set.height = 1;
    OK(cuGraphAddMemsetNode(&first, graph, nullptr, 0, &set, context));
    CUDA_MEMCPY3D copy;
    std::memset(&copy, 0, sizeof copy);
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = memory;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = &value;
    copy.WidthInBytes = 4;
    copy.Height = copy.Depth = 1;
    OK(cuGraphAddMemcpyNode(&second, graph, &first, 1, &copy, context));
    size_t count = 0;
    OK(cuGraphGetNodes(graph, nullptr, &count));
    EXPECT(count == 2);
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, nullptr));
    OK(cuCtxSynchronize());
    EXPECT(value == 5);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuMemFree(memory));
}

static void links(const std::string& ptx) {
    CUlinkState link = nullptr;
    CUmodule module = nullptr;
    void* code = nullptr;
    size_t bytes = 0;
    OK(cuLinkCreate(0, nullptr, nullptr, &link));
    OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(ptx.c_str()), ptx.size() + 1, "x", 0, nullptr, nullptr));
    EXPECT(cuLinkAddData(link, CU_JIT_INPUT_CUBIN, const_cast<char*>("x"), 1, "x", 0, nullptr, nullptr) ==
           CUDA_ERROR_INVALID_IMAGE);
    OK(cuLinkComplete(link, &code, &bytes));
    EXPECT(bytes > ptx.size());
    OK(cuModuleLoadData(&module, code));
    OK(cuLinkDestroy(link));
    EXPECT(function_of(module, "add") != nullptr);
    OK(cuModuleUnload(module));
}

// Two pieces of which one calls the other, and what a linker refuses.
static void links_pieces() {
    const std::string head = ".version 7.0\n.target sm_70\n.address_size 64\n";
    std::string caller = head +
                         ".extern .func (.param .b32 r) twice(.param .b32 x);\n.extern .global .u32 step;\n"
                         ".visible .entry run(.param .u64 out) {\n.reg .b64 %rd<3>;\n.reg .b32 %r<4>;\n"
                         "ld.param.u64 %rd1, [out];\nld.global.u32 %r1, [step];\n{\n.param .b32 x;\n.param .b32 r;\n"
                         "st.param.b32 [x], %r1;\ncall (r), twice, (x);\nld.param.b32 %r2, [r];\n}\n"
                         "st.global.u32 [%rd1], %r2;\nret;\n}\n";
    std::string callee = head +
                         ".visible .global .u32 step = 21;\n.visible .func (.param .b32 r) twice(.param .b32 x) {\n"
                         ".reg .b32 %r<3>;\nld.param.b32 %r1, [x];\nadd.u32 %r2, %r1, %r1;\nst.param.b32 [r], %r2;\n"
                         "ret;\n}\n";
    CUlinkState link = nullptr;
    void* code = nullptr;
    OK(cuLinkCreate(0, nullptr, nullptr, &link));
    OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, caller.data(), caller.size() + 1, "caller", 0, nullptr, nullptr));
    OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, callee.data(), callee.size() + 1, "callee", 0, nullptr, nullptr));
    OK(cuLinkComplete(link, &code, nullptr));
    CUmodule module = nullptr;
    OK(cuModuleLoadData(&module, code));
    OK(cuLinkDestroy(link));
    CUdeviceptr out = 0;
    OK(cuMemAlloc(&out, 4));
    void* arguments[] = {&out};
    OK(cuLaunchKernel(function_of(module, "run"), 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
    int value = 0;
    OK(cuMemcpyDtoH(&value, out, sizeof value));
    EXPECT(value == 42);
    OK(cuMemFree(out));
    OK(cuModuleUnload(module));

    char log[256] = "";
    CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    OK(cuLinkCreate(2, names, values, &link));
    OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, callee.data(), callee.size() + 1, "callee", 0, nullptr, nullptr));
    EXPECT(cuLinkAddData(link, CU_JIT_INPUT_PTX, callee.data(), callee.size() + 1, "again", 0, nullptr, nullptr) ==
           CUDA_ERROR_INVALID_SOURCE);
    EXPECT(cuLinkComplete(link, &code, nullptr) == CUDA_ERROR_INVALID_SOURCE);
    EXPECT(std::string(log).find("Multiple definition of 'step' in 'again', first defined in 'callee'") !=
           std::string::npos);
    EXPECT(std::string(log).find("Multiple definition of 'twice' in 'again'") != std::string::npos);
    OK(cuLinkDestroy(link));

    // Places of the source are told where the PTX knows them.
    const std::string lines = head +
                              ".extern .func nowhere();\n.visible .entry run() {\n.loc 1 12 3\ncall nowhere;\nret;\n}\n"
                              ".file 1 \"where.cu\"\n";
    values[1] = reinterpret_cast<void*>(sizeof log);
    OK(cuLinkCreate(2, names, values, &link));
    OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(lines.data()), lines.size() + 1, "user", 0, nullptr,
                     nullptr));
    EXPECT(cuLinkComplete(link, &code, nullptr) == CUDA_ERROR_INVALID_SOURCE);
    EXPECT(std::string(log) == "error   : Undefined reference to 'nowhere' in 'user' (where.cu:12)");
    OK(cuLinkDestroy(link));
}

static void entries() {
    using Count = CUresult(int*);
    void* function = nullptr;
    CUdriverProcAddressQueryResult found;
    OK(cuGetProcAddress("cuDeviceGetCount", &function, 12000, 0, &found));
    int count = 0;
    OK(reinterpret_cast<Count*>(function)(&count));
    EXPECT(count == 1);
    OK(cuGetProcAddress("cuNothing", &function, 12000, 0, &found));
    EXPECT(found == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND && function == nullptr);
    EXPECT(cuGetProcAddress("cuNothing", &function, 12000, 0, nullptr) == CUDA_ERROR_NOT_FOUND && function == nullptr);
    OK(cuGetProcAddress("cuLibraryLoadData", &function, 11000, 0, &found));
    EXPECT(found == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
    const char* text = nullptr;
    OK(cuGetErrorName(CUDA_ERROR_NOT_FOUND, &text));
    EXPECT(std::string(text) == "CUDA_ERROR_NOT_FOUND");
    OK(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
    EXPECT(std::string(text) == "invalid argument");
}

int main(int, char** arguments) {
    std::ifstream file(arguments[1], std::ios::binary);
    const std::string ptx{std::istreambuf_iterator<char>(file), {}};
    int count = 0;
    EXPECT(cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED);
    EXPECT(cuInit(1) == CUDA_ERROR_INVALID_VALUE);
    OK(cuInit(0));
    devices();
    contexts();
    memory();
    modules(ptx);
    arrays();
    nodes();
    links(ptx);
    links_pieces();
    entries();
    std::printf("%d failed\n", failed);
    return failed == 0 ? 0 : 1;
}

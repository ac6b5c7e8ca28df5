// Calls of the driver that few programs make; each result that is not the one wanted is printed. Argument: code as PTX.
#include <cuda.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

static int failed = 0;

static void expect(bool holds, const char* what, int line) {
    if (holds) return;
    std::printf("line %d: %s\n", line, what);
    ++failed;
}
#define EXPECT(what) expect((what), #what, __LINE__)
#define OK(call) expect((call) == CUDA_SUCCESS, #call, __LINE__)

constexpr size_t kGrain = size_t{2} << 20;

static CUdeviceptr memory_of(size_t bytes) {
    CUdeviceptr at = 0;
    OK(cuMemAlloc(&at, bytes));
    return at;
}

// A vector that grows in place, as libraries do it: addresses for all that may come, memory as it comes.
static void growing_memory(CUfunction count) {
    CUmemAllocationProp properties;
    std::memset(&properties, 0, sizeof properties);
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    size_t grain = 0;
    CUdeviceptr at = 0;
    OK(cuMemGetAllocationGranularity(&grain, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    EXPECT(grain == kGrain);
    OK(cuMemAddressReserve(&at, 8 * grain, 0, 0, 0));
    std::vector<CUmemGenericAllocationHandle> handles(3);
    std::vector<unsigned> host(3 * grain / 4);
    for (size_t i = 0; i < handles.size(); ++i) {
        OK(cuMemCreate(&handles[i], grain, &properties, 0));
        OK(cuMemMap(at + i * grain, grain, 0, handles[i], 0));
        OK(cuMemSetAccess(at + i * grain, grain, &access, 1));
        OK(cuMemRelease(handles[i]));
        OK(cuMemsetD32(at, 5 + static_cast<unsigned>(i), (i + 1) * grain / 4));
    }
    OK(cuMemcpyDtoH(host.data(), at, 3 * grain));
    EXPECT(host.front() == 7 && host.back() == 7);
    CUdeviceptr last = at + 3 * grain - 4;
    void* values[] = {&last};
    OK(cuLaunchKernel(count, 1, 1, 1, 32, 1, 1, 128, nullptr, values, nullptr));
    OK(cuMemcpyDtoH(host.data(), last, 4));
    EXPECT(host[0] >= 31);
    CUmemGenericAllocationHandle again = 0;
    OK(cuMemRetainAllocationHandle(&again, reinterpret_cast<void*>(at + grain)));
    OK(cuMemUnmap(at, 3 * grain));
    EXPECT(cuMemcpyDtoH(host.data(), at, 4) == CUDA_ERROR_INVALID_VALUE);
    OK(cuMemMap(at + 4 * grain, grain, 0, again, 0));
    OK(cuMemSetAccess(at + 4 * grain, grain, &access, 1));
    OK(cuMemcpyDtoH(host.data(), at + 4 * grain, 4));
    EXPECT(host[0] == 7);
    OK(cuMemUnmap(at + 4 * grain, grain));
    OK(cuMemRelease(again));
    OK(cuMemAddressFree(at, 8 * grain));
}

static void words() {
    CUstream stream = nullptr;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    const CUdeviceptr at = memory_of(64);
    OK(cuStreamWriteValue32_v2(stream, at, 5, 0));
    OK(cuStreamWaitValue32_v2(stream, at, 3, CU_STREAM_WAIT_VALUE_GEQ));
    OK(cuStreamWriteValue64_v2(stream, at + 8, 0x100000002, 0));
    OK(cuStreamWaitValue64_v2(stream, at + 8, 0x100000002, CU_STREAM_WAIT_VALUE_EQ));
    unsigned found[4] = {};
    OK(cuMemcpyDtoH(found, at, 16));
    EXPECT(found[0] == 5 && found[2] == 2 && found[3] == 1);
    // Another thread of the host writes what a stream waits for.
    unsigned* pinned = nullptr;
    OK(cuMemHostAlloc(reinterpret_cast<void**>(&pinned), 64, 0));
    *pinned = 0;
    std::thread writer([&] { __atomic_store_n(pinned, 9u, __ATOMIC_RELEASE); });
    OK(cuStreamWaitValue32_v2(stream, reinterpret_cast<CUdeviceptr>(pinned), 9, CU_STREAM_WAIT_VALUE_EQ));
    writer.join();
    CUstreamBatchMemOpParams batch[2];
    std::memset(batch, 0, sizeof batch);
    batch[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    batch[0].writeValue.address = at + 16;
    batch[0].writeValue.value = 77;
    batch[1].memoryBarrier.operation = CU_STREAM_MEM_OP_BARRIER;
    OK(cuStreamBatchMemOp_v2(stream, 2, batch, 0));
    OK(cuMemcpyDtoH(found, at + 16, 4));
    EXPECT(found[0] == 77);
}

static void graphs(CUfunction count) {
    static int ended = 0;
    CUgraph graph = nullptr, child = nullptr;
    CUgraphNode kernel = nullptr, set = nullptr, inner = nullptr, any = nullptr;
    CUcontext context = nullptr;
    OK(cuCtxGetCurrent(&context));
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphCreate(&child, 0));
    CUdeviceptr at = memory_of(64);
    CUDA_MEMSET_NODE_PARAMS said{at, 0, 9, 4, 4, 1}, told{};
    OK(cuGraphAddMemsetNode(&set, graph, nullptr, 0, &said, context));
    OK(cuGraphMemsetNodeGetParams(set, &told));
    EXPECT(told.dst == at && told.value == 9 && told.elementSize == 4);
    said.value = 11;
    OK(cuGraphMemsetNodeSetParams(set, &said));
    void* values[] = {&at};
    CUDA_KERNEL_NODE_PARAMS launch;
    std::memset(&launch, 0, sizeof launch);
    launch.func = count;
    launch.gridDimX = launch.gridDimY = launch.gridDimZ = launch.blockDimY = launch.blockDimZ = 1;
    launch.blockDimX = 32;
    launch.sharedMemBytes = 128;
    launch.kernelParams = values;
    OK(cuGraphAddKernelNode_v2(&kernel, graph, nullptr, 0, &launch));
    CUDA_KERNEL_NODE_PARAMS back;
    OK(cuGraphKernelNodeGetParams_v2(kernel, &back));
    EXPECT(back.func == count && back.blockDimX == 32 && back.sharedMemBytes == 128);
    EXPECT(*static_cast<CUdeviceptr*>(back.kernelParams[0]) == at);
    CUkernelNodeAttrValue value;
    std::memset(&value, 0, sizeof value);
    value.priority = -2;
    OK(cuGraphKernelNodeSetAttribute(kernel, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
    value.priority = 0;
    OK(cuGraphKernelNodeGetAttribute(kernel, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
    EXPECT(value.priority == -2);
    OK(cuGraphAddDependencies_v2(graph, &set, &kernel, nullptr, 1));
    CUgraphNode from = nullptr, to = nullptr;
    CUgraphEdgeData data;
    size_t edges = 1;
    OK(cuGraphGetEdges_v2(graph, &from, &to, &data, &edges));
    EXPECT(edges == 1 && from == set && to == kernel && data.type == 0);
    size_t before = 1;
    OK(cuGraphNodeGetDependencies_v2(kernel, &from, nullptr, &before));
    EXPECT(before == 1 && from == set);
    OK(cuGraphAddChildGraphNode(&inner, graph, nullptr, 0, child));
    CUgraph found = nullptr;
    OK(cuGraphChildGraphNodeGetGraph(inner, &found));
    EXPECT(found != nullptr && found != child);
    CUgraphNodeParams params;
    std::memset(&params, 0, sizeof params);
    params.type = CU_GRAPH_NODE_TYPE_MEMSET;
    std::memcpy(&params.memset, &said, sizeof said);
    params.memset.ctx = context;
    OK(cuGraphAddNode_v2(&any, graph, nullptr, nullptr, 0, &params));
    CUgraphNodeType type;
    OK(cuGraphNodeGetType(any, &type));
    EXPECT(type == CU_GRAPH_NODE_TYPE_MEMSET);
    CUuserObject object = nullptr;
    OK(cuUserObjectCreate(
        &object, &ended, [](void* p) { ++*static_cast<int*>(p); }, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    OK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
    CUgraphExec exec = nullptr;
    CUDA_GRAPH_INSTANTIATE_PARAMS how;
    std::memset(&how, 0, sizeof how);
    OK(cuGraphInstantiateWithParams(&exec, graph, &how));
    EXPECT(how.result_out == CUDA_GRAPH_INSTANTIATE_SUCCESS);
    unsigned enabled = 5;
    OK(cuGraphNodeSetEnabled(exec, kernel, 0));
    OK(cuGraphNodeGetEnabled(exec, kernel, &enabled));
    EXPECT(enabled == 0);
    OK(cuGraphLaunch(exec, nullptr));
    unsigned words[4];
    OK(cuMemcpyDtoH(words, at, 16));
    EXPECT(words[0] == 11 && words[3] == 11);
    OK(cuGraphNodeSetEnabled(exec, kernel, 1));
    OK(cuGraphLaunch(exec, nullptr));
    CUgraphExecUpdateResultInfo update;
    OK(cuGraphExecUpdate_v2(exec, graph, &update));
    EXPECT(update.result == CU_GRAPH_EXEC_UPDATE_SUCCESS);
    OK(cuGraphDestroy(graph));
    EXPECT(ended == 0);
    OK(cuGraphExecDestroy(exec));
    EXPECT(ended == 1);
}

static void batches_and_advice() {
    CUdeviceptr managed = 0;
    OK(cuMemAllocManaged(&managed, 1 << 20, CU_MEM_ATTACH_GLOBAL));
    const CUmemLocation device{CU_MEM_LOCATION_TYPE_DEVICE, 0}, host{CU_MEM_LOCATION_TYPE_HOST, 0};
    OK(cuMemAdvise_v2(managed, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
    OK(cuMemAdvise_v2(managed, 1 << 20, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
    int place = 5, mostly = 5;
    OK(cuMemRangeGetAttribute(&place, 4, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, managed, 4096));
    EXPECT(place == CU_DEVICE_CPU);
    OK(cuMemRangeGetAttribute(&place, 4, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, managed, 8192));
    EXPECT(place == CU_DEVICE_INVALID);
    OK(cuMemPrefetchAsync_v2(managed, 4096, device, 0, nullptr));
    void* out[] = {&place, &mostly};
    size_t sizes[] = {4, 4};
    CUmem_range_attribute which[] = {CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY};
    OK(cuMemRangeGetAttributes(out, sizes, which, 2, managed, 4096));
    EXPECT(place == 0 && mostly == 1);
    CUstream stream = nullptr;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CUdeviceptr a = memory_of(64), b = memory_of(64);
    OK(cuMemsetD32(a, 21, 16));
    CUdeviceptr to[] = {b, b + 32}, from[] = {a, a + 32};
    size_t bytes[] = {32, 32};
    CUmemcpyAttributes attributes;
    std::memset(&attributes, 0, sizeof attributes);
    attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    size_t first = 0;
    OK(cuMemcpyBatchAsync_v2(to, from, bytes, 2, &attributes, &first, 1, stream));
    unsigned found[16];
    OK(cuMemcpyDtoH(found, b, 64));
    EXPECT(found[0] == 21 && found[15] == 21);
}

static void pools_and_logs() {
    CUmemPoolProps properties;
    std::memset(&properties, 0, sizeof properties);
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    properties.maxSize = 1 << 20;
    CUmemoryPool pool = nullptr;
    CUdeviceptr at = 0, more = 0;
    cuuint64_t used = 0;
    OK(cuMemPoolCreate(&pool, &properties));
    OK(cuMemAllocFromPoolAsync(&at, 1 << 19, pool, nullptr));
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
    EXPECT(used == 1 << 19);
    unsigned place = 0;
    OK(cuLogsCurrent(&place, 0));
    EXPECT(cuMemAllocFromPoolAsync(&more, 1 << 20, pool, nullptr) == CUDA_ERROR_OUT_OF_MEMORY);
    char text[256];
    size_t bytes = sizeof text;
    OK(cuLogsDumpToMemory(&place, text, &bytes, 0));
    EXPECT(std::string(text) == "cuMemAllocFromPoolAsync: the pool may give no more\n");
    OK(cuMemFreeAsync(at, nullptr));
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
    EXPECT(used == 0);
    OK(cuMemPoolDestroy(pool));
    EXPECT(cuMemPoolDestroy(pool) == CUDA_ERROR_INVALID_VALUE);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static void old_launches(CUfunction count) {
    CUdeviceptr at = memory_of(4);
    OK(cuFuncSetBlockShape(count, 32, 1, 1));
    OK(cuFuncSetSharedSize(count, 128));
    OK(cuParamSetv(count, 0, &at, sizeof at));
    OK(cuParamSetSize(count, sizeof at));
    OK(cuMemsetD32(at, 0, 1));
    OK(cuLaunchGrid(count, 1, 1));
    unsigned found = 0;
    OK(cuMemcpyDtoH(&found, at, 4));
    EXPECT(found >= 31);
}
#pragma GCC diagnostic pop

static void objects() {
    CUDA_RESOURCE_DESC resource, back;
    std::memset(&resource, 0, sizeof resource);
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = memory_of(4096);
    resource.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT8;
    resource.res.linear.numChannels = 4;
    resource.res.linear.sizeInBytes = 4096;
    CUDA_TEXTURE_DESC texture, told;
    std::memset(&texture, 0, sizeof texture);
    texture.flags = CU_TRSF_READ_AS_INTEGER;
    CUtexObject object = 0;
    OK(cuTexObjectCreate(&object, &resource, &texture, nullptr));
    OK(cuTexObjectGetResourceDesc(&back, object));
    EXPECT(back.resType == CU_RESOURCE_TYPE_LINEAR && back.res.linear.devPtr == resource.res.linear.devPtr);
    EXPECT(back.res.linear.numChannels == 4 && back.res.linear.format == CU_AD_FORMAT_UNSIGNED_INT8);
    OK(cuTexObjectGetTextureDesc(&told, object));
    EXPECT(told.flags == CU_TRSF_READ_AS_INTEGER);
    CUDA_RESOURCE_VIEW_DESC view;
    EXPECT(cuTexObjectGetResourceViewDesc(&view, object) == CUDA_ERROR_INVALID_VALUE);
    OK(cuTexObjectDestroy(object));
    EXPECT(cuTexObjectGetResourceDesc(&back, object) == CUDA_ERROR_INVALID_VALUE);
}

// Contexts of their own, memory, modules and launches, all at once.
static void threads(const std::string& ptx) {
    std::vector<std::thread> all;
    for (int i = 0; i < 8; ++i)
        all.emplace_back([&ptx] {
            CUcontext context = nullptr;
            CUmodule module = nullptr;
            CUfunction count = nullptr;
            OK(cuCtxCreate_v4(&context, nullptr, 0, 0));
            OK(cuModuleLoadData(&module, ptx.c_str()));
            OK(cuModuleGetFunction(&count, module, "count"));
            for (int turn = 0; turn < 10; ++turn) {
                CUdeviceptr at = 0;
                OK(cuMemAlloc(&at, 64));
                void* values[] = {&at};
                OK(cuLaunchKernel(count, 1, 1, 1, 32, 1, 1, 128, nullptr, values, nullptr));
                OK(cuCtxSynchronize());
                OK(cuMemFree(at));
            }
            OK(cuModuleUnload(module));
            OK(cuCtxDestroy(context));
        });
    for (std::thread& one : all) one.join();
}

int main(int, char** arguments) {
    std::ifstream file(arguments[1], std::ios::binary);
    const std::string ptx{std::istreambuf_iterator<char>(file), {}};
    CUcontext context = nullptr;
    CUmodule module = nullptr;
    CUfunction count = nullptr;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    OK(cuModuleLoadData(&module, ptx.c_str()));
    OK(cuModuleGetFunction(&count, module, "count"));
    growing_memory(count);
    words();
    graphs(count);
    batches_and_advice();
    pools_and_logs();
    old_launches(count);
    objects();
    threads(ptx);
    std::printf("%d failed\n", failed);
    return failed == 0 ? 0 : 1;
}

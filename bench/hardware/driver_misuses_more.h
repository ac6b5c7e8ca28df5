// The misuses of all but memory that driver_misuse.cpp runs. Included there.
#pragma once

inline CUresult encode(const std::function<void(CUtensorMapDataType&, cuuint32_t&, CUdeviceptr&, cuuint64_t*,
                                                cuuint64_t*, cuuint32_t*, cuuint32_t*, int*)>& change) {
    CUtensorMap map;
    CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    cuuint32_t rank = 2;
    CUdeviceptr at = memory(1 << 20);
    cuuint64_t sizes[5] = {64, 64, 4, 4, 4}, strides[4] = {256, 16384, 65536, 262144};
    cuuint32_t box[5] = {16, 16, 1, 1, 1}, steps[5] = {1, 1, 1, 1, 1};
    int modes[4] = {0, 0, 0, 0};  // interleave, swizzle, promotion, fill
    change(type, rank, at, sizes, strides, box, steps, modes);
    return cuTensorMapEncodeTiled(
        &map, type, rank, reinterpret_cast<void*>(at), sizes, strides, box, steps,
        static_cast<CUtensorMapInterleave>(modes[0]), static_cast<CUtensorMapSwizzle>(modes[1]),
        static_cast<CUtensorMapL2promotion>(modes[2]), static_cast<CUtensorMapFloatOOBfill>(modes[3]));
}
#define ENCODE(change)                                                                                             \
    encode([](auto& type, auto& rank, auto& at, auto* sizes, auto* strides, auto* box, auto* steps, auto* modes) { \
        (void)type, (void)rank, (void)at, (void)sizes, (void)strides, (void)box, (void)steps, (void)modes;         \
        change;                                                                                                    \
    })

inline CUresult launch(unsigned grid, unsigned block, unsigned shared = 0, void** extra = nullptr) {
    return cuLaunchKernel(function("nothing"), grid, 1, 1, block, 1, 1, shared, nullptr, nullptr, extra);
}
inline CUresult launch_with(CUlaunchAttributeID id, const std::function<void(CUlaunchAttributeValue&)>& change,
                            unsigned grid = 1) {
    CUlaunchAttribute attribute{};
    attribute.id = id;
    change(attribute.value);
    CUlaunchConfig config{};
    config.gridDimX = grid;
    config.gridDimY = config.gridDimZ = config.blockDimX = config.blockDimY = config.blockDimZ = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    const CUresult code = cuLaunchKernelEx(&config, function("nothing"), nullptr, nullptr);
    return code != CUDA_SUCCESS ? code : cuCtxSynchronize();
}
inline CUresult waited(CUdeviceptr at, unsigned value, unsigned flags) {
    const CUstream on = stream();
    const CUresult code = cuStreamWaitValue32_v2(on, at, value, flags);
    return code != CUDA_SUCCESS ? code : cuStreamSynchronize(on);
}
inline CUresult wrote(CUdeviceptr at, unsigned flags) {
    const CUstream on = stream();
    const CUresult code = cuStreamWriteValue32_v2(on, at, 5, flags);
    if (code != CUDA_SUCCESS) return code;
    MUST(cuStreamSynchronize(on));
    unsigned value = 0;
    const CUresult copied = cuMemcpyDtoH(&value, at, 4);
    std::printf("[%u] ", value);
    return copied;
}
inline CUresult batch(unsigned count, unsigned operation, unsigned flags = 0) {
    static CUstreamBatchMemOpParams operations[300];
    const CUdeviceptr at = memory();
    for (CUstreamBatchMemOpParams& one : operations) {
        std::memset(&one, 0, sizeof one);
        one.operation = static_cast<CUstreamBatchMemOpType>(operation);
        one.writeValue.address = at;
    }
    return cuStreamBatchMemOp_v2(stream(), count, operations, flags);
}

inline std::vector<Misuse> work_misuses() {
    return {
        // Tensor maps.
        {"tensor map: well", [] { return ENCODE((void)0); }},
        {"tensor map: nowhere to put it",
         [] {
             const cuuint64_t s[1] = {64};
             const cuuint32_t b[1] = {16}, e[1] = {1};
             return cuTensorMapEncodeTiled(nullptr, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1,
                                           reinterpret_cast<void*>(memory()), s, nullptr, b, e,
                                           CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                           CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
         }},
        {"tensor map: at a place of 16 bytes",
         [] {
             static char room[256];
             auto* m = reinterpret_cast<CUtensorMap*>((reinterpret_cast<std::uintptr_t>(room) + 63) / 64 * 64 + 16);
             const cuuint64_t s[1] = {64};
             const cuuint32_t b[1] = {16}, e[1] = {1};
             return cuTensorMapEncodeTiled(m, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, reinterpret_cast<void*>(memory()), s,
                                           nullptr, b, e, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                           CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
         }},
        {"tensor map: rank 0", [] { return ENCODE(rank = 0); }},
        {"tensor map: rank 6", [] { return ENCODE(rank = 6); }},
        {"tensor map: no address", [] { return ENCODE(at = 0); }},
        {"tensor map: address of 8 bytes", [] { return ENCODE(at += 8); }},
        {"tensor map: address of the host", [] { return ENCODE(at = reinterpret_cast<CUdeviceptr>(host) / 16 * 16); }},
        {"tensor map: size 0", [] { return ENCODE(sizes[1] = 0); }},
        {"tensor map: stride of 8 bytes", [] { return ENCODE(strides[0] = 264); }},
        {"tensor map: stride below a row", [] { return ENCODE(strides[0] = 128); }},
        {"tensor map: box of 257", [] { return ENCODE(box[1] = 257); }},
        {"tensor map: rows of 12 bytes", [] { return ENCODE(box[0] = 3); }},
        {"tensor map: swizzle below a row", [] { return ENCODE(box[0] = 32; modes[1] = 1); }},
        {"tensor map: step of 9", [] { return ENCODE(steps[1] = 9); }},
        {"tensor map: type 99", [] { return ENCODE(type = static_cast<CUtensorMapDataType>(99)); }},
        {"tensor map: NaN of integers", [] { return ENCODE(type = CU_TENSOR_MAP_DATA_TYPE_INT32; modes[3] = 1); }},
        {"tensor map: another address of none",
         [] { return cuTensorMapReplaceAddress(nullptr, reinterpret_cast<void*>(memory())); }},
        // Streams that wait for words and write them.
        {"wait: 32 bits, come already",
         [] {
             const auto at = memory();
             MUST(cuMemsetD32(at, 5, 1));
             return waited(at, 5, CU_STREAM_WAIT_VALUE_GEQ);
         }},
        {"wait: equal",
         [] {
             const auto at = memory();
             MUST(cuMemsetD32(at, 5, 1));
             return waited(at, 5, CU_STREAM_WAIT_VALUE_EQ);
         }},
        {"wait: bits",
         [] {
             const auto at = memory();
             MUST(cuMemsetD32(at, 5, 1));
             return waited(at, 4, CU_STREAM_WAIT_VALUE_AND);
         }},
        {"wait: flags 99", [] { return waited(memory(), 0, 99); }},
        {"wait: flush", [] { return waited(memory(), 0, CU_STREAM_WAIT_VALUE_FLUSH); }},
        {"wait: misaligned", [] { return waited(memory() + 2, 0, 0); }},
        {"wait: null", [] { return waited(0, 0, 0); }},
        {"wait: nowhere", [] { return waited(kNowhere, 0, 0); }},
        {"wait: the host's memory", [] { return waited(reinterpret_cast<CUdeviceptr>(host), 0, 0); }},
        {"wait: the registered memory of the host",
         [] {
             MUST(cuMemHostRegister(host, 4096, 0));
             return waited(reinterpret_cast<CUdeviceptr>(host), 0, 0);
         }},
        {"write: 32 bits", [] { return wrote(memory(), 0); }},
        {"write: no barrier", [] { return wrote(memory(), CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER); }},
        {"write: flags 2", [] { return wrote(memory(), 2); }},
        {"write: misaligned", [] { return wrote(memory() + 2, 0); }},
        {"write: nowhere", [] { return wrote(kNowhere, 0); }},
        {"write: freed", [] { return wrote(freed(), 0); }},
        {"write: 64 bits, misaligned", [] { return cuStreamWriteValue64_v2(stream(), memory() + 4, 1, 0); }},
        {"write: 64 bits", [] { return cuStreamWriteValue64_v2(stream(), memory(), 1, 0); }},
        {"batch: nothing", [] { return batch(0, 2); }},
        {"batch: 256", [] { return batch(256, 2); }},
        {"batch: 257", [] { return batch(257, 2); }},
        {"batch: operation 99", [] { return batch(1, 99); }},
        {"batch: flush", [] { return batch(1, 3); }},
        {"batch: barrier", [] { return batch(1, 6); }},
        {"batch: flags 1", [] { return batch(1, 2, 1); }},
        {"batch: null", [] { return cuStreamBatchMemOp_v2(stream(), 1, nullptr, 0); }},
        // Streams and events.
        {"stream: flags 9",
         [] {
             CUstream s;
             return cuStreamCreate(&s, 9);
         }},
        {"stream: nowhere to put it", [] { return cuStreamCreate(nullptr, 0); }},
        {"stream: priority -100",
         [] {
             CUstream s;
             int p = 9;
             const auto c = cuStreamCreateWithPriority(&s, 1, -100);
             cuStreamGetPriority(s, &p);
             std::printf("[%d] ", p);
             return c;
         }},
        {"stream: destroy null", [] { return cuStreamDestroy(nullptr); }},
        {"stream: destroy the default one", [] { return cuStreamDestroy(CU_STREAM_LEGACY); }},
        {"stream: attribute 99",
         [] {
             CUstreamAttrValue v{};
             return cuStreamGetAttribute(stream(), static_cast<CUstreamAttrID>(99), &v);
         }},
        {"stream: attribute without a value",
         [] { return cuStreamGetAttribute(stream(), CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, nullptr); }},
        {"stream: policy 99",
         [] {
             CUstreamAttrValue v{};
             v.syncPolicy = static_cast<CUsynchronizationPolicy>(99);
             return cuStreamSetAttribute(stream(), CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v);
         }},
        {"stream: end no capture",
         [] {
             CUgraph g;
             return cuStreamEndCapture(stream(), &g);
         }},
        {"stream: capture of the default one",
         [] { return cuStreamBeginCapture(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL); }},
        {"stream: capture of mode 9",
         [] { return cuStreamBeginCapture(stream(), static_cast<CUstreamCaptureMode>(9)); }},
        {"stream: wait for null", [] { return cuStreamWaitEvent(stream(), nullptr, 0); }},
        {"stream: attach other memory",
         [] { return cuStreamAttachMemAsync(stream(), memory(), 0, CU_MEM_ATTACH_SINGLE); }},
        {"stream: callback of null", [] { return cuStreamAddCallback(stream(), nullptr, nullptr, 0); }},
        {"stream: host function of null", [] { return cuLaunchHostFunc(stream(), nullptr, nullptr); }},
        {"event: flags 99",
         [] {
             CUevent e;
             return cuEventCreate(&e, 99);
         }},
        {"event: for other processes, with times",
         [] {
             CUevent e;
             return cuEventCreate(&e, CU_EVENT_INTERPROCESS);
         }},
        {"event: destroy null", [] { return cuEventDestroy(nullptr); }},
        {"event: query null", [] { return cuEventQuery(nullptr); }},
        {"event: query what was not recorded", [] { return cuEventQuery(event()); }},
        {"event: time of what was not recorded",
         [] {
             float t;
             return cuEventElapsedTime(&t, event(), event());
         }},
        {"event: time without times",
         [] {
             float t;
             const auto e = event(CU_EVENT_DISABLE_TIMING);
             MUST(cuEventRecord(e, nullptr));
             return cuEventElapsedTime(&t, e, e);
         }},
        {"event: time, nowhere to put it",
         [] {
             const auto e = event();
             MUST(cuEventRecord(e, nullptr));
             return cuEventElapsedTime(nullptr, e, e);
         }},
        {"event: record with flags 9", [] { return cuEventRecordWithFlags(event(), nullptr, 9); }},
        {"event: record null", [] { return cuEventRecord(nullptr, nullptr); }},
        {"event: wait with flags 9", [] { return cuStreamWaitEvent(stream(), event(), 9); }},
        // Modules, libraries, functions.
        {"module: null",
         [] {
             CUmodule m;
             return cuModuleLoadData(&m, nullptr);
         }},
        {"module: no text",
         [] {
             CUmodule m;
             return cuModuleLoadData(&m, "");
         }},
        {"module: other text",
         [] {
             CUmodule m;
             return cuModuleLoadData(&m, "this is no code");
         }},
        {"module: broken text",
         [] {
             CUmodule m;
             return cuModuleLoadData(&m, ".version 8.0\n.target sm_90\n.entry broken( {");
         }},
        {"module: of a version to come",
         [] {
             CUmodule m;
             return cuModuleLoadData(&m, ".version 99.0\n.target sm_90\n.address_size 64\n");
         }},
        {"module: of a file that is not there",
         [] {
             CUmodule m;
             return cuModuleLoad(&m, "/nowhere/at/all.ptx");
         }},
        {"module: unload null", [] { return cuModuleUnload(nullptr); }},
        {"module: function that is not there",
         [] {
             CUfunction f;
             return cuModuleGetFunction(&f, module_of(), "absent");
         }},
        {"module: function without a name",
         [] {
             CUfunction f;
             return cuModuleGetFunction(&f, module_of(), nullptr);
         }},
        {"module: function, nowhere to put it", [] { return cuModuleGetFunction(nullptr, module_of(), "store"); }},
        {"module: variable",
         [] {
             CUdeviceptr p;
             std::size_t n = 0;
             const auto c = cuModuleGetGlobal(&p, &n, module_of(), "counter");
             std::printf("[%zu] ", n);
             return c;
         }},
        {"module: variable that is not there",
         [] {
             CUdeviceptr p;
             return cuModuleGetGlobal(&p, nullptr, module_of(), "absent");
         }},
        {"module: variable, nowhere to put it",
         [] { return cuModuleGetGlobal(nullptr, nullptr, module_of(), "counter"); }},
        {"module: functions",
         [] {
             unsigned n = 0;
             const auto c = cuModuleGetFunctionCount(&n, module_of());
             std::printf("[%u] ", n);
             return c;
         }},
        {"module: option 99",
         [] {
             CUmodule m;
             auto option = static_cast<CUjit_option>(99);
             void* value = nullptr;
             return cuModuleLoadDataEx(&m, kKernels, 1, &option, &value);
         }},
        {"module: loading mode, nowhere to put it", [] { return cuModuleGetLoadingMode(nullptr); }},
        {"library: null",
         [] {
             CUlibrary l;
             return cuLibraryLoadData(&l, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0);
         }},
        {"library: kernel that is not there",
         [] {
             CUlibrary l;
             CUkernel k;
             MUST(cuLibraryLoadData(&l, kKernels, nullptr, nullptr, 0, nullptr, nullptr, 0));
             return cuLibraryGetKernel(&k, l, "absent");
         }},
        {"library: variable that is not there",
         [] {
             CUlibrary l;
             CUdeviceptr p;
             std::size_t n;
             MUST(cuLibraryLoadData(&l, kKernels, nullptr, nullptr, 0, nullptr, nullptr, 0));
             return cuLibraryGetGlobal(&p, &n, l, "absent");
         }},
        {"library: unified function that is not there",
         [] {
             CUlibrary l;
             void* f;
             MUST(cuLibraryLoadData(&l, kKernels, nullptr, nullptr, 0, nullptr, nullptr, 0));
             return cuLibraryGetUnifiedFunction(&f, l, "absent");
         }},
        {"library: option 99",
         [] {
             CUlibrary l;
             auto option = static_cast<CUlibraryOption>(99);
             void* value = nullptr;
             return cuLibraryLoadData(&l, kKernels, nullptr, nullptr, 0, &option, &value, 1);
         }},
        {"function: attribute 99",
         [] {
             int v;
             return cuFuncGetAttribute(&v, static_cast<CUfunction_attribute>(99), function("store"));
         }},
        {"function: attribute of null",
         [] {
             int v;
             return cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_NUM_REGS, nullptr);
         }},
        {"function: sets its registers",
         [] { return cuFuncSetAttribute(function("store"), CU_FUNC_ATTRIBUTE_NUM_REGS, 8); }},
        {"function: 1 MB of shared memory",
         [] {
             return cuFuncSetAttribute(function("store"), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20);
         }},
        {"function: -1 bytes of shared memory",
         [] { return cuFuncSetAttribute(function("store"), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, -1); }},
        {"function: carveout 200",
         [] { return cuFuncSetAttribute(function("store"), CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 200); }},
        {"function: cache 9", [] { return cuFuncSetCacheConfig(function("store"), static_cast<CUfunc_cache>(9)); }},
        {"function: parameter 99",
         [] {
             std::size_t a, b;
             return cuFuncGetParamInfo(function("store"), 99, &a, &b);
         }},
        {"function: parameter, no size",
         [] {
             std::size_t a = 9;
             const auto c = cuFuncGetParamInfo(function("store"), 1, &a, nullptr);
             std::printf("[%zu] ", a);
             return c;
         }},
        // Launches.
        {"launch: null", [] { return cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr); }},
        {"launch: no blocks", [] { return launch(0, 1); }},
        {"launch: no threads", [] { return launch(1, 0); }},
        {"launch: 1025 threads", [] { return launch(1, 1025); }},
        {"launch: 2^31 blocks", [] { return launch(1u << 31, 1); }},
        {"launch: 1 MB of shared memory", [] { return launch(1, 1, 1 << 20); }},
        {"launch: extra without an end",
         [] {
             void* extra[] = {reinterpret_cast<void*>(9), nullptr, nullptr};
             return launch(1, 1, 0, extra);
         }},
        {"launch: extra of nothing",
         [] {
             void* extra[] = {nullptr};
             return launch(1, 1, 0, extra);
         }},
        {"launch: no parameters",
         [] { return cuLaunchKernel(function("store"), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr); }},
        {"launch: parameters twice",
         [] {
             CUdeviceptr at = memory();
             unsigned v = 1;
             std::size_t n = 12;
             void* values[] = {&at, &v};
             void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, host, CU_LAUNCH_PARAM_BUFFER_SIZE, &n,
                              CU_LAUNCH_PARAM_END};
             return cuLaunchKernel(function("store"), 1, 1, 1, 1, 1, 1, 0, nullptr, values, extra);
         }},
        {"launch: too few bytes of parameters",
         [] {
             std::size_t n = 4;
             void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, host, CU_LAUNCH_PARAM_BUFFER_SIZE, &n,
                              CU_LAUNCH_PARAM_END};
             return cuLaunchKernel(function("store"), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra);
         }},
        {"launch: cooperative, too many blocks",
         [] { return cuLaunchCooperativeKernel(function("nothing"), 1 << 20, 1, 1, 1024, 1, 1, 0, nullptr, nullptr); }},
        {"launch: no configuration", [] { return cuLaunchKernelEx(nullptr, function("nothing"), nullptr, nullptr); }},
        {"launch: attribute 99", [] { return launch_with(static_cast<CUlaunchAttributeID>(99), [](auto&) {}); }},
        {"launch: clusters of 3 in 4 blocks",
         [] {
             return launch_with(
                 CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
                 [](auto& v) {
                     v.clusterDim = {3, 1, 1};
                 },
                 4);
         }},
        {"launch: clusters of 64",
         [] {
             return launch_with(
                 CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
                 [](auto& v) {
                     v.clusterDim = {64, 1, 1};
                 },
                 64);
         }},
        {"launch: clusters of 0",
         [] { return launch_with(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, [](auto& v) {
                  v.clusterDim = {0, 1, 1};
              }); }},
        {"launch: priority 99",
         [] { return launch_with(CU_LAUNCH_ATTRIBUTE_PRIORITY, [](auto& v) { v.priority = 99; }); }},
        {"kernel: stores to null", [] { return store(0); }},
        {"kernel: stores to a misaligned address", [] { return store(memory() + 2); }},
        {"kernel: stores to freed memory", [] { return store(freed()); }},
        {"occupancy: block of 0",
         [] {
             int n = 9;
             const auto c = cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, function("store"), 0, 0);
             std::printf("[%d] ", n);
             return c;
         }},
        {"occupancy: block of 2000",
         [] {
             int n = 9;
             const auto c = cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, function("store"), 2000, 0);
             std::printf("[%d] ", n);
             return c;
         }},
        {"occupancy: nowhere to put it",
         [] { return cuOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, function("store"), 32, 0); }},
        {"occupancy: flags 9",
         [] {
             int n;
             return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&n, function("store"), 32, 0, 9);
         }},
        // Contexts and the device.
        {"context: destroy null", [] { return cuCtxDestroy(nullptr); }},
        {"context: push null", [] { return cuCtxPushCurrent(nullptr); }},
        {"context: limit 99",
         [] {
             std::size_t n;
             return cuCtxGetLimit(&n, static_cast<CUlimit>(99));
         }},
        {"context: stack of 1 GB", [] { return cuCtxSetLimit(CU_LIMIT_STACK_SIZE, std::size_t{1} << 30); }},
        {"context: cache 9", [] { return cuCtxSetCacheConfig(static_cast<CUfunc_cache>(9)); }},
        {"context: flags, nowhere to put them", [] { return cuCtxGetFlags(nullptr); }},
        {"context: attach",
         [] {
             CUcontext c;
             const auto e = cuCtxAttach(&c, 0);
             return e;
         }},
        {"context: attach with flags 1",
         [] {
             CUcontext c;
             return cuCtxAttach(&c, 1);
         }},
        {"context: detach what was not attached", [] { return cuCtxDetach(nullptr); }},
        {"context: records null",
         [] {
             CUcontext c;
             MUST(cuCtxGetCurrent(&c));
             return cuCtxRecordEvent(c, nullptr);
         }},
        {"context: records an event",
         [] {
             CUcontext c;
             MUST(cuCtxGetCurrent(&c));
             return cuCtxRecordEvent(c, event());
         }},
        {"context: waits for an event",
         [] {
             CUcontext c;
             MUST(cuCtxGetCurrent(&c));
             const auto e = event();
             MUST(cuEventRecord(e, nullptr));
             return cuCtxWaitEvent(c, e);
         }},
        {"context: affinity",
         [] {
             CUexecAffinityParam p{};
             const auto c = cuCtxGetExecAffinity(&p, CU_EXEC_AFFINITY_TYPE_SM_COUNT);
             std::printf("[%u] ", p.param.smCount.val);
             return c;
         }},
        {"context: affinity 9",
         [] {
             CUexecAffinityParam p{};
             return cuCtxGetExecAffinity(&p, static_cast<CUexecAffinityType>(9));
         }},
        {"context: peer of itself",
         [] {
             CUcontext c;
             MUST(cuCtxGetCurrent(&c));
             return cuCtxEnablePeerAccess(c, 0);
         }},
        {"context: primary, released twice",
         [] {
             MUST(cuDevicePrimaryCtxRelease(0));
             return cuDevicePrimaryCtxRelease(0);
         }},
        {"context: primary, flags 0x100", [] { return cuDevicePrimaryCtxSetFlags(0, 0x100); }},
        {"device: attribute 0",
         [] {
             int v;
             return cuDeviceGetAttribute(&v, static_cast<CUdevice_attribute>(0), 0);
         }},
        {"device: attribute 999",
         [] {
             int v;
             return cuDeviceGetAttribute(&v, static_cast<CUdevice_attribute>(999), 0);
         }},
        {"device: 1-D textures of floats",
         [] {
             std::size_t n = 0;
             const auto c = cuDeviceGetTexture1DLinearMaxWidth(&n, CU_AD_FORMAT_FLOAT, 1, 0);
             std::printf("[%zu] ", n);
             return c;
         }},
        {"device: 1-D textures of four floats",
         [] {
             std::size_t n = 0;
             const auto c = cuDeviceGetTexture1DLinearMaxWidth(&n, CU_AD_FORMAT_FLOAT, 4, 0);
             std::printf("[%zu] ", n);
             return c;
         }},
        {"device: 1-D textures of 3 channels",
         [] {
             std::size_t n;
             return cuDeviceGetTexture1DLinearMaxWidth(&n, CU_AD_FORMAT_FLOAT, 3, 0);
         }},
        {"device: 1-D textures of format 0",
         [] {
             std::size_t n;
             return cuDeviceGetTexture1DLinearMaxWidth(&n, static_cast<CUarray_format>(0), 1, 0);
         }},
        {"device: memory of graphs",
         [] {
             std::size_t n = 9;
             const auto c = cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &n);
             std::printf("[%zu] ", n);
             return c;
         }},
        {"device: memory of graphs 99",
         [] {
             std::size_t n;
             return cuDeviceGetGraphMemAttribute(0, static_cast<CUgraphMem_attribute>(99), &n);
         }},
        {"device: sets memory of graphs",
         [] {
             std::size_t n = 5;
             return cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &n);
         }},
        {"device: trims memory of graphs", [] { return cuDeviceGraphMemTrim(0); }},
        {"device: peer of itself",
         [] {
             int v = 9;
             return cuDeviceGetP2PAttribute(&v, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0);
         }},
        {"entry: no name",
         [] {
             void* f;
             return cuGetProcAddress(nullptr, &f, 12000, 0, nullptr);
         }},
        {"entry: unknown",
         [] {
             void* f = nullptr;
             CUdriverProcAddressQueryResult r{};
             const auto c = cuGetProcAddress("cuNothing", &f, 12000, 0, &r);
             std::printf("[%d] ", r);
             return c;
         }},
        {"entry: flags 99",
         [] {
             void* f;
             return cuGetProcAddress("cuInit", &f, 12000, 99, nullptr);
         }},
        {"error: name of 99999",
         [] {
             const char* n;
             return cuGetErrorName(static_cast<CUresult>(99999), &n);
         }},
        // Pools.
        {"pool: no properties",
         [] {
             CUmemoryPool p;
             return cuMemPoolCreate(&p, nullptr);
         }},
        {"pool: type 0",
         [] {
             CUmemoryPool p;
             auto all = pool_of();
             all.allocType = CU_MEM_ALLOCATION_TYPE_INVALID;
             return cuMemPoolCreate(&p, &all);
         }},
        {"pool: of device 5",
         [] {
             CUmemoryPool p;
             const auto all = pool_of(5);
             return cuMemPoolCreate(&p, &all);
         }},
        {"pool: of nowhere",
         [] {
             CUmemoryPool p;
             auto all = pool_of();
             all.location.type = CU_MEM_LOCATION_TYPE_INVALID;
             return cuMemPoolCreate(&p, &all);
         }},
        {"pool: of the host's node",
         [] {
             CUmemoryPool p;
             auto all = pool_of();
             all.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
             return cuMemPoolCreate(&p, &all);
         }},
        {"pool: destroyed, null", [] { return cuMemPoolDestroy(nullptr); }},
        {"pool: destroyed, the device's",
         [] {
             CUmemoryPool p;
             MUST(cuDeviceGetDefaultMemPool(&p, 0));
             return cuMemPoolDestroy(p);
         }},
        {"pool: memory of one",
         [] {
             CUdeviceptr at;
             MUST(cuMemAllocFromPoolAsync(&at, 64, pool(), nullptr));
             return store(at);
         }},
        {"pool: memory of null",
         [] {
             CUdeviceptr at;
             return cuMemAllocFromPoolAsync(&at, 64, nullptr, nullptr);
         }},
        {"pool: 0 bytes",
         [] {
             CUdeviceptr at;
             return cuMemAllocAsync(&at, 0, nullptr);
         }},
        {"pool: memory of more than there is",
         [] {
             CUdeviceptr at;
             auto all = pool_of();
             all.maxSize = 4 << 20;
             CUmemoryPool p;
             MUST(cuMemPoolCreate(&p, &all));
             return cuMemAllocFromPoolAsync(&at, 64 << 20, p, nullptr);
         }},
        {"pool: attribute 99",
         [] {
             std::uint64_t v;
             return cuMemPoolGetAttribute(pool(), static_cast<CUmemPool_attribute>(99), &v);
         }},
        {"pool: threshold of a new one",
         [] {
             std::uint64_t v = 9;
             const auto c = cuMemPoolGetAttribute(pool(), CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &v);
             std::printf("[%llu] ", static_cast<unsigned long long>(v));
             return c;
         }},
        {"pool: access of its device",
         [] {
             CUmemAccess_flags f{};
             CUmemLocation l{CU_MEM_LOCATION_TYPE_DEVICE, 0};
             const auto c = cuMemPoolGetAccess(&f, pool(), &l);
             std::printf("[%d] ", f);
             return c;
         }},
        {"pool: access of device 5",
         [] {
             CUmemAccess_flags f{};
             CUmemLocation l{CU_MEM_LOCATION_TYPE_DEVICE, 5};
             return cuMemPoolGetAccess(&f, pool(), &l);
         }},
        {"pool: takes its device's access",
         [] {
             CUmemAccessDesc d{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_NONE};
             return cuMemPoolSetAccess(pool(), &d, 1);
         }},
        {"pool: gives its device access",
         [] {
             CUmemAccessDesc d{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
             return cuMemPoolSetAccess(pool(), &d, 1);
         }},
        {"pool: free of memory of cuMemAlloc", [] { return cuMemFreeAsync(memory(), nullptr); }},
        {"pool: free of null", [] { return cuMemFreeAsync(0, nullptr); }},
        // User objects and graphs.
        {"object: nowhere to put it",
         [] {
             return cuUserObjectCreate(
                 nullptr, host, [](void*) {}, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
         }},
        {"object: no function",
         [] {
             CUuserObject o;
             return cuUserObjectCreate(&o, host, nullptr, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
         }},
        {"object: no memory",
         [] {
             CUuserObject o;
             return cuUserObjectCreate(
                 &o, nullptr, [](void*) {}, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
         }},
        {"object: of nobody",
         [] {
             CUuserObject o;
             return cuUserObjectCreate(
                 &o, host, [](void*) {}, 0, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
         }},
        {"object: flags 0",
         [] {
             CUuserObject o;
             return cuUserObjectCreate(
                 &o, host, [](void*) {}, 1, 0);
         }},
        {"object: flags 3",
         [] {
             CUuserObject o;
             return cuUserObjectCreate(
                 &o, host, [](void*) {}, 1, 3);
         }},
        {"object: retained 0 times", [] { return cuUserObjectRetain(object(), 0); }},
        {"object: released 0 times", [] { return cuUserObjectRelease(object(), 0); }},
        {"object: released more than held", [] { return cuUserObjectRelease(object(1), 2); }},
        {"object: null", [] { return cuUserObjectRetain(nullptr, 1); }},
        {"object: ends",
         [] {
             static int ended = 0;
             CUuserObject o;
             MUST(cuUserObjectCreate(
                 &o, &ended, [](void* p) { ++*static_cast<int*>(p); }, 2, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
             const auto c = cuUserObjectRelease(o, 2);
             for (int i = 0; i < 100 && ended == 0; ++i) usleep(10000);
             std::printf("[%d] ", ended);
             return c;
         }},
        {"object: a graph's, flags 9", [] { return cuGraphRetainUserObject(graph(), object(), 1, 9); }},
        {"object: a graph's, 0 times", [] { return cuGraphRetainUserObject(graph(), object(), 0, 0); }},
        {"object: a graph's, moved",
         [] { return cuGraphRetainUserObject(graph(), object(), 1, CU_GRAPH_USER_OBJECT_MOVE); }},
        {"object: a graph's, moved more than held",
         [] { return cuGraphRetainUserObject(graph(), object(), 5, CU_GRAPH_USER_OBJECT_MOVE); }},
        {"object: taken from a graph that has none", [] { return cuGraphReleaseUserObject(graph(), object(), 1); }},
        {"graph: flags 1",
         [] {
             CUgraph g;
             return cuGraphCreate(&g, 1);
         }},
        {"graph: destroy null", [] { return cuGraphDestroy(nullptr); }},
        {"graph: node of a null graph",
         [] {
             CUgraphNode n;
             return cuGraphAddEmptyNode(&n, nullptr, nullptr, 0);
         }},
        {"graph: edge to itself",
         [] {
             const auto g = graph();
             const auto n = empty_node(g);
             return cuGraphAddDependencies_v2(g, &n, &n, nullptr, 1);
         }},
        {"graph: edge twice",
         [] {
             const auto g = graph();
             const auto a = empty_node(g), b = empty_node(g);
             MUST(cuGraphAddDependencies_v2(g, &a, &b, nullptr, 1));
             return cuGraphAddDependencies_v2(g, &a, &b, nullptr, 1);
         }},
        {"graph: circle",
         [] {
             const auto g = graph();
             const auto a = empty_node(g), b = empty_node(g);
             MUST(cuGraphAddDependencies_v2(g, &a, &b, nullptr, 1));
             const auto c = cuGraphAddDependencies_v2(g, &b, &a, nullptr, 1);
             CUgraphExec e;
             return c != CUDA_SUCCESS ? c : cuGraphInstantiateWithFlags(&e, g, 0);
         }},
        {"graph: edge that is not there",
         [] {
             const auto g = graph();
             const auto a = empty_node(g), b = empty_node(g);
             return cuGraphRemoveDependencies_v2(g, &a, &b, nullptr, 1);
         }},
        {"graph: kind of a node",
         [] {
             CUgraphNodeType t{};
             const auto c = cuGraphNodeGetType(set_node(graph()), &t);
             std::printf("[%d] ", t);
             return c;
         }},
        {"graph: kind of null",
         [] {
             CUgraphNodeType t;
             return cuGraphNodeGetType(nullptr, &t);
         }},
        {"graph: kind, nowhere to put it", [] { return cuGraphNodeGetType(empty_node(graph()), nullptr); }},
        {"graph: launch of a set",
         [] {
             CUDA_KERNEL_NODE_PARAMS p{};
             return cuGraphKernelNodeGetParams(set_node(graph()), &p);
         }},
        {"graph: set of a launch",
         [] {
             CUDA_MEMSET_NODE_PARAMS p{};
             return cuGraphMemsetNodeGetParams(kernel_node(graph()), &p);
         }},
        {"graph: launch of 0 blocks",
         [] {
             auto p = launch_of("nothing");
             p.gridDimX = 0;
             CUgraphNode n;
             return cuGraphAddKernelNode(&n, graph(), nullptr, 0, &p);
         }},
        {"graph: launch of null",
         [] {
             CUgraphNode n;
             return cuGraphAddKernelNode(&n, graph(), nullptr, 0, nullptr);
         }},
        {"graph: set of elements of 3",
         [] {
             auto p = set_of(memory());
             p.elementSize = 3;
             CUcontext c;
             MUST(cuCtxGetCurrent(&c));
             CUgraphNode n;
             return cuGraphAddMemsetNode(&n, graph(), nullptr, 0, &p, c);
         }},
        {"graph: set nowhere",
         [] {
             const auto p = set_of(kNowhere);
             CUcontext c;
             MUST(cuCtxGetCurrent(&c));
             CUgraphNode n;
             return cuGraphAddMemsetNode(&n, graph(), nullptr, 0, &p, c);
         }},
        {"graph: host function of null",
         [] {
             CUDA_HOST_NODE_PARAMS p{};
             CUgraphNode n;
             return cuGraphAddHostNode(&n, graph(), nullptr, 0, &p);
         }},
        {"graph: event of null",
         [] {
             CUgraphNode n;
             return cuGraphAddEventRecordNode(&n, graph(), nullptr, 0, nullptr);
         }},
        {"graph: event of a wait",
         [] {
             const auto e = event();
             CUgraphNode n;
             MUST(cuGraphAddEventWaitNode(&n, graph(), nullptr, 0, e));
             CUevent back = nullptr;
             const auto c = cuGraphEventWaitNodeGetEvent(n, &back);
             std::printf("[%d] ", back == e);
             return c;
         }},
        {"graph: event of a set",
         [] {
             CUevent e;
             return cuGraphEventRecordNodeGetEvent(set_node(graph()), &e);
         }},
        {"graph: itself inside",
         [] {
             const auto g = graph();
             CUgraphNode n;
             return cuGraphAddChildGraphNode(&n, g, nullptr, 0, g);
         }},
        {"graph: node of kind 99",
         [] {
             CUgraphNodeParams p{};
             p.type = static_cast<CUgraphNodeType>(99);
             CUgraphNode n;
             return cuGraphAddNode_v2(&n, graph(), nullptr, nullptr, 0, &p);
         }},
        {"graph: empty node by its kind",
         [] {
             CUgraphNodeParams p{};
             p.type = CU_GRAPH_NODE_TYPE_EMPTY;
             CUgraphNode n;
             return cuGraphAddNode_v2(&n, graph(), nullptr, nullptr, 0, &p);
         }},
        {"graph: enabled, a launch",
         [] {
             const auto g = graph();
             const auto n = kernel_node(g);
             unsigned on = 9;
             const auto c = cuGraphNodeGetEnabled(exec_of(g), n, &on);
             std::printf("[%u] ", on);
             return c;
         }},
        {"graph: enabled, an empty node",
         [] {
             const auto g = graph();
             const auto n = empty_node(g);
             unsigned on = 9;
             return cuGraphNodeGetEnabled(exec_of(g), n, &on);
         }},
        {"graph: set enabled, 2",
         [] {
             const auto g = graph();
             const auto n = kernel_node(g);
             return cuGraphNodeSetEnabled(exec_of(g), n, 2);
         }},
        {"graph: flags of an executable one",
         [] {
             cuuint64_t f = 9;
             const auto c = cuGraphExecGetFlags(exec_of(graph()), &f);
             std::printf("[%llu] ", static_cast<unsigned long long>(f));
             return c;
         }},
        {"graph: made executable with flags 0x100",
         [] {
             CUgraphExec e;
             return cuGraphInstantiateWithFlags(&e, graph(), 0x100);
         }},
        {"graph: made executable by parameters",
         [] {
             CUDA_GRAPH_INSTANTIATE_PARAMS p{};
             CUgraphExec e;
             const auto c = cuGraphInstantiateWithParams(&e, graph(), &p);
             std::printf("[%d] ", p.result_out);
             return c;
         }},
        {"graph: launch null", [] { return cuGraphLaunch(nullptr, stream()); }},
        {"graph: updated by itself",
         [] {
             const auto g = graph();
             kernel_node(g);
             CUgraphExecUpdateResultInfo i{};
             const auto c = cuGraphExecUpdate(exec_of(g), g, &i);
             std::printf("[%d] ", i.result);
             return c;
         }},
        {"graph: updated by one with another node",
         [] {
             const auto g = graph(), other = graph();
             kernel_node(g);
             set_node(other);
             CUgraphExecUpdateResultInfo i{};
             const auto c = cuGraphExecUpdate(exec_of(g), other, &i);
             std::printf("[%d] ", i.result);
             return c;
         }},
        {"graph: updated by one with more",
         [] {
             const auto g = graph(), other = graph();
             kernel_node(g);
             kernel_node(other);
             kernel_node(other);
             CUgraphExecUpdateResultInfo i{};
             const auto c = cuGraphExecUpdate(exec_of(g), other, &i);
             std::printf("[%d] ", i.result);
             return c;
         }},
        {"graph: words of 0",
         [] {
             CUDA_BATCH_MEM_OP_NODE_PARAMS p{};
             CUgraphNode n;
             return cuGraphAddBatchMemOpNode(&n, graph(), nullptr, 0, &p);
         }},
        {"graph: memory of 0 bytes",
         [] {
             CUDA_MEM_ALLOC_NODE_PARAMS p{};
             p.poolProps = pool_of();
             CUgraphNode n;
             return cuGraphAddMemAllocNode(&n, graph(), nullptr, 0, &p);
         }},
        {"graph: memory",
         [] {
             CUDA_MEM_ALLOC_NODE_PARAMS p{};
             p.poolProps = pool_of();
             p.bytesize = 64;
             CUgraphNode n;
             const auto c = cuGraphAddMemAllocNode(&n, graph(), nullptr, 0, &p);
             std::printf("[%d] ", p.dptr != 0);
             return c;
         }},
        {"graph: free of other memory",
         [] {
             CUgraphNode n;
             return cuGraphAddMemFreeNode(&n, graph(), nullptr, 0, memory());
         }},
        {"graph: attribute 99 of a launch",
         [] {
             CUkernelNodeAttrValue v{};
             return cuGraphKernelNodeGetAttribute(kernel_node(graph()), static_cast<CUkernelNodeAttrID>(99), &v);
         }},
        {"graph: attribute of a set",
         [] {
             CUkernelNodeAttrValue v{};
             return cuGraphKernelNodeGetAttribute(set_node(graph()), CU_KERNEL_NODE_ATTRIBUTE_PRIORITY, &v);
         }},
        {"graph: copy of null",
         [] {
             CUgraph g;
             return cuGraphClone(&g, nullptr);
         }},
        {"graph: picture nowhere", [] { return cuGraphDebugDotPrint(graph(), nullptr, 0); }},
        {"graph: condition",
         [] {
             CUgraphConditionalHandle h;
             CUcontext c;
             MUST(cuCtxGetCurrent(&c));
             return cuGraphConditionalHandleCreate(&h, graph(), c, 0, 0);
         }},
        {"graph: nodes behind null",
         [] {
             std::size_t n;
             return cuGraphNodeGetDependentNodes_v2(nullptr, nullptr, nullptr, &n);
         }},
        {"graph: edges",
         [] {
             const auto g = graph();
             const auto a = empty_node(g), b = empty_node(g);
             MUST(cuGraphAddDependencies_v2(g, &a, &b, nullptr, 1));
             std::size_t n = 0;
             const auto c = cuGraphGetEdges_v2(g, nullptr, nullptr, nullptr, &n);
             std::printf("[%zu] ", n);
             return c;
         }},
        // Pointers and arrays.
        {"pointer: attribute 99",
         [] {
             std::uint64_t v;
             return cuPointerGetAttribute(&v, static_cast<CUpointer_attribute>(99), memory());
         }},
        {"pointer: nowhere to put it",
         [] { return cuPointerGetAttribute(nullptr, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory()); }},
        {"pointer: of the host's memory",
         [] {
             int v;
             return cuPointerGetAttribute(&v, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, reinterpret_cast<CUdeviceptr>(host));
         }},
        {"pointer: copies wait",
         [] {
             int on = 1;
             return cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory());
         }},
        {"pointer: sets its kind",
         [] {
             int on = 1;
             return cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory());
         }},
        {"pointer: copies wait, the host's memory",
         [] {
             int on = 1;
             return cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, reinterpret_cast<CUdeviceptr>(host));
         }},
        {"array: plane of one without",
         [] {
             CUarray p;
             return cuArrayGetPlane(&p, array(), 0);
         }},
        {"array: sparse properties of one that is not",
         [] {
             CUDA_ARRAY_SPARSE_PROPERTIES p{};
             return cuArrayGetSparseProperties(&p, array());
         }},
        {"array: memory that it needs",
         [] {
             CUDA_ARRAY_MEMORY_REQUIREMENTS r{};
             return cuArrayGetMemoryRequirements(&r, array(), 0);
         }},
        {"array: memory that a deferred one needs",
         [] {
             CUDA_ARRAY_MEMORY_REQUIREMENTS r{};
             const auto c = cuArrayGetMemoryRequirements(&r, array(CUDA_ARRAY3D_DEFERRED_MAPPING), 0);
             std::printf("[%zu %zu] ", r.size, r.alignment);
             return c;
         }},
        {"array: width 0",
         [] {
             CUarray a;
             CUDA_ARRAY_DESCRIPTOR d{0, 4, CU_AD_FORMAT_FLOAT, 1};
             return cuArrayCreate(&a, &d);
         }},
        {"array: 3 channels",
         [] {
             CUarray a;
             CUDA_ARRAY_DESCRIPTOR d{4, 4, CU_AD_FORMAT_FLOAT, 3};
             return cuArrayCreate(&a, &d);
         }},
        {"array: format 0",
         [] {
             CUarray a;
             CUDA_ARRAY_DESCRIPTOR d{4, 4, static_cast<CUarray_format>(0), 1};
             return cuArrayCreate(&a, &d);
         }},
        {"array: null",
         [] {
             CUarray a;
             return cuArrayCreate(&a, nullptr);
         }},
        {"array: destroy null", [] { return cuArrayDestroy(nullptr); }},
    };
}

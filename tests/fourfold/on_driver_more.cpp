// The rest of the runtime's calls over the driver alone: launches with attributes, arrays and textures, copies of
// boxes, pools, streams that capture, and graphs.
#include <cstring>

#include "on_driver.h"

using on_driver::at;
using on_driver::function_of;
using on_driver::note;
using on_driver::start;

namespace {

CUarray_format format_of(const cudaChannelFormatDesc& channel) {
    if (channel.f == cudaChannelFormatKindFloat) return channel.x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
    const bool is_signed = channel.f == cudaChannelFormatKindSigned;
    if (channel.x == 8) return is_signed ? CU_AD_FORMAT_SIGNED_INT8 : CU_AD_FORMAT_UNSIGNED_INT8;
    if (channel.x == 16) return is_signed ? CU_AD_FORMAT_SIGNED_INT16 : CU_AD_FORMAT_UNSIGNED_INT16;
    return is_signed ? CU_AD_FORMAT_SIGNED_INT32 : CU_AD_FORMAT_UNSIGNED_INT32;
}

unsigned channels_of(const cudaChannelFormatDesc& channel) {
    return (channel.x != 0) + (channel.y != 0) + (channel.z != 0) + (channel.w != 0);
}

CUarray array_of(cudaArray_const_t array) { return reinterpret_cast<CUarray>(const_cast<cudaArray_t>(array)); }

std::size_t element_bytes(CUarray array) {
    CUDA_ARRAY3D_DESCRIPTOR about{};
    cuArray3DGetDescriptor(&about, array);
    const std::size_t bytes = about.Format == CU_AD_FORMAT_UNSIGNED_INT8 || about.Format == CU_AD_FORMAT_SIGNED_INT8 ? 1
                              : about.Format == CU_AD_FORMAT_FLOAT || about.Format == CU_AD_FORMAT_UNSIGNED_INT32 ||
                                      about.Format == CU_AD_FORMAT_SIGNED_INT32
                                  ? 4
                                  : 2;
    return bytes * about.NumChannels;
}

CUDA_RESOURCE_DESC resource_of(const cudaResourceDesc& from) {
    CUDA_RESOURCE_DESC to{};
    if (from.resType == cudaResourceTypeArray) {
        to.resType = CU_RESOURCE_TYPE_ARRAY;
        to.res.array.hArray = array_of(from.res.array.array);
    } else if (from.resType == cudaResourceTypeLinear) {
        to.resType = CU_RESOURCE_TYPE_LINEAR;
        to.res.linear = {at(from.res.linear.devPtr), format_of(from.res.linear.desc), channels_of(from.res.linear.desc),
                         from.res.linear.sizeInBytes};
    } else if (from.resType == cudaResourceTypePitch2D) {
        const auto& plane = from.res.pitch2D;
        to.resType = CU_RESOURCE_TYPE_PITCH2D;
        to.res.pitch2D = {at(plane.devPtr), format_of(plane.desc), channels_of(plane.desc),
                          plane.width,      plane.height,          plane.pitchInBytes};
    }
    return to;
}

CUDA_TEXTURE_DESC texture_of(const cudaTextureDesc& from) {
    CUDA_TEXTURE_DESC to{};
    for (int i = 0; i < 3; ++i) to.addressMode[i] = static_cast<CUaddress_mode>(from.addressMode[i]);
    to.filterMode = static_cast<CUfilter_mode>(from.filterMode);
    if (from.readMode == cudaReadModeElementType) to.flags |= CU_TRSF_READ_AS_INTEGER;
    if (from.normalizedCoords) to.flags |= CU_TRSF_NORMALIZED_COORDINATES;
    if (from.sRGB) to.flags |= CU_TRSF_SRGB;
    std::memcpy(to.borderColor, from.borderColor, sizeof to.borderColor);
    return to;
}

CUDA_MEMCPY3D copy_of(const cudaMemcpy3DParms& from) {
    CUDA_MEMCPY3D to{};
    const bool from_host = from.kind == cudaMemcpyHostToDevice || from.kind == cudaMemcpyHostToHost;
    const bool to_host = from.kind == cudaMemcpyDeviceToHost || from.kind == cudaMemcpyHostToHost;
    // The runtime counts elements where an array takes part, the driver bytes everywhere.
    const std::size_t source = from.srcArray != nullptr ? element_bytes(array_of(from.srcArray)) : 1;
    const std::size_t target = from.dstArray != nullptr ? element_bytes(array_of(from.dstArray)) : 1;
    to.srcXInBytes = from.srcPos.x * source, to.srcY = from.srcPos.y, to.srcZ = from.srcPos.z;
    to.dstXInBytes = from.dstPos.x * target, to.dstY = from.dstPos.y, to.dstZ = from.dstPos.z;
    to.srcMemoryType = from.srcArray != nullptr ? CU_MEMORYTYPE_ARRAY
                       : from_host              ? CU_MEMORYTYPE_HOST
                                                : CU_MEMORYTYPE_DEVICE;
    to.dstMemoryType = from.dstArray != nullptr ? CU_MEMORYTYPE_ARRAY
                       : to_host                ? CU_MEMORYTYPE_HOST
                                                : CU_MEMORYTYPE_DEVICE;
    to.srcArray = array_of(from.srcArray), to.dstArray = array_of(from.dstArray);
    to.srcHost = from.srcPtr.ptr, to.srcDevice = at(from.srcPtr.ptr);
    to.srcPitch = from.srcPtr.pitch, to.srcHeight = from.srcPtr.ysize;
    to.dstHost = from.dstPtr.ptr, to.dstDevice = at(from.dstPtr.ptr);
    to.dstPitch = from.dstPtr.pitch, to.dstHeight = from.dstPtr.ysize;
    to.WidthInBytes = from.extent.width * (source > target ? source : target);
    to.Height = from.extent.height, to.Depth = from.extent.depth;
    return to;
}

CUDA_KERNEL_NODE_PARAMS node_of(const cudaKernelNodeParams& from) {
    CUDA_KERNEL_NODE_PARAMS to{};
    to.func = function_of(from.func);
    to.gridDimX = from.gridDim.x, to.gridDimY = from.gridDim.y, to.gridDimZ = from.gridDim.z;
    to.blockDimX = from.blockDim.x, to.blockDimY = from.blockDim.y, to.blockDimZ = from.blockDim.z;
    to.sharedMemBytes = from.sharedMemBytes;
    to.kernelParams = from.kernelParams;
    to.extra = from.extra;
    return to;
}

CUcontext context() {
    CUcontext current = nullptr;
    cuCtxGetCurrent(&current);
    return current;
}

}  // namespace

extern "C" {

cudaError_t cudaLaunchCooperativeKernel(const void* host, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                        cudaStream_t stream) {
    return note(cuLaunchCooperativeKernel(function_of(host), grid.x, grid.y, grid.z, block.x, block.y, block.z, shared,
                                          stream, arguments));
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* from, const void* host, void** arguments) {
    CUlaunchConfig to{};
    to.gridDimX = from->gridDim.x, to.gridDimY = from->gridDim.y, to.gridDimZ = from->gridDim.z;
    to.blockDimX = from->blockDim.x, to.blockDimY = from->blockDim.y, to.blockDimZ = from->blockDim.z;
    to.sharedMemBytes = from->dynamicSmemBytes;
    to.hStream = from->stream;
    to.attrs = reinterpret_cast<CUlaunchAttribute*>(from->attrs);  // The same structure by intent.
    to.numAttrs = from->numAttrs;
    return note(cuLaunchKernelEx(&to, function_of(host), arguments, nullptr));
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    start();
    return note(cuLaunchHostFunc(stream, function, data));
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* out, const void* host) {
    start();
    const CUfunction function = function_of(host);
    std::memset(out, 0, sizeof *out);
    const auto ask = [&](CUfunction_attribute which) {
        int value = 0;
        note(cuFuncGetAttribute(&value, which, function));
        return value;
    };
    out->sharedSizeBytes = ask(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    out->constSizeBytes = ask(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
    out->localSizeBytes = ask(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
    out->maxThreadsPerBlock = ask(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    out->numRegs = ask(CU_FUNC_ATTRIBUTE_NUM_REGS);
    out->ptxVersion = ask(CU_FUNC_ATTRIBUTE_PTX_VERSION);
    out->binaryVersion = ask(CU_FUNC_ATTRIBUTE_BINARY_VERSION);
    out->maxDynamicSharedSizeBytes = ask(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
    return cudaPeekAtLastError();
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* host, int threads,
                                                                   std::size_t shared, unsigned flags) {
    return note(
        cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function_of(host), threads, shared, flags));
}

cudaError_t cudaMallocAsync(void** out, std::size_t bytes, cudaStream_t stream) {
    start();
    return note(cuMemAllocAsync(reinterpret_cast<CUdeviceptr*>(out), bytes, stream));
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) { return note(cuMemFreeAsync(at(pointer), stream)); }
cudaError_t cudaHostGetDevicePointer(void** out, void* host, unsigned flags) {
    return note(cuMemHostGetDevicePointer(reinterpret_cast<CUdeviceptr*>(out), host, flags));
}
cudaError_t cudaHostRegister(void* host, std::size_t bytes, unsigned flags) {
    start();
    return note(cuMemHostRegister(host, bytes, flags));
}
cudaError_t cudaHostUnregister(void* host) { return note(cuMemHostUnregister(host)); }
cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation where, unsigned flags,
                                 cudaStream_t stream) {
    const CUmemLocation place{static_cast<CUmemLocationType>(where.type), {where.id}};
    return note(cuMemPrefetchAsync(at(pointer), bytes, place, flags, stream));
}
cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, cudaMemLocation where) {
    const CUmemLocation place{static_cast<CUmemLocationType>(where.type), {where.id}};
    return note(cuMemAdvise(at(pointer), bytes, static_cast<CUmem_advise>(advice), place));
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* out, const void* pointer) {
    start();
    std::memset(out, 0, sizeof *out);
    unsigned type = 0, managed = 0;
    if (cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, at(pointer)) != CUDA_SUCCESS) return cudaSuccess;
    cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, at(pointer));
    out->type = managed ? cudaMemoryTypeManaged : static_cast<cudaMemoryType>(type);
    return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(cudaLimit which, std::size_t value) {
    start();
    return note(cuCtxSetLimit(static_cast<CUlimit>(which), value));
}
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit which) {
    start();
    return note(cuCtxGetLimit(value, static_cast<CUlimit>(which)));
}
cudaError_t cudaDriverGetVersion(int* version) { return note(cuDriverGetVersion(version)); }
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    start();
    return note(cuDeviceCanAccessPeer(can, device, peer));
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* out, cudaExtent extent) {
    *out = {nullptr, 0, extent.width, extent.height};
    return cudaMallocPitch(&out->ptr, &out->pitch, extent.width, extent.height * extent.depth);
}
cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
    return cudaMemset2D(to.ptr, to.pitch, value, extent.width, extent.height * extent.depth);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t stream) {
    start();
    const CUDA_MEMCPY3D made = copy_of(*copy);
    return note(stream == nullptr ? cuMemcpy3D(&made) : cuMemcpy3DAsync(&made, stream));
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy) { return cudaMemcpy3DAsync(copy, nullptr); }

cudaError_t cudaMalloc3DArray(cudaArray_t* out, const cudaChannelFormatDesc* channel, cudaExtent extent,
                              unsigned flags) {
    start();
    const CUDA_ARRAY3D_DESCRIPTOR about{extent.width,        extent.height,         extent.depth,
                                        format_of(*channel), channels_of(*channel), flags};
    return note(cuArray3DCreate(reinterpret_cast<CUarray*>(out), &about));
}
cudaError_t cudaMallocArray(cudaArray_t* out, const cudaChannelFormatDesc* channel, std::size_t width,
                            std::size_t height, unsigned flags) {
    return cudaMalloc3DArray(out, channel, {width, height, 0}, flags);
}
cudaError_t cudaFreeArray(cudaArray_t array) { return note(cuArrayDestroy(array_of(array))); }
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                                std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = kind == cudaMemcpyHostToDevice ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    copy.srcHost = from, copy.srcDevice = at(from), copy.srcPitch = pitch;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY, copy.dstArray = array_of(to), copy.dstXInBytes = x, copy.dstY = y;
    copy.WidthInBytes = width, copy.Height = height;
    return note(cuMemcpy2D(&copy));
}
cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x, std::size_t y,
                                  std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY, copy.srcArray = array_of(from), copy.srcXInBytes = x, copy.srcY = y;
    copy.dstMemoryType = kind == cudaMemcpyDeviceToHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    copy.dstHost = to, copy.dstDevice = at(to), copy.dstPitch = pitch;
    copy.WidthInBytes = width, copy.Height = height;
    return note(cuMemcpy2D(&copy));
}
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* out, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture, const cudaResourceViewDesc*) {
    start();
    const CUDA_RESOURCE_DESC from = resource_of(*resource);
    const CUDA_TEXTURE_DESC how = texture_of(*texture);
    return note(cuTexObjectCreate(out, &from, &how, nullptr));
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) { return note(cuTexObjectDestroy(texture)); }
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* out, const cudaResourceDesc* resource) {
    const CUDA_RESOURCE_DESC from = resource_of(*resource);
    return note(cuSurfObjectCreate(out, &from));
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) { return note(cuSurfObjectDestroy(surface)); }

cudaError_t cudaStreamQuery(cudaStream_t stream) { return note(cuStreamQuery(stream)); }
cudaError_t cudaEventQuery(cudaEvent_t event) { return note(cuEventQuery(event)); }
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    start();
    return note(cuCtxGetStreamPriorityRange(least, greatest));
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
    start();
    return note(cuStreamCreateWithPriority(stream, flags, priority));
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    return note(cuStreamBeginCapture(stream, static_cast<CUstreamCaptureMode>(mode)));
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    return note(cuStreamEndCapture(stream, graph));
}
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
    start();
    return note(cuGraphCreate(graph, flags));
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* behind,
                                   std::size_t count, const cudaKernelNodeParams* what) {
    const CUDA_KERNEL_NODE_PARAMS made = node_of(*what);
    return note(cuGraphAddKernelNode(node, graph, behind, count, &made));
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* behind,
                                     std::size_t count, void* to, const void* from, std::size_t bytes,
                                     cudaMemcpyKind kind) {
    cudaMemcpy3DParms copy{};
    copy.srcPtr = {const_cast<void*>(from), bytes, bytes, 1};
    copy.dstPtr = {to, bytes, bytes, 1};
    copy.extent = {bytes, 1, 1};
    copy.kind = kind;
    const CUDA_MEMCPY3D made = copy_of(copy);
    return note(cuGraphAddMemcpyNode(node, graph, behind, count, &made, context()));
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* behind,
                                   std::size_t count, const cudaMemsetParams* what) {
    const CUDA_MEMSET_NODE_PARAMS made{at(what->dst),     what->pitch, what->value,
                                       what->elementSize, what->width, what->height};
    return note(cuGraphAddMemsetNode(node, graph, behind, count, &made, context()));
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* behind,
                                 std::size_t count, const cudaHostNodeParams* what) {
    const CUDA_HOST_NODE_PARAMS made{what->fn, what->userData};
    return note(cuGraphAddHostNode(node, graph, behind, count, &made));
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* behind,
                                  std::size_t count) {
    return note(cuGraphAddEmptyNode(node, graph, behind, count));
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
    return note(cuGraphGetNodes(graph, nodes, count));
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long flags) {
    return note(cuGraphInstantiate(made, graph, flags));
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t graph, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* what) {
    const CUDA_KERNEL_NODE_PARAMS made = node_of(*what);
    return note(cuGraphExecKernelNodeSetParams(graph, node, &made));
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) { return note(cuGraphLaunch(graph, stream)); }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) { return note(cuGraphExecDestroy(graph)); }
cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return note(cuGraphDestroy(graph)); }

}  // extern "C"

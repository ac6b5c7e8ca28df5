// NVTX's calls, which mark ranges for a profiler: they are there and do nothing, of the old name and the new one.
#include <nvToolsExt.h>
#include <nvToolsExtCudaRt.h>
#include <nvtx3/nvToolsExt.h>

#include <cstdio>

__global__ void twice(int* p) { *p *= 2; }

int main() {
    nvtxEventAttributes_t attributes = {};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.colorType = NVTX_COLOR_ARGB;
    attributes.color = 0xff00ff00;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = "all";
    const nvtxDomainHandle_t domain = nvtxDomainCreateA("ours");
    nvtxDomainRangePushEx(domain, &attributes);
    const nvtxRangeId_t range = nvtxRangeStartA("kernel");
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    nvtxNameCudaStreamA(stream, "first");
    nvtxRangePush("launch");
    int *d, value = 21;
    cudaMalloc(&d, sizeof value);
    cudaMemcpy(d, &value, sizeof value, cudaMemcpyHostToDevice);
    twice<<<1, 1, 0, stream>>>(d);
    cudaMemcpyAsync(&value, d, sizeof value, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    nvtxMarkA("done");
    nvtxRangePop();
    nvtxRangeEnd(range);
    nvtxDomainRangePop(domain);
    nvtxDomainDestroy(domain);
    cudaStreamDestroy(stream);
    cudaFree(d);
    printf("%s nvtx\n", value == 42 ? "PASS" : "FAIL");
    return value != 42;
}

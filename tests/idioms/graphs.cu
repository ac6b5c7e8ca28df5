// Graphs: captured and built by hand.
#include "idioms.cuh"

__global__ void adds(int* data, int value) { data[threadIdx.x] = data[threadIdx.x] * 2 + value; }

IDIOM(captured_and_launched_again) {
    Buffer<int> data(32);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    for (int i = 0; i < 3; ++i) adds<<<1, 32, 0, stream>>>(data, i);
    cudaStreamEndCapture(stream, &graph);
    report.check(cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess);
    for (int i = 0; i < 4; ++i) cudaGraphLaunch(ready, stream);
    cudaStreamSynchronize(stream);
    size_t nodes = 0;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    report.check(nodes == 3);
    report.expect(data, [](int) {
        int x = 0;
        for (int i = 0; i < 12; ++i) x = x * 2 + i % 3;
        return x;
    });
    cudaGraphExecDestroy(ready), cudaGraphDestroy(graph), cudaStreamDestroy(stream);
}

IDIOM(fork_and_join_in_a_capture) {
    Buffer<int> data(64);
    cudaStream_t a, b;
    cudaEvent_t forked, joined;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaStreamCreate(&a), cudaStreamCreate(&b), cudaEventCreate(&forked), cudaEventCreate(&joined);
    cudaStreamBeginCapture(a, cudaStreamCaptureModeThreadLocal);
    adds<<<1, 64, 0, a>>>(data, 1);
    cudaEventRecord(forked, a);
    cudaStreamWaitEvent(b, forked, 0);
    adds<<<1, 32, 0, a>>>(data.get(), 5);
    adds<<<1, 32, 0, b>>>(data.get() + 32, 7);
    cudaEventRecord(joined, b);
    cudaStreamWaitEvent(a, joined, 0);
    adds<<<1, 64, 0, a>>>(data, 0);
    cudaStreamEndCapture(a, &graph);
    cudaGraphInstantiateWithFlags(&ready, graph, 0);
    cudaGraphLaunch(ready, a);
    report.expect(data, [](int i) { return i < 32 ? 14 : 18; });
    cudaGraphExecDestroy(ready), cudaGraphDestroy(graph);
    cudaStreamDestroy(a), cudaStreamDestroy(b), cudaEventDestroy(forked), cudaEventDestroy(joined);
}

static void CUDART_CB notes(void* p) { *static_cast<int*>(p) += 1; }
IDIOM(built_node_by_node) {
    Buffer<int> data(32);
    int host[32], noted = 0, value = 9;
    int* p = data;
    void* arguments[] = {&p, &value};
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    cudaGraphNode_t set, kernel, copy, note;
    cudaMemsetParams memset_of = {};
    memset_of.dst = p, memset_of.value = 1, memset_of.elementSize = 4, memset_of.width = 32, memset_of.height = 1;
    cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &memset_of);
    cudaKernelNodeParams launch = {};
    launch.func = reinterpret_cast<void*>(adds), launch.gridDim = dim3(1), launch.blockDim = dim3(32),
    launch.kernelParams = arguments;
    cudaGraphAddKernelNode(&kernel, graph, &set, 1, &launch);
    cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, host, p, sizeof host, cudaMemcpyDefault);
    cudaHostNodeParams call = {notes, &noted};
    cudaGraphAddHostNode(&note, graph, &copy, 1, &call);
    cudaGraphExec_t ready;
    report.check(cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess);
    cudaGraphLaunch(ready, 0);
    cudaDeviceSynchronize();
    report.bytes(host, sizeof host);
    report.check(host[31] == 11 && noted == 1);
    value = 100;
    cudaGraphExecKernelNodeSetParams(ready, kernel, &launch);
    cudaGraphLaunch(ready, 0);
    cudaDeviceSynchronize();
    report.check(host[0] == 102 && noted == 2);
    cudaGraphExecDestroy(ready), cudaGraphDestroy(graph);
}

IDIOM(updated_after_a_second_capture) {
    Buffer<int> data(32);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraphExec_t ready = nullptr;
    for (int turn = 1; turn <= 3; ++turn) {
        cudaGraph_t graph;
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
        adds<<<1, 32, 0, stream>>>(data, turn);
        cudaStreamEndCapture(stream, &graph);
        cudaGraphExecUpdateResultInfo info = {};
        if (ready == nullptr || cudaGraphExecUpdate(ready, graph, &info) != cudaSuccess)
            cudaGraphInstantiate(&ready, graph, 0);
        cudaGraphDestroy(graph);
        cudaGraphLaunch(ready, stream);
    }
    cudaStreamSynchronize(stream);
    report.expect(data, [](int) { return 11; });
    cudaGraphExecDestroy(ready), cudaStreamDestroy(stream);
}

IDIOM(child_graph) {
    Buffer<int> data(32);
    cudaStream_t stream;
    cudaGraph_t inner, outer, copy;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    adds<<<1, 32, 0, stream>>>(data, 1);
    adds<<<1, 32, 0, stream>>>(data, 2);
    cudaStreamEndCapture(stream, &inner);
    cudaGraphCreate(&outer, 0);
    cudaGraphNode_t first, second, none;
    cudaGraphAddChildGraphNode(&first, outer, nullptr, 0, inner);
    cudaGraphAddEmptyNode(&none, outer, &first, 1);
    cudaGraphAddChildGraphNode(&second, outer, &none, 1, inner);
    cudaGraphClone(&copy, outer);
    cudaGraphExec_t ready;
    cudaGraphInstantiate(&ready, copy, 0);
    cudaGraphLaunch(ready, stream);
    report.expect(data, [](int) { return 20; });
    cudaGraphNodeType type;
    cudaGraphNodeGetType(second, &type);
    report.check(type == cudaGraphNodeTypeGraph);
    cudaGraphExecDestroy(ready), cudaGraphDestroy(copy), cudaGraphDestroy(outer), cudaGraphDestroy(inner),
        cudaStreamDestroy(stream);
}

IDIOM(capture_that_copies) {
    Buffer<int> data(64);
    int host[64];
    for (int i = 0; i < 64; ++i) host[i] = i;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMemcpyAsync(data.get(), host, sizeof host, cudaMemcpyHostToDevice, stream);
    adds<<<1, 64, 0, stream>>>(data, 3);
    cudaMemsetAsync(data.get() + 60, 0, 16, stream);
    cudaStreamCaptureStatus status;
    cudaStreamIsCapturing(stream, &status);
    report.check(status == cudaStreamCaptureStatusActive);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&ready, graph, 0);
    cudaGraphUpload(ready, stream);
    cudaGraphLaunch(ready, stream);
    report.expect(data, [](int i) { return i < 60 ? 2 * i + 3 : 0; });
    cudaGraphExecDestroy(ready), cudaGraphDestroy(graph), cudaStreamDestroy(stream);
}

// Calls whose parameters changed between CUDA 11 and 13, in each of their forms.
#include <cstdio>

static int failures = 0;
static void check(const char* what, bool holds) {
    std::printf("%s %s\n", holds ? "PASS" : "FAIL", what);
    failures += holds ? 0 : 1;
}
static bool good(cudaError_t error) { return error == cudaSuccess; }

static void graphs() {
    cudaGraph_t graph;
    cudaGraphNode_t first, second, third, from[2], to[2];
    cudaGraphEdgeData data[2], edge{};
    cudaGraphCreate(&graph, 0);
    cudaGraphAddEmptyNode(&first, graph, nullptr, 0);
    cudaGraphAddEmptyNode(&second, graph, &first, 1);
    size_t count = 2;
    check("edges",
          good(cudaGraphGetEdges(graph, from, to, data, &count)) && count == 1 && from[0] == first && to[0] == second);
    count = 2;
    check("what is before",
          good(cudaGraphNodeGetDependencies(second, from, data, &count)) && count == 1 && from[0] == first);
    count = 2;
    check("what is behind",
          good(cudaGraphNodeGetDependentNodes(first, from, data, &count)) && count == 1 && from[0] == second);
    check("an edge taken away", good(cudaGraphRemoveDependencies(graph, &first, &second, &edge, 1)) &&
                                    good(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count)) && count == 0);
    check("an edge put back", good(cudaGraphAddDependencies(graph, &first, &second, &edge, 1)));
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeEmpty;
    check("any node", good(cudaGraphAddNode(&third, graph, &second, &edge, 1, &params)));

    cudaGraphExec_t exec;
    cudaGraphExecUpdateResultInfo info;
    check("instantiated", good(cudaGraphInstantiate(&exec, graph, 0)));
    check("updated", good(cudaGraphExecUpdate(exec, graph, &info)) && info.result == cudaGraphExecUpdateSuccess);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

static void capture() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaStreamCaptureStatus status;
    unsigned long long id;
    cudaGraph_t graph;
    const cudaGraphNode_t* before;
    const cudaGraphEdgeData* data;
    size_t count = 9;
    check("what is captured", good(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &before, &data, &count)) &&
                                  status == cudaStreamCaptureStatusActive && count == 0);
    check("what is waited for",
          good(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, cudaStreamAddCaptureDependencies)));
    check("captured", good(cudaStreamEndCapture(stream, &graph)));
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
}

static void memory() {
    void* managed;
    cudaMallocManaged(&managed, 4096);
    cudaMemLocation where{};
    where.type = cudaMemLocationTypeDevice;
    check("advice", good(cudaMemAdvise(managed, 4096, cudaMemAdviseSetPreferredLocation, where)));
    check("prefetched", good(cudaMemPrefetchAsync(managed, 4096, where, 0, 0)));
#if CUDART_VERSION < 13000
    check("advice by number", good(cudaMemAdvise(managed, 4096, cudaMemAdviseSetReadMostly, 0)));
    check("prefetched by number", good(cudaMemPrefetchAsync(managed, 4096, 0)));
#endif
    cudaFree(managed);
}

int main() {
    graphs();
    capture();
    memory();
    return failures != 0;
}

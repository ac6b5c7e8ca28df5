// Graphs and captures: edges order nodes, a launch is ordered in its stream as a whole, and nothing else is.
//
// check: streams
// case chain: clean
// case fork_and_join: clean
// case fork_without_join_inside: stream-race LEFT RIGHT
// case join_forgotten: stream-race RIGHT AFTER
// case halves: clean
// case nodes_with_edge: clean
// case nodes_without_edge: stream-race NODE_ONE NODE_TWO
// case edge_through_empty_node: clean
// case edge_removed: stream-race NODE_ONE NODE_TWO
// case copies_without_edge: stream-race COPY_IN NODE_TWO
// case child_graphs_in_turn: clean
// case child_graphs_apart: stream-race NODE_ONE NODE_TWO
// case behind_work_of_its_stream: clean
// case beside_work_of_another: stream-race ON_OTHER RIGHT; stream-race ON_OTHER AFTER
// case work_behind_the_launch: clean
// case work_beside_the_launch: stream-race RIGHT ON_OTHER; stream-race AFTER ON_OTHER
// case event_behind_the_launch: clean
// case launched_again: clean
// case launched_again_elsewhere: clean
// case two_graphs: stream-race LEFT RIGHT; stream-race LEFT AFTER
// case host_node_between: clean
// case read_before_waiting: stream-race BACK READ
// case read_after_waiting: clean
// case disabled_node: clean
// case legacy_stream: clean
#include <cstdlib>
#include <cstring>
#include <initializer_list>

constexpr int kCount = 4096, kBytes = kCount * sizeof(int);

__global__ void add(int* values, int count) {
    for (int i = threadIdx.x; i < count; i += blockDim.x) values[i] += 1;
}

struct Work {
    cudaStream_t a, b;
    cudaEvent_t fork, join;
    int *device, *other, *host;
    cudaGraph_t graph = nullptr, child = nullptr;
    cudaGraphExec_t exec = nullptr;

    Work() {
        for (cudaStream_t* stream : {&a, &b}) cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
        for (cudaEvent_t* event : {&fork, &join}) cudaEventCreateWithFlags(event, cudaEventDisableTiming);
        for (int** buffer : {&device, &other}) {
            cudaMalloc(buffer, kBytes);
            cudaMemset(*buffer, 0, kBytes);
        }
        cudaMallocHost(&host, kBytes);
        memset(host, 0, kBytes);
        cudaDeviceSynchronize();
    }
    ~Work() {
        cudaDeviceSynchronize();
        if (exec) cudaGraphExecDestroy(exec);
        if (graph) cudaGraphDestroy(graph);
        if (child) cudaGraphDestroy(child);
        for (cudaStream_t stream : {a, b}) cudaStreamDestroy(stream);
        for (cudaEvent_t event : {fork, join}) cudaEventDestroy(event);
        for (int* buffer : {device, other}) cudaFree(buffer);
        cudaFreeHost(host);
    }
    void launch(cudaStream_t stream) {
        if (!exec) cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
        cudaGraphLaunch(exec, stream);
    }
};

// Two streams, each with a kernel of its own; `right`: what the second one changes.
void capture_fork(Work& w, int* left, int* right, int count, bool joins_before_end) {
    cudaStreamBeginCapture(w.a, cudaStreamCaptureModeGlobal);
    cudaEventRecord(w.fork, w.a);
    cudaStreamWaitEvent(w.b, w.fork, 0);
    add<<<1, 128, 0, w.a>>>(left, count);   // @LEFT
    add<<<1, 128, 0, w.b>>>(right, count);  // @RIGHT
    cudaEventRecord(w.join, w.b);
    if (joins_before_end) cudaStreamWaitEvent(w.a, w.join, 0);
    add<<<1, 128, 0, w.a>>>(right, count);  // @AFTER
    if (!joins_before_end) cudaStreamWaitEvent(w.a, w.join, 0);
    cudaStreamEndCapture(w.a, &w.graph);
}

// Two kernels behind each other, whose stream is any that captures.
void capture_chain(Work& w) {
    cudaStreamBeginCapture(w.a, cudaStreamCaptureModeGlobal);
    for (int i = 0; i < 3; ++i) add<<<1, 128, 0, w.a>>>(w.device, kCount);  // @LEFT
    cudaStreamEndCapture(w.a, &w.graph);
}

cudaKernelNodeParams kernel(void** arguments) {
    cudaKernelNodeParams node = {};
    node.func = reinterpret_cast<void*>(add);
    node.gridDim = dim3(1);
    node.blockDim = dim3(128);
    node.kernelParams = arguments;
    return node;
}

// From CUDA 13 on edges have data.
#if CUDART_VERSION >= 13000
#define NO_DATA nullptr,
#else
#define NO_DATA
#endif
void add_edge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to) {
    cudaGraphAddDependencies(graph, &from, &to, NO_DATA 1);
}
void remove_edge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to) {
    cudaGraphRemoveDependencies(graph, &from, &to, NO_DATA 1);
}

// By hand: two kernels that change one buffer.
void nodes(Work& w, const char* how) {
    const auto is = [&](const char* name) { return !strcmp(how, name); };
    int count = kCount;
    void* arguments[] = {&w.device, &count};
    const cudaKernelNodeParams node = kernel(arguments);
    cudaGraphNode_t one, two, between;
    cudaGraphCreate(&w.graph, 0);
    const auto in = cudaMemcpyHostToDevice;
    if (is("copies_without_edge"))
        cudaGraphAddMemcpyNode1D(&one, w.graph, nullptr, 0, w.device, w.host, kBytes, in);  // @COPY_IN
    else
        cudaGraphAddKernelNode(&one, w.graph, nullptr, 0, &node);  // @NODE_ONE
    cudaGraphAddKernelNode(&two, w.graph, nullptr, 0, &node);      // @NODE_TWO
    if (is("edge_through_empty_node")) {
        cudaGraphAddEmptyNode(&between, w.graph, &one, 1);
        add_edge(w.graph, between, two);
    }
    if (is("nodes_with_edge") || is("edge_removed")) {
        add_edge(w.graph, one, two);
        if (is("edge_removed")) remove_edge(w.graph, one, two);
    }
    if (is("disabled_node")) {
        cudaGraphInstantiate(&w.exec, w.graph, nullptr, nullptr, 0);
        cudaGraphNodeSetEnabled(w.exec, two, 0);
    }
    w.launch(w.a);
}

void children(Work& w, bool in_turn) {
    int count = kCount;
    void* arguments[] = {&w.device, &count};
    const cudaKernelNodeParams node = kernel(arguments);
    cudaGraph_t second;
    cudaGraphNode_t inside, one, two;
    cudaGraphCreate(&w.child, 0);
    cudaGraphCreate(&second, 0);
    cudaGraphAddKernelNode(&inside, w.child, nullptr, 0, &node);  // @NODE_ONE
    cudaGraphAddKernelNode(&inside, second, nullptr, 0, &node);   // @NODE_TWO
    cudaGraphCreate(&w.graph, 0);
    cudaGraphAddChildGraphNode(&one, w.graph, nullptr, 0, w.child);
    cudaGraphAddChildGraphNode(&two, w.graph, in_turn ? &one : nullptr, in_turn ? 1 : 0, second);
    cudaGraphDestroy(second);
    w.launch(w.a);
}

// Work of a stream before or behind a launch, in its stream or in another one.
void around(bool before, bool same_stream, bool with_event) {
    Work w;
    capture_fork(w, w.other, w.device, kCount, true);
    const cudaStream_t stream = same_stream ? w.a : w.b;
    if (before) add<<<1, 128, 0, stream>>>(w.device, kCount);  // @ON_OTHER
    w.launch(w.a);
    if (with_event) {
        cudaEventRecord(w.fork, w.a);
        cudaStreamWaitEvent(stream, w.fork, 0);
    }
    if (!before) add<<<1, 128, 0, stream>>>(w.device, kCount);  // @ON_OTHER
}

void host_node(Work& w) {
    cudaStreamBeginCapture(w.a, cudaStreamCaptureModeGlobal);
    add<<<1, 128, 0, w.a>>>(w.device, kCount);
    cudaLaunchHostFunc(
        w.a, [](void*) {}, nullptr);
    add<<<1, 128, 0, w.a>>>(w.device, kCount);
    cudaStreamEndCapture(w.a, &w.graph);
    w.launch(w.b);
}

int read_back(Work& w, bool waits) {
    cudaStreamBeginCapture(w.a, cudaStreamCaptureModeGlobal);
    add<<<1, 128, 0, w.a>>>(w.device, kCount);
    cudaMemcpyAsync(w.host, w.device, kBytes, cudaMemcpyDeviceToHost, w.a);  // @BACK
    cudaStreamEndCapture(w.a, &w.graph);
    w.launch(w.a);
    if (waits) cudaStreamSynchronize(w.a);
    return w.host[5];  // @READ
}

void two_graphs() {
    Work w, other;
    capture_fork(w, w.device, w.other, kCount, true);
    capture_fork(other, other.other, w.device, kCount / 2, true);
    w.launch(w.a);
    other.launch(w.b);
    cudaDeviceSynchronize();
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    if (is("behind_work_of_its_stream")) around(true, true, false);
    if (is("beside_work_of_another")) around(true, false, false);
    if (is("work_behind_the_launch")) around(false, true, false);
    if (is("work_beside_the_launch")) around(false, false, false);
    if (is("event_behind_the_launch")) around(false, false, true);
    if (is("two_graphs")) two_graphs();
    Work w;
    if (is("chain")) {
        capture_chain(w);
        w.launch(w.b);
    }
    if (is("fork_and_join")) {
        capture_fork(w, w.other, w.device, kCount, true);
        w.launch(w.a);
    }
    if (is("fork_without_join_inside")) {
        capture_fork(w, w.device, w.device, kCount, true);
        w.launch(w.a);
    }
    if (is("join_forgotten")) {
        capture_fork(w, w.other, w.device, kCount, false);
        w.launch(w.a);
    }
    if (is("halves")) {
        capture_fork(w, w.device, w.device + kCount / 2, kCount / 2, true);
        w.launch(w.a);
    }
    for (const char* how : {"nodes_with_edge", "nodes_without_edge", "edge_through_empty_node", "edge_removed",
                            "copies_without_edge", "disabled_node"})
        if (is(how)) nodes(w, how);
    if (is("child_graphs_in_turn")) children(w, true);
    if (is("child_graphs_apart")) children(w, false);
    if (is("launched_again") || is("launched_again_elsewhere")) {
        capture_fork(w, w.other, w.device, kCount, true);
        for (int i = 0; i < 3; ++i) w.launch(i == 1 && is("launched_again_elsewhere") ? w.b : w.a);
    }
    if (is("host_node_between")) host_node(w);
    if (is("read_before_waiting")) return read_back(w, false) < 0;
    if (is("read_after_waiting")) return read_back(w, true) < 0;
    if (is("legacy_stream")) {
        capture_fork(w, w.other, w.device, kCount, true);
        cudaMemset(w.device, 0, kBytes);
        w.launch(nullptr);
        add<<<1, 128>>>(w.device, kCount);
        add<<<1, 128>>>(w.other, kCount);
    }
}

// Many short kernels, launched one by one and as a graph: captured from a stream, captured from two streams that part
// and meet again, and built by hand, with parameters that change between launches.
//
//   tilescope run --caches on --json graphs.json examples/graphs.cu -- chain      (or: one_by_one, fork, by_hand)
//   tilescope report graphs.json --chrome-trace -o graphs.trace.json              (opens in ui.perfetto.dev)
//
// A launch keeps the host busy for some microseconds, which is longer than a short kernel runs. A graph is one call,
// whatever it holds, and its kernels follow each other sooner.
#include <cstring>

#include "check.h"

constexpr int kElements = 1 << 14, kThreads = 256, kBlocks = kElements / kThreads;
constexpr int kSteps = 20, kLaunches = 20;

__global__ void step(float* values, float by) { values[blockIdx.x * blockDim.x + threadIdx.x] += by; }

__global__ void combine(const float* a, const float* b, float* sums) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[i] = a[i] + b[i];
}

static std::vector<float> one_by_one(float* values) {
    for (int launch = 0; launch < kLaunches; ++launch)
        for (int i = 0; i < kSteps; ++i) step<<<kBlocks, kThreads>>>(values, 0.125f);
    finish_launch();
    return to_host(values, kElements);
}

// What the stream is given between begin and end is noted, not done.
static std::vector<float> chain(float* values) {
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < kSteps; ++i) step<<<kBlocks, kThreads, 0, stream>>>(values, 0.125f);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    for (int launch = 0; launch < kLaunches; ++launch) CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
    return to_host(values, kElements);
}

// An event takes the capture into a second stream, another one brings it back.
static std::vector<float> fork(float* a, float* b, float* sums) {
    cudaStream_t first, second;
    cudaEvent_t parted, met;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    for (cudaEvent_t* event : {&parted, &met}) CHECK(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemsetAsync(a, 0, kElements * sizeof(float), first));
    CHECK(cudaEventRecord(parted, first));
    CHECK(cudaStreamWaitEvent(second, parted, 0));
    CHECK(cudaMemsetAsync(b, 0, kElements * sizeof(float), second));
    for (int i = 0; i < kSteps; ++i) {
        step<<<kBlocks, kThreads, 0, first>>>(a, 0.25f);
        step<<<kBlocks, kThreads, 0, second>>>(b, 0.5f);
    }
    CHECK(cudaEventRecord(met, second));
    CHECK(cudaStreamWaitEvent(first, met, 0));
    combine<<<kBlocks, kThreads, 0, first>>>(a, b, sums);
    CHECK(cudaStreamEndCapture(first, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    CHECK(cudaGraphLaunch(exec, first));
    CHECK(cudaStreamSynchronize(first));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    for (cudaEvent_t event : {parted, met}) CHECK(cudaEventDestroy(event));
    for (cudaStream_t stream : {first, second}) CHECK(cudaStreamDestroy(stream));
    return to_host(sums, kElements);
}

static cudaKernelNodeParams kernel_node(void** arguments) {
    cudaKernelNodeParams node = {};
    node.func = reinterpret_cast<void*>(step);
    node.gridDim = dim3(kBlocks);
    node.blockDim = dim3(kThreads);
    node.kernelParams = arguments;
    return node;
}

// A copy, a kernel, a copy back and a function of the host that counts; then the kernel gets another argument.
static bool by_hand(float* values, const float* in, float* out) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t there, kernel, back, counted;
    int count = 0;
    float by = 1;
    void* arguments[] = {&values, &by};
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemcpyNode1D(&there, graph, nullptr, 0, values, in, kElements * sizeof(float),
                                   cudaMemcpyHostToDevice));
    cudaKernelNodeParams node = kernel_node(arguments);
    CHECK(cudaGraphAddKernelNode(&kernel, graph, &there, 1, &node));
    CHECK(cudaGraphAddMemcpyNode1D(&back, graph, &kernel, 1, out, values, kElements * sizeof(float),
                                   cudaMemcpyDeviceToHost));
    cudaHostNodeParams host = {};
    host.fn = [](void* data) { ++*static_cast<int*>(data); };
    host.userData = &count;
    CHECK(cudaGraphAddHostNode(&counted, graph, &back, 1, &host));
    CHECK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    bool right = out[3] == in[3] + 1;

    by = 2;  // the node has its own copy
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    right = right && out[3] == in[3] + 1;
    CHECK(cudaGraphExecKernelNodeSetParams(exec, kernel, &node));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    right = right && out[3] == in[3] + 2 && out[kElements - 1] == in[kElements - 1] + 2;

    // The whole graph once more, changed: an executable graph of the same shape takes it over.
    by = 4;
    CHECK(cudaGraphKernelNodeSetParams(kernel, &node));
    CHECK(cudaGraphExecUpdate(exec, graph, nullptr, nullptr));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    return right && out[3] == in[3] + 4 && count == 4;
}

int main(int count, char** arguments) {
    const auto wants = [&](const char* what) { return count < 2 || std::strcmp(arguments[1], what) == 0; };
    float* const a = device_buffer<float>(kElements);
    float* const b = device_buffer<float>(kElements);
    float* const sums = device_buffer<float>(kElements);
    float *in = nullptr, *out = nullptr;
    CHECK(cudaMallocHost(reinterpret_cast<void**>(&in), kElements * sizeof(float)));
    CHECK(cudaMallocHost(reinterpret_cast<void**>(&out), kElements * sizeof(float)));
    for (int i = 0; i < kElements; ++i) in[i] = static_cast<float>(i % 64);

    Verdict verdict;
    const std::vector<float> all_steps(kElements, kLaunches * kSteps * 0.125f);
    if (wants("one_by_one")) {
        CHECK(cudaMemset(a, 0, kElements * sizeof(float)));
        CHECK(cudaDeviceSynchronize());
        verdict.equal("one by one", one_by_one(a), all_steps);
    }
    if (wants("chain")) {
        CHECK(cudaMemset(a, 0, kElements * sizeof(float)));
        CHECK(cudaDeviceSynchronize());
        verdict.equal("a chain, captured", chain(a), all_steps);
    }
    if (wants("fork")) verdict.equal("two streams, captured", fork(a, b, sums), std::vector<float>(kElements, 15.0f));
    if (wants("by_hand")) verdict.that("by hand, and changed", by_hand(a, in, out));

    for (float* buffer : {a, b, sums}) CHECK(cudaFree(buffer));
    for (float* buffer : {in, out}) CHECK(cudaFreeHost(buffer));
    return verdict.status();
}

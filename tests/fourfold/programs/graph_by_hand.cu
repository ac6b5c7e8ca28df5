// A graph of nodes made one by one: a copy, a fill, kernels, a function of the host; then with other arguments.
#include "fourfold.cuh"

__global__ void multiply(const int* in, int* out, int by, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += in[i] * by;
}

static void count(void* data) { ++*static_cast<int*>(data); }

int main() {
    int n = 100, by = 3, called = 0;
    std::vector<int> values = numbers<int>(n, 0, 50), found(n), expected;
    const Buffer<int> in(n), out(n);
    int *from = in, *to = out;
    cudaGraph_t graph;
    cudaGraphNode_t copy, fill, kernel, back, host;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, from, values.data(), n * sizeof(int),
                                   cudaMemcpyHostToDevice));
    cudaMemsetParams zero{};
    zero.dst = to, zero.elementSize = 4, zero.width = n, zero.height = 1, zero.value = 5;
    CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zero));
    void* arguments[] = {&from, &to, &by, &n};
    cudaKernelNodeParams launch{};
    launch.func = (void*)multiply, launch.gridDim = dim3(2), launch.blockDim = dim3(64),
    launch.kernelParams = arguments;
    const cudaGraphNode_t before[] = {copy, fill};
    CHECK(cudaGraphAddKernelNode(&kernel, graph, before, 2, &launch));
    CHECK(
        cudaGraphAddMemcpyNode1D(&back, graph, &kernel, 1, found.data(), to, n * sizeof(int), cudaMemcpyDeviceToHost));
    const cudaHostNodeParams call{count, &called};
    CHECK(cudaGraphAddHostNode(&host, graph, &back, 1, &call));
    cudaGraphExec_t made;
    CHECK(cudaGraphInstantiate(&made, graph, 0));
    CHECK(cudaGraphLaunch(made, 0));
    CHECK(cudaDeviceSynchronize());
    for (const int x : values) expected.push_back(5 + 3 * x);
    int bad = same("first", found, expected);
    by = -2;
    CHECK(cudaGraphExecKernelNodeSetParams(made, kernel, &launch));
    CHECK(cudaGraphLaunch(made, 0));
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) expected[i] = 5 - 2 * values[i];
    bad += same("with another argument", found, expected);
    CHECK(cudaGraphExecDestroy(made));
    CHECK(cudaGraphDestroy(graph));
    return bad + same("called", std::vector<int>{called}, {2});
}

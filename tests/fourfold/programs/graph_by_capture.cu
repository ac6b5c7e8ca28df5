// A stream's work captured once and launched many times, with a fork and a join.
#include "fourfold.cuh"

__global__ void scale(float* x, float by, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= by;
}
__global__ void shift(float* x, float by, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += by;
}
__global__ void add(const float* x, const float* y, float* sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = x[i] + y[i];
}

int main() {
    constexpr int n = 200;
    std::vector<float> a = numbers<float>(n, 0, 1), b = numbers<float>(n, 0, 1, 2), c(n);
    const Buffer<float> x(a), y(b), sum(n);
    cudaStream_t main_stream, side;
    cudaEvent_t fork, join;
    CHECK(cudaStreamCreate(&main_stream));
    CHECK(cudaStreamCreate(&side));
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaEventCreate(&join));
    cudaGraph_t graph;
    cudaGraphExec_t made;
    CHECK(cudaStreamBeginCapture(main_stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(fork, main_stream));
    CHECK(cudaStreamWaitEvent(side, fork, 0));
    scale<<<2, 128, 0, main_stream>>>(x, 1.5f, n);
    shift<<<2, 128, 0, side>>>(y, 0.25f, n);
    CHECK(cudaEventRecord(join, side));
    CHECK(cudaStreamWaitEvent(main_stream, join, 0));
    add<<<2, 128, 0, main_stream>>>(x, y, sum, n);
    CHECK(cudaStreamEndCapture(main_stream, &graph));
    CHECK(cudaGraphInstantiate(&made, graph, 0));
    std::size_t nodes = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    std::printf("%zu nodes\n", nodes);
    for (int i = 0; i < 4; ++i) {
        CHECK(cudaGraphLaunch(made, main_stream));
        for (int k = 0; k < n; ++k) a[k] *= 1.5f, b[k] += 0.25f, c[k] = a[k] + b[k];
    }
    CHECK(cudaStreamSynchronize(main_stream));
    CHECK(cudaGraphExecDestroy(made));
    CHECK(cudaGraphDestroy(graph));
    return same("sum", sum.host(), c);
}

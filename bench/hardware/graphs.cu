// What launches of graphs take: chains of next-to-empty kernels, and two of them side by side, against the same kernels
// launched one by one. Medians of 99, microseconds: between events around the launch, and of the host's call.
//
// usage: graphs
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#define OK(call)                                                   \
    if (cudaError_t error = (call); error != cudaSuccess) {        \
        std::printf("%s: %s\n", #call, cudaGetErrorString(error)); \
        std::exit(1);                                              \
    }

constexpr int kRounds = 99;

__global__ void little(int* sum) {
    if (sum != nullptr) atomicAdd(sum, 1);
}

double now() {
    const auto time = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::micro>(time).count();
}

struct Streams {
    cudaStream_t first, second;
    cudaEvent_t begin, end, parted;
};

// Kernels of one stream, or of both.
void launch(const Streams& s, int kernels, bool forks) {
    if (forks) {
        OK(cudaEventRecord(s.parted, s.first));
        OK(cudaStreamWaitEvent(s.second, s.parted, 0));
    }
    for (int i = 0; i < kernels; ++i) {
        little<<<1, 32, 0, s.first>>>(nullptr);
        if (forks) little<<<1, 32, 0, s.second>>>(nullptr);
    }
    if (forks) {
        OK(cudaEventRecord(s.parted, s.second));
        OK(cudaStreamWaitEvent(s.first, s.parted, 0));
    }
}

template <class Work>
void measure(const Streams& s, const char* what, Work work) {
    float device[kRounds];
    double host[kRounds];
    for (int i = 0; i < kRounds; ++i) {
        OK(cudaDeviceSynchronize());
        OK(cudaEventRecord(s.begin, s.first));
        const double before = now();
        work();
        host[i] = now() - before;
        OK(cudaEventRecord(s.end, s.first));
        OK(cudaEventSynchronize(s.end));
        OK(cudaEventElapsedTime(&device[i], s.begin, s.end));
    }
    std::sort(device, device + kRounds);
    std::sort(host, host + kRounds);
    std::printf("  %s: %.2f on the device, %.2f of the host\n", what, device[kRounds / 2] * 1e3, host[kRounds / 2]);
}

int main() {
    Streams s;
    for (cudaStream_t* stream : {&s.first, &s.second}) OK(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
    for (cudaEvent_t* event : {&s.begin, &s.end, &s.parted}) OK(cudaEventCreate(event));
    for (const int kernels : {1, 2, 20, 100, 400}) {
        for (const bool forks : {false, true}) {
            cudaGraph_t graph;
            cudaGraphExec_t exec;
            OK(cudaStreamBeginCapture(s.first, cudaStreamCaptureModeRelaxed));
            launch(s, kernels, forks);
            OK(cudaStreamEndCapture(s.first, &graph));
            OK(cudaGraphInstantiate(&exec, graph, 0));
            OK(cudaGraphUpload(exec, s.first));
            std::printf("%d kernels%s\n", kernels, forks ? " in each of two branches" : " in a chain");
            measure(s, "graph", [&] { OK(cudaGraphLaunch(exec, s.first)); });
            measure(s, "one by one", [&] { launch(s, kernels, forks); });
            OK(cudaGraphExecDestroy(exec));
            OK(cudaGraphDestroy(graph));
        }
    }
}

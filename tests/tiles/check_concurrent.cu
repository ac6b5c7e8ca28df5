// Calls from several host threads at once, and calls captured into CUDA graphs, give the bits that the same calls give
// one after the other. (That those are right is what the other checks are for.)
//
// usage: tiles_check_concurrent
//
// Every kind of product and the small kernels; shapes are drawn afresh (the seed is printed). Modules are loaded
// lazily; the first calls after prepare() are made while a kernel of another stream runs on, the next are captured in
// the mode in which any allocation or synchronisation fails: all that a launch needs must be there when prepare()
// returns. Exit status 1 when something differed.
#include <atomic>
#include <chrono>
#include <cstring>
#include <ctime>
#include <functional>
#include <random>
#include <thread>
#include <vector>

#include "tiles/add.h"
#include "tiles/bench/harness.cuh"
#include "tiles/convolve2d.h"
#include "tiles/reduce.h"
#include "tiles/stencil.h"
#include "tiles/transpose.h"

namespace {

constexpr int kThreads = 8, kJobsPerThread = 24, kRounds = 5;
constexpr int64_t kMax = 700;  // rows and columns
constexpr size_t kWorkspace = size_t{96} << 20, kBytes = size_t{kMax} * kMax * 8;

// A call, what it writes, and the bits that it is to write.
struct Job {
    std::function<tiles::Status(cudaStream_t, void* workspace)> call;
    void* out = nullptr;
    size_t bytes = 0;
    std::vector<unsigned char> expected;
};

void* random_matrix(tiles::DataType type, uint64_t seed) {
    void* memory = nullptr;
    HARNESS_CUDA(cudaMalloc(&memory, kBytes));
    const int64_t count = kMax * kMax;
    harness::fill_matrix<<<256, 256>>>(memory, type, count, 0, 1, count, count, 0, 1, seed, false);
    HARNESS_CUDA(cudaGetLastError());
    return memory;
}

Job product_job(std::mt19937_64& random, tiles::Compute compute) {
    tiles::GemmArguments g;
    const tiles::DataType type = harness::input_type(compute);
    const auto size = [&] { return 1 + static_cast<int64_t>(random() % kMax); };
    g.compute = compute, g.type_c = compute == tiles::Compute::kF64 ? type : tiles::DataType::kF32;
    g.m = size(), g.n = size(), g.k = size(), g.lda = g.ldb = g.ldc = kMax;
    if (random() % 2 == 0) g.m = (g.m + 7) / 8 * 8 % kMax, g.n = (g.n + 7) / 8 * 8 % kMax;
    g.options.op_a = random() % 2 ? tiles::Op::kTranspose : tiles::Op::kNone;
    g.options.op_b = random() % 2 ? tiles::Op::kTranspose : tiles::Op::kNone;
    g.a = random_matrix(type, random()), g.b = random_matrix(type, random());
    Job job;
    job.bytes = kBytes, job.out = random_matrix(g.type_c, random()), g.c = job.out;
    const bool with_workspace = random() % 3 != 0;
    job.call = [g, with_workspace](cudaStream_t stream, void* workspace) {
        tiles::GemmArguments call = g;
        call.options.stream = stream;
        if (with_workspace) call.options.workspace = workspace, call.options.workspace_bytes = kWorkspace;
        return tiles::gemm(call);
    };
    return job;
}

Job small_job(std::mt19937_64& random, int which) {
    const float* in = static_cast<const float*>(random_matrix(tiles::DataType::kF32, random()));
    Job job;
    job.bytes = kBytes, job.out = random_matrix(tiles::DataType::kF32, random());
    float* out = static_cast<float*>(job.out);
    const int64_t rows = 1 + static_cast<int64_t>(random() % kMax), columns = 4 * (1 + rows % (kMax / 4));
    const int side = 1 + 2 * static_cast<int>(random() % 8);
    job.call = [=](cudaStream_t stream, void* workspace) {
        switch (which) {
            case 0: return tiles::transpose(rows, columns, in, kMax, out, kMax, stream);
            case 1: return tiles::add(rows * columns, in, in, out, stream);
            case 2: return tiles::reduce(rows * columns, in, out, workspace, stream);
            case 3: {
                // Lives only as long as the call: a captured one must have kept its own copy.
                const std::vector<float> filter(static_cast<size_t>(side * side), 0.25f);
                return tiles::convolve2d(rows, columns, in, kMax, filter.data(), side, out, kMax, stream);
            }
            default: return tiles::stencil(columns / 4 * 4, 9, rows / 16 + 1, 0.5f, 0.1f, in, out, stream);
        }
    };
    return job;
}

Job make_job(std::mt19937_64& random, int index) {
    const int kind = index % 11;
    return kind < 6 ? product_job(random, static_cast<tiles::Compute>(kind)) : small_job(random, kind - 6);
}

int bad(const char* what, const tiles::Status& status) {
    if (status.ok()) return 0;
    std::printf("%s: %s %s (%d)\n", what, status.argument, status.message, status.cuda_error);
    return 1;
}

// So that what is not written anew shows.
void poison(const Job& job, cudaStream_t stream) { HARNESS_CUDA(cudaMemsetAsync(job.out, 0xa5, job.bytes, stream)); }

int differs(const char* what, const Job& job, cudaStream_t stream) {
    std::vector<unsigned char> have(job.bytes);
    HARNESS_CUDA(cudaMemcpyAsync(have.data(), job.out, job.bytes, cudaMemcpyDeviceToHost, stream));
    HARNESS_CUDA(cudaStreamSynchronize(stream));
    if (have == job.expected) return 0;
    std::printf("%s: other bits than the same call by itself\n", what);
    return 1;
}

struct Lane {
    std::vector<Job> jobs;
    cudaStream_t stream = nullptr;
    void* workspace = nullptr;
};

Lane make_lane(std::mt19937_64& random) {
    Lane lane;
    HARNESS_CUDA(cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking));
    HARNESS_CUDA(cudaMalloc(&lane.workspace, kWorkspace));
    for (int i = 0; i < kJobsPerThread; ++i) lane.jobs.push_back(make_job(random, i));
    HARNESS_CUDA(cudaDeviceSynchronize());
    return lane;
}

int run_alone(Lane& lane) {
    int failed = 0;
    for (Job& job : lane.jobs) {
        poison(job, lane.stream);
        failed += bad("alone", job.call(lane.stream, lane.workspace));
        job.expected.resize(job.bytes);
        HARNESS_CUDA(cudaMemcpyAsync(job.expected.data(), job.out, job.bytes, cudaMemcpyDeviceToHost, lane.stream));
        HARNESS_CUDA(cudaStreamSynchronize(lane.stream));
    }
    return failed;
}

int run_threads(std::vector<Lane>& lanes) {
    std::atomic<int> failed{0}, ready{0};
    std::vector<std::thread> threads;
    for (Lane& lane : lanes) {
        threads.emplace_back([&] {
            for (int round = 0; round < kRounds; ++round) {
                for (const Job& job : lane.jobs) poison(job, lane.stream);
                HARNESS_CUDA(cudaStreamSynchronize(lane.stream));
                for (++ready; ready.load() < (round + 1) * kThreads;) std::this_thread::yield();
                for (const Job& job : lane.jobs) failed += bad("thread", job.call(lane.stream, lane.workspace));
                for (const Job& job : lane.jobs) failed += differs("thread", job, lane.stream);
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    return failed;
}

int capture_jobs(const Lane& lane, cudaGraphExec_t* ready) {
    int failed = 0;
    cudaGraph_t graph = nullptr;
    HARNESS_CUDA(cudaStreamBeginCapture(lane.stream, cudaStreamCaptureModeGlobal));
    for (const Job& job : lane.jobs) failed += bad("capture", job.call(lane.stream, lane.workspace));
    HARNESS_CUDA(cudaStreamEndCapture(lane.stream, &graph));
    HARNESS_CUDA(cudaGraphInstantiate(ready, graph, 0));
    HARNESS_CUDA(cudaGraphDestroy(graph));
    return failed;
}

int run_graph(const Lane& lane, cudaGraphExec_t ready) {
    int failed = 0;
    for (int round = 0; round < 2; ++round) {
        for (const Job& job : lane.jobs) poison(job, lane.stream);
        HARNESS_CUDA(cudaGraphLaunch(ready, lane.stream));
        for (const Job& job : lane.jobs) failed += differs("graph", job, lane.stream);
    }
    HARNESS_CUDA(cudaGraphExecDestroy(ready));
    return failed;
}

// Ends when *flag is 1, or after some seconds.
__global__ void wait_for(const volatile int* flag, int64_t max_clocks) {
    for (const int64_t begin = clock64(); *flag == 0 && clock64() - begin < max_clocks;) {
    }
}

// The lane's calls while a kernel runs that does not end before they have. What they write is not looked at here.
int run_beside_a_long_kernel(const Lane& lane) {
    int* flag = nullptr;
    cudaStream_t stream = nullptr;
    HARNESS_CUDA(cudaHostAlloc(reinterpret_cast<void**>(&flag), sizeof(int), cudaHostAllocMapped));
    HARNESS_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    *flag = 0;
    wait_for<<<1, 1, 0, stream>>>(flag, int64_t{10} * 1000 * 1000 * 1000);
    HARNESS_CUDA(cudaGetLastError());
    int failed = 0;
    for (const Job& job : lane.jobs) failed += bad("beside", job.call(lane.stream, lane.workspace));
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(3);
    while (cudaStreamQuery(lane.stream) == cudaErrorNotReady && std::chrono::steady_clock::now() < until) {
    }
    if (cudaStreamQuery(lane.stream) != cudaSuccess || cudaStreamQuery(stream) != cudaErrorNotReady) {
        std::printf("beside: the calls wait for another stream's kernel\n");
        ++failed;
    }
    *static_cast<volatile int*>(flag) = 1;
    HARNESS_CUDA(cudaDeviceSynchronize());
    HARNESS_CUDA(cudaStreamDestroy(stream));
    HARNESS_CUDA(cudaFreeHost(flag));
    return failed;
}

}  // namespace

int main() {
    const uint64_t seed = static_cast<uint64_t>(std::time(nullptr));
    std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
    std::mt19937_64 random(seed);
    setenv("CUDA_MODULE_LOADING", "LAZY", 1);
    int failed = bad("prepare", tiles::prepare());
    std::vector<Lane> lanes;
    for (int i = 0; i < kThreads; ++i) lanes.push_back(make_lane(random));
    failed += run_beside_a_long_kernel(lanes[0]);
    std::vector<cudaGraphExec_t> graphs(lanes.size());
    for (size_t i = 0; i < lanes.size(); ++i) failed += capture_jobs(lanes[i], &graphs[i]);
    for (Lane& lane : lanes) failed += run_alone(lane);
    failed += run_threads(lanes);
    for (size_t i = 0; i < lanes.size(); ++i) failed += run_graph(lanes[i], graphs[i]);
    HARNESS_CUDA(cudaDeviceSynchronize());
    std::printf("%s: %d threads, %d calls each and in graphs, %d failures\n", failed == 0 ? "PASS" : "FAIL", kThreads,
                kJobsPerThread, failed);
    return failed == 0 ? 0 : 1;
}

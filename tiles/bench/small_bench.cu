// The small kernels against a device copy's bandwidth, and streamed products against in-core ones and cuBLASXt.
//
// usage: tiles_small_bench [--streamed]
//
// Buffers are rotated past the L2; medians of device-event times of graphs, the copy and the kernel by turns.
// --streamed adds 16384 x 16384 x 16384 from pinned memory.
#include <cublasXt.h>
#include <cublas_v2.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "tiles/add.h"
#include "tiles/bench/harness.cuh"
#include "tiles/convolve2d.h"
#include "tiles/gemm.h"
#include "tiles/gemm_streamed.h"
#include "tiles/reduce.h"
#include "tiles/stencil.h"
#include "tiles/transpose.h"

namespace {

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

cudaGraphExec_t capture(cudaStream_t stream, int count, const std::function<void(int)>& call) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    HARNESS_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < count; ++i) call(i);
    HARNESS_CUDA(cudaStreamEndCapture(stream, &graph));
    HARNESS_CUDA(cudaGraphInstantiate(&ready, graph, 0));
    HARNESS_CUDA(cudaGraphDestroy(graph));
    return ready;
}

double milliseconds(cudaStream_t stream, cudaGraphExec_t graph, cudaEvent_t begin, cudaEvent_t end) {
    HARNESS_CUDA(cudaEventRecord(begin, stream));
    HARNESS_CUDA(cudaGraphLaunch(graph, stream));
    HARNESS_CUDA(cudaEventRecord(end, stream));
    HARNESS_CUDA(cudaEventSynchronize(end));
    float elapsed = 0;
    HARNESS_CUDA(cudaEventElapsedTime(&elapsed, begin, end));
    return elapsed;
}

constexpr int64_t kMax = int64_t{16384} * 16384;  // floats of one buffer

struct Setting {
    cudaStream_t stream = nullptr;
    cudaEvent_t begin = nullptr, end = nullptr;
    float *in = nullptr, *out = nullptr, *more = nullptr;  // kMax floats each
    void* workspace = nullptr;
};

// Copies as the driver makes them outside graphs: inside one, large copies take a slower way.
double copy_milliseconds(const Setting& s, int inner, int64_t places, int64_t elements) {
    HARNESS_CUDA(cudaEventRecord(s.begin, s.stream));
    for (int i = 0; i < inner; ++i) {
        const int64_t at = i % places * elements;
        HARNESS_CUDA(cudaMemcpyAsync(s.out + at, s.in + at, static_cast<size_t>(elements) * 4, cudaMemcpyDeviceToDevice,
                                     s.stream));
    }
    HARNESS_CUDA(cudaEventRecord(s.end, s.stream));
    HARNESS_CUDA(cudaEventSynchronize(s.end));
    float elapsed = 0;
    HARNESS_CUDA(cudaEventElapsedTime(&elapsed, s.begin, s.end));
    return elapsed;
}

// `elements` per call, `bytes` moved per call; the call gets an offset into the buffers that rotates and keeps them
// aligned.
void compare(const Setting& s, const char* name, int64_t elements, double bytes,
             const std::function<void(int64_t)>& call) {
    const int64_t step = (elements + 63) / 64 * 64;
    const int64_t places = std::max<int64_t>(1, std::min<int64_t>(kMax / step, 16));
    const int inner = static_cast<int>(std::max<int64_t>(2, places));
    const auto ours = capture(s.stream, inner, [&](int i) { call(i % places * step); });
    std::vector<double> copy_ms, our_ms;
    for (int i = -1; i < 15; ++i) {
        const double a = milliseconds(s.stream, ours, s.begin, s.end);
        const double b = copy_milliseconds(s, inner, places, step);
        if (i >= 0) our_ms.push_back(a / inner), copy_ms.push_back(b / inner);
    }
    const double rate = bytes / median(our_ms) * 1e-6,
                 copied = 8.0 * static_cast<double>(step) / median(copy_ms) * 1e-6;
    std::printf("%-32s %8.0f GB/s  device copy %8.0f GB/s  ratio %.3f\n", name, rate, copied, rate / copied);
    std::fflush(stdout);
    HARNESS_CUDA(cudaGraphExecDestroy(ours));
}

void must(const tiles::Status& status) {
    if (status.ok()) return;
    std::fprintf(stderr, "%s: %s (%d)\n", status.argument, status.message, status.cuda_error);
    std::exit(1);
}

std::string name_of(const char* kernel, int64_t rows, int64_t columns) {
    return std::string(kernel) + " " + std::to_string(rows) + " x " + std::to_string(columns);
}

void transposes(const Setting& s) {
    constexpr int64_t kShapes[][2] = {{1024, 1024}, {4096, 4096}, {16384, 16384}, {1000, 3000}, {4095, 4095}};
    for (const auto& [rows, columns] : kShapes) {
        compare(s, name_of("transpose", rows, columns).c_str(), rows * columns,
                8.0 * static_cast<double>(rows * columns), [&, rows = rows, columns = columns](int64_t at) {
                    must(tiles::transpose(rows, columns, s.in + at, columns, s.out + at, rows, s.stream));
                });
    }
}

void convolutions(const Setting& s) {
    const std::vector<float> filter(225, 0.1f);
    for (const int64_t side : {8192, 4095}) {
        for (const int width : {3, 5, 7}) {
            const std::string name = name_of("convolve2d", width, width) + ", " + std::to_string(side);
            compare(s, name.c_str(), side * side, 8.0 * static_cast<double>(side * side), [&](int64_t at) {
                must(tiles::convolve2d(side, side, s.in + at, side, filter.data(), width, s.out + at, side, s.stream));
            });
        }
    }
}

void small_kernels(const Setting& s) {
    transposes(s);
    const int64_t count = int64_t{1} << 27;
    compare(s, "add 2^27", count, 12.0 * static_cast<double>(count),
            [&](int64_t at) { must(tiles::add(count, s.in + at, s.more + at, s.out + at, s.stream)); });
    compare(s, "reduce 2^27", count, 4.0 * static_cast<double>(count),
            [&](int64_t at) { must(tiles::reduce(count, s.in + at, s.out, s.workspace, s.stream)); });
    convolutions(s);
    for (const int64_t side : {512, 511}) {
        const int64_t points = side * side * side;
        compare(
            s, ("stencil " + std::to_string(side) + "^3").c_str(), points, 8.0 * static_cast<double>(points),
            [&](int64_t at) { must(tiles::stencil(side, side, side, 0.5f, 0.1f, s.in + at, s.out + at, s.stream)); });
    }
}

double seconds(const std::function<void()>& call) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Host clocks: all three ways block.
void streamed(const Setting& s) {
    const int64_t n = 16384;
    const size_t bytes = static_cast<size_t>(kMax) * 4;
    float *a = nullptr, *b = nullptr, *c = nullptr;
    for (float** host : {&a, &b, &c}) HARNESS_CUDA(cudaMallocHost(host, bytes));
    HARNESS_CUDA(cudaMemcpy(a, s.in, bytes, cudaMemcpyDeviceToHost));
    HARNESS_CUDA(cudaMemcpy(b, s.more, bytes, cudaMemcpyDeviceToHost));
    tiles::GemmArguments g;
    g.m = g.n = g.k = n, g.a = s.in, g.b = s.more, g.c = s.out, g.lda = g.ldb = g.ldc = n;
    size_t workspace_bytes = 0;
    must(tiles::gemm_workspace_size(g, &workspace_bytes));
    void* workspace = nullptr;
    HARNESS_CUDA(cudaMalloc(&workspace, workspace_bytes + 256));
    g.options.workspace = workspace, g.options.workspace_bytes = workspace_bytes, g.options.stream = s.stream;
    cublasXtHandle_t xt = nullptr;
    int device = 0;
    if (cublasXtCreate(&xt) != CUBLAS_STATUS_SUCCESS || cublasXtDeviceSelect(xt, 1, &device) != CUBLAS_STATUS_SUCCESS ||
        cublasXtSetBlockDim(xt, 4096) != CUBLAS_STATUS_SUCCESS) {
        std::fprintf(stderr, "cuBLASXt does not start\n");
        std::exit(1);
    }
    tiles::StreamedOptions options;
    options.device_bytes = size_t{2} << 30;
    const float one = 1, zero = 0;
    std::vector<double> core, stream, vendor;
    for (int i = -1; i < 5; ++i) {
        const double in_core = seconds([&] {
            must(tiles::gemm(g));
            HARNESS_CUDA(cudaStreamSynchronize(s.stream));
        });
        const double ours = seconds([&] { must(tiles::gemm_streamed(n, n, n, 1, a, n, b, n, 0, c, n, options)); });
        const double theirs = seconds([&] {
            const size_t side = static_cast<size_t>(n);
            if (cublasXtSgemm(xt, CUBLAS_OP_N, CUBLAS_OP_N, side, side, side, &one, b, n, a, n, &zero, c, n) !=
                CUBLAS_STATUS_SUCCESS)
                std::exit(1);
        });
        if (i >= 0) core.push_back(in_core), stream.push_back(ours), vendor.push_back(theirs);
    }
    const double flop = 2.0 * 16384 * 16384 * 16384;
    std::printf("streamed 16384^3, 2 GiB: %.2f TFLOP/s, in-core %.2f (ratio %.3f), cuBLASXt %.2f (ratio %.3f)\n",
                flop / median(stream) * 1e-12, flop / median(core) * 1e-12, median(core) / median(stream),
                flop / median(vendor) * 1e-12, median(vendor) / median(stream));
    cublasXtDestroy(xt);
    for (float* host : {a, b, c}) cudaFreeHost(host);
    cudaFree(workspace);
}

}  // namespace

int main(int argc, char** argv) {
    Setting s;
    HARNESS_CUDA(cudaStreamCreate(&s.stream));
    HARNESS_CUDA(cudaEventCreate(&s.begin));
    HARNESS_CUDA(cudaEventCreate(&s.end));
    uint64_t seed = 1;
    for (float** buffer : {&s.in, &s.out, &s.more}) {
        HARNESS_CUDA(cudaMalloc(buffer, static_cast<size_t>(kMax) * 4));
        harness::fill_matrix<<<4096, 256>>>(*buffer, tiles::DataType::kF32, kMax, 0, 1, kMax, kMax, 0, 1, seed++,
                                            false);
    }
    HARNESS_CUDA(cudaMalloc(&s.workspace, tiles::kReduceWorkspaceBytes));
    HARNESS_CUDA(cudaDeviceSynchronize());
    small_kernels(s);
    if (argc > 1 && std::strcmp(argv[1], "--streamed") == 0) streamed(s);
    return 0;
}

// Products against cuBLAS, in turn, in one run.
//
// usage: tiles_gemm_bench [--compute f32|f32tensor|tf32|bf16|f16|f64] [--shape MxNxK]... [--op nn|nt|tn|tt]
//                         [--kernel NAME|auto|all[=SUBSTRING]] [--split N] [--tail] [--goals] [--csv FILE]
//                         [--seconds S]
//
// Random data; as many copies of the operands as exceed three times the L2, used in rotation; each sample is a CUDA
// graph of several products, ours and cuBLAS's alternate, and medians are compared. Prints TFLOP/s, the ratio, and the
// relative difference of the two results.
#include <cublas_v2.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "tiles/bench/harness.cuh"
#include "tiles/plan/cost_model.h"
#include "tiles/plan/device.h"
#include "tiles/plan/registry.h"
#include "tiles/src/validate.h"

namespace {

using harness::Comparison;
using harness::Operand;
using tiles::Compute;
using tiles::DataType;
using tiles::GemmArguments;
using tiles::Op;

constexpr const char* kComputeNames[] = {"f32", "f32tensor", "tf32", "bf16", "f16", "f64"};

void check(cublasStatus_t status, const char* call) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    std::fprintf(stderr, "%s: cuBLAS status %d\n", call, static_cast<int>(status));
    std::exit(1);
}

struct Shape {
    Compute compute;
    int64_t m, n, k;
    double must = 0, aim = 0;
};

struct Setting {
    cublasHandle_t blas = nullptr;
    cudaStream_t stream = nullptr;
    void *workspace = nullptr, *blas_workspace = nullptr;
    size_t workspace_bytes = size_t{1} << 30;
    int64_t l2_bytes = 0;
    Op op_a = Op::kNone, op_b = Op::kNone;
    int split = 0;
    bool tail = false;      // with a kernel and --split 1: cut the tail
    double seconds = 0.25;  // per side of a comparison
    FILE* csv = nullptr;
};

struct Buffers {
    std::vector<Operand> a, b, c;
    Operand c_blas;
};

Buffers make_buffers(const Setting& setting, const Shape& s, uint64_t seed) {
    const DataType type = harness::input_type(s.compute);
    const bool ta = setting.op_a == Op::kTranspose, tb = setting.op_b == Op::kTranspose;
    const int64_t bytes = static_cast<int64_t>(harness::element_size(type)) * (s.m * s.k + s.k * s.n + s.m * s.n);
    const int64_t sets = std::clamp<int64_t>(3 * setting.l2_bytes / bytes + 1, 2, 64);
    Buffers made;
    for (int64_t i = 0; i < sets; ++i) {
        Operand a, b, c;
        const int64_t ar = ta ? s.k : s.m, ac = ta ? s.m : s.k, br = tb ? s.n : s.k, bc = tb ? s.k : s.n;
        a.create(type, ar, ac, ac, 0, 1, 0), b.create(type, br, bc, bc, 0, 1, 0),
            c.create(type, s.m, s.n, s.n, 0, 1, 0);
        a.fill(seed + 3 * i), b.fill(seed + 3 * i + 1), c.fill(seed + 3 * i + 2, true);
        made.a.push_back(a), made.b.push_back(b), made.c.push_back(c);
    }
    made.c_blas.create(type, s.m, s.n, s.n, 0, 1, 0);
    return made;
}

void release(Buffers& buffers) {
    for (auto* list : {&buffers.a, &buffers.b, &buffers.c}) {
        for (Operand& one : *list) one.destroy();
    }
    buffers.c_blas.destroy();
}

GemmArguments arguments_of(const Setting& setting, const Shape& s, const Buffers& buffers, size_t set) {
    GemmArguments g;
    g.compute = s.compute, g.type_c = harness::input_type(s.compute);
    g.m = s.m, g.n = s.n, g.k = s.k;
    g.a = buffers.a[set].data(), g.lda = buffers.a[set].ld;
    g.b = buffers.b[set].data(), g.ldb = buffers.b[set].ld;
    g.c = buffers.c[set].data(), g.ldc = s.n;
    g.options.op_a = setting.op_a, g.options.op_b = setting.op_b, g.options.stream = setting.stream;
    g.options.workspace = setting.workspace, g.options.workspace_bytes = setting.workspace_bytes;
    return g;
}

// cuBLAS is column-major: it is asked for the transpose, B^T A^T, which is the same memory.
void run_blas(const Setting& setting, const GemmArguments& g, void* c) {
    const cudaDataType_t types[] = {CUDA_R_32F, CUDA_R_64F, CUDA_R_16BF, CUDA_R_16F};
    const cudaDataType_t type = types[static_cast<int>(harness::input_type(g.compute))];
    const bool wide = g.compute == Compute::kF64;
    const cublasComputeType_t compute = wide                          ? CUBLAS_COMPUTE_64F
                                        : g.compute == Compute::kTF32 ? CUBLAS_COMPUTE_32F_FAST_TF32
                                                                      : CUBLAS_COMPUTE_32F;
    const float one = 1, zero = 0;
    const double one_wide = 1, zero_wide = 0;
    const void* alpha = wide ? static_cast<const void*>(&one_wide) : &one;
    const void* beta = wide ? static_cast<const void*>(&zero_wide) : &zero;
    check(
        cublasGemmEx(setting.blas, g.options.op_b == Op::kNone ? CUBLAS_OP_N : CUBLAS_OP_T,
                     g.options.op_a == Op::kNone ? CUBLAS_OP_N : CUBLAS_OP_T, static_cast<int>(g.n),
                     static_cast<int>(g.m), static_cast<int>(g.k), alpha, g.b, type, static_cast<int>(g.ldb), g.a, type,
                     static_cast<int>(g.lda), beta, c, type, static_cast<int>(g.ldc), compute, CUBLAS_GEMM_DEFAULT),
        "cublasGemmEx");
}

tiles::Status run_ours(const GemmArguments& g, const char* kernel, int split, bool tail) {
    if (kernel == nullptr || split == 0) {
        GemmArguments named = g;
        named.options.kernel = kernel;
        return tiles::gemm(named);
    }
    tiles::GemmProblem problem;
    const tiles::DeviceProperties* device = nullptr;
    if (tiles::Status status = tiles::make_problem(g, &problem); !status.ok()) return status;
    if (tiles::Status status = tiles::current_device(&device); !status.ok()) return status;
    tiles::Tuning tuning;
    tuning.split_k = split, tuning.cut_tail = tail;
    return tiles::find_kernel(kernel)->launch(problem, tuning, *device);
}

// A graph of `count` calls.
cudaGraphExec_t capture(const Setting& setting, int count, const std::function<void(int)>& call) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    HARNESS_CUDA(cudaStreamBeginCapture(setting.stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < count; ++i) call(i);
    HARNESS_CUDA(cudaStreamEndCapture(setting.stream, &graph));
    HARNESS_CUDA(cudaGraphInstantiate(&ready, graph, 0));
    HARNESS_CUDA(cudaGraphDestroy(graph));
    return ready;
}

struct Timer {
    cudaEvent_t begin = nullptr, end = nullptr;
    Timer() {
        HARNESS_CUDA(cudaEventCreate(&begin));
        HARNESS_CUDA(cudaEventCreate(&end));
    }
    ~Timer() { cudaEventDestroy(begin), cudaEventDestroy(end); }
    double milliseconds(const Setting& setting, cudaGraphExec_t graph) {
        HARNESS_CUDA(cudaEventRecord(begin, setting.stream));
        HARNESS_CUDA(cudaGraphLaunch(graph, setting.stream));
        HARNESS_CUDA(cudaEventRecord(end, setting.stream));
        HARNESS_CUDA(cudaEventSynchronize(end));
        float elapsed = 0;
        HARNESS_CUDA(cudaEventElapsedTime(&elapsed, begin, end));
        return elapsed;
    }
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

__global__ void compare(const void* x, const void* y, DataType type, int64_t count, Comparison* out) {
    double error = 0, norm = 0;
    const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i < count; i += step) {
        const double have = harness::load_as_double(x, type, i), want = harness::load_as_double(y, type, i);
        error += (have - want) * (have - want), norm += want * want;
    }
    atomicAdd(&out->error_squares, error), atomicAdd(&out->reference_squares, norm);
}

double difference(const void* x, const void* y, DataType type, int64_t count) {
    static Comparison* shared = nullptr;
    if (shared == nullptr) HARNESS_CUDA(cudaMalloc(&shared, sizeof(Comparison)));
    HARNESS_CUDA(cudaMemset(shared, 0, sizeof(Comparison)));
    compare<<<1024, 256>>>(x, y, type, count, shared);
    Comparison seen{};
    HARNESS_CUDA(cudaMemcpy(&seen, shared, sizeof(seen), cudaMemcpyDeviceToHost));
    return std::sqrt(seen.error_squares / seen.reference_squares);
}

struct Result {
    double ours_ms = 0, blas_ms = 0, difference = 0;
};

// Times one kernel (nullptr: the model's choice) and cuBLAS by turns.
bool time_shape(const Setting& setting, const Shape& s, const Buffers& buffers, const char* kernel, Result* result) {
    const int sets = static_cast<int>(buffers.a.size());
    const GemmArguments first = arguments_of(setting, s, buffers, 0);
    const tiles::Status status = run_ours(first, kernel, setting.split, setting.tail);
    if (!status.ok()) {
        std::printf("%-26s %s: %s\n", kernel ? kernel : "auto", status.argument, status.message);
        return false;
    }
    run_blas(setting, first, buffers.c_blas.data());
    HARNESS_CUDA(cudaStreamSynchronize(setting.stream));
    result->difference = difference(first.c, buffers.c_blas.data(), first.type_c, s.m * s.n);

    const double flop = 2.0 * static_cast<double>(s.m) * static_cast<double>(s.n) * static_cast<double>(s.k);
    const double guess_ms = std::max(flop / 4e13 * 1e3, 0.01);
    const int inner = std::clamp(static_cast<int>(2 / guess_ms), 1, 64);
    const int samples = std::clamp(static_cast<int>(setting.seconds * 1e3 / (guess_ms * inner)), 3, 41);
    const cudaGraphExec_t ours = capture(setting, inner, [&](int i) {
        (void)run_ours(arguments_of(setting, s, buffers, static_cast<size_t>(i % sets)), kernel, setting.split,
                       setting.tail);
    });
    const cudaGraphExec_t blas = capture(setting, inner, [&](int i) {
        const size_t set = static_cast<size_t>(i % sets);
        run_blas(setting, arguments_of(setting, s, buffers, set), buffers.c[set].data());
    });
    Timer timer;
    std::vector<double> ours_ms, blas_ms;
    for (int i = -1; i < samples; ++i) {
        const double first_ms = timer.milliseconds(setting, ours), second_ms = timer.milliseconds(setting, blas);
        if (i >= 0) ours_ms.push_back(first_ms / inner), blas_ms.push_back(second_ms / inner);
    }
    result->ours_ms = median(ours_ms), result->blas_ms = median(blas_ms);
    HARNESS_CUDA(cudaGraphExecDestroy(ours));
    HARNESS_CUDA(cudaGraphExecDestroy(blas));
    return true;
}

void print_result(const Setting& setting, const Shape& s, const char* kernel, const Result& r) {
    const double flop = 2.0 * static_cast<double>(s.m) * static_cast<double>(s.n) * static_cast<double>(s.k);
    const double ours = flop / r.ours_ms * 1e-9, blas = flop / r.blas_ms * 1e-9;
    char shape[64];
    std::snprintf(shape, sizeof(shape), "%lldx%lldx%lld", static_cast<long long>(s.m), static_cast<long long>(s.n),
                  static_cast<long long>(s.k));
    std::printf("%-9s %-18s %-26s %8.2f TFLOP/s  cuBLAS %8.2f  ratio %.3f", kComputeNames[static_cast<int>(s.compute)],
                shape, kernel, ours, blas, r.blas_ms / r.ours_ms);
    if (s.must > 0) std::printf("  must %.2f aim %.2f", s.must, s.aim);
    std::printf("  diff %.1e\n", r.difference);
    std::fflush(stdout);
    if (setting.csv != nullptr) {
        std::fprintf(setting.csv, "%s,%s,%s,%.3f,%.3f,%.4f,%.3e\n", kComputeNames[static_cast<int>(s.compute)], shape,
                     kernel, ours, blas, r.blas_ms / r.ours_ms, r.difference);
    }
}

// The kernel's name as the model chose it, with its tuning.
std::string chosen_name(const GemmArguments& g) {
    tiles::GemmProblem problem;
    const tiles::DeviceProperties* device = nullptr;
    if (!tiles::make_problem(g, &problem).ok() || !tiles::current_device(&device).ok()) return "?";
    const tiles::Choice choice = tiles::choose_kernel(problem, *device, problem.workspace_bytes);
    if (choice.kernel == nullptr) return "?";
    std::string name = std::string("auto:") + choice.kernel->name;
    if (choice.tuning.split_k > 1) name += "/" + std::to_string(choice.tuning.split_k);
    if (choice.tuning.cut_tail) name += "/tail";
    return name;
}

void run_shape(const Setting& setting, const Shape& s, const std::string& kernels) {
    Buffers buffers = make_buffers(setting, s, static_cast<uint64_t>(std::time(nullptr)));
    HARNESS_CUDA(cudaDeviceSynchronize());
    Result result;
    if (kernels == "auto") {
        const std::string name = chosen_name(arguments_of(setting, s, buffers, 0));
        if (time_shape(setting, s, buffers, nullptr, &result)) print_result(setting, s, name.c_str(), result);
    } else {
        const bool all = kernels.rfind("all", 0) == 0;
        const std::string part = all && kernels.size() > 4 ? kernels.substr(4) : all ? "" : kernels;
        const tiles::KernelList list = tiles::all_kernels();
        for (int i = 0; i < list.count; ++i) {
            const tiles::Kernel& kernel = *list.rows[i];
            const bool wanted = all ? std::strstr(kernel.name, part.c_str()) != nullptr : part == kernel.name;
            if (!wanted || kernel.compute != s.compute) continue;
            if (time_shape(setting, s, buffers, kernel.name, &result)) print_result(setting, s, kernel.name, result);
        }
    }
    release(buffers);
}

// The odd shapes have a goal for their mean only; goals.py takes it.
const Shape kGoals[] = {
    {Compute::kF32, 4096, 4096, 4096, 0.97, 1.08},
    {Compute::kF32, 8192, 8192, 8192, 0.97, 1.08},
    {Compute::kF32, 16384, 16384, 16384, 0.97, 1.08},
    {Compute::kF32, 1000, 1000, 1000},
    {Compute::kF32, 4095, 4095, 4095},
    {Compute::kF32, 16384, 64, 4096},
    {Compute::kF32, 64, 16384, 4096},
    {Compute::kF32, 128, 128, 65536},
    {Compute::kF32, 4096, 1, 4096},
    {Compute::kF32Tensor, 1000, 1000, 1000},
    {Compute::kF32Tensor, 4095, 4095, 4095},
    {Compute::kF32Tensor, 16384, 64, 4096},
    {Compute::kF32Tensor, 64, 16384, 4096},
    {Compute::kF32Tensor, 128, 128, 65536},
    {Compute::kF32Tensor, 4096, 1, 4096},
    {Compute::kF32Tensor, 8192, 8192, 8192, 1.9, 2.4},
    {Compute::kTF32, 8192, 8192, 8192, 0.97, 1.05},
    {Compute::kTF32, 4095, 4095, 4095, 2.3, 2.8},
    {Compute::kBF16, 4096, 4096, 4096, 0.97, 1.05},
    {Compute::kBF16, 8192, 8192, 8192, 0.97, 1.05},
    {Compute::kBF16, 16384, 16384, 16384, 0.97, 1.05},
    {Compute::kBF16, 4095, 4095, 4095, 3.5, 5},
    {Compute::kF64, 4096, 4096, 4096, 0.9, 1.0},
};

void set_up(Setting& setting) {
    cudaDeviceProp properties{};
    HARNESS_CUDA(cudaGetDeviceProperties(&properties, 0));
    setting.l2_bytes = properties.l2CacheSize;
    HARNESS_CUDA(cudaStreamCreate(&setting.stream));
    HARNESS_CUDA(cudaMalloc(&setting.workspace, setting.workspace_bytes));
    HARNESS_CUDA(cudaMalloc(&setting.blas_workspace, size_t{64} << 20));
    check(cublasCreate(&setting.blas), "cublasCreate");
    check(cublasSetStream(setting.blas, setting.stream), "cublasSetStream");
    check(cublasSetWorkspace(setting.blas, setting.blas_workspace, size_t{64} << 20), "cublasSetWorkspace");
    const tiles::Status status = tiles::prepare();
    if (!status.ok()) {
        std::fprintf(stderr, "prepare: %s: %s (%d)\n", status.argument, status.message, status.cuda_error);
        std::exit(1);
    }
}

}  // namespace

int main(int argc, char** argv) {
    Setting setting;
    std::vector<Shape> shapes;
    Compute compute = Compute::kF32;
    std::string kernels = "auto";
    bool goals = false, any_compute = true;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const bool more = i + 1 < argc;
        long long m = 0, n = 0, k = 0;
        if (word == "--goals") {
            goals = true;
        } else if (word == "--compute" && more) {
            const std::string name = argv[++i];
            any_compute = false;
            for (int c = 0; c < 6; ++c) {
                if (name == kComputeNames[c]) compute = static_cast<Compute>(c);
            }
        } else if (word == "--shape" && more && std::sscanf(argv[i + 1], "%lldx%lldx%lld", &m, &n, &k) == 3) {
            ++i, shapes.push_back({compute, m, n, k});
        } else if (word == "--op" && more) {
            const std::string ops = argv[++i];
            setting.op_a = ops[0] == 't' ? Op::kTranspose : Op::kNone;
            setting.op_b = ops[1] == 't' ? Op::kTranspose : Op::kNone;
        } else if (word == "--kernel" && more) {
            kernels = argv[++i];
        } else if (word == "--split" && more) {
            setting.split = std::atoi(argv[++i]);
        } else if (word == "--tail") {
            setting.tail = true;
        } else if (word == "--seconds" && more) {
            setting.seconds = std::atof(argv[++i]);
        } else if (word == "--csv" && more) {
            setting.csv = std::fopen(argv[++i], "a");
        } else {
            return std::fprintf(stderr, "unknown option %s\n", word.c_str()), 2;
        }
    }
    set_up(setting);
    if (goals) {
        for (const Shape& goal : kGoals) {
            if (any_compute || goal.compute == compute) shapes.push_back(goal);
        }
    }
    for (const Shape& s : shapes) run_shape(setting, s, kernels);
    if (setting.csv != nullptr) std::fclose(setting.csv);
    return 0;
}

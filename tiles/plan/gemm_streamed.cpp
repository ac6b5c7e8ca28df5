#include "tiles/gemm_streamed.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "tiles/src/validate.h"

namespace tiles {
namespace {

constexpr size_t kWorkspaceBytes = size_t{48} << 20;

int64_t parts(int64_t whole, int64_t part) { return (whole + part - 1) / part; }

// The first error of a sequence of CUDA calls; later calls are skipped.
class Errors {
public:
    template <typename Call>
    void operator()(const char* name, Call&& call) {
        if (status_.ok()) status_ = from_cuda(call(), name);
    }
    void keep(const Status& status) {
        if (status_.ok()) status_ = status;
    }
    bool ok() const { return status_.ok(); }
    Status status() const { return status_; }

private:
    Status status_;
};

// Sizes of tiles and how many of each are on the device.
struct Plan {
    int64_t tile_m = 0, tile_n = 0, tile_k = 0;
    int slots_a = 0, slots_b = 0, slots_c = 2;

    size_t bytes() const {
        const int64_t floats = slots_a * tile_m * tile_k + slots_b * tile_k * tile_n + slots_c * tile_m * tile_n;
        return static_cast<size_t>(floats) * sizeof(float) + kWorkspaceBytes;
    }
};

// The largest tiles that fit. All of B's tiles for a column of C stay, twice (those in use and the next ones), if they
// fit.
bool make_plan(const GemmProblem& p, size_t budget, Plan* plan) {
    // At 4096 a product takes as long as its two factors take to arrive over a PCIe 5 link.
    int64_t tile_m = 4096, tile_n = 4096, tile_k = 4096;
    while (true) {
        plan->tile_m = std::min(tile_m, p.m), plan->tile_n = std::min(tile_n, p.n),
        plan->tile_k = std::min(tile_k, p.k);
        const int deep = static_cast<int>(std::min<int64_t>(parts(p.k, plan->tile_k), 64));
        for (const int slots_b : {2 * deep, deep + 1, 2}) {
            plan->slots_a = 4, plan->slots_b = std::max(slots_b, 2);
            if (plan->bytes() <= budget) return true;
        }
        plan->slots_a = plan->slots_b = 2;
        if (plan->bytes() <= budget) return true;
        int64_t& largest = tile_n >= tile_k ? tile_n : tile_k >= tile_m ? tile_k : tile_m;
        if (largest <= 64) return false;
        largest /= 2;
    }
}

// A matrix in host memory, pinned for as long as this lives.
class Pinned {
public:
    void pin(const void* pointer, size_t bytes) {
        cudaPointerAttributes attributes{};
        if (cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess &&
            attributes.type != cudaMemoryTypeUnregistered)
            return;
        if (cudaHostRegister(const_cast<void*>(pointer), bytes, cudaHostRegisterDefault) == cudaSuccess) {
            pointer_ = const_cast<void*>(pointer);
        } else {
            (void)cudaGetLastError();  // pageable copies are slower, and right
        }
    }
    ~Pinned() {
        if (pointer_ != nullptr) cudaHostUnregister(pointer_);
    }

private:
    void* pointer_ = nullptr;
};

// A place on the device for one tile.
struct Slot {
    float* data = nullptr;
    int64_t row = -1, column = -1;  // which tile it holds
    cudaEvent_t filled = nullptr, released = nullptr;
};

class Streamer {
public:
    Streamer(const GemmProblem& problem, const Plan& plan) : p_(problem), plan_(plan) {}
    ~Streamer();
    Status run();

private:
    void set_up();
    Slot& fetch(std::vector<Slot>& slots, size_t* next, const float* host, int64_t ld, int64_t row, int64_t column,
                int64_t first_row, int64_t first_column, int64_t rows, int64_t columns);
    Slot& fetch_b(int64_t q, int64_t j);
    void prefetch_b(int64_t i, int64_t j);
    void multiply_tile(int64_t i, int64_t j);

    const GemmProblem& p_;
    Plan plan_;
    Errors errors_;
    float* memory_ = nullptr;
    void* workspace_ = nullptr;
    cudaStream_t in_ = nullptr, compute_ = nullptr, out_ = nullptr;
    std::vector<Slot> a_, b_, c_;
    size_t next_a_ = 0, next_b_ = 0, next_c_ = 0;
};

void Streamer::set_up() {
    for (cudaStream_t* stream : {&in_, &compute_, &out_}) {
        errors_("cudaStreamCreate", [&] { return cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking); });
    }
    errors_("cudaMalloc", [&] { return cudaMalloc(reinterpret_cast<void**>(&memory_), plan_.bytes()); });
    if (!errors_.ok()) return;
    workspace_ = memory_;
    float* free = memory_ + kWorkspaceBytes / sizeof(float);
    const auto cut = [&](std::vector<Slot>& slots, int count, int64_t floats) {
        slots.resize(static_cast<size_t>(count));
        for (Slot& slot : slots) {
            slot.data = free, free += floats;
            for (cudaEvent_t* event : {&slot.filled, &slot.released}) {
                errors_("cudaEventCreate", [&] { return cudaEventCreateWithFlags(event, cudaEventDisableTiming); });
            }
        }
    };
    cut(a_, plan_.slots_a, plan_.tile_m * plan_.tile_k);
    cut(b_, plan_.slots_b, plan_.tile_k * plan_.tile_n);
    cut(c_, plan_.slots_c, plan_.tile_m * plan_.tile_n);
}

Streamer::~Streamer() {
    for (cudaStream_t stream : {in_, compute_, out_}) {
        if (stream != nullptr) cudaStreamSynchronize(stream), cudaStreamDestroy(stream);
    }
    for (std::vector<Slot>* slots : {&a_, &b_, &c_}) {
        for (Slot& slot : *slots) {
            if (slot.filled != nullptr) cudaEventDestroy(slot.filled);
            if (slot.released != nullptr) cudaEventDestroy(slot.released);
        }
    }
    cudaFree(memory_);
}

// The slot that holds tile (row, column): it is still there, or a copy into the oldest slot is queued.
Slot& Streamer::fetch(std::vector<Slot>& slots, size_t* next, const float* host, int64_t ld, int64_t row,
                      int64_t column, int64_t first_row, int64_t first_column, int64_t rows, int64_t columns) {
    for (Slot& slot : slots) {
        if (slot.row == row && slot.column == column) return slot;
    }
    Slot& slot = slots[*next];
    *next = (*next + 1) % slots.size();
    errors_("cudaStreamWaitEvent", [&] { return cudaStreamWaitEvent(in_, slot.released, 0); });
    const size_t width = static_cast<size_t>(columns) * sizeof(float);
    errors_("cudaMemcpy2DAsync", [&] {
        return cudaMemcpy2DAsync(slot.data, width, host + first_row * ld + first_column,
                                 static_cast<size_t>(ld) * sizeof(float), width, static_cast<size_t>(rows),
                                 cudaMemcpyHostToDevice, in_);
    });
    errors_("cudaEventRecord", [&] { return cudaEventRecord(slot.filled, in_); });
    slot.row = row, slot.column = column;
    return slot;
}

Slot& Streamer::fetch_b(int64_t q, int64_t j) {
    const int64_t first = q * plan_.tile_k, depth = std::min(plan_.tile_k, p_.k - first);
    const int64_t column = j * plan_.tile_n, columns = std::min(plan_.tile_n, p_.n - column);
    const float* host = static_cast<const float*>(p_.b);
    return p_.transposed_b ? fetch(b_, &next_b_, host, p_.ldb, j, q, column, first, columns, depth)
                           : fetch(b_, &next_b_, host, p_.ldb, q, j, first, column, depth, columns);
}

// B's tiles for the next column of C come in during the last rows of this one, a share with each row; otherwise they
// would all be waited for at once.
void Streamer::prefetch_b(int64_t i, int64_t j) {
    const int64_t deep = parts(p_.k, plan_.tile_k), rows = parts(p_.m, plan_.tile_m);
    if (plan_.slots_b < 2 * deep || (j + 1) * plan_.tile_n >= p_.n) return;
    for (int64_t q = i * deep / rows; q < (i + 1) * deep / rows && errors_.ok(); ++q) fetch_b(q, j + 1);
}

void Streamer::multiply_tile(int64_t i, int64_t j) {
    const int64_t row = i * plan_.tile_m, column = j * plan_.tile_n;
    const int64_t rows = std::min(plan_.tile_m, p_.m - row), columns = std::min(plan_.tile_n, p_.n - column);
    float* host_c = static_cast<float*>(p_.c);
    Slot* c = nullptr;
    if (p_.beta != 0) {
        c = &fetch(c_, &next_c_, host_c, p_.ldc, i, j, row, column, rows, columns);
        errors_("cudaStreamWaitEvent", [&] { return cudaStreamWaitEvent(compute_, c->filled, 0); });
    } else {
        c = &c_[next_c_];
        next_c_ = (next_c_ + 1) % c_.size();
        errors_("cudaStreamWaitEvent", [&] { return cudaStreamWaitEvent(compute_, c->released, 0); });
    }
    for (int64_t q = 0; q * plan_.tile_k < p_.k && errors_.ok(); ++q) {
        const int64_t first = q * plan_.tile_k, depth = std::min(plan_.tile_k, p_.k - first);
        const float* host_a = static_cast<const float*>(p_.a);
        Slot& a = p_.transposed_a ? fetch(a_, &next_a_, host_a, p_.lda, q, i, first, row, depth, rows)
                                  : fetch(a_, &next_a_, host_a, p_.lda, i, q, row, first, rows, depth);
        Slot& b = fetch_b(q, j);
        for (const Slot* slot : {&a, &b}) {
            errors_("cudaStreamWaitEvent", [&] { return cudaStreamWaitEvent(compute_, slot->filled, 0); });
        }
        GemmArguments g;
        g.compute = p_.compute;
        g.m = rows, g.n = columns, g.k = depth;
        g.alpha = p_.alpha, g.beta = q == 0 ? p_.beta : 1;
        g.a = a.data, g.lda = p_.transposed_a ? rows : depth;
        g.b = b.data, g.ldb = p_.transposed_b ? depth : columns;
        g.c = c->data, g.ldc = columns;
        g.options.op_a = p_.transposed_a ? Op::kTranspose : Op::kNone;
        g.options.op_b = p_.transposed_b ? Op::kTranspose : Op::kNone;
        g.options.stream = compute_, g.options.workspace = workspace_, g.options.workspace_bytes = kWorkspaceBytes;
        if (errors_.ok()) errors_.keep(gemm(g));
        for (const Slot* slot : {&a, &b}) {
            errors_("cudaEventRecord", [&] { return cudaEventRecord(slot->released, compute_); });
        }
    }
    errors_("cudaEventRecord", [&] { return cudaEventRecord(c->filled, compute_); });
    errors_("cudaStreamWaitEvent", [&] { return cudaStreamWaitEvent(out_, c->filled, 0); });
    const size_t width = static_cast<size_t>(columns) * sizeof(float);
    errors_("cudaMemcpy2DAsync", [&] {
        return cudaMemcpy2DAsync(host_c + row * p_.ldc + column, static_cast<size_t>(p_.ldc) * sizeof(float), c->data,
                                 width, width, static_cast<size_t>(rows), cudaMemcpyDeviceToHost, out_);
    });
    errors_("cudaEventRecord", [&] { return cudaEventRecord(c->released, out_); });
    c->row = c->column = -1;  // stored: not to be found again
}

Status Streamer::run() {
    set_up();
    for (int64_t j = 0; j * plan_.tile_n < p_.n; ++j) {
        for (int64_t i = 0; i * plan_.tile_m < p_.m && errors_.ok(); ++i) {
            multiply_tile(i, j);
            prefetch_b(i, j);
        }
    }
    for (cudaStream_t stream : {in_, compute_, out_}) {
        if (stream != nullptr) errors_("cudaStreamSynchronize", [&] { return cudaStreamSynchronize(stream); });
    }
    return errors_.status();
}

// k or alpha is 0: the host does it.
void scale_on_host(const GemmProblem& p) {
    float* c = static_cast<float*>(p.c);
    for (int64_t i = 0; i < p.m; ++i) {
        for (int64_t j = 0; j < p.n; ++j) {
            float& place = c[i * p.ldc + j];
            place = p.beta == 0 ? 0 : static_cast<float>(p.beta) * place;
        }
    }
}

}  // namespace

Status gemm_streamed(int64_t m, int64_t n, int64_t k, float alpha, const float* a, int64_t lda, const float* b,
                     int64_t ldb, float beta, float* c, int64_t ldc, const StreamedOptions& options) noexcept {
    GemmArguments g = {options.compute, DataType::kF32, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0, 1, {}};
    g.options.layout = options.layout, g.options.op_a = options.op_a, g.options.op_b = options.op_b;
    GemmProblem problem;
    if (Status status = make_problem(g, &problem); !status.ok()) return status;
    if (input_bytes(problem.compute) != sizeof(float)) {
        return {StatusCode::kUnsupported, "compute", "streamed products are of fp32 matrices", 0};
    }
    if (problem.m == 0 || problem.n == 0) return {};
    if (problem.k == 0) return scale_on_host(problem), Status{};
    size_t budget = options.device_bytes, free = 0, total = 0;
    if (Status status = from_cuda(cudaMemGetInfo(&free, &total), "cudaMemGetInfo"); !status.ok()) return status;
    if (budget == 0) budget = free / 5 * 4;
    Plan plan;
    if (!make_plan(problem, budget, &plan)) {
        return {StatusCode::kInvalidArgument, "device_bytes", "is too small for the smallest tiles and their workspace",
                0};
    }
    const auto span = [](int64_t rows, int64_t columns, int64_t ld) {
        return static_cast<size_t>((rows - 1) * ld + columns) * sizeof(float);
    };
    Pinned pinned_a, pinned_b, pinned_c;
    pinned_a.pin(problem.a, problem.transposed_a ? span(problem.k, problem.m, problem.lda)
                                                 : span(problem.m, problem.k, problem.lda));
    pinned_b.pin(problem.b, problem.transposed_b ? span(problem.n, problem.k, problem.ldb)
                                                 : span(problem.k, problem.n, problem.ldb));
    pinned_c.pin(problem.c, span(problem.m, problem.n, problem.ldc));
    Streamer streamer(problem, plan);
    return streamer.run();
}

}  // namespace tiles

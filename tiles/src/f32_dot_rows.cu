#include "tiles/kernels/f32_dot_rows.cuh"
#include "tiles/src/launch.h"
#include "tiles/src/product.h"
#include "tiles/src/rows_simt.h"
#include "tiles/tuning/sm70.h"

namespace tiles {
namespace {

// A column of results out of A's rows, or a row of results out of B's columns.
bool is_column(const GemmProblem& p) { return p.n == 1 && !p.transposed_a; }

bool supports(const GemmProblem& p, const DeviceProperties&) {
    const bool is_row = p.m == 1 && p.transposed_b;
    return (is_column(p) || is_row) && p.batch <= 65535 && p.m + p.n < 2147483647;
}

// kWarps share a row.
template <int kWarps>
Status launch_with(const DotRows& d, bool aligned, const GemmProblem& p, const DeviceProperties& device) {
    const dim3 grid(static_cast<unsigned>(parts_of(d.rows, kDotThreads / (32 * kWarps))),
                    static_cast<unsigned>(p.batch));
    const auto kernel = aligned ? preloaded<f32_dot_rows<kWarps, true>>() : preloaded<f32_dot_rows<kWarps, false>>();
    return launch_kernel(kernel, {grid, kDotThreads, 0, p.stream, kernels_can_wait(device)}, d);
}

Status launch(const GemmProblem& p, const Tuning&, const DeviceProperties& device) {
    DotRows d;
    const bool column = is_column(p);
    d.matrix = static_cast<const float*>(column ? p.a : p.b), d.vector = static_cast<const float*>(column ? p.b : p.a);
    d.out = static_cast<float*>(p.c);
    d.rows = column ? p.m : p.n, d.k = p.k, d.ld = column ? p.lda : p.ldb;
    d.by_k = column ? (p.transposed_b ? 1 : p.ldb) : (p.transposed_a ? p.lda : 1);
    d.out_step = column ? p.ldc : 1;
    d.stride_matrix = column ? p.stride_a : p.stride_b, d.stride_vector = column ? p.stride_b : p.stride_a;
    d.stride_out = p.stride_c;
    d.alpha = static_cast<float>(p.alpha), d.beta = static_cast<float>(p.beta);
    const auto aligned = [&](const float* pointer, int64_t step, int64_t stride) {
        return reinterpret_cast<uintptr_t>(pointer) % 16 == 0 && step % 4 == 0 && (p.batch == 1 || stride % 4 == 0);
    };
    const bool all_aligned =
        d.by_k == 1 && aligned(d.matrix, d.ld, d.stride_matrix) && aligned(d.vector, 0, d.stride_vector);
    constexpr int64_t kLong = 2048;  // floats of a row that give all threads of a block enough to ask for
    return d.k >= kLong ? launch_with<4>(d, all_aligned, p, device) : launch_with<1>(d, all_aligned, p, device);
}

}  // namespace

const Kernel kF32DotRows = {.name = "f32_dot_rows",
                            .compute = Compute::kF32,
                            .min_capability = 70,
                            .figures = sm70::kF32DotRows,
                            .supports = &supports,
                            .launch = &launch};

// A product that is one long read gains nothing from tensor cores, and is more accurate without.
const Kernel kF32TensorDotRows = {.name = "f32_tensor_dot_rows",
                                  .compute = Compute::kF32Tensor,
                                  .min_capability = 70,
                                  .figures = sm70::kF32DotRows,
                                  .supports = &supports,
                                  .launch = &launch};

}  // namespace tiles

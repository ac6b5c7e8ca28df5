// The rung between mma.sync and the copy engine: wgmma fed by cp.async, bf16 and f16.
//
// Owns: its launches and rows. A factor whose base, pitch or stride is no multiple of 16 bytes is copied into the
// workspace with an aligned pitch, as for the kernels that the copy engine feeds.
#include "tiles/src/wgmma_copies.cuh"

#include "tiles/src/hopper_gemm16.cuh"
#include "tiles/src/rows_tensor.h"

namespace tiles {
namespace {

namespace copies = wgmma_copies;

template <class In>
struct Launcher {
    // The copy engine is not used, but where the library may use it there is code for 9.0a.
    static bool supports(const GemmProblem& p, const DeviceProperties& device) {
        constexpr int64_t kM = copies::Tile::kTileM, kN = copies::Tile::kTileN;
        const int64_t tiles = ((p.m + kM - 1) / kM) * ((p.n + kN - 1) / kN);
        return hopper::reachable(p, device) && tiles < int64_t{1} << 31 &&
               device.shared_per_block >= copies::Tile::kSharedBytes;
    }

    static size_t workspace(const GemmProblem& p, const Tuning&, const DeviceProperties&) {
        return hopper::plan16(p, 1, 1, p.workspace).bytes();
    }

    template <class Out, bool kAlongM, bool kAlongN>
    static Status start(const GemmProblem& p, const Tuning& tuning, const hopper::Plan16& plan) {
        copies::Arguments<In, Out> g{};
        g.a = static_cast<const In*>(plan.a.base), g.b = static_cast<const In*>(plan.b.base);
        g.c = static_cast<Out*>(p.c);
        g.m = p.m, g.n = p.n, g.k = p.k, g.lda = plan.a.pitch, g.ldb = plan.b.pitch, g.ldc = p.ldc;
        g.stride_a = plan.a.stride, g.stride_b = plan.b.stride, g.stride_c = p.stride_c;
        g.alpha = static_cast<float>(p.alpha), g.beta = static_cast<float>(p.beta);
        g.raster = tuning.raster;
        return from_cuda(copies::start(preloaded<copies::gemm<In, Out, kAlongM, kAlongN>>(), g, p.batch, p.stream),
                         "wgmma fed by cp.async");
    }

    template <class Out>
    static Status start(const GemmProblem& p, const Tuning& tuning, const hopper::Plan16& plan) {
        if (p.transposed_a)
            return p.transposed_b ? start<Out, true, false>(p, tuning, plan) : start<Out, true, true>(p, tuning, plan);
        return p.transposed_b ? start<Out, false, false>(p, tuning, plan) : start<Out, false, true>(p, tuning, plan);
    }

    static Status launch(const GemmProblem& p, const Tuning& tuning, const DeviceProperties&) {
        const hopper::Plan16 plan = hopper::plan16(p, 1, 1, p.workspace);
        if (plan.bytes() > p.workspace_bytes) {
            return {StatusCode::kWorkspaceTooSmall, "workspace", "this kernel needs a larger workspace", 0};
        }
        if (Status s = hopper::copy_factors(p, plan); !s.ok()) return s;
        return p.type_c == DataType::kF32 ? start<float>(p, tuning, plan) : start<In>(p, tuning, plan);
    }

    template <class Out>
    static Status prepare_out() {
        const cudaError_t errors[] = {copies::allow_shared(copies::gemm<In, Out, false, false>),
                                      copies::allow_shared(copies::gemm<In, Out, false, true>),
                                      copies::allow_shared(copies::gemm<In, Out, true, false>),
                                      copies::allow_shared(copies::gemm<In, Out, true, true>)};
        for (const cudaError_t error : errors)
            if (error != cudaSuccess) return from_cuda(error, "cudaFuncSetAttribute");
        return {};
    }

    static Status prepare() {
        if (Status s = prepare_out<float>(); !s.ok()) return s;
        return prepare_out<In>();
    }

    static constexpr Kernel row(const char* name, Compute compute) {
        static_assert(has_tile<copies::Tile>(sm90::kWgmmaCopies));
        return {.name = name,
                .idea = "wgmma, fed by cp.async: four warps multiply 64 x 256 x 16 of shared memory",
                .compute = compute,
                .min_capability = 90,
                .figures = sm90::kWgmmaCopies,
                .supports = &supports,
                .workspace = &workspace,
                .launch = &launch,
                .prepare = &prepare};
    }
};

}  // namespace

const Kernel kBf16WgmmaCopies = Launcher<__nv_bfloat16>::row("bf16_wgmma_copies_128x256", Compute::kBF16);
const Kernel kF16WgmmaCopies = Launcher<__half>::row("f16_wgmma_copies_128x256", Compute::kF16);

}  // namespace tiles

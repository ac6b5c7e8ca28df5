// The launch of the TMA rung: brings both factors into the form that the copy engine can read, plans, launches.
//
// A factor that lies along k is transposed into the workspace first, 1.5 % of the time at 4096 x 4096 x 4096. Where the
// copy engine cannot read a factor (a pitch or a base that is no multiple of 16 bytes), or where a batch would take a
// transposing launch for each matrix, the cp.async rung does the work.
#include "tiles/kernels/f32_tma.cuh"
#include "tiles/kernels/hopper_store.cuh"
#include "tiles/src/allow_shared.h"
#include "tiles/src/hopper_output.h"
#include "tiles/src/repitch.h"
#include "tiles/src/rows_simt.h"
#include "tiles/src/stream_k_launch.h"
#include "tiles/transpose.h"
#include "tiles/tuning/sm90.h"

namespace tiles {
namespace {

using hopper::Plane;

// The factors as [k][m] and [k][n].
struct Factors {
    Plane a, b;
    bool make_a = false, make_b = false;
    size_t a_bytes = 0, b_bytes = 0;
    size_t bytes() const { return a_bytes + b_bytes; }
};

// The transpose of `plane` as it will lie at `to`.
Plane transposed(Plane plane, void* to, size_t* bytes) {
    std::swap(plane.columns, plane.rows);
    plane.count = 1, plane.stride = 0;
    *bytes = repitched_bytes(plane);
    return repitched(plane, to);
}

Factors factors_of(const GemmProblem& p, void* workspace) {
    Factors out;
    out.a = hopper::plane_a(p), out.b = hopper::plane_b(p);
    out.make_a = !p.transposed_a, out.make_b = p.transposed_b;
    if (out.make_a) out.a = transposed(out.a, workspace, &out.a_bytes);
    if (out.make_b) out.b = transposed(out.b, static_cast<char*>(workspace) + out.a_bytes, &out.b_bytes);
    return out;
}

// Whether the copy engine can do this product at all; `out` has the factors then.
bool by_copy_engine(const GemmProblem& p, const DeviceProperties& device, void* workspace, Factors* out) {
    if (!hopper::reachable(p, device)) return false;
    *out = factors_of(p, workspace);
    if (!out->make_a && !mappable(out->a)) return false;
    if (!out->make_b && !mappable(out->b)) return false;
    return p.batch == 1 || ((!out->make_a || p.stride_a == 0) && (!out->make_b || p.stride_b == 0));
}

StreamK plan_of(const GemmProblem& p, const DeviceProperties& device, bool share) {
    return stream_k_plan(p, TmaTile::kTileM, TmaTile::kTileN, TmaTile::kDepth, device.sms, share);
}

size_t sums_bytes_of(const GemmProblem& p, const DeviceProperties& device) {
    const StreamK plan = plan_of(p, device, true);
    if (plan.whole_tiles == plan.tiles) return 0;
    return static_cast<size_t>(plan.sharers) * 2 * TmaTile::kTileM * TmaTile::kTileN * sizeof(float);
}

bool supports(const GemmProblem& p, const DeviceProperties& device) {
    return device.tensor_maps && kF32Pipeline128x256.supports(p, device);
}

size_t workspace(const GemmProblem& p, const Tuning& tuning, const DeviceProperties& device) {
    Factors factors;
    if (!by_copy_engine(p, device, nullptr, &factors)) return kF32Pipeline128x256.workspace(p, tuning, device);
    return factors.bytes() + (tuning.split_k == 1 ? 0 : sums_bytes_of(p, device));
}

Status make_factors(const GemmProblem& p, const Factors& factors) {
    if (factors.make_a) {
        Status s = transpose(p.m, p.k, static_cast<const float*>(p.a), p.lda,
                             static_cast<float*>(const_cast<void*>(factors.a.base)), factors.a.pitch, p.stream);
        if (!s.ok()) return s;
    }
    if (!factors.make_b) return {};
    return transpose(p.n, p.k, static_cast<const float*>(p.b), p.ldb,
                     static_cast<float*>(const_cast<void*>(factors.b.base)), factors.b.pitch, p.stream);
}

Status launch(const GemmProblem& p, const Tuning& tuning, const DeviceProperties& device) {
    Factors factors;
    if (!by_copy_engine(p, device, p.workspace, &factors) || factors.bytes() > p.workspace_bytes)
        return kF32Pipeline128x256.launch(p, tuning, device);
    TmaArguments g{};
    const auto swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
    if (Status s = make_map(factors.a, TmaTile::kTileM, TmaTile::kDepth, &g.a, swizzle); !s.ok()) return s;
    if (Status s = make_map(factors.b, TmaTile::kTileN, TmaTile::kDepth, &g.b, swizzle); !s.ok()) return s;
    g.a_planes = factors.a.planes() > 1, g.b_planes = factors.b.planes() > 1;
    if (Status s = make_factors(p, factors); !s.ok()) return s;
    const bool share = tuning.split_k != 1 && p.workspace_bytes >= factors.bytes() + sums_bytes_of(p, device);
    g.product = make_product<float>(p, tuning, TmaTile::kTileM, TmaTile::kTileN, device.sms);
    if (share) g.product.partial = reinterpret_cast<float*>(static_cast<char*>(p.workspace) + factors.bytes());
    g.plan = plan_of(p, device, share);
    preloaded<f32_tma>()<<<static_cast<unsigned>(g.plan.blocks), kTmaThreads, kTmaShared, p.stream>>>(g);
    if (Status s = launched("f32_tma"); !s.ok()) return s;
    return add_shared_tiles<float, TmaTile>(g.product, g.plan, kernels_can_wait(device), p.stream);
}

Status allow_memory() { return allow_shared(f32_tma, kTmaShared); }

}  // namespace

static_assert(has_tile<TmaTile>(sm90::kF32Tma128x256));

const Kernel kF32Tma128x256 = {
    .name = "f32_tma_128x256",
    .idea = "TMA: one thread asks the copy engine for tiles; barriers count bytes and readers",
    .compute = Compute::kF32,
    .min_capability = 90,
    .figures = sm90::kF32Tma128x256,
    .supports = &supports,
    .workspace = &workspace,
    .launch = &launch,
    .prepare = &allow_memory,
    .stream_k = true};

}  // namespace tiles

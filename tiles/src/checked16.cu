#include "tiles/kernels/checked16.cuh"

#include "tiles/src/product.h"
#include "tiles/src/rows_tensor.h"
#include "tiles/tuning/sm70.h"

namespace tiles {
namespace {

bool supports(const GemmProblem& p, const DeviceProperties&) { return grid_fits(p, kCheckedTile, kCheckedTile); }

template <typename In, typename Out>
Status launch_out(const GemmProblem& p) {
    const Product<In> product = make_product<In>(p, {}, kCheckedTile, kCheckedTile, 1);
    const int64_t blocks = static_cast<int64_t>(product.tiles_m) * product.tiles_n * p.batch;
    preloaded<
        checked_tile16<In, Out>>()<<<static_cast<unsigned>(blocks), dim3(kCheckedTile, kCheckedTile), 0, p.stream>>>(
        product, static_cast<Out*>(p.c), static_cast<float>(p.alpha), static_cast<float>(p.beta));
    return launched("checked_tile16");
}

template <typename In>
Status launch(const GemmProblem& p, const Tuning&, const DeviceProperties&) {
    return p.type_c == DataType::kF32 ? launch_out<In, float>(p) : launch_out<In, In>(p);
}

constexpr Kernel row(const char* name, Compute compute, LaunchFunction* launch) {
    return {.name = name,
            .compute = compute,
            .min_capability = 70,
            .figures = sm70::kChecked16,
            .supports = &supports,
            .launch = launch};
}

static_assert(sm70::kChecked16.tile_m == kCheckedTile);

}  // namespace

const Kernel kBf16Checked = row("bf16_checked", Compute::kBF16, &launch<__nv_bfloat16>);
const Kernel kF16Checked = row("f16_checked", Compute::kF16, &launch<__half>);

}  // namespace tiles

#include "tiles/kernels/f64_tensor_cores.cuh"

#include "tiles/kernels/f32_checked.cuh"
#include "tiles/src/rows_simt.h"
#include "tiles/src/stream_k_launch.h"
#include "tiles/tuning/sm70.h"
#include "tiles/tuning/sm80.h"

namespace tiles {
namespace {

struct Family {
    using Tile = F64Tile;
    using Element = double;
    static constexpr Compute kCompute = Compute::kF64;
    static constexpr int kWays = 4;        // of copying an operand: StreamKLaunch::way_of_copying
    static constexpr bool kWaits = false;  // for earlier kernels: StreamKLaunch::launch
    static constexpr int kThreads = Tile::kThreads, kSharedBytes = Tile::kSharedBytes, kMinCapability = 80;
    static constexpr float kEfficiency = sm80::kF64TensorCores.efficiency;
    static constexpr float kFixedUs = sm80::kF64TensorCores.fixed_us;

    static bool runs_on(const DeviceProperties&) { return true; }

    static auto function(int copy_a, int copy_b) {
        static constexpr void (*kAll[4][4])(Product<double>, StreamK) = {
            {preloaded<f64_tensor_cores<1, true, 1, true>>(), preloaded<f64_tensor_cores<1, true, 1, false>>(),
             preloaded<f64_tensor_cores<1, true, 2, false>>(), preloaded<f64_tensor_cores<1, true, 2, true>>()},
            {preloaded<f64_tensor_cores<1, false, 1, true>>(), preloaded<f64_tensor_cores<1, false, 1, false>>(),
             preloaded<f64_tensor_cores<1, false, 2, false>>(), preloaded<f64_tensor_cores<1, false, 2, true>>()},
            {preloaded<f64_tensor_cores<2, false, 1, true>>(), preloaded<f64_tensor_cores<2, false, 1, false>>(),
             preloaded<f64_tensor_cores<2, false, 2, false>>(), preloaded<f64_tensor_cores<2, false, 2, true>>()},
            {preloaded<f64_tensor_cores<2, true, 1, true>>(), preloaded<f64_tensor_cores<2, true, 1, false>>(),
             preloaded<f64_tensor_cores<2, true, 2, false>>(), preloaded<f64_tensor_cores<2, true, 2, true>>()},
        };
        return kAll[copy_a][copy_b];
    }
};

bool supports_checked(const GemmProblem& p, const DeviceProperties&) {
    return grid_fits(p, kCheckedTile, kCheckedTile);
}

Status launch_checked(const GemmProblem& p, const Tuning&, const DeviceProperties&) {
    const Product<double> product = make_product<double>(p, {}, kCheckedTile, kCheckedTile, 1);
    const int64_t blocks = static_cast<int64_t>(product.tiles_m) * product.tiles_n * p.batch;
    preloaded<checked_tile<double>>()<<<static_cast<unsigned>(blocks), dim3(kCheckedTile, kCheckedTile), 0, p.stream>>>(
        product);
    return launched("checked_tile");
}

}  // namespace

static_assert(has_tile<F64Tile>(sm80::kF64TensorCores) && sm70::kF64Checked.tile_m == kCheckedTile);

const Kernel kF64Checked = {.name = "f64_checked",
                            .compute = Compute::kF64,
                            .min_capability = 70,
                            .figures = sm70::kF64Checked,
                            .supports = &supports_checked,
                            .launch = &launch_checked};
const Kernel kF64TensorCores = StreamKLaunch<Family>::row("f64_tensor_cores");

}  // namespace tiles

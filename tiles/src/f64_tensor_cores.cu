#include "tiles/kernels/f64_tensor_cores.cuh"

#include "tiles/kernels/f32_checked.cuh"
#include "tiles/src/rows_simt.h"
#include "tiles/src/stream_k_launch.h"

namespace tiles {
namespace {

struct Family {
    using Tile = F64Tile;
    using Element = double;
    static constexpr Compute kCompute = Compute::kF64;
    static constexpr int kWays = 4;        // of copying an operand: StreamKLaunch::way_of_copying
    static constexpr bool kWaits = false;  // for earlier kernels: StreamKLaunch::launch
    static constexpr int kThreads = Tile::kThreads, kSharedBytes = Tile::kSharedBytes, kLeastCapability = 80;

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

const Kernel kF64Checked = {"f64_checked",     nullptr, Compute::kF64,   70,     32, 32, 32, 2, 1, 0.10f, 3,
                            &supports_checked, nullptr, &launch_checked, nullptr};
const Kernel kF64TensorCores = StreamKLaunch<Family>::row("f64_tensor_cores", nullptr, 0.90f, 8);

}  // namespace tiles

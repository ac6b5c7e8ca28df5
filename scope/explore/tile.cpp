#include "scope/explore/tile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "scope/explore/tile_work.h"
#include "scope/models/occupancy_textbook.h"
#include "scope/models/time/launch_time.h"
#include "scope/models/time/on_device.h"
#include "scope/models/time/stations.h"

namespace tilescope::explore {
namespace {

constexpr std::uint32_t kNarrowest = 2;

Diagnostic tile_error(const std::string& message, const std::string& hint = {}) {
    return error("tile-value", {}, message, hint);
}

std::uint32_t widest_tile(const models::Device& device) {
    std::uint32_t side = 1;
    while ((side + 1) * (side + 1) <= device.max_threads_per_block) ++side;
    return side;
}

// Those that people write, and those that leave nothing over.
std::vector<std::uint32_t> chosen_tiles(const TileQuestion& question, std::uint32_t widest) {
    if (!question.tiles.empty()) return question.tiles;
    std::set<std::uint32_t> tiles;
    for (std::uint32_t tile = kNarrowest; tile <= widest; ++tile) {
        const std::uint64_t common = std::gcd(std::gcd(question.n, question.m), question.k);
        const bool is_power = (tile & (tile - 1)) == 0 && tile > kNarrowest;
        const bool divides = common % tile == 0 && tile > kNarrowest * kNarrowest;
        if (question.all || is_power || divides) tiles.insert(tile);
    }
    return {tiles.begin(), tiles.end()};
}

Status check_tiles(const models::Device& device, const std::vector<std::uint32_t>& tiles) {
    const std::uint32_t widest = widest_tile(device);
    for (const std::uint32_t tile : tiles) {
        if (tile >= 1 && tile <= widest) continue;
        return tile_error("a tile of " + std::to_string(tile) + " × " + std::to_string(tile) + " takes " +
                              std::to_string(std::uint64_t{tile} * tile) + " threads, and a block of the " +
                              device.name + " has 1 to " + std::to_string(device.max_threads_per_block),
                          "the nearest that fits is " + std::to_string(tile == 0 ? 1 : widest));
    }
    return Success{};
}

TileRow row_of(const models::Device& device, const TileShape& shape, const TileQuestion& question) {
    TileRow row;
    row.tile = shape.tile;
    row.results = shape.results;
    row.threads = shape.tile * shape.tile;
    row.blocks = shape.across() * shape.down();
    row.phases = shape.phases();
    // Each element of M by every column of blocks, each of N by every row of them; what lies beyond is not asked for.
    row.requested_elements = shape.m * shape.k * shape.across() + shape.k * shape.n * shape.down();
    const double products = static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
    row.intensity = 2 * products / (static_cast<double>(row.requested_elements) * shape.element_bytes);
    const double done =
        static_cast<double>(row.blocks) * row.threads * shape.results * static_cast<double>(row.phases) * shape.tile;
    row.padding = 1 - products / done;
    row.shared_bytes = shape.shared_bytes();
    row.shared_per_thread = static_cast<double>(row.shared_bytes) / row.threads;
    row.registers = shape.registers;

    models::KernelResources kernel;
    kernel.threads_per_block = row.threads;
    kernel.registers_per_thread = row.registers;
    kernel.static_shared_bytes = row.shared_bytes;
    const models::Occupancy found = models::occupancy(device, kernel);
    row.blocks_per_sm = found.blocks_per_sm;
    row.occupancy = found.fraction;
    row.textbook_occupancy = models::textbook_occupancy(device, kernel).fraction;
    if (row.shared_bytes > device.shared_bytes_per_block_optin)
        row.refusal = TileRefusal::kShared;
    else if (row.registers > device.max_registers_per_thread)
        row.refusal = TileRefusal::kRegisters;
    else if (found.blocks_per_sm == 0)
        row.refusal = TileRefusal::kNoBlock;
    if (row.refusal != TileRefusal::kNone) return row;

    LaunchProfile launch = estimated_launch(device, shape);
    models::stand_on(device, launch);
    if (!launch.time) return row;
    row.microseconds = launch.time->microseconds;
    row.bound = launch.time->bound;
    if (question.launch != nullptr) {
        const auto changed = models::changed_microseconds(device, *question.launch, launch);
        row.microseconds = changed ? changed : row.microseconds;
    }
    return row;
}

std::optional<std::size_t> best_of(const std::vector<TileRow>& rows) {
    std::optional<std::size_t> best;
    const auto cost = [](const TileRow& row) {
        return row.microseconds ? *row.microseconds : 1 / std::max(row.intensity, std::numeric_limits<double>::min());
    };
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].refusal == TileRefusal::kNone && (!best || cost(rows[i]) < cost(rows[*best]))) best = i;
    return best;
}

}  // namespace

Result<TileTable> explore_tiles(const models::Device& device, const TileQuestion& asked) {
    TileQuestion question = asked;
    if (question.m == 0) question.m = question.n;
    if (question.k == 0) question.k = question.n;
    for (const std::uint64_t side : {question.n, question.m, question.k})
        if (side == 0 || side > kMaxTileShape)
            return tile_error("a matrix has 1 to " + std::to_string(kMaxTileShape) + " rows and columns, not " +
                              std::to_string(side));
    if (question.type != "f32" && question.type != "f64")
        return tile_error("there is no tiled product of \"" + question.type + "\" here",
                          "did you mean " + std::string(question.type.find("64") != std::string::npos ? "f64" : "f32") +
                              "? f32 and f64 are there");
    const std::vector<std::uint32_t> tiles = chosen_tiles(question, widest_tile(device));
    if (const Status good = check_tiles(device, tiles); !good) return good.errors();
    std::vector<std::uint32_t> results = question.results;
    if (results.empty()) results = {1, 2, 4, 8};
    for (const std::uint32_t each : results)
        if (each == 0 || each > kMaxTileResults)
            return tile_error("a thread makes 1 to " + std::to_string(kMaxTileResults) + " results here, not " +
                              std::to_string(each));

    TileTable table;
    table.device = device.name;
    table.n = question.n;
    table.m = question.m;
    table.k = question.k;
    table.type = question.type;
    table.element_bytes = question.type == "f64" ? sizeof(double) : sizeof(float);
    table.ridge = question.type == "f64" ? device.ridge_fp64() : device.ridge_fp32();
    table.full_shared_per_thread = models::full_shared_per_thread(device);
    table.missing = models::missing_for_time(device);
    for (const std::uint32_t each : results)
        for (const std::uint32_t tile : tiles) {
            TileShape shape{question.m, question.n, question.k, tile, each, table.element_bytes, 0};
            shape.registers = estimated_registers(each, table.element_bytes);
            table.rows.push_back(row_of(device, shape, question));
        }
    table.best = best_of(table.rows);
    return table;
}

Result<ProductShape> shape_of_product(const LaunchProfile& launch) {
    const auto no_product = [&](const std::string& why) {
        return tile_error("this kernel is no matrix product as far as its counts tell: " + why,
                          "--n, --m and --k say the shape without a profile");
    };
    if (launch.sampled) return no_product("only some of its blocks ran");
    const auto at = [&](Counter counter) { return static_cast<double>(launch.counters[counter]); };
    ProductShape shape;
    shape.n = std::uint64_t{launch.grid[0]} * launch.block[0];
    shape.m = std::uint64_t{launch.grid[1]} * launch.block[1];
    const double threads = static_cast<double>(shape.m) * static_cast<double>(shape.n);
    const double products = at(Counter::kFp32Fma) - static_cast<double>(launch.padded_flop.fp32) / 2;
    if (launch.grid[2] != 1 || launch.block[2] != 1 || shape.m < 2 || shape.n < 2)
        return no_product("its threads are not laid out in two dimensions");
    if (products <= 0 || at(Counter::kFp32Add) + at(Counter::kFp32Mul) > products)
        return no_product("it does not spend its operations on multiply-adds of floats");
    const double k = products / threads;
    if (k < 2 || k != std::floor(k))
        return no_product("its threads do not make one and the same number of multiply-adds each");
    shape.k = static_cast<std::uint64_t>(k);
    const double loaded = at(Counter::kGlobalLoadBytesRequested) / sizeof(float);
    shape.asked_times = loaded > 0 ? 2 * products / loaded : 0;
    if (shape.asked_times < 1) return no_product("it does not request two values or fewer for each multiply-add");
    return shape;
}

}  // namespace tilescope::explore

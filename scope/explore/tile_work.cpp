#include "scope/explore/tile_work.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "scope/machine/access.h"
#include "scope/models/occupancy.h"
#include "scope/observers/address_set.h"
#include "scope/observers/bank_rule.h"
#include "scope/observers/sector_rule.h"

namespace tilescope::explore {
namespace {

using observers::kSectorBytes;

constexpr std::uint32_t kWarp = 32, kVectorBytes = 16;

// What one instruction of a block costs, all its warps together.
struct BlockCost {
    double requests = 0, sectors = 0, lines = 0, passes = 0, wavefronts = 0;

    void add(const BlockCost& more, double times) {
        requests += times * more.requests;
        sectors += times * more.sectors;
        lines += times * more.lines;
        passes += times * more.passes;
        wavefronts += times * more.wavefronts;
    }
};

// byte(tx, ty) of each thread of a block, by the observers' rules.
BlockCost block_cost(std::uint32_t tile, std::uint32_t width, bool shared, bool stores, unsigned lookup_tenths,
                     const std::function<std::uint64_t(std::uint32_t, std::uint32_t)>& byte) {
    BlockCost cost;
    const std::uint32_t threads = tile * tile;
    for (std::uint32_t from = 0; from < threads; from += kWarp) {
        machine::Access access;
        std::array<std::int64_t, kWarp> deltas{};
        std::array<std::uint32_t, kWarp> offsets{};
        access.deltas = deltas.data();
        access.width = static_cast<std::uint8_t>(width);
        access.first = byte(from % tile, from / tile);
        for (std::uint32_t lane = 0; lane < kWarp && from + lane < threads; ++lane) {
            const std::uint64_t at = byte((from + lane) % tile, (from + lane) / tile);
            access.mask |= 1u << lane;
            deltas[lane] = static_cast<std::int64_t>(at - access.first);
            offsets[lane] = static_cast<std::uint32_t>(at);
        }
        cost.requests += 1;
        if (shared) {
            const auto use = stores ? observers::BankUse::kStore : observers::BankUse::kLoad;
            cost.wavefronts += observers::bank_cost(offsets.data(), access.mask, width, use).wavefronts;
            continue;
        }
        const unsigned lines = observers::touched_lines(access);
        cost.sectors += observers::touched_sectors(observers::AddressKeys(access));
        cost.lines += lines;
        if (!stores) cost.passes += observers::load_passes(access, lines, lookup_tenths);
    }
    return cost;
}

// Of all phases of a block in the middle.
struct ProductCost {
    BlockCost loads_m, loads_n, stores, shared_loads, shared_stores;
    double shared_load_instructions = 0;  // of a warp
};

// The widest load that a row of the tile in shared memory allows, all of whose steps are unrolled.
std::uint32_t vector_elements(const TileShape& shape) {
    return std::gcd(shape.tile, std::max(1u, kVectorBytes / shape.element_bytes));
}

ProductCost cost_of_product(const TileShape& shape, unsigned lookup_tenths) {
    const std::uint32_t tile = shape.tile, bytes = shape.element_bytes;
    const double phases = static_cast<double>(shape.phases());
    const auto global = [&](const auto& element, bool stores) {
        return block_cost(tile, bytes, false, stores, lookup_tenths,
                          [&](std::uint32_t tx, std::uint32_t ty) { return element(tx, ty) * bytes; });
    };
    ProductCost all;
    // How rows begin in sectors comes again after at most so many phases.
    const std::uint64_t period = std::min<std::uint64_t>(shape.phases(), kSectorBytes / bytes);
    const std::uint64_t row = shape.down() / 2 * tile * shape.results, column = shape.across() / 2 * tile;
    for (std::uint64_t phase = 0; phase < period; ++phase) {
        const double times = phases / static_cast<double>(period);
        for (std::uint32_t r = 0; r < shape.results; ++r)
            all.loads_m.add(
                global([&](std::uint64_t tx,
                           std::uint64_t ty) { return (row + r * tile + ty) * shape.k + phase * tile + tx; },
                       false),
                times);
        all.loads_n.add(
            global([&](std::uint64_t tx, std::uint64_t ty) { return (phase * tile + ty) * shape.n + column + tx; },
                   false),
            times);
    }
    for (std::uint32_t r = 0; r < shape.results; ++r)
        all.stores.add(
            global([&](std::uint64_t tx, std::uint64_t ty) { return (row + r * tile + ty) * shape.n + column + tx; },
                   true),
            1);
    const auto shared = [&](std::uint32_t width, bool stores, const auto& element) {
        return block_cost(tile, width, true, stores, 0,
                          [&](std::uint32_t tx, std::uint32_t ty) { return std::uint64_t{element(tx, ty)} * bytes; });
    };
    const auto own = [&](std::uint32_t tx, std::uint32_t ty) { return ty * tile + tx; };
    all.shared_stores.add(shared(bytes, true, own), phases * (shape.results + 1));
    const std::uint32_t vector = vector_elements(shape);
    const double steps = phases * tile;
    all.shared_loads.add(shared(bytes, false, [&](std::uint32_t tx, std::uint32_t) { return tx; }), steps);
    all.shared_loads.add(shared(bytes * vector, false, [&](std::uint32_t, std::uint32_t ty) { return ty * tile; }),
                         steps / vector * shape.results);
    all.shared_load_instructions = steps + steps / vector * shape.results;
    return all;
}

// Bytes that device memory is asked for: each matrix once, where the L2 keeps what blocks that run one after the other
// ask for again; else N once for every wave of blocks, which run row by row.
double dram_bytes(const models::Device& device, const TileShape& shape, double requested) {
    const double m_bytes = static_cast<double>(shape.m * shape.k) * shape.element_bytes;
    const double n_bytes = static_cast<double>(shape.k * shape.n) * shape.element_bytes;
    models::KernelResources kernel;
    kernel.threads_per_block = std::uint64_t{shape.tile} * shape.tile;
    kernel.registers_per_thread = shape.registers;
    kernel.static_shared_bytes = shape.shared_bytes();
    const double at_once =
        std::max(1.0, static_cast<double>(models::occupancy(device, kernel).blocks_per_sm) * device.sm_count);
    const double waves = std::ceil(static_cast<double>(shape.across() * shape.down()) / at_once);
    const bool keeps = n_bytes + m_bytes / waves <= static_cast<double>(device.l2_bytes);
    return std::min(m_bytes + n_bytes * (keeps ? 1 : waves), requested);
}

// Beside the multiply-adds, and what each phase asks for once for the block and once for each result of a thread: as
// nvcc 13.0's code of the kernel has it for 1 to 8 results (November 2026).
struct PhaseOverhead {
    double once, each;
};
constexpr PhaseOverhead kMoves{4.5, 1.4}, kIntegers{7, 1.9}, kOthers{5, 1};

}  // namespace

std::uint32_t estimated_registers(std::uint32_t results, std::uint32_t element_bytes) {
    constexpr std::uint32_t kBase = 28, kEach = 4, kWord = 4;
    return kBase + kEach * results * (element_bytes / kWord);
}

LaunchProfile estimated_launch(const models::Device& device, const TileShape& shape) {
    constexpr double kTenths = 10;
    const ProductCost cost =
        cost_of_product(shape, static_cast<unsigned>(std::lround(device.caches.l1.hit_lookup * kTenths)));
    const double blocks = static_cast<double>(shape.across() * shape.down());
    const double warps_of_block = std::ceil(static_cast<double>(shape.tile) * shape.tile / kWarp);
    const double warps = blocks * warps_of_block, phases = static_cast<double>(shape.phases());
    const double steps = phases * shape.tile, results = shape.results;

    LaunchProfile launch;
    launch.grid = {static_cast<std::uint32_t>(shape.across()), static_cast<std::uint32_t>(shape.down()), 1};
    launch.block = {shape.tile, shape.tile, 1};
    launch.registers_per_thread = shape.registers;
    launch.static_shared_bytes = shape.shared_bytes();
    launch.counters.modelled = true;
    const auto count = [&](Counter counter, double of_a_block) {
        launch.counters[counter] = static_cast<std::uint64_t>(std::llround(of_a_block * blocks));
    };
    const double load_sectors = cost.loads_m.sectors + cost.loads_n.sectors;
    // A tile narrower than a sector asks for the same sector of M again in its next phase, and L1 has it.
    const double narrow = std::min(1.0, static_cast<double>(shape.tile) * shape.element_bytes / kSectorBytes);
    const double hits = cost.loads_m.sectors * (1 - narrow);
    count(Counter::kGlobalLoadRequests, cost.loads_m.requests + cost.loads_n.requests);
    count(Counter::kGlobalLoadSectors, load_sectors);
    count(Counter::kGlobalLoadL1HitSectors, hits);
    count(Counter::kGlobalStoreRequests, cost.stores.requests);
    count(Counter::kGlobalStoreSectors, cost.stores.sectors);
    count(Counter::kSharedLoadRequests, cost.shared_load_instructions * warps_of_block);
    count(Counter::kSharedLoadWavefronts, cost.shared_loads.wavefronts);
    count(Counter::kSharedStoreRequests, phases * (results + 1) * warps_of_block);
    count(Counter::kSharedStoreWavefronts, cost.shared_stores.wavefronts);
    count(Counter::kBarriers, 2 * phases * warps_of_block);
    count(Counter::kL2ReadSectors, load_sectors - hits);
    count(Counter::kL2WriteSectors, cost.stores.sectors);
    const double asked = (load_sectors - hits) * blocks * kSectorBytes;
    launch.counters[Counter::kDramReadBytes] = static_cast<std::uint64_t>(dram_bytes(device, shape, asked));

    WarpWork& work = launch.work.emplace();
    const auto overhead = [&](const PhaseOverhead& each) { return (each.once + each.each * results) * phases; };
    const double accesses = cost.shared_load_instructions + 2 * (results + 1) * phases + results;
    const double products = steps * results;
    const bool is_double = shape.element_bytes == sizeof(double);
    const Pipe arithmetic = is_double ? Pipe::kFp64 : Pipe::kFp32;
    work[arithmetic] += warps * products;
    work[Pipe::kFp32] += warps * overhead(kMoves);
    work[Pipe::kInteger] = warps * overhead(kIntegers);
    work[Pipe::kMemory] = warps * accesses;
    work.instructions = warps * (products + overhead(kMoves) + overhead(kIntegers) + overhead(kOthers) + accesses);
    work[Wait::kGlobal] = warps * phases;
    work[Wait::kShared] = warps * phases;
    work.steps = warps * (steps + 2 * phases);
    work.load_passes = blocks * (cost.loads_m.passes + cost.loads_n.passes);
    work.load_lines = blocks * (cost.loads_m.lines + cost.loads_n.lines);
    work.store_lines = work.sent_lines = blocks * cost.stores.lines;
    return launch;
}

}  // namespace tilescope::explore

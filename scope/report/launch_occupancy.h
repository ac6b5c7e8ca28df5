// What stands behind a launch's occupancy, as a profile has it.
//
// Owns: OccupancyProfile and its parts. Guarantees: values only. Does not model: how many blocks fit
// (models/occupancy.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scope/report/enums.h"
#include "scope/report/figures.h"

namespace tilescope {

// Fewer (or more) of one resource: registers of a thread, threads, bytes of shared memory or barriers of a block, bytes
// of an SM's carve-out.
struct OccupancyChange {
    SmResource resource = SmResource::kThreads;
    std::int64_t change = 0;
    bool operator==(const OccupancyChange&) const = default;
};

// The smallest change that lets more warps stay on an SM, and what it yields. Several changes: only together.
struct OccupancyStep {
    std::vector<OccupancyChange> changes;
    std::uint32_t blocks_per_sm = 0;
    double fraction = 0;
    bool operator==(const OccupancyStep&) const = default;
};

// Blocks that each resource alone would admit; nothing where it does not bound them.
struct OccupancyLimits {
    std::optional<std::uint32_t> threads, blocks, registers, shared, barriers;
    bool operator==(const OccupancyLimits&) const = default;
};

// What plain division says: no allocation units, no sub-partitions, nothing kept by the driver.
struct OccupancyTextbook {
    std::uint32_t blocks_per_sm = 0;
    std::uint64_t threads_per_sm = 0;
    double fraction = 0;
    std::vector<SmResource> limiters;
    OccupancyLimits by;
    // Without whole blocks: the threads that the scarcest resource holds, and their share of the SM's.
    double division_threads = 0, division_fraction = 0;
    bool operator==(const OccupancyTextbook&) const = default;
};

// A rule of the hardware that plain division does not know.
enum class OccupancyRule : std::uint8_t {
    kWholeWarps,         // threads take whole warps
    kRegistersOfThread,  // a thread may have only so many
    kRegisterUnits,      // a warp's registers are rounded up
    kSubPartitions,      // each part of the SM holds whole warps
    kRegistersOfBlock,   // a block may have only so many
    kSharedOfBlock,      // likewise
    kSharedOfDriver,     // the driver keeps some in every block
    kSharedUnits,        // a block's bytes are rounded up
    kCarveout,           // the SM sets only so many bytes aside
    kBarriers,           // an SM has only so many
};
// What a rule goes by. A new one is a value here and a row below.
enum class OccupancyFigure : std::uint8_t { kAsked, kTaken, kUnit, kKept, kParts, kHeld, kLimit };

// A rule that leaves room for fewer blocks, with its figures.
struct OccupancyReason {
    OccupancyRule rule = OccupancyRule::kWholeWarps;
    FigureSet<OccupancyFigure> figures;
    bool operator==(const OccupancyReason&) const = default;
};

// How a launch's blocks come to the device: as many at once as fit, wave after wave.
struct OccupancyWaves {
    std::uint64_t blocks_at_once = 0;  // on all SMs together
    std::uint64_t full = 0;            // waves of so many
    std::uint64_t tail_blocks = 0;     // of a last wave that is not full; 0: there is none
    std::uint32_t idle_sms = 0;        // that have no block of the last wave
    double tail_fraction() const {
        return blocks_at_once == 0 ? 0 : static_cast<double>(tail_blocks) / static_cast<double>(blocks_at_once);
    }
    bool operator==(const OccupancyWaves&) const = default;
};

// What stands behind a launch's occupancy.
struct OccupancyProfile {
    OccupancyLimits by;
    std::uint64_t registers_per_block = 0;     // as allocated
    std::uint64_t shared_bytes_per_block = 0;  // as allocated, the driver's share included
    std::uint64_t shared_bytes_per_sm = 0;     // that this counts on
    std::uint32_t barriers = 1;                // named barriers that a block uses
    std::optional<unsigned> carveout_percent;  // share of the SM's shared memory that the program asked for
    OccupancyTextbook textbook;
    // Why the hardware holds fewer blocks than the textbook says: in words, once they are spoken, and the rules that
    // make it so. Empty: it does not.
    std::string difference;
    std::vector<OccupancyReason> reasons{};
    // Shared bytes per thread: the kernel's own, and those beyond which full occupancy is out of reach, by division and
    // as the hardware allocates for blocks of this size.
    double shared_bytes_per_thread = 0, full_bytes_per_thread = 0, full_bytes_per_thread_allocated = 0;
    std::vector<OccupancyStep> next;        // each alone is enough
    std::vector<OccupancyChange> headroom;  // how much more of each would lose no block
    std::optional<OccupancyWaves> waves;    // nothing without a grid
    std::uint64_t threads_per_sm = 0;       // of the blocks that an SM holds; their warps may have idle lanes beyond
    bool operator==(const OccupancyProfile&) const = default;
};

}  // namespace tilescope

namespace tilescope::report {

template <>
inline constexpr NameTable<OccupancyRule, 10> kNames<OccupancyRule> = {
    {{OccupancyRule::kWholeWarps, "whole-warps"},
     {OccupancyRule::kRegistersOfThread, "registers-of-thread"},
     {OccupancyRule::kRegisterUnits, "register-units"},
     {OccupancyRule::kSubPartitions, "sub-partitions"},
     {OccupancyRule::kRegistersOfBlock, "registers-of-block"},
     {OccupancyRule::kSharedOfBlock, "shared-of-block"},
     {OccupancyRule::kSharedOfDriver, "shared-of-driver"},
     {OccupancyRule::kSharedUnits, "shared-units"},
     {OccupancyRule::kCarveout, "carveout"},
     {OccupancyRule::kBarriers, "barriers"}}};

template <>
inline constexpr std::array<FigureRow<OccupancyFigure>, 7> kFigureRows<OccupancyFigure> = {{
    {OccupancyFigure::kAsked, "asked", "of the resource", "what a block, or a warp of it, asks for"},
    {OccupancyFigure::kTaken, "taken", "of the resource", "what it takes"},
    {OccupancyFigure::kUnit, "unit", "of the resource", "that is given out at once"},
    {OccupancyFigure::kKept, "kept", "bytes", "that the driver keeps in each block"},
    {OccupancyFigure::kParts, "parts", "sub-partitions", "of an SM"},
    {OccupancyFigure::kHeld, "held", "warps", "of a block, or in a sub-partition"},
    {OccupancyFigure::kLimit, "limit", "of the resource", "that a thread or a block may have, or the SM has"},
}};

}  // namespace tilescope::report

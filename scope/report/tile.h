// What tiles of a matrix product come to on a device, as plain data.
//
// Owns: TileTable and TileRow. Guarantees: values only. Does not model: how they are found (scope/explore/tile.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scope/report/work.h"

namespace tilescope {

// Why a kernel of that tile cannot be launched.
enum class TileRefusal : std::uint8_t { kNone, kShared, kRegisters, kNoBlock };

// The textbook's kernel: TILE by TILE threads, `results` elements of P a thread, one below the other's tile.
struct TileRow {
    std::uint32_t tile = 0, results = 1, threads = 0;
    std::uint64_t blocks = 0, phases = 0;
    std::uint64_t requested_elements = 0;  // of M and N, by all threads
    double intensity = 0;                  // FLOP that the product needs over bytes that threads ask for
    double padding = 0;                    // share of the multiply-adds that are none of the product's
    std::uint64_t shared_bytes = 0;        // of a block
    double shared_per_thread = 0;
    std::uint32_t registers = 0;  // estimated
    double textbook_occupancy = 0, occupancy = 0;
    std::uint32_t blocks_per_sm = 0;
    TileRefusal refusal = TileRefusal::kNone;
    std::optional<double> microseconds;  // estimated; of a kernel that was run: anchored at its modelled time
    TimeBound bound = TimeBound::kLaunch;
};

// A kernel that was run, whose shape the table is about.
struct TiledKernel {
    std::string name;
    double asked_times = 0;  // how many results each element that it asks for serves: its tile's side, 1 without one
    double intensity = 0, occupancy = 0;
    std::optional<double> microseconds;  // modelled
};

struct TileTable {
    std::string device;
    std::uint64_t m = 0, n = 0, k = 0;
    std::string type;
    std::uint32_t element_bytes = 4;
    double ridge = 0;                   // FLOP per byte; 0: not known
    double full_shared_per_thread = 0;  // bytes beyond which the SM cannot be full
    std::vector<TileRow> rows;
    std::optional<std::size_t> best;  // of the rows, by time; without times by intensity
    std::optional<TiledKernel> kernel;
    std::vector<std::string> missing;  // figures of the device without which there is no time
};

}  // namespace tilescope

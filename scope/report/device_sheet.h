// DeviceSheet: one device as a page shows it, with what launches would be on it: as plain data.
//
// Owns: OccupancyTable, LaunchStanding, FigureShare and DeviceSheet. Guarantees: values only; what is not known is
// absent. Does not model: anything; models/device_sheets.h fills them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scope/report/enums.h"
#include "scope/report/roofline_profile.h"
#include "scope/report/work.h"

namespace tilescope::report {

// Blocks that one amount of a resource admits, and all amounts below it down to the row before. Nothing: no bound.
struct OccupancyRow {
    std::uint64_t most = 0;
    std::vector<std::optional<std::uint32_t>> blocks;
    bool operator==(const OccupancyRow&) const = default;
};

// What each resource admits, one by one: the least of them is the blocks that an SM holds, and those that equal it
// limit them. Beyond the last row of a resource a block does not fit.
struct OccupancyTable {
    std::uint32_t warp_size = 0, max_warps_per_sm = 0, by_blocks = 0;
    std::optional<std::uint32_t> barriers;  // of an SM; nothing: no limit
    std::vector<std::uint32_t> threads;     // for blocks of 1, 2, ... warps
    std::vector<OccupancyRow> registers;    // by registers of a thread; blocks as `threads` has them
    std::vector<OccupancyRow> shared;       // by shared bytes of a block; blocks: one
    bool operator==(const OccupancyTable&) const = default;
};

// A launch on a device.
struct LaunchStanding {
    std::uint32_t launch = 0;  // its index in the profile
    std::uint32_t blocks_per_sm = 0, warps_per_sm = 0;
    double occupancy = 0;
    std::vector<SmResource> limiters;
    std::optional<double> microseconds;  // modelled; what follows only with it
    TimeBound bound = TimeBound::kLaunch, next_bound = TimeBound::kLaunch;
    double next_microseconds = 0;
    std::optional<RooflineProfile> roofline;
};

// How many of a device's figures rest on what.
struct FigureShare {
    std::string kind;   // "measured"
    std::string means;  // in words
    std::size_t figures = 0;
};

struct RoofLine {
    std::string name;  // a type of arithmetic, or a level of the memory
    std::string unit;
    double rate = 0;
};

struct DeviceSheet {
    std::string name, product, description, compute;  // compute: "9.0"
    std::uint32_t sms = 0, max_warps_per_sm = 0;
    double clock_ghz = 0;
    std::uint64_t dram_bytes = 0, l2_bytes = 0;
    std::vector<RoofLine> compute_roofs, memory_roofs;
    std::size_t occupancy_table = 0;          // its place among the tables
    std::vector<std::string> lacks_for_time;  // figures that its description does not have
    std::vector<FigureShare> figures;
    std::vector<LaunchStanding> launches;
};

struct DeviceSheets {
    bool knows_own = false;  // the first is the device that was modelled
    std::vector<DeviceSheet> devices;
    std::vector<OccupancyTable> tables;  // those of several devices are one
};

}  // namespace tilescope::report

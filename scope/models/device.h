// Device: one GPU as numbers, each with the document that says so.
//
// Owns: Device, Figure and the loader of device files (devices/NAME.json, embedded at build time, or a user's own
// file). Guarantees: a Device that loads has every figure that limits launches; every figure carries a source; sizes
// are bytes, rates are per second, clocks are kHz. Optional figures that nobody published are 0. Does not model:
// anything. Occupancy, roofline and time are functions over this.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scope/base/result.h"

namespace tilescope::models {

// One figure as the file gives it, for `tilescope devices NAME`. values holds one number, or several for a list.
struct Figure {
    std::string key;
    std::vector<double> values;
    std::string unit;
    std::string source;
};

// Published latencies, in cycles of the SM clock.
struct Latencies {
    std::uint32_t l1 = 0, shared = 0, l2_near = 0, l2_far = 0, dram = 0;
};

// Peak rates per second, dense, a fused multiply-add counted as two.
struct PeakRates {
    double fp64 = 0, fp32 = 0, fp16 = 0, bf16 = 0;
    double fp64_tensor = 0, tf32_tensor = 0, fp16_tensor = 0, bf16_tensor = 0, fp8_tensor = 0, int8_tensor = 0;
};

struct Device {
    std::string name;         // as users type it: "h200"
    std::string product;      // as the driver reports it: "NVIDIA H200"
    std::string description;  // one line

    std::uint32_t compute_major = 0, compute_minor = 0;
    std::uint32_t sm_count = 0;
    std::uint32_t clock_khz = 0;
    std::uint32_t memory_clock_khz = 0;
    std::uint32_t memory_bus_bits = 0;

    std::uint64_t dram_bytes = 0;
    double dram_bandwidth = 0;
    std::uint64_t l2_bytes = 0;
    double l2_bandwidth = 0;
    std::uint64_t l2_persisting_bytes = 0;
    std::uint64_t access_policy_window_bytes = 0;
    std::uint64_t l1_and_shared_bytes = 0;  // per SM, one array for both
    std::uint32_t l1_bytes_per_cycle = 0;   // per SM
    std::uint64_t constant_bytes = 0;

    std::uint64_t shared_bytes_per_sm = 0;
    std::uint64_t shared_bytes_per_block = 0;        // without asking
    std::uint64_t shared_bytes_per_block_optin = 0;  // with cudaFuncSetAttribute
    std::uint64_t shared_bytes_reserved = 0;         // per block, taken by the driver
    std::uint64_t shared_allocation_unit = 0;
    std::vector<std::uint64_t> shared_carveouts;  // rising

    std::uint32_t warp_size = 32;
    std::uint32_t max_threads_per_sm = 0;
    std::uint32_t max_threads_per_block = 0;
    std::uint32_t max_blocks_per_sm = 0;
    std::uint32_t max_barriers_per_sm = 0;  // 0: the hardware has no such limit
    std::uint32_t registers_per_sm = 0;
    std::uint32_t registers_per_block = 0;
    std::uint32_t max_registers_per_thread = 0;
    std::uint32_t register_allocation_unit = 0;  // registers, per warp
    std::uint32_t sub_partitions = 0;            // of an SM, each with its share of warps and registers
    std::array<std::uint32_t, 3> max_block{};
    std::array<std::uint32_t, 3> max_grid{};

    std::uint64_t max_pitch_bytes = 0;
    std::uint32_t texture_alignment = 0, texture_pitch_alignment = 0, surface_alignment = 0;
    std::uint32_t async_engines = 0;

    PeakRates peak;
    Latencies latency;

    std::vector<Figure> figures;  // every figure of the file, in the loader's order

    std::uint32_t max_warps_per_sm() const { return max_threads_per_sm / warp_size; }
    // FLOP per byte of DRAM at which fp32 arithmetic and DRAM bandwidth take equally long.
    double ridge_fp32() const { return dram_bandwidth > 0 ? peak.fp32 / dram_bandwidth : 0; }
    double ridge_fp64() const { return dram_bandwidth > 0 ? peak.fp64 / dram_bandwidth : 0; }
};

// A known name, or a path to a file of the same form (anything with a '/' or ending in ".json").
Result<Device> load_device(const std::string& name_or_path);
// Safe on any bytes; `file` is for messages.
Result<Device> parse_device(std::string_view json, const std::string& file);
// Known names, sorted.
std::vector<std::string> device_names();

}  // namespace tilescope::models

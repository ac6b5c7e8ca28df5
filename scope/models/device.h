// Device: one GPU as numbers, each with the document that says so.
//
// Owns: Device, Figure and the loading of devices by name or file (docs/reference/devices.md describes the files).
// Guarantees: a Device that loads has every figure that limits launches; every figure carries a source; sizes are
// bytes, rates are per second, clocks are kHz. Optional figures that nobody published are 0, and so is what is worked
// out from them. Does not model: anything. Occupancy, roofline and time are functions over this.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scope/base/result.h"
#include "scope/models/device_hierarchy.h"
#include "scope/models/device_time.h"

namespace tilescope::models {

// What a figure rests on.
enum class FigureKind : std::uint8_t {
    kMeasured,   // on this card
    kPublished,  // in a document, or a listing that somebody printed
    kFitted,     // chosen so that a model comes near to what was measured on this card
    kInferred,   // as on another card, where it is one of these
    kAssumed,    // nobody says it
    kStated,     // whoever wrote the file does not say
};

// A kind as files and tables have it.
struct FigureKindName {
    FigureKind kind;
    const char* name;
    const char* means;
};
// All of them, in the order of the enumeration.
std::span<const FigureKindName> figure_kind_names();
const char* name_of(FigureKind kind);
std::optional<FigureKind> figure_kind(std::string_view name);

// One figure as the file gives it, for `tilescope devices NAME`. values holds one number, or several for a list.
struct Figure {
    std::string key;
    std::vector<double> values;
    std::string unit;
    std::string source;
    FigureKind kind = FigureKind::kStated;
};

// Cycles of the SM clock from an instruction to the next one that needs its result.
struct Latencies {
    std::uint32_t arithmetic = 0;  // fp32: reading and writing registers is part of it
    std::uint32_t constant = 0, l1 = 0, shared = 0;
    std::uint32_t constant_miss = 0;  // what the nearest cache for constants misses and the next one has
    // An L2 in two parts is near and far as seen from an SM; of one in a single part l2_near alone is known.
    std::uint32_t l2_near = 0, l2_far = 0;
    std::uint32_t dram = 0;      // the page's address is known
    std::uint32_t dram_tlb = 0;  // it has to be looked up
};

// Peak rates per second, dense, a fused multiply-add counted as two; tensor cores add up in fp32 (int8: int32).
struct PeakRates {
    double fp64 = 0, fp32 = 0, fp16 = 0, bf16 = 0, int32 = 0;
    double fp64_tensor = 0, tf32_tensor = 0, fp16_tensor = 0, bf16_tensor = 0, fp8_tensor = 0, fp4_tensor = 0,
           int8_tensor = 0;
};

// Results per cycle and SM of instructions on single values, no tensor cores: a fused multiply-add is one.
struct CycleRates {
    std::uint32_t fp64 = 0, fp32 = 0, fp16 = 0, int32 = 0, special = 0;
};

// Picojoules per byte that a thread gets from each level.
struct Energies {
    double registers = 0, shared = 0, l1 = 0, l2 = 0, dram = 0;
};

struct Device {
    std::string name;         // as users type it: "h200"
    std::string product;      // as the driver reports it: "NVIDIA H200"
    std::string description;  // one line

    std::uint32_t compute_major = 0, compute_minor = 0;
    std::uint32_t sm_count = 0;
    std::uint32_t clock_khz = 0;  // boost: the highest that the driver names
    std::uint32_t base_clock_khz = 0;
    std::uint32_t memory_clock_khz = 0;
    std::uint32_t memory_bus_bits = 0;

    std::uint64_t dram_bytes = 0;
    double dram_bandwidth = 0;
    double dram_copy_bandwidth = 0;  // what a copy reaches, read and written bytes together
    std::uint64_t l2_bytes = 0;
    double l2_bandwidth = 0;
    double l2_intake = 0;  // bytes/s that it can take in, from SMs and from device memory together
    std::uint64_t l2_persisting_bytes = 0;
    std::uint64_t access_policy_window_bytes = 0;
    std::uint64_t l1_and_shared_bytes = 0;  // per SM, one array for both
    std::uint32_t l1_bytes_per_cycle = 0;   // per SM
    std::uint32_t shared_bytes_per_cycle = 0;
    std::uint32_t register_bytes_per_cycle = 0;  // operands read and results written
    std::uint64_t constant_bytes = 0;

    std::uint64_t shared_bytes_per_sm = 0;
    std::uint64_t shared_bytes_per_block = 0;        // without asking
    std::uint64_t shared_bytes_per_block_optin = 0;  // with cudaFuncSetAttribute
    std::uint64_t shared_bytes_reserved = 0;         // per block, taken by the driver
    std::uint64_t shared_allocation_unit = 0;
    std::uint64_t shared_base = 0;                // address of a block's first byte in its window of shared memory
    std::uint64_t shared_reserved_used = 0;       // bytes at the window's start that CUDA's own code uses
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
    // Between host and device, each way: what the link's lanes carry, and what copies of pinned memory reach of it.
    double host_link_bandwidth = 0, host_copy_bandwidth = 0;

    PeakRates peak;
    CycleRates per_cycle;  // and SM
    Latencies latency;
    Pace pace;
    TimeRules time;
    HostLinkRules host;
    PageRules pages;
    CacheLayout caches;
    Energies energy;

    std::vector<std::string> aliases;  // other names that users type
    std::vector<Figure> figures;       // every figure of the file and its bases, in the order of figure_specs()

    std::uint32_t max_warps_per_sm() const { return max_threads_per_sm / warp_size; }
    double cycles_per_second() const { return clock_khz * 1e3; }
    double cycles_per_microsecond() const { return clock_khz / 1e3; }
    double clock_ghz() const { return clock_khz / 1e6; }
    // Of all SMs at the boost clock, bytes a second.
    double register_bandwidth() const { return register_bytes_per_cycle * sm_count * cycles_per_second(); }
    double shared_bandwidth() const { return shared_bytes_per_cycle * sm_count * cycles_per_second(); }
    double l1_bandwidth() const { return l1_bytes_per_cycle * sm_count * cycles_per_second(); }
    // A hit in either part of the L2 is as likely as in the other.
    double l2_latency() const {
        return latency.l2_far == 0 ? latency.l2_near : (latency.l2_near + latency.l2_far) / 2.;
    }
    // FLOP per byte of DRAM at which fp32 arithmetic and DRAM bandwidth take equally long.
    double ridge_fp32() const { return dram_bandwidth > 0 ? peak.fp32 / dram_bandwidth : 0; }
    double ridge_of(double rate) const { return dram_bandwidth > 0 ? rate / dram_bandwidth : 0; }
    double ridge_fp64() const { return dram_bandwidth > 0 ? peak.fp64 / dram_bandwidth : 0; }
};

// A known name or alias, in any case and with or without its spaces, dashes and maker's name ("NVIDIA GeForce RTX 4090"
// is rtx4090); or a path to a file of the same form (anything with a '/' or ending in ".json").
Result<Device> load_device(const std::string& name_or_path);
// Safe on any bytes; `file` is for messages. A "base" is looked up among the known devices only.
Result<Device> parse_device(std::string_view json, const std::string& file);
// The file of a device as it loads again, without bases.
std::string device_file(const Device& device);
// Known names, sorted.
std::vector<std::string> device_names();

// What a figure is about, for grouping; in the order in which people read them.
enum class Theme : std::uint8_t { kCompute, kLimits, kMemory, kBandwidth, kLatency, kTime, kHost, kCaches, kEnergy };

// One figure that a device file may hold.
struct FigureSpec {
    const char* key;
    const char* unit;
    Theme theme;
    bool required;
    const char* description;
};
// All of them, by theme.
const std::vector<FigureSpec>& figure_specs();

}  // namespace tilescope::models

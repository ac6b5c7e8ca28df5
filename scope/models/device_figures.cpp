#include "scope/models/device_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tilescope::models {
namespace {

constexpr bool kRequired = true;
constexpr bool kOptional = false;

// Gathers the rows of one theme after the other; each function adds one row.
class Table {
public:
    std::vector<FigureRow> rows;
    Theme theme = Theme::kCompute;

    template <class T>
    void one(const char* key, const char* unit, T Device::*field, bool required, const char* description) {
        add(key, unit, required, 1, description,
            [field](Device& device, const FigureValues& v) { return put(device.*field, v[0]); });
    }
    // A member of one of Device's parts.
    template <class Part, class T>
    void part(const char* key, const char* unit, Part Device::*part, T Part::*field, const char* description,
              double max = std::numeric_limits<double>::infinity()) {
        add(
            key, unit, kOptional, 1, description,
            [part, field](Device& device, const FigureValues& v) { return put(device.*part.*field, v[0]); }, max);
    }
    void three(const char* key, const char* unit, std::array<std::uint32_t, 3> Device::*field,
               const char* description) {
        add(key, unit, kRequired, 3, description, [field](Device& device, const FigureValues& v) {
            for (std::size_t i = 0; i < 3; ++i)
                if (!put((device.*field)[i], v[i])) return false;
            return true;
        });
    }
    void add(const char* key, const char* unit, bool required, std::size_t count, const char* description,
             std::function<bool(Device&, const FigureValues&)> store,
             double max = std::numeric_limits<double>::infinity()) {
        rows.push_back({{key, unit, theme, required, description}, count, std::move(store), max});
    }
};

bool store_carveouts(Device& device, const FigureValues& values) {
    for (double value : values)
        if (!put(device.shared_carveouts.emplace_back(), value)) return false;
    return std::is_sorted(device.shared_carveouts.begin(), device.shared_carveouts.end());
}

void add_rates(Table& table) {
    auto peak = [&](const char* key, double PeakRates::*field, const char* description, const char* unit = "FLOP/s") {
        table.part(key, unit, &Device::peak, field, description);
    };
    auto rate = [&](const char* key, std::uint32_t CycleRates::*field, const char* description) {
        table.part(key, "/cycle", &Device::per_cycle, field, description);
    };
    rate("fp64_rate", &CycleRates::fp64, "fp64 multiply-adds of one SM");
    rate("fp32_rate", &CycleRates::fp32, "fp32 multiply-adds of one SM");
    rate("fp16_rate", &CycleRates::fp16, "fp16 multiply-adds of one SM, in pairs");
    rate("int32_rate", &CycleRates::int32, "32-bit integer additions of one SM");
    rate("special_rate", &CycleRates::special, "reciprocals, square roots, sines of one SM");
    peak("peak_fp64", &PeakRates::fp64, "peak fp64");
    peak("peak_fp32", &PeakRates::fp32, "peak fp32");
    peak("peak_fp16", &PeakRates::fp16, "peak fp16");
    peak("peak_bf16", &PeakRates::bf16, "peak bf16");
    peak("peak_int32", &PeakRates::int32, "peak 32-bit integers", "OP/s");
    peak("peak_fp64_tensor", &PeakRates::fp64_tensor, "peak fp64, tensor cores");
    peak("peak_tf32_tensor", &PeakRates::tf32_tensor, "peak tf32, tensor cores");
    peak("peak_fp16_tensor", &PeakRates::fp16_tensor, "peak fp16, tensor cores, sums in fp32");
    peak("peak_bf16_tensor", &PeakRates::bf16_tensor, "peak bf16, tensor cores, sums in fp32");
    peak("peak_fp8_tensor", &PeakRates::fp8_tensor, "peak fp8, tensor cores, sums in fp32");
    peak("peak_fp4_tensor", &PeakRates::fp4_tensor, "peak fp4, tensor cores, sums in fp32");
    peak("peak_int8_tensor", &PeakRates::int8_tensor, "peak 8-bit integers, tensor cores", "OP/s");
}

void add_compute(Table& t) {
    t.theme = Theme::kCompute;
    t.one("compute_major", "", &Device::compute_major, kRequired, "compute capability, before the point");
    t.one("compute_minor", "", &Device::compute_minor, kRequired, "compute capability, behind the point");
    t.one("sm_count", "SMs", &Device::sm_count, kRequired, "cores of the GPU");
    t.one("clock", "kHz", &Device::clock_khz, kRequired, "highest SM clock (boost)");
    t.one("base_clock", "kHz", &Device::base_clock_khz, kOptional, "SM clock that is always kept");
    t.one("sub_partitions", "", &Device::sub_partitions, kRequired, "parts of an SM, each issues one warp per cycle");
    t.one("async_engines", "engines", &Device::async_engines, kOptional, "copy engines");
    add_rates(t);
}

void add_limits(Table& t) {
    t.theme = Theme::kLimits;
    t.one("warp_size", "threads", &Device::warp_size, kRequired, "threads of a warp");
    t.one("max_threads_per_sm", "threads", &Device::max_threads_per_sm, kRequired, "threads on an SM at a time");
    t.one("max_threads_per_block", "threads", &Device::max_threads_per_block, kRequired, "threads of a block");
    t.one("max_blocks_per_sm", "blocks", &Device::max_blocks_per_sm, kRequired, "blocks on an SM at a time");
    t.one("max_barriers_per_sm", "barriers", &Device::max_barriers_per_sm, kOptional, "barriers of an SM's blocks");
    t.one("registers_per_sm", "registers", &Device::registers_per_sm, kRequired, "32-bit registers of an SM");
    t.one("registers_per_block", "registers", &Device::registers_per_block, kRequired,
          "registers that a block can have");
    t.one("max_registers_per_thread", "registers", &Device::max_registers_per_thread, kRequired,
          "registers that a thread can have");
    t.one("register_allocation_unit", "registers", &Device::register_allocation_unit, kRequired,
          "a warp gets a multiple of this");
    t.three("max_block", "threads", &Device::max_block, "block, by dimension");
    t.three("max_grid", "blocks", &Device::max_grid, "grid, by dimension");
    t.one("max_pitch", "bytes", &Device::max_pitch_bytes, kOptional, "pitch of a two-dimensional copy");
    t.one("texture_alignment", "bytes", &Device::texture_alignment, kOptional, "alignment of a texture");
    t.one("texture_pitch_alignment", "bytes", &Device::texture_pitch_alignment, kOptional, "alignment of its pitch");
    t.one("surface_alignment", "bytes", &Device::surface_alignment, kOptional, "alignment of a surface");
}

void add_memory(Table& t) {
    t.theme = Theme::kMemory;
    t.one("dram_size", "bytes", &Device::dram_bytes, kRequired, "DRAM");
    t.one("memory_clock", "kHz", &Device::memory_clock_khz, kOptional, "memory clock, two transfers a cycle");
    t.one("memory_bus", "bits", &Device::memory_bus_bits, kOptional, "width of the memory bus");
    t.one("l2_size", "bytes", &Device::l2_bytes, kOptional, "L2 cache");
    t.one("l2_persisting_max", "bytes", &Device::l2_persisting_bytes, kOptional, "L2 that can be set aside");
    t.one("access_policy_window_max", "bytes", &Device::access_policy_window_bytes, kOptional,
          "memory that one access policy covers");
    t.one("l1_and_shared", "bytes", &Device::l1_and_shared_bytes, kOptional, "L1 and shared memory of an SM together");
    t.one("shared_per_sm", "bytes", &Device::shared_bytes_per_sm, kRequired, "shared memory of an SM at most");
    t.one("shared_per_block", "bytes", &Device::shared_bytes_per_block, kRequired, "a block's without asking");
    t.one("shared_per_block_optin", "bytes", &Device::shared_bytes_per_block_optin, kRequired,
          "a block's that requests it");
    t.one("shared_reserved_per_block", "bytes", &Device::shared_bytes_reserved, kRequired,
          "taken by the driver from each block");
    t.one("shared_allocation_unit", "bytes", &Device::shared_allocation_unit, kRequired,
          "a block gets a multiple of this");
    t.one("shared_base", "bytes", &Device::shared_base, kOptional, "address of a block's first byte of shared memory");
    t.rows.back().is_rule = true;  // an address of 0 is a null pointer
    t.rows.back().min = kBankRow;
    t.rows.back().max = kMaxSharedBase;
    t.one("shared_reserved_used", "bytes", &Device::shared_reserved_used, kOptional,
          "reserved shared memory that CUDA's own code uses");
    t.rows.back().is_rule = true;
    t.rows.back().max = kMaxSharedBase;
    t.add("shared_carveouts", "bytes", kRequired, 0, "shared memory that an SM can be set to", store_carveouts);
    t.one("constant_size", "bytes", &Device::constant_bytes, kRequired, "constant memory of a module");
}

void add_speeds(Table& t) {
    t.theme = Theme::kBandwidth;
    t.one("register_width", "bytes/cycle", &Device::register_bytes_per_cycle, kOptional,
          "registers of an SM, operands and results");
    t.one("shared_width", "bytes/cycle", &Device::shared_bytes_per_cycle, kOptional, "shared memory of an SM");
    t.one("l1_width", "bytes/cycle", &Device::l1_bytes_per_cycle, kOptional, "L1 cache of an SM");
    t.one("l2_bandwidth", "bytes/s", &Device::l2_bandwidth, kOptional, "L2 cache, read");
    t.one("l2_intake", "bytes/s", &Device::l2_intake, kOptional, "what L2 takes in, from SMs and DRAM");
    t.one("dram_bandwidth", "bytes/s", &Device::dram_bandwidth, kOptional, "DRAM, peak");
    t.one("dram_copy_bandwidth", "bytes/s", &Device::dram_copy_bandwidth, kOptional, "DRAM, reached by a copy");
    t.one("host_link_bandwidth", "bytes/s", &Device::host_link_bandwidth, kOptional,
          "link between host and device, each way");
    t.one("host_copy_bandwidth", "bytes/s", &Device::host_copy_bandwidth, kOptional,
          "the same, reached by copies of pinned memory");
    t.theme = Theme::kLatency;
    auto latency = [&](const char* key, std::uint32_t Latencies::*field, const char* description) {
        t.part(key, "cycles", &Device::latency, field, description, kMaxCycles);
    };
    latency("latency_arithmetic", &Latencies::arithmetic, "fp32 multiply-add, registers included");
    t.rows.back().is_rule = true;  // a warp's chain of instructions has no other clock
    latency("latency_constant", &Latencies::constant, "constant memory, in the nearest cache");
    latency("latency_constant_miss", &Latencies::constant_miss, "constant memory, in the second constant cache");
    latency("latency_shared", &Latencies::shared, "shared memory");
    t.rows.back().is_rule = true;
    latency("latency_l1", &Latencies::l1, "L1 cache, hit");
    latency("latency_l2_near", &Latencies::l2_near, "L2 cache, hit in the near or only part");
    latency("latency_l2_far", &Latencies::l2_far, "L2 cache, hit in the far part");
    latency("latency_dram", &Latencies::dram, "DRAM, page known");
    latency("latency_dram_tlb", &Latencies::dram_tlb, "DRAM, page to be looked up");
    add_time_figures(t.rows);
    for (FigureRow& row : hierarchy_figure_rows()) t.rows.push_back(std::move(row));
    t.theme = Theme::kEnergy;
    auto energy = [&](const char* key, double Energies::*field, const char* description) {
        t.part(key, "pJ/byte", &Device::energy, field, description);
    };
    energy("energy_register", &Energies::registers, "registers");
    energy("energy_shared", &Energies::shared, "shared memory");
    energy("energy_l1", &Energies::l1, "L1 cache");
    energy("energy_l2", &Energies::l2, "L2 cache");
    energy("energy_dram", &Energies::dram, "DRAM");
}

constexpr FigureKindName kKindNames[] = {
    {FigureKind::kMeasured, "measured", "on this card, by the program that the source names"},
    {FigureKind::kPublished, "published", "in a document, or a listing that somebody printed"},
    {FigureKind::kFitted, "fitted", "so that a model comes near to what was measured on this card"},
    {FigureKind::kInferred, "inferred", "as on another card, which the source names"},
    {FigureKind::kAssumed, "assumed", "nobody says it"},
    {FigureKind::kStated, "stated", "by a file that does not say what it rests on"},
};

}  // namespace

std::span<const FigureKindName> figure_kind_names() { return kKindNames; }

const char* name_of(FigureKind kind) { return kKindNames[static_cast<std::size_t>(kind)].name; }

std::optional<FigureKind> figure_kind(std::string_view name) {
    for (const FigureKindName& known : kKindNames)
        if (name == known.name) return known.kind;
    return std::nullopt;
}

const std::vector<FigureRow>& figure_rows() {
    static const std::vector<FigureRow> kRows = [] {
        Table table;
        add_compute(table);
        add_limits(table);
        add_memory(table);
        add_speeds(table);
        return std::move(table.rows);
    }();
    return kRows;
}

const std::vector<FigureSpec>& figure_specs() {
    static const std::vector<FigureSpec> kSpecs = [] {
        std::vector<FigureSpec> specs;
        for (const FigureRow& row : figure_rows()) specs.push_back(row.spec);
        return specs;
    }();
    return kSpecs;
}

}  // namespace tilescope::models

#include "scope/models/roofline.h"

#include <algorithm>
#include <cmath>

#include "scope/models/roofline_verdict.h"
#include "scope/report/ratios.h"

namespace tilescope::models {
namespace {

using C = Counter;

// Share of the time below which a type does not give a mixture its name.
constexpr double kWorthNaming = 0.01;

struct TypeRow {
    const char* type;
    double PeakRates::*peak;
    unsigned value_bytes;
    const char* unit;
};
constexpr TypeRow kTypes[] = {
    {"fp64", &PeakRates::fp64, 8, "FLOP/s"},
    {"fp32", &PeakRates::fp32, 4, "FLOP/s"},
    {"fp16", &PeakRates::fp16, 2, "FLOP/s"},
    {"bf16", &PeakRates::bf16, 2, "FLOP/s"},
    {"fp64-tensor", &PeakRates::fp64_tensor, 8, "FLOP/s"},
    {"tf32", &PeakRates::tf32_tensor, 4, "FLOP/s"},
    {"fp16-tensor", &PeakRates::fp16_tensor, 2, "FLOP/s"},
    {"bf16-tensor", &PeakRates::bf16_tensor, 2, "FLOP/s"},
    {"fp8", &PeakRates::fp8_tensor, 1, "FLOP/s"},
    {"int8", &PeakRates::int8_tensor, 1, "OP/s"},
};

// How fast all of the work could be computed with operands at hand: types take turns, so their times add up.
struct Peak {
    std::string type;
    double rate = 0;
};
std::optional<Peak> peak_of(const Roofs& roofs, const RooflineWork& work) {
    double seconds = 0;
    std::vector<std::pair<double, std::string>> times;
    for (const TypedWork& part : work.types) {
        if (part.operations <= 0) continue;
        const ComputeRoof* roof = roofs.of_type(part.type);
        if (roof == nullptr) return {};
        times.emplace_back(part.operations / roof->peak, part.type);
        seconds += times.back().first;
    }
    if (seconds <= 0) return {};
    std::stable_sort(times.begin(), times.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    // A single type has its own rate to the last bit.
    Peak peak{{}, times.size() == 1 ? roofs.of_type(times.front().second)->peak : work.operations() / seconds};
    for (const auto& [time, type] : times)
        if (peak.type.empty() || time >= kWorthNaming * seconds) peak.type += (peak.type.empty() ? "" : "+") + type;
    return peak;
}

std::uint64_t sum(const CounterSet& counters, std::initializer_list<C> which) {
    std::uint64_t total = 0;
    for (C counter : which) total += counters[counter];
    return total;
}

void add_point(const Roofs& roofs, const LevelTraffic& traffic, double intensity, RooflineProfile& result) {
    const MemoryRoof* roof = roofs.of_level(slope_of(traffic.level));
    if (roof == nullptr) return;
    RooflinePoint point;
    point.level = traffic.level;
    point.bytes = traffic.bytes;
    point.intensity = intensity;
    point.bandwidth = roof->bandwidth;
    point.ridge = result.peak / roof->bandwidth;
    const double slope = intensity * roof->bandwidth;
    point.ceiling = std::min(slope, result.peak);
    point.bound = slope < result.peak ? std::string(report::name_of(roof->level)) : result.type;
    if (!is_modelled(traffic.level) && slope < result.attainable) {
        result.attainable = slope;
        result.bound = report::name_of(roof->level);
    }
    result.points.push_back(std::move(point));
}

// Blocks of n × n threads that ask for each byte n times: the shape of a tiled product, whose reuse grows with n.
std::optional<unsigned> square_tile(const LaunchProfile& launch) {
    constexpr double kSame = 0.02;
    const std::uint32_t width = launch.block[0];
    if (width < 2 || launch.block[1] != width || launch.block[2] != 1 || !launch.tiling) return {};
    if (std::abs(launch.tiling->potential() - width) > kSame * width) return {};
    return width;
}

}  // namespace

const ComputeRoof* Roofs::of_type(std::string_view type) const {
    const auto at = std::find_if(compute.begin(), compute.end(), [&](const ComputeRoof& r) { return r.type == type; });
    return at == compute.end() ? nullptr : &*at;
}
const MemoryRoof* Roofs::of_level(MemoryLevel level) const {
    const auto at = std::find_if(memory.begin(), memory.end(), [&](const MemoryRoof& r) { return r.level == level; });
    return at == memory.end() ? nullptr : &*at;
}

MemoryLevel slope_of(TrafficLevel level) {
    switch (level) {
        case TrafficLevel::kRequested: return MemoryLevel::kDram;
        case TrafficLevel::kL1: return MemoryLevel::kL1;
        case TrafficLevel::kL2: return MemoryLevel::kL2;
        case TrafficLevel::kDram: return MemoryLevel::kDram;
        case TrafficLevel::kShared: return MemoryLevel::kShared;
    }
    return MemoryLevel::kDram;
}

bool is_modelled(TrafficLevel level) { return level == TrafficLevel::kL2 || level == TrafficLevel::kDram; }

Roofs roofs_of(const Device& device) {
    Roofs roofs{device.name, {}, {}};
    for (const TypeRow& row : kTypes)
        if (device.peak.*row.peak > 0)
            roofs.compute.push_back({row.type, row.unit, device.peak.*row.peak, row.value_bytes});
    const MemoryRoof levels[] = {{MemoryLevel::kDram, device.dram_bandwidth},
                                 {MemoryLevel::kL2, device.l2_bandwidth},
                                 {MemoryLevel::kL1, device.l1_bandwidth()},
                                 {MemoryLevel::kShared, device.shared_bandwidth()}};
    for (const MemoryRoof& roof : levels)
        if (roof.bandwidth > 0) roofs.memory.push_back(roof);
    return roofs;
}

std::vector<std::string> roof_types() {
    std::vector<std::string> types;
    for (const TypeRow& row : kTypes) types.emplace_back(row.type);
    return types;
}

ComputeRoof roof_of_type(std::string_view type) {
    for (const TypeRow& row : kTypes)
        if (type == row.type) return {row.type, row.unit, 0, row.value_bytes};
    return {};
}

double RooflineWork::operations() const {
    double all = 0;
    for (const TypedWork& part : types) all += part.operations;
    return all;
}

RooflineWork roofline_work(const LaunchProfile& launch) {
    const CounterSet& c = launch.counters;
    RooflineWork work;
    work.counted = true;
    const PaddedFlop& padded = launch.padded_flop;
    const auto useful = [](const char* type, std::uint64_t all, std::uint64_t in_vain) {
        return TypedWork{type, static_cast<double>(all - std::min(all, in_vain))};
    };
    work.types = {useful("fp64", sum(c, {C::kFp64Add, C::kFp64Mul, C::kFp64Fma, C::kFp64Fma}), padded.fp64),
                  useful("fp32", sum(c, {C::kFp32Add, C::kFp32Mul, C::kFp32Fma, C::kFp32Fma}), padded.fp32),
                  useful("fp16", c[C::kFp16Operations], padded.fp16),
                  useful("fp16-tensor", c[C::kTensorFp16Operations], 0),
                  useful("bf16-tensor", c[C::kTensorBf16Operations], 0),
                  useful("tf32", c[C::kTensorTf32Operations], 0),
                  useful("fp64-tensor", c[C::kTensorFp64Operations], 0),
                  useful("fp8", c[C::kTensorFp8Operations], 0),
                  useful("int8", c[C::kTensorInt8Operations], 0)};
    work.padded = static_cast<double>(padded.all());
    constexpr std::uint64_t kSectorBytes = 32, kWavefrontBytes = 128;
    const std::uint64_t sectors = sum(c, {C::kGlobalLoadSectors, C::kGlobalStoreSectors, C::kGlobalAtomicSectors,
                                          C::kGlobalReductionSectors, C::kLocalLoadSectors, C::kLocalStoreSectors});
    const std::uint64_t wavefronts =
        sum(c, {C::kSharedLoadWavefronts, C::kSharedStoreWavefronts, C::kFactorLoadWavefronts, C::kSharedAtomicRequests,
                C::kSharedAtomicBankConflicts});
    const std::uint64_t requested = report::requested_bytes(c);
    work.traffic = {{TrafficLevel::kRequested, requested},
                    {TrafficLevel::kL1, kSectorBytes * sectors},
                    {TrafficLevel::kL2, report::l2_bytes(c).value_or(0)},
                    {TrafficLevel::kDram, report::dram_bytes(c).value_or(0)},
                    {TrafficLevel::kShared, kWavefrontBytes * wavefronts}};
    if (launch.tiling && launch.tiling->unique_bytes_per_block > 0) {
        const std::uint64_t asked = launch.tiling->requested_bytes, unique = launch.tiling->unique_bytes_per_block;
        if (unique <= asked && asked <= requested) {
            work.loaded_bytes = static_cast<double>(asked);
            work.loaded_once_bytes = static_cast<double>(unique);
            if (launch.tiling->unique_bytes)
                work.loaded_by_grid_bytes = static_cast<double>(*launch.tiling->unique_bytes);
        }
    }
    work.tile_width = square_tile(launch);
    work.time = launch.time;
    if (launch.time && launch.time->microseconds > 0 && work.operations() > 0) {
        work.achieved = work.operations() / (launch.time->microseconds * 1e-6);
        work.achieved_modelled = true;
    }
    return work;
}

unsigned tile_width_for(double factor) {
    constexpr unsigned kWidest = 1U << 20U;
    unsigned width = 1;
    while (width < kWidest && width < factor) width *= 2;
    return width;
}

std::vector<std::string> unknown_rates(const Roofs& roofs, const RooflineWork& work) {
    std::vector<std::string> unknown;
    for (const TypedWork& part : work.types)
        if (part.operations > 0 && roofs.of_type(part.type) == nullptr) unknown.push_back(part.type);
    const bool asks = work.intensity || std::any_of(work.traffic.begin(), work.traffic.end(), [](const auto& traffic) {
                          return traffic.level == TrafficLevel::kRequested && traffic.bytes != 0;
                      });
    if (asks && roofs.of_level(MemoryLevel::kDram) == nullptr)
        unknown.emplace_back(report::name_of(MemoryLevel::kDram));
    return unknown;
}

std::optional<RooflineProfile> roofline(const Roofs& roofs, const RooflineWork& work) {
    if (!unknown_rates(roofs, work).empty()) return {};
    const auto peak = peak_of(roofs, work);
    if (!peak) return {};
    RooflineProfile result;
    result.type = peak->type;
    result.peak = peak->rate;
    result.achieved = work.achieved;
    result.achieved_modelled = work.achieved && work.achieved_modelled;
    result.bound = peak->type;
    result.attainable = peak->rate;
    if (work.intensity) add_point(roofs, {TrafficLevel::kRequested, 0}, *work.intensity, result);
    for (const LevelTraffic& traffic : work.traffic)
        if (traffic.bytes != 0)
            add_point(roofs, traffic, work.operations() / static_cast<double>(traffic.bytes), result);
    if (const MemoryRoof* dram = roofs.of_level(MemoryLevel::kDram)) result.ridge = peak->rate / dram->bandwidth;
    result.of_peak = result.attainable / result.peak;
    result.facts = verdict(roofs, work, result);
    return result;
}

std::optional<RooflineProfile> roofline(const Device& device, const LaunchProfile& launch) {
    return roofline(roofs_of(device), roofline_work(launch));
}

}  // namespace tilescope::models

#include "scope/models/time/stations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "scope/models/bounds.h"

namespace tilescope::models {
namespace {

using C = Counter;

constexpr double kLineSectors = 4;  // geometry: sectors of 32 bytes in a line of 128
constexpr double kWarpLanes = 32;   // geometry: lanes of a warp

double at(const CounterSet& counters, C counter) { return static_cast<double>(counters[counter]); }

double clamped_share(double part, double whole) { return whole > 0 ? std::clamp(part / whole, 0.0, 1.0) : 0; }

// By loads of global memory, fetches of textures and reads of surfaces.
double loaded_sectors(const CounterSet& counters) {
    return at(counters, C::kGlobalLoadSectors) + at(counters, C::kTextureSectors) +
           at(counters, C::kSurfaceLoadSectors);
}

// What leaves L1 and what moves beyond it.
struct Traffic {
    double read_sectors = 0, write_sectors = 0, fabric_sectors = 0;
    double read_lines = 0, write_lines = 0;
    double write_in_part = 0;   // sectors
    double way_of_atomics = 0;  // sectors and lines, as stores'
    double dram_bytes = 0;      // as long as so many bytes take at peak bandwidth
};

Traffic traffic_of(const TimeRules& rules, const LaunchProfile& launch) {
    const CounterSet& c = launch.counters;
    const WarpWork& work = *launch.work;
    Traffic traffic;
    traffic.read_sectors = at(c, C::kL2ReadSectors);
    traffic.write_sectors = at(c, C::kL2WriteSectors);
    traffic.fabric_sectors = at(c, C::kL2FabricSectors);
    double read = at(c, C::kDramReadBytes), written = at(c, C::kDramWriteBytes);
    if (launch.replay) {
        read += launch.replay->row_read_bytes;
        written += launch.replay->row_write_bytes;
    }
    // Memory turns from reading to writing and back: a byte written takes longer than one read.
    traffic.dram_bytes = read / rules.dram_read_share + written / rules.dram_write_share;
    // What is spilled is written through L1 like any other store, also where it was not led through the caches' model
    // or is but an estimate.
    const bool spills = launch.spill_traffic && launch.spill_traffic->in_caches == SpillsInCaches::kNone;
    const double spilled = spills ? static_cast<double>(launch.spill_traffic->stores.sectors) : 0;
    traffic.write_sectors += spilled;
    const double load_sectors = loaded_sectors(c), load_lines = work.load_lines + work.texture_lines;
    traffic.read_lines =
        traffic.read_sectors * (load_sectors > 0 ? std::min(1.0, load_lines / load_sectors) : 1 / kLineSectors);
    // Of stores and atomics together, and before stores are joined.
    const double stored = at(c, C::kGlobalStoreSectors), updated = at(c, C::kGlobalAtomicSectors);
    const double reduced = at(c, C::kGlobalReductionSectors);
    const double lines = clamped_share(work.store_lines, stored + updated + reduced);
    if (work.sent_lines > 0) {
        traffic.write_lines = work.sent_lines + spilled / kLineSectors;
        traffic.write_in_part = std::min(traffic.write_sectors, work.sent_in_part);
    } else {
        const double joined = stored > 0 ? std::min(1.0, traffic.write_sectors / stored) : 1;
        traffic.write_lines =
            std::min(traffic.write_sectors, lines * stored * joined + at(c, C::kLocalStoreSectors) / kLineSectors);
    }
    traffic.way_of_atomics = (1 + lines) * (updated + rules.reduction_way * reduced);
    return traffic;
}

struct Busy {
    TimeBound bound;
    double cycles;
};

// Work of the tensor pipe is in cycles of an H200's sub-partition; others are as much slower or faster as their peak
// is.
double tensor_lanes(const Device& device) {
    constexpr double kPeakOfH200 = 2048;  // geometry: multiply-adds of f16 a cycle and SM
    const double cycles = double{1} * device.sm_count * device.cycles_per_second();
    if (cycles <= 0 || device.peak.fp16_tensor <= 0) return 0;
    const double peak = device.peak.fp16_tensor / 2 / cycles;
    return kWarpLanes * std::max(1u, device.sub_partitions) * peak / kPeakOfH200;
}

// Lanes of a pipe, on an SM. The memory pipe's slots are counted apart.
double lanes_of(const Device& device, Pipe pipe) {
    switch (pipe) {
        case Pipe::kFp32: return device.per_cycle.fp32;
        case Pipe::kInteger: return device.per_cycle.int32;
        case Pipe::kFp64: return device.per_cycle.fp64;
        case Pipe::kSpecial: return device.per_cycle.special;
        case Pipe::kTensor: return tensor_lanes(device);
        case Pipe::kMemory:
        case Pipe::kTexture: break;
    }
    return 0;
}

// Of `work` divided by `warps`, cycles of each pipe.
std::array<Busy, kPipes> pipes_alone(const Device& device, const WarpWork& work, double warps) {
    std::array<Busy, kPipes> pipes;
    for (std::size_t i = 0; i < kPipes; ++i) {
        const double lanes = lanes_of(device, kPipeRows[i].pipe);
        const double cycles =
            lanes > 0 ? work.pipes[i] / warps * kWarpLanes * std::max(1u, device.sub_partitions) / lanes : 0;
        pipes[i] = {kPipeRows[i].bound, cycles};
    }
    return pipes;
}

// The same with the slots of the scheduler, behind so many instructions more.
std::array<Busy, kPipes> pipes_of(const Device& device, const WarpWork& work, double warps, double more) {
    std::array<Busy, kPipes> pipes = pipes_alone(device, work, warps);
    // Every instruction is issued, and the scheduler does so as fast as the multiply-add pipe takes them.
    Busy& fp32 = pipes[static_cast<std::size_t>(Pipe::kFp32)];
    const double issue = work.instructions / warps + more;
    if (fp32.cycles <= issue) fp32 = {TimeBound::kIssue, issue};
    return pipes;
}

// An instruction that keeps a pipe for longer than a cycle keeps others from it meanwhile, so that pipes which are all
// busy for part of the time add up to more than the busiest of them.
double together(const std::array<Busy, kPipes>& pipes, double norm, double memory = 0) {
    double sum = std::pow(memory, norm);
    for (const Busy& pipe : pipes) sum += std::pow(pipe.cycles, norm);
    return std::pow(sum, 1 / norm);
}

// Slots of a scheduler and its pipes.
Station scheduler(const Device& device, const WarpWork& work, double warps) {
    const std::array<Busy, kPipes> pipes = pipes_of(device, work, warps, device.time.warp_instructions);
    Station station{pipes[0].bound, StationPer::kScheduler, together(pipes, device.time.pipe_norm)};
    double busiest = 0;
    for (const Busy& pipe : pipes) {
        if (pipe.cycles <= busiest) continue;
        busiest = pipe.cycles;
        station.bound = pipe.bound;
    }
    // Mostly multiply-adds: then it is their pipe that is full, rather than the slots for others.
    constexpr double kMostly = 0.8;  // numeric: which of two names for it is said, presentation
    const double fp32 =
        work[Pipe::kFp32] / warps * kWarpLanes * std::max(1u, device.sub_partitions) / device.per_cycle.fp32;
    if (station.bound == TimeBound::kIssue && fp32 > kMostly * pipes[0].cycles) station.bound = TimeBound::kFp32;
    return station;
}

double first_level_passes(const LaunchProfile& launch) {
    const CounterSet& c = launch.counters;
    const double shared = at(c, C::kSharedLoadWavefronts) + at(c, C::kSharedStoreWavefronts) +
                          at(c, C::kFactorLoadWavefronts) + at(c, C::kSharedAtomicRequests) +
                          at(c, C::kSharedAtomicBankConflicts);
    const double stored =
        at(c, C::kGlobalStoreSectors) + at(c, C::kGlobalReductionSectors) + at(c, C::kGlobalAtomicSectors);
    const double stores = std::max(at(c, C::kGlobalStoreRequests), stored / kLineSectors);
    double local = (at(c, C::kLocalLoadSectors) + at(c, C::kLocalStoreSectors)) / kLineSectors;
    if (launch.spill_traffic && !launch.spill_traffic->counted)  // not among the counts
        local += static_cast<double>(launch.spill_traffic->loads.sectors + launch.spill_traffic->stores.sectors) /
                 kLineSectors;
    return shared + launch.work->load_passes + stores + local;
}

// Cycles for which a request whose lines are each missing with the given chance waits for the slowest of them.
double slowest(const Device& device, const MemoryWaits& waits, double misses, double lines) {
    const double l2 =
        device.latency.l2_far == 0
            ? device.latency.l2_near
            : device.latency.l2_near + (double{1} * device.latency.l2_far - device.latency.l2_near) * waits.from_far;
    const double any = 1 - std::pow(1 - misses, lines);
    const double any_dram = 1 - std::pow(1 - misses * waits.from_device_memory, lines);
    const double l1 = device.latency.l1, dram = device.latency.dram + device.pace.dram_warp;
    return l1 + (any - any_dram) * (l2 - l1) + any_dram * (dram - l1);
}

}  // namespace

double warps_of(const LaunchProfile& launch) {
    const double blocks = static_cast<double>(launch.grid[0]) * launch.grid[1] * launch.grid[2];
    const double threads = static_cast<double>(launch.block[0]) * launch.block[1] * launch.block[2];
    return blocks * std::ceil(threads / kWarpLanes);
}

std::vector<std::string> missing_for_time(const Device& device) {
    const struct {
        const char* key;
        double value;
    } needed[] = {{"latency_l1", double{1} * device.latency.l1},
                  {"latency_l2_near", double{1} * device.latency.l2_near},
                  {"latency_dram", double{1} * device.latency.dram},
                  {"l2_bandwidth", device.l2_bandwidth},
                  {"dram_bandwidth", device.dram_bandwidth},
                  {"fp32_rate", double{1} * device.per_cycle.fp32},
                  {"int32_rate", double{1} * device.per_cycle.int32},
                  {"special_rate", double{1} * device.per_cycle.special},
                  {"launch_overhead", device.pace.launch}};
    std::vector<std::string> missing;
    for (const auto& figure : needed)
        if (figure.value <= 0) missing.emplace_back(figure.key);
    return missing;
}

bool lacks_textures(const Device& device, const LaunchProfile& launch) {
    const bool asks = launch.work && (*launch.work)[Pipe::kTexture] > 0;
    return asks && (device.caches.texture.latency == 0 || device.caches.texture.interval <= 0);
}

double scheduler_slots(const Device& device, const WarpWork& work) {
    const TimeRules& rules = device.time;
    const double access = rules.access_interval * rules.slot_share;  // whether other schedulers have one or not
    return together(pipes_of(device, work, 1, 0), rules.pipe_norm, work[Pipe::kMemory] * access) / rules.slot_share;
}

double chain_cycles(const Device& device, const WarpWork& work) {
    const double constant = device.latency.constant != 0 ? device.latency.constant : device.latency.l1;
    return work[Wait::kShared] * device.latency.shared + work[Wait::kConstant] * constant +
           work.steps * device.latency.arithmetic;
}

MemoryWaits memory_waits(const Device& device, const LaunchProfile& launch) {
    const CounterSet& c = launch.counters;
    const WarpWork& work = *launch.work;
    const double read = at(c, C::kL2ReadSectors), local = at(c, C::kLocalLoadSectors);
    MemoryWaits waits;
    const double loaded = loaded_sectors(c);
    const double hits =
        at(c, C::kGlobalLoadL1HitSectors) + at(c, C::kTextureHitSectors) + at(c, C::kSurfaceLoadHitSectors);
    waits.first_level_misses = loaded > 0 ? 1 - clamped_share(hits, loaded) : 1;
    waits.from_device_memory = clamped_share(at(c, C::kDramReadBytes) / kSectorBytes, read);
    waits.from_far = clamped_share(at(c, C::kL2FabricSectors), read + at(c, C::kL2WriteSectors));
    if (work[Wait::kGlobal] > 0)
        waits.lines_of_a_wait = std::max(1.0, (work.load_lines + work.texture_lines) / work[Wait::kGlobal]);
    waits.global = slowest(device, waits, waits.first_level_misses, waits.lines_of_a_wait);
    const double local_misses = local > 0 ? 1 - clamped_share(at(c, C::kLocalLoadL1HitSectors), local) : 0;
    waits.local = slowest(device, waits, local_misses, 1);
    return waits;
}

Demands demands_of(const Device& device, const LaunchProfile& launch) {
    const CounterSet& c = launch.counters;
    const WarpWork& work = *launch.work;
    const double warps = warps_of(launch);
    const Traffic traffic = traffic_of(device.time, launch);
    const double bytes_per_cycle = 1 / device.cycles_per_second();
    Demands demands;
    const auto add = [&](TimeBound bound, StationPer per, double cycles, double at_peak) {
        if (cycles > 0) demands.stations.push_back({bound, per, cycles / warps, at_peak / warps});
    };
    const auto add_whole = [&](TimeBound bound, StationPer per, double cycles) { add(bound, per, cycles, cycles); };
    demands.stations.push_back(scheduler(device, work, warps));
    const double passes = first_level_passes(launch);
    add(TimeBound::kL1, StationPer::kSm, passes / device.time.l1_share, passes);
    add_whole(TimeBound::kTexture, StationPer::kSm, work.texture_passes * device.caches.texture.interval);
    add_whole(TimeBound::kConstant, StationPer::kSm, at(c, C::kConstantPasses) * device.pace.constant_interval);
    add_whole(TimeBound::kWrites, StationPer::kSm,
              (traffic.write_lines + traffic.way_of_atomics + traffic.read_lines * device.time.read_request) *
                      device.pace.request_interval +
                  (traffic.write_sectors - traffic.write_in_part) * device.pace.sector_interval +
                  traffic.write_in_part * device.pace.part_interval);
    const double l2_bytes = (traffic.read_sectors + traffic.write_sectors) * kSectorBytes;
    const double lines = traffic.read_lines + traffic.write_lines;
    // What is looked up in the far part as well.
    const double again = lines * clamped_share(traffic.fabric_sectors, traffic.read_sectors + traffic.write_sectors);
    const double looked_up = (lines + again) * device.pace.lookup_bytes;
    // What comes from device memory, and what SMs write.
    const double taken_in =
        device.l2_intake > 0 ? (at(c, C::kDramReadBytes) + traffic.write_sectors * kSectorBytes) / device.l2_intake : 0;
    add_whole(TimeBound::kL2, StationPer::kDevice,
              std::max(std::max(l2_bytes, looked_up) / device.l2_bandwidth, taken_in) / bytes_per_cycle);
    add(TimeBound::kL2, StationPer::kDevice, work.hottest_stores * device.pace.store_interval, 0);
    const double dram_bytes_per_cycle = device.dram_bandwidth * bytes_per_cycle;
    add(TimeBound::kDram, StationPer::kDevice, traffic.dram_bytes / dram_bytes_per_cycle,
        (at(c, C::kDramReadBytes) + at(c, C::kDramWriteBytes)) / dram_bytes_per_cycle);
    const double float_waits = std::max(0.0, device.pace.atomic_float - device.pace.atomic_interval);
    add_whole(TimeBound::kAtomics, StationPer::kDevice,
              work.hottest_updates * device.pace.atomic_interval + work.hottest_waits * float_waits);
    const double blocks = static_cast<double>(launch.grid[0]) * launch.grid[1] * launch.grid[2];
    add(TimeBound::kLaunch, StationPer::kDevice, blocks * device.pace.block_interval, 0);

    const MemoryWaits waits = memory_waits(device, launch);
    demands.waiting = device.pace.block + (work[Wait::kGlobal] * waits.global + work[Wait::kLocal] * waits.local +
                                           chain_cycles(device, work) +
                                           work[Wait::kAtomic] * (device.l2_latency() + device.time.atomic_result) +
                                           at(c, C::kBarriers) * device.time.barrier) /
                                              warps;
    return demands;
}

std::vector<Station> units_of(const Device& device, const LaunchProfile& launch) {
    std::vector<Station> units;
    for (const Station& station : demands_of(device, launch).stations)
        if (station.at_peak > 0) units.push_back({station.bound, station.per, station.at_peak, station.at_peak});
    const double warps = warps_of(launch), issued = launch.work->instructions / warps;
    units.push_back({TimeBound::kIssue, StationPer::kScheduler, issued, issued});
    for (const Busy& pipe : pipes_alone(device, *launch.work, warps))
        if (pipe.cycles > 0) units.push_back({pipe.bound, StationPer::kScheduler, pipe.cycles, pipe.cycles});
    return units;
}

double turns_of(const LaunchProfile& launch) {
    const WarpWork& work = *launch.work;
    return std::max(1.0, (work[Wait::kGlobal] + work[Wait::kLocal] + work[Wait::kAtomic]) / warps_of(launch));
}

double barriers_of(const LaunchProfile& launch) { return at(launch.counters, C::kBarriers) / warps_of(launch); }

double launch_cycles(const Device& device) { return device.pace.launch; }

}  // namespace tilescope::models

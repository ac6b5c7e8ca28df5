#include "scope/observers/hierarchy/results.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "scope/observers/reuse_results.h"

namespace tilescope::observers {
namespace {

constexpr std::array<Counter, kFirstMisses> kFirst = {Counter::kL1MissFirstTouch,  Counter::kL1MissCapacity,
                                                      Counter::kL1MissPartWritten, Counter::kL1MissFence,
                                                      Counter::kL1MissAtomic,      Counter::kL1MissBypass};
constexpr std::array<Counter, kSecondMisses> kSecond = {Counter::kL2MissFirstTouch, Counter::kL2MissCapacity,
                                                        Counter::kL2MissOtherPart, Counter::kL2MissOutdated,
                                                        Counter::kL2MissPartWritten};

CachedBuffer described(const LaunchContext& context, const BufferMap& map, std::uint32_t number) {
    CachedBuffer buffer;
    if (number >= map.local()) {
        buffer.kind = number == map.local() ? BufferKind::kLocal : BufferKind::kHeap;
        return buffer;
    }
    const machine::Allocation& allocation = map.buffers()[number].allocation;
    buffer.bytes = allocation.size;
    buffer.parameter = parameter_into(context, allocation);
    if (context.name_of) buffer.name = context.name_of(allocation.base);
    return buffer;
}

}  // namespace

void add(const CacheTraffic& traffic, CounterSet& counters) {
    counters[Counter::kGlobalLoadL1HitSectors] += traffic.global_hits;
    counters[Counter::kLocalLoadL1HitSectors] += traffic.local_hits;
    counters[Counter::kTextureHitSectors] += traffic.texture_hits;
    counters[Counter::kSurfaceLoadHitSectors] += traffic.surface_hits;
    counters[Counter::kL2ReadSectors] += traffic.l2_reads;
    counters[Counter::kL2ReadHitSectors] += traffic.l2_read_hits;
    counters[Counter::kL2WriteSectors] += traffic.l2_writes;
    counters[Counter::kL2FabricSectors] += traffic.over_fabric;
    counters[Counter::kDramReadBytes] += traffic.fetched;
    counters[Counter::kL1MergedSectors] += traffic.merged;
    counters[Counter::kL1UnaskedBytes] += traffic.untouched;
    counters[Counter::kConstantL1Hits] += traffic.constant_hits;
    counters[Counter::kConstantL1Misses] += traffic.constant_misses;
    counters[Counter::kConstantSecondHits] += traffic.second_constant_hits;
    counters[Counter::kConstantSecondMisses] += traffic.constant_misses - traffic.second_constant_hits;
    counters[Counter::kConstantL2Sectors] += traffic.constant_sectors;
    for (std::size_t why = 0; why < kFirstMisses; ++why) counters[kFirst[why]] += traffic.first_misses[why];
    for (std::size_t why = 0; why < kSecondMisses; ++why) counters[kSecond[why]] += traffic.second_misses[why];
}

void store_buffers(const LaunchContext& context, const BufferMap& map, const ReplayAnswer& answer,
                   LaunchProfile& launch) {
    std::vector<CacheTraffic> by_buffer(map.count());
    for (const BufferTraffic& one : answer.traffic) by_buffer[one.buffer] += one.traffic;
    const std::vector<MemoryTraffic>& memory = answer.by_buffer;
    for (std::uint32_t i = 0; i < map.count(); ++i) {
        CachedBuffer buffer = described(context, map, i);
        const CacheTraffic& traffic = by_buffer[i];
        const bool is_local = i == map.local();
        add(traffic, buffer.counters);
        buffer.counters.modelled = true;
        buffer.counters[is_local ? Counter::kLocalLoadSectors : Counter::kGlobalLoadSectors] = traffic.loads;
        const bool is_array = i < map.local() && map.buffers()[i].allocation.kind == machine::AllocationKind::kArray;
        buffer.counters[is_local   ? Counter::kLocalStoreSectors
                        : is_array ? Counter::kSurfaceStoreSectors
                                   : Counter::kGlobalStoreSectors] = traffic.l2_writes;
        buffer.counters[Counter::kTextureSectors] = traffic.texture_sectors;
        buffer.counters[Counter::kSurfaceLoadSectors] = traffic.surface_sectors;
        buffer.counters[Counter::kDramReadBytes] = memory[i].fetched;
        buffer.counters[Counter::kDramWriteBytes] = memory[i].written;
        buffer.counters[Counter::kDramUnaskedBytes] = memory[i].unasked;
        buffer.atomic_sectors = traffic.updates;
        if (!buffer.counters.empty() || buffer.atomic_sectors != 0) launch.cached_buffers.push_back(std::move(buffer));
    }
    // Their numbers are by age already.
    const auto rank = [](const CachedBuffer& buffer) {
        return std::pair(buffer.kind, buffer.parameter.value_or(std::numeric_limits<std::uint32_t>::max()));
    };
    std::stable_sort(launch.cached_buffers.begin(), launch.cached_buffers.end(),
                     [&](const CachedBuffer& a, const CachedBuffer& b) { return rank(a) < rank(b); });
}

ReplayClock clock_of(const ReplayAnswer& answer) {
    const GpcClock& clock = answer.clock;
    ReplayClock result;
    result.cycles = static_cast<double>(answer.cycles);
    result.busy_cycles = static_cast<double>(clock.ends) / static_cast<double>(std::max<std::uint64_t>(1, clock.sms));
    result.warp_cycles = static_cast<double>(clock.warps);
    result.longest_warp = static_cast<double>(clock.longest_warp);
    result.resident_cycles = static_cast<double>(clock.resident);
    result.active_cycles = static_cast<double>(clock.spread.active);
    result.active_spells = clock.spread.spells;
    result.least_active_cycles = static_cast<double>(clock.spread.least_active);
    result.most_active_cycles = static_cast<double>(clock.spread.most_active);
    result.least_blocks = clock.spread.least_blocks;
    result.most_blocks = clock.spread.most_blocks;
    result.sms = clock.spread.sms;
    result.busy_sms = clock.sms;
    result.slots = static_cast<double>(clock.slots);
    result.arithmetic = static_cast<double>(clock.arithmetic);
    result.pipe = static_cast<double>(clock.pipe);
    result.memory = static_cast<double>(clock.memory);
    result.local_memory = static_cast<double>(clock.local);
    result.barriers = static_cast<double>(clock.barriers);
    result.row_read_bytes = static_cast<double>(answer.opened.read);
    result.row_write_bytes = static_cast<double>(answer.opened.written);
    return result;
}

}  // namespace tilescope::observers

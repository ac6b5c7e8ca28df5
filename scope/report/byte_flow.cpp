#include "scope/report/byte_flow.h"

#include <algorithm>
#include <limits>

namespace tilescope::report {
namespace {

using C = Counter;

constexpr std::uint64_t kSector = 32, kWavefront = 128;

// Profiles may hold any numbers.
std::uint64_t times(std::uint64_t count, std::uint64_t bytes) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    return count > kMost / bytes ? kMost : count * bytes;
}
std::uint64_t beyond(std::uint64_t all, std::uint64_t part) { return all > part ? all - part : 0; }
std::uint64_t sum(std::uint64_t one, std::uint64_t other) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    return one > kMost - other ? kMost : one + other;
}

struct MissRow {
    std::string_view level, why;
    Counter sectors;
};
constexpr MissRow kMisses[] = {
    {"l1", "first touch", C::kL1MissFirstTouch},
    {"l1", "capacity", C::kL1MissCapacity},
    {"l1", "part written", C::kL1MissPartWritten},
    {"l1", "fence", C::kL1MissFence},
    {"l1", "atomic", C::kL1MissAtomic},
    {"l1", "bypass", C::kL1MissBypass},
    {"l1", "merged", C::kL1MergedSectors},
    {"l2", "first touch", C::kL2MissFirstTouch},
    {"l2", "capacity", C::kL2MissCapacity},
    {"l2", "other part", C::kL2MissOtherPart},
    {"l2", "outdated", C::kL2MissOutdated},
    {"l2", "part written", C::kL2MissPartWritten},
};

void add_counted(const CounterSet& c, std::vector<FlowLink>& links) {
    links.push_back({"l1", "threads", "load", times(c[C::kGlobalLoadSectors], kSector),
                     times(beyond(c[C::kGlobalLoadSectors], c[C::kGlobalLoadIdealSectors]), kSector),
                     c[C::kGlobalLoadBytesRequested]});
    links.push_back({"threads", "l1", "store", times(c[C::kGlobalStoreSectors], kSector),
                     times(beyond(c[C::kGlobalStoreSectors], c[C::kGlobalStoreIdealSectors]), kSector),
                     c[C::kGlobalStoreBytesRequested]});
    links.push_back(
        {"threads", "l1", "atomic", times(sum(c[C::kGlobalAtomicSectors], c[C::kGlobalReductionSectors]), kSector), 0});
    links.push_back(
        {"local", "threads", "load", times(c[C::kLocalLoadSectors], kSector), 0, c[C::kLocalLoadBytesRequested]});
    links.push_back(
        {"threads", "local", "store", times(c[C::kLocalStoreSectors], kSector), 0, c[C::kLocalStoreBytesRequested]});
    links.push_back({"shared", "threads", "load", times(c[C::kSharedLoadWavefronts], kWavefront),
                     times(c[C::kSharedLoadBankConflicts], kWavefront), c[C::kSharedLoadBytesRequested]});
    links.push_back({"threads", "shared", "store", times(c[C::kSharedStoreWavefronts], kWavefront),
                     times(c[C::kSharedStoreBankConflicts], kWavefront), c[C::kSharedStoreBytesRequested]});
}

// Of what L2 hands to L1, what nobody asked for at all, at the least: a request that L1 answers later may want what an
// earlier one had left aside, 32 bytes a sector and no more. SMs that share a read share what is left of it.
std::uint64_t unasked_of(const CounterSet& c, std::uint64_t moved) {
    constexpr Counter kMissed[] = {C::kL1MissFirstTouch, C::kL1MissCapacity, C::kL1MissPartWritten,
                                   C::kL1MissFence,      C::kL1MissAtomic,   C::kL1MissBypass};
    constexpr Counter kHits[] = {C::kGlobalLoadL1HitSectors, C::kLocalLoadL1HitSectors, C::kTextureHitSectors,
                                 C::kSurfaceLoadHitSectors};
    double missed = 0, redeemed = 0;
    for (const Counter counter : kMissed) missed += static_cast<double>(c[counter]) * kSector;
    for (const Counter counter : kHits) redeemed += static_cast<double>(c[counter]) * kSector;
    const double left = static_cast<double>(c[C::kL1UnaskedBytes]) - redeemed;
    if (left <= 0 || missed <= 0) return 0;
    return static_cast<std::uint64_t>(std::min(1.0, left / missed) * static_cast<double>(moved));
}

void add_modelled(const CounterSet& c, std::vector<FlowLink>& links) {
    const auto add = [&](FlowLink link) {
        link.modelled = true;
        links.push_back(link);
    };
    const std::uint64_t to_l1 = times(c[C::kL2ReadSectors], kSector);
    add({"l2", "l1", "load", to_l1, unasked_of(c, to_l1)});
    add({"l1", "l2", "store", times(c[C::kL2WriteSectors], kSector)});
    add({"l2_far", "l2", "load", times(c[C::kL2FabricSectors], kSector)});
    add({"dram", "l2", "load", c[C::kDramReadBytes], c[C::kDramUnaskedBytes]});
    add({"l2", "dram", "store", c[C::kDramWriteBytes]});
}

}  // namespace

ByteFlow byte_flow(const CounterSet& counters) {
    ByteFlow flow;
    add_counted(counters, flow.links);
    if (counters.modelled) add_modelled(counters, flow.links);
    std::erase_if(flow.links, [](const FlowLink& link) { return link.bytes == 0; });
    if (!counters.modelled) return flow;
    for (const MissRow& row : kMisses)
        if (counters[row.sectors] != 0) flow.misses.push_back({row.level, row.why, counters[row.sectors]});
    return flow;
}

}  // namespace tilescope::report

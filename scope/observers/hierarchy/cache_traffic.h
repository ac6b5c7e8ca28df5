// CacheTraffic: counts of one instruction's traffic in the caches.
//
// Guarantees: for_each() visits every count, so sums, differences and estimates are complete.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "scope/observers/hierarchy/miss_reasons.h"

namespace tilescope::observers {

// Of one instruction, over all its requests. In sectors, where nothing else is said. Numbers are whole where they were
// counted, and need not be where they are estimates.
template <class Number>
struct TrafficOf {
    Number loads = 0, updates = 0, stored = 0;  // by loads, by atomics and by stores
    Number global_hits = 0, local_hits = 0;     // loads that L1 answered
    Number store_hits = 0;
    // Of textures and of surfaces: asked for, and answered by L1.
    Number texture_sectors = 0, texture_hits = 0, surface_sectors = 0, surface_hits = 0;
    Number merged = 0;  // loads that L1 did not answer, and that came with what the GPC had just requested
    Number l2_reads = 0, l2_read_hits = 0, l2_writes = 0, over_fabric = 0;
    Number fetched = 0;    // bytes from device memory
    Number untouched = 0;  // bytes of the loads that L1 did not answer which no lane of the request wanted
    // Lookups of constants: by the SM's cache, and of those that it misses by the GPC's; and sectors that this reads of
    // L2.
    Number constant_hits = 0, constant_misses = 0, second_constant_hits = 0, constant_sectors = 0;
    std::array<Number, kFirstMisses> first_misses{};  // these loads, by why
    std::array<Number, kSecondMisses> second_misses{};

    // Calls `what` with each number, and with the same one of others, which may be of another type.
    template <class Do, class... Others>
    void for_each(const Do& what, Others&&... of) {
        what(loads, of.loads...);
        what(updates, of.updates...);
        what(stored, of.stored...);
        what(global_hits, of.global_hits...);
        what(local_hits, of.local_hits...);
        what(store_hits, of.store_hits...);
        what(texture_sectors, of.texture_sectors...);
        what(texture_hits, of.texture_hits...);
        what(surface_sectors, of.surface_sectors...);
        what(surface_hits, of.surface_hits...);
        what(merged, of.merged...);
        what(l2_reads, of.l2_reads...);
        what(l2_read_hits, of.l2_read_hits...);
        what(l2_writes, of.l2_writes...);
        what(over_fabric, of.over_fabric...);
        what(fetched, of.fetched...);
        what(untouched, of.untouched...);
        what(constant_hits, of.constant_hits...);
        what(constant_misses, of.constant_misses...);
        what(second_constant_hits, of.second_constant_hits...);
        what(constant_sectors, of.constant_sectors...);
        for (std::size_t why = 0; why < kFirstMisses; ++why) what(first_misses[why], of.first_misses[why]...);
        for (std::size_t why = 0; why < kSecondMisses; ++why) what(second_misses[why], of.second_misses[why]...);
    }

    TrafficOf& operator+=(const TrafficOf& other) {
        for_each([](Number& own, Number more) { own += more; }, other);
        return *this;
    }
    TrafficOf& operator-=(const TrafficOf& other) {
        for_each([](Number& own, Number less) { own -= less; }, other);
        return *this;
    }
};
using CacheTraffic = TrafficOf<std::uint64_t>;

// What one instruction did to one buffer.
struct BufferTraffic {
    std::uint32_t op = 0, buffer = 0;
    CacheTraffic traffic;
};

}  // namespace tilescope::observers

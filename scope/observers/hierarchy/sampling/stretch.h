// Stretch: the work of the simulation between two moments.
//
// Guarantees: sums over all GPCs, independent of the threads that ran them.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "scope/observers/hierarchy/cache_traffic.h"
#include "scope/observers/hierarchy/scheduler/gpc.h"

namespace tilescope::observers {

using TrafficByPlace = std::map<std::pair<std::uint32_t, std::uint32_t>, CacheTraffic>;  // by op, then by buffer

struct Stretch {
    std::uint64_t requests = 0, cycles = 0;
    TrafficByPlace traffic;
    TimeOf<std::uint64_t> time;            // of warps
    std::uint64_t lines = 0, in_part = 0;  // as StoresSent has them
    std::vector<std::uint64_t> mix;        // requests by op

    // What came since `before`.
    Stretch since(const Stretch& before) const;
    void add(const Stretch& other);
    CacheTraffic total() const;
};

// How far two are from doing the same at the same speed, by the total of CacheTraffic or the cycles, a request, that
// differs most: as a share of the larger one, counts beyond a small part of all sectors and for less than the clock.
double difference(const Stretch& one, const Stretch& other);
// How far two mixes of requests are apart, as a share of the requests.
double difference(const std::vector<std::uint64_t>& one, const std::vector<std::uint64_t>& other);

// What went by without a clock, and what it would have been with one.
class Estimate {
public:
    // So many requests of which the caches counted `traffic`, in their own order; `around` is what the clock saw before
    // and behind.
    struct Gone {
        std::uint64_t requests = 0, lines = 0;
        TrafficByPlace traffic;
    };
    // False where the order in which they went by has changed what caches do: L2 fetched more or less than before and
    // behind, or does behind what it did not do before. Then what was before tells of all that.
    bool add(const Gone& gone, const Stretch& before, const Stretch& behind);

    std::uint64_t requests() const { return requests_; }
    TrafficByPlace traffic() const;  // rounded
    TimeOf<std::uint64_t> time() const;
    double lines() const { return lines_; }
    double in_part() const { return in_part_; }
    // Of the lines that went by as stores, the share that would have been sent.
    double sent_share() const { return gone_lines_ > 0 ? lines_ / gone_lines_ : 1; }

private:
    std::uint64_t requests_ = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, TrafficOf<double>> traffic_;
    TimeOf<double> time_;
    double lines_ = 0, in_part_ = 0, gone_lines_ = 0;
};

}  // namespace tilescope::observers

// GpcMissesInFlight: reads that go along with one which L2 is at work on.
//
// Owns: what is under way of each line, for each GPC. Guarantees: the rules that an H200 showed
// (bench/hardware/joined_reads.cu, November 2026): a read goes along with an earlier one of its GPC, for the
// same sectors of the line, until the response of that is on its way back; so many to one; and no more once anybody has
// requested other sectors of the line. Does not model: how many lines hardware can hold, of which 512 were none too
// many; here two lines that share a place of the table end each other's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "scope/observers/hierarchy/lines.h"
#include "scope/observers/hierarchy/misses_in_flight/miss_rules.h"

namespace tilescope::observers {

class GpcMissesInFlight {
public:
    // An answer of L2 takes `near_latency` cycles.
    GpcMissesInFlight(const MissRules& rules, std::uint32_t near_latency)
        : max_(rules.gpc_reads),
          way_back_(near_latency - std::min(near_latency, rules.gpc_join_cycles)),
          lines_(max_ > 1 ? kLines : 0),
          pending_(max_ > 1 ? kPending : 0) {}

    // A read at `time`: when the response of the one that it goes along with comes, 0 if there is none. In that case it
    // has to be requested, and put().
    std::uint64_t join(std::uint64_t time, std::uint64_t line, unsigned sectors, unsigned gpc) {
        if (max_ <= 1) return 0;
        Line& of = lines_[hash(line) % kLines];
        if (of.line != line || of.sectors != sectors) {
            of.line = line;
            of.sectors = static_cast<std::uint8_t>(sectors);
            ++of.change;
        }
        Pending& one = pending_[hash(line * kMaxGpcs + gpc) % kPending];
        if (one.line != line || one.gpc != gpc || one.change != of.change || one.served >= max_ ||
            time + way_back_ >= one.ready)
            return 0;
        ++one.served;
        return one.ready;
    }

    // The response of a read that joined none comes at `ready`.
    void put(std::uint64_t line, unsigned gpc, std::uint64_t ready) {
        if (max_ <= 1) return;
        pending_[hash(line * kMaxGpcs + gpc) % kPending] = {line, ready, lines_[hash(line) % kLines].change,
                                                            static_cast<std::uint8_t>(gpc), 1};
    }

private:
    static constexpr std::size_t kLines = 4096, kPending = 8192;  // numeric: places of our tables
    static constexpr std::uint64_t kMaxGpcs = 64;                 // numeric: six bits name a GPC

    struct Line {
        std::uint64_t line = ~std::uint64_t{0};
        std::uint32_t change = 0;  // how often something else was requested
        std::uint8_t sectors = 0;
    };
    struct Pending {
        std::uint64_t line = ~std::uint64_t{0}, ready = 0;
        std::uint32_t change = 0;
        std::uint8_t gpc = 0, served = 0;
    };
    static std::uint64_t hash(std::uint64_t number) { return number * kHash >> 40; }  // numeric: the upper bits

    unsigned max_;
    std::uint64_t way_back_;  // cycles that a response takes from where reads are joined
    std::vector<Line> lines_;
    std::vector<Pending> pending_;
};

}  // namespace tilescope::observers

// GpcMissesInFlight: merges reads of a GPC with an outstanding read of L2.
//
// Owns: the outstanding read of each line, for each GPC. Guarantees: these rules, measured on an H200
// (bench/hardware/joined_reads.cu, November 2026). A read merges with an earlier one of its GPC for the same sectors
// of the line, until the response is on its way back. A limited number merges with one read, and none after a request
// for other sectors of the line. Does not model: the capacity of the hardware, which is at least 512 lines. Two lines
// with one table entry end each other's merging.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
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
          tables_(max_ > 1 ? take_tables() : nullptr) {}
    ~GpcMissesInFlight() {
        if (tables_) give_back(std::move(tables_));
    }
    GpcMissesInFlight(const GpcMissesInFlight&) = delete;
    GpcMissesInFlight& operator=(const GpcMissesInFlight&) = delete;

    // A read at `time`: when the response of the one that it goes along with comes, 0 if there is none. In that case it
    // has to be requested, and put().
    std::uint64_t join(std::uint64_t time, std::uint64_t line, unsigned sectors, unsigned gpc) {
        if (max_ <= 1) return 0;
        Line& of = place_of(line);
        if (of.line != line || of.sectors != sectors) {
            of.line = line;
            of.sectors = static_cast<std::uint8_t>(sectors);
            ++of.change;
        }
        Pending& one = tables_->pending[hash(line * kMaxGpcs + gpc) % kPending];
        if (one.launch != tables_->launch || one.line != line || one.gpc != gpc || one.change != of.change ||
            one.served >= max_ || time + way_back_ >= one.ready)
            return 0;
        ++one.served;
        return one.ready;
    }

    // The host is told that a read of the line comes.
    void expect(std::uint64_t line, unsigned gpc) const {
        if (max_ <= 1) return;
        __builtin_prefetch(&tables_->lines[hash(line) % kLines], 1);
        __builtin_prefetch(&tables_->pending[hash(line * kMaxGpcs + gpc) % kPending], 1);
    }
    // The response of a read that joined none comes at `ready`.
    void put(std::uint64_t line, unsigned gpc, std::uint64_t ready) {
        if (max_ <= 1) return;
        tables_->pending[hash(line * kMaxGpcs + gpc) % kPending] = {
            line, ready, place_of(line).change, tables_->launch, static_cast<std::uint8_t>(gpc), 1};
    }

private:
    static constexpr std::size_t kLines = 4096, kPending = 8192;  // numeric: places of our tables
    static constexpr std::uint64_t kMaxGpcs = 64;                 // numeric: six bits name a GPC

    struct Line {
        std::uint64_t line = ~std::uint64_t{0};
        std::uint32_t change = 0;  // how often something else was requested
        std::uint16_t launch = 0;  // that wrote this; of an earlier one it is as new
        std::uint8_t sectors = 0;
    };
    struct Pending {
        std::uint64_t line = ~std::uint64_t{0}, ready = 0;
        std::uint32_t change = 0;
        std::uint16_t launch = 0;
        std::uint8_t gpc = 0, served = 0;
    };
    // Clearing them takes longer than all else of a small launch, so that the next one takes them over.
    struct Tables {
        std::vector<Line> lines = std::vector<Line>(kLines);
        std::vector<Pending> pending = std::vector<Pending>(kPending);
        std::uint16_t launch = 1;
    };
    struct Pool {
        std::mutex mutex;
        std::vector<std::unique_ptr<Tables>> free;
    };
    static Pool& pool() {
        static Pool* const all = new Pool;  // outlives whoever replays while the program ends
        return *all;
    }
    static std::unique_ptr<Tables> take_tables() {
        const std::lock_guard lock(pool().mutex);
        if (pool().free.empty()) return std::make_unique<Tables>();
        std::unique_ptr<Tables> taken = std::move(pool().free.back());
        pool().free.pop_back();
        // Once its numbers are used up, one of long ago would look like this launch.
        if (++taken->launch == 0) *taken = Tables();
        return taken;
    }
    static void give_back(std::unique_ptr<Tables> tables) {
        constexpr std::size_t kKept = 64;  // numeric: of a launch at a time, our memory
        const std::lock_guard lock(pool().mutex);
        if (pool().free.size() < kKept) pool().free.push_back(std::move(tables));
    }

    Line& place_of(std::uint64_t line) {
        Line& of = tables_->lines[hash(line) % kLines];
        if (of.launch != tables_->launch) {
            of = Line();
            of.launch = tables_->launch;
        }
        return of;
    }
    static std::uint64_t hash(std::uint64_t number) { return number * kHash >> 40; }  // numeric: the upper bits

    unsigned max_;
    std::uint64_t way_back_;          // cycles that a response takes from where reads are joined
    std::unique_ptr<Tables> tables_;  // null: none join
};

}  // namespace tilescope::observers

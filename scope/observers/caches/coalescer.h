// Coalescer: reads that go along with one which L2 is at work on.
//
// Owns: what is under way of each line, for each group of SMs. Guarantees: the rules that an H200 showed
// (bench/hardware/joined_reads.cu, November 2026): a read goes along with an earlier one of its group (a GPC), for the
// same sectors of the line, until the answer of that is on its way back; so many to one; and no more once anybody has
// asked for other sectors of the line. Does not model: how many lines hardware can hold, of which 512 were none too
// many; here two lines that share a place of the table end each other's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "scope/observers/caches/figures.h"

namespace tilescope::observers {

class Coalescer {
public:
    explicit Coalescer(const CacheFigures& figures)
        : most_(figures.merged_reads),
          way_back_(figures.near_latency - std::min(figures.near_latency, figures.merge_cycles)),
          lines_(most_ > 1 ? kLines : 0),
          pending_(most_ > 1 ? kPending : 0) {}

    // A read at `time`: when the answer of the one that it goes along with comes, 0 if there is none. In that case it
    // has to be asked, and put().
    std::uint64_t join(std::uint64_t time, std::uint64_t line, unsigned sectors, unsigned group) {
        if (most_ <= 1) return 0;
        Line& of = lines_[hash(line) % kLines];
        if (of.line != line || of.sectors != sectors) {
            of.line = line;
            of.sectors = static_cast<std::uint8_t>(sectors);
            ++of.change;
        }
        Pending& one = pending_[hash(line * 64 + group) % kPending];
        if (one.line != line || one.group != group || one.change != of.change || one.served >= most_ ||
            time + way_back_ >= one.ready)
            return 0;
        ++one.served;
        return one.ready;
    }

    // The answer of a read that joined none comes at `ready`.
    void put(std::uint64_t line, unsigned group, std::uint64_t ready) {
        if (most_ <= 1) return;
        pending_[hash(line * 64 + group) % kPending] = {line, ready, lines_[hash(line) % kLines].change,
                                                        static_cast<std::uint8_t>(group), 1};
    }

private:
    static constexpr std::size_t kLines = 4096, kPending = 8192;

    struct Line {
        std::uint64_t line = ~std::uint64_t{0};
        std::uint32_t change = 0;  // how often something else was asked for
        std::uint8_t sectors = 0;
    };
    struct Pending {
        std::uint64_t line = ~std::uint64_t{0}, ready = 0;
        std::uint32_t change = 0;
        std::uint8_t group = 0, served = 0;
    };
    static std::uint64_t hash(std::uint64_t number) { return number * 0x9e3779b97f4a7c15ull >> 40; }

    unsigned most_;
    std::uint64_t way_back_;  // cycles that an answer takes from where reads are joined
    std::vector<Line> lines_;
    std::vector<Pending> pending_;
};

}  // namespace tilescope::observers

// SecondLevel: the L2 and what device memory sees of it.
//
// Owns: the lines of each part, which of their sectors are there, changed or written in part, and when fetches arrive.
// Guarantees: rules as measured on an H200 (bench/hardware/README.md, "What the caches do", November 2026): a read is
// looked up in the part near the SM, then, if the line lives in the other one, there (over the fabric), and the near
// part keeps a copy; misses are fetched in aligned pairs of sectors, over the fabric as well; what is still under way
// counts as a hit where the line lives and, in the other part, if it was asked for itself; written sectors stay
// until too many of a set wait, sectors written in part are fetched when they are read or have to give way. Does not
// model: physical addresses (pages of 2 MB lie where virtual ones do), compression, hints and persistence.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "scope/observers/caches/figures.h"
#include "scope/observers/caches/traffic.h"

namespace tilescope::observers {

class SecondLevel {
public:
    explicit SecondLevel(const CacheFigures& figures);

    struct Answer {
        unsigned hits = 0;         // of the sectors asked for, in the part that was asked
        unsigned over_fabric = 0;  // sectors looked up in the other part on its behalf
        unsigned fetched = 0;      // bytes from device memory
        std::uint64_t ready = 0;   // when all have come
    };
    Answer read(std::uint64_t time, unsigned part, std::uint64_t line, unsigned sectors);
    // `masks` as in BlockTraffic::words.
    Answer write(std::uint64_t time, unsigned part, std::uint64_t line, const Piece& piece, const std::uint64_t* masks);
    // Done where the line lives.
    Answer update(std::uint64_t time, unsigned part, std::uint64_t line, unsigned sectors);

    // The line will be asked for soon: the host may fetch the set, and then its way.
    void expect(unsigned part, std::uint64_t line) const;
    void expect_way(unsigned part, std::uint64_t line) const;

    // Bytes written to device memory since the start.
    std::uint64_t written_back() const { return written_back_; }
    // Nothing is there any more, and nothing had to be written.
    void clear();
    // All that is under way has come; time begins anew.
    void settle();

private:
    static constexpr unsigned kMaxWays = 16;

    // What is kept of a line. How long ago it was used, and which lines are there, stands with the set, in two of the
    // host's cache lines: most lookups find nothing.
    struct Way {
        std::uint64_t line = 0;
        // Sectors; partial ones are neither valid nor dirty, those asked for are valid.
        std::uint8_t valid = 0, asked = 0, dirty = 0, partial = 0;
        std::array<std::uint32_t, kSectorsPerLine> bytes{};  // of partial ones
        std::array<std::uint64_t, 2> ready{};                // by pair of sectors
    };
    struct alignas(64) Set {
        std::array<std::uint32_t, kMaxWays> tags{};       // bits of the line, so that few others have to be looked at
        std::uint64_t order = 0;                          // ways, four bits each, the one used last lowest
        std::uint16_t taken = 0, dirty = 0, partial = 0;  // ways
    };
    struct Part {
        std::vector<Set> sets;
        std::vector<Way> ways;
        std::vector<std::uint32_t> in_use;  // sets
    };
    // A way of a set, if it is there.
    struct Found {
        Set* set = nullptr;
        Way* way = nullptr;
        unsigned number = 0;
    };

    unsigned home_of(std::uint64_t line) const;
    std::uint64_t set_of(std::uint64_t line) const;
    Found find(unsigned part, std::uint64_t line);
    Found take(unsigned part, std::uint64_t line, Answer& answer);
    void forget(unsigned part, std::uint64_t line, unsigned sectors);
    static void free_if_empty(const Found& found);
    static void settle_marks(const Found& found);
    unsigned arrived(const Way& way, std::uint64_t time) const;
    void fetch(Way& way, std::uint64_t time, unsigned sectors, Answer& answer);
    void complete(Way& way, std::uint64_t time, unsigned sectors, Answer& answer);
    void write_back(Way& way, unsigned sectors);
    // The way that a line has, or will have.
    unsigned way_of(const Set& set, std::uint64_t line) const;
    void make_room(unsigned part, const Found& found, std::uint64_t time, Answer& answer);
    std::uint64_t from_memory(std::uint64_t time, unsigned bytes, Answer& answer);
    static unsigned pairs(unsigned sectors);

    CacheFigures figures_;
    std::uint64_t sets_ = 1;
    std::vector<Part> parts_;
    std::uint64_t written_back_ = 0;
    double memory_free_ = 0;  // when device memory can begin the next fetch
};

}  // namespace tilescope::observers

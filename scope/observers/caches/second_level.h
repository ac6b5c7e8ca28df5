// SecondLevel: the L2 and what device memory sees of it.
//
// Owns: the lines of each part, which of their sectors are there, changed or written in part, and when fetches arrive.
// Guarantees: rules as measured on an H200 (bench/hardware/README.md, "What the caches do", November 2026): a read is
// looked up in the part near the SM, then, if the line lives in the other one, there (over the fabric), and the near
// part keeps a copy; misses are fetched in aligned pairs of sectors, over the fabric as well; what is still under way
// counts as a hit where the line lives and, in the other part, if it was asked for itself; written sectors stay
// until too many of a set wait, sectors written in part are fetched when they are read or have to give way. Calls for
// lines of different slices may come from different threads at the same time. Does not model: physical addresses (pages
// of 2 MB lie where virtual ones do), compression, hints and persistence.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "scope/observers/caches/figures.h"
#include "scope/observers/caches/large_pages.h"
#include "scope/observers/caches/traffic.h"

namespace tilescope::observers {

class SecondLevel {
public:
    // Sets that share their way to device memory; each has an equal part of its bandwidth.
    static constexpr unsigned kSlices = 8;

    explicit SecondLevel(const CacheFigures& figures);

    struct Answer {
        unsigned hits = 0;         // of the sectors asked for, in the part that was asked
        unsigned over_fabric = 0;  // sectors looked up in the other part on its behalf
        unsigned fetched = 0;      // bytes from device memory
        std::uint64_t ready = 0;   // when all have come
    };
    // Where a line is looked for, in each part; what asks takes it, as who asks has to know the slice beforehand.
    struct Place {
        std::uint64_t line = 0;
        std::uint32_t set = 0;

        unsigned slice() const { return set % kSlices; }
    };
    Place place_of(std::uint64_t line) const { return {line, set_of(line)}; }

    Answer read(std::uint64_t time, unsigned part, Place place, unsigned sectors);
    // `masks` as in BlockTraffic::words.
    Answer write(std::uint64_t time, unsigned part, Place place, const Piece& piece, const std::uint64_t* masks);
    // Done where the line lives.
    Answer update(std::uint64_t time, unsigned part, Place place, unsigned sectors);

    // The line will be asked for soon: the host may fetch the set, and then its way, and the one that a write will have
    // written back.
    void expect(unsigned part, Place place) const;
    void expect_way(unsigned part, Place place, bool writes) const;

    // Bytes written to device memory since the start.
    std::uint64_t written_back() const;
    // Nothing is there any more, and nothing had to be written.
    void clear();
    // All that is under way has come; time begins anew.
    void settle();

private:
    static constexpr unsigned kMaxWays = 16;

    // What is kept of a line. How long ago it was used, and a hint of which lines are there, stands with the set, in
    // half of one of the host's cache lines: most lookups find nothing.
    struct Way {
        std::uint64_t line = 0;
        // Sectors; partial ones are neither valid nor dirty, those asked for are valid.
        std::uint8_t valid = 0, asked = 0, dirty = 0, partial = 0;
        std::array<std::uint32_t, kSectorsPerLine> bytes{};  // of partial ones
        std::array<std::uint64_t, 2> ready{};                // by pair of sectors
    };
    struct alignas(32) Set {
        std::array<std::uint8_t, kMaxWays> tags{};        // bits of the line, so that few others have to be looked at
        std::uint64_t order = 0;                          // ways, four bits each, the one used last lowest
        std::uint16_t taken = 0, dirty = 0, partial = 0;  // ways
    };
    struct Part {
        std::vector<Set, LargePages<Set>> sets;
        std::vector<Way, LargePages<Way>> ways;
    };
    struct alignas(64) Slice {
        std::vector<std::pair<std::uint8_t, std::uint32_t>> in_use;  // part and set
        std::uint64_t written_back = 0;
        double memory_free = 0;  // when device memory can begin the next fetch
    };
    // Ways of the set that may have the line.
    static unsigned alike(const Set& set, std::uint64_t line);
    // A way of a set, if it is there.
    struct Found {
        Set* set = nullptr;
        Way* way = nullptr;
        unsigned number = 0;
    };
    // What an answer is put together with.
    struct Asking {
        Slice& slice;
        std::uint64_t time = 0;
        Answer answer;
    };

    unsigned home_of(std::uint64_t line) const;
    std::uint32_t set_of(std::uint64_t line) const;
    Found find(unsigned part, Place place);
    Found take(unsigned part, Place place, Asking& asking);
    void forget(unsigned part, Place place, unsigned sectors);
    static void free_if_empty(const Found& found);
    static void settle_marks(const Found& found);
    unsigned arrived(const Way& way, std::uint64_t time) const;
    void fetch(Way& way, unsigned sectors, Asking& asking);
    void complete(Way& way, unsigned sectors, Asking& asking);
    static void write_back(Way& way, unsigned sectors, Asking& asking);
    // The way that a line has, or will have.
    unsigned way_of(const Set& set, std::uint64_t line) const;
    void make_room(unsigned part, const Found& found, Asking& asking);
    std::uint64_t from_memory(unsigned bytes, Asking& asking) const;
    static unsigned pairs(unsigned sectors);

    CacheFigures figures_;
    std::uint64_t sets_ = 1;
    std::vector<Part> parts_;
    std::array<Slice, kSlices> slices_;
};

}  // namespace tilescope::observers

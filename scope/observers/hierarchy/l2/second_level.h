// SecondLevel: the L2 cache and its traffic to DRAM.
//
// Owns: the lines of each partition, the state of their sectors (present, dirty, written in part), and the arrival
// times of fetches. Guarantees: these rules, measured on an H200 (bench/hardware/README.md, "What the caches do",
// November 2026). A read looks into the partition near the SM, then into the line's home partition over the fabric,
// and the near one keeps a copy. Misses fetch aligned pairs of sectors, and outstanding ones count as hits. Written
// sectors stay until too many of a set wait. Sectors written in part are fetched when they are read or replaced. Each
// missed sector has a reason, and DRAM bytes have an owner and a note whether anybody requested them. Lines with
// first-to-go priority are replaced first. Lines with last-to-go priority stay in their home partition up to a limit
// per set; beyond it, the least recently used become normal. The last access decides. Dirty lines of earlier work take
// one way of as many sets, and are written when those are full. Thread safety: calls for lines of different slices may
// be concurrent. Does not model: physical addresses (pages of 2 MB keep their virtual addresses) and compression.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "scope/observers/hierarchy/dram/slice_memory.h"
#include "scope/observers/hierarchy/l2/large_pages.h"
#include "scope/observers/hierarchy/line_notes.h"
#include "scope/observers/hierarchy/miss_reasons.h"
#include "scope/observers/hierarchy/record/buffers.h"
#include "scope/observers/hierarchy/record/traffic.h"
#include "scope/observers/hierarchy/rules.h"

namespace tilescope::observers {

// Of a buffer, in bytes.
struct MemoryTraffic {
    std::uint64_t fetched = 0, written = 0;
    std::uint64_t unasked = 0;  // of those fetched: nobody requested them while they were there

    MemoryTraffic& operator+=(const MemoryTraffic& other) {
        fetched += other.fetched;
        written += other.written;
        unasked += other.unasked;
        return *this;
    }
};

class SecondLevel {
public:
    // Sets that share their way to device memory; each has an equal part of its bandwidth.
    static constexpr unsigned kSlices = 8;  // numeric: to share the work out

    explicit SecondLevel(const HierarchyRules& rules);

    // A launch of so many instructions begins; `buffers` tells lines apart.
    void begin_launch(std::size_t ops, std::shared_ptr<const BufferMap> buffers);

    struct Response {
        unsigned found = 0;        // of the sectors requested, those that the first part has
        unsigned over_fabric = 0;  // sectors looked up in the other part on its behalf
        unsigned fetched = 0;      // bytes from device memory
        std::uint64_t ready = 0;   // when all have come
        SectorReasons why;         // of those that a read found missing
    };
    // Where a line is looked for, in each part; a request takes it along, as its caller has to know the slice
    // beforehand.
    struct Place {
        std::uint64_t line = 0;
        std::uint32_t set = 0;

        unsigned slice() const { return set % kSlices; }
    };
    Place place_of(std::uint64_t line) const { return {line, set_of(line)}; }

    // What an access requests beyond its sectors: when the line is to give way, and all of it where something is
    // missing.
    struct Wish {
        machine::Eviction eviction = machine::Eviction::kNormal;  // kUnchanged: as it is
        bool whole_line = false;
    };
    // `op`: the instruction whose request it is.
    Response read(std::uint64_t time, unsigned part, Place place, unsigned sectors, std::uint32_t op, Wish wish);
    Response read(std::uint64_t time, unsigned part, Place place, unsigned sectors, std::uint32_t op = 0) {
        return read(time, part, place, sectors, op, {});
    }
    // `masks` as in BlockTraffic::words.
    Response write(std::uint64_t time, unsigned part, Place place, const Piece& piece, const std::uint64_t* masks,
                   machine::Eviction eviction = machine::Eviction::kNormal);
    // Done where the line lives.
    Response update(std::uint64_t time, unsigned part, Place place, unsigned sectors, std::uint32_t op = 0,
                    machine::Eviction eviction = machine::Eviction::kNormal);
    // Of a set, how many lines go last; of those that are there, more may until their set is requested another one.
    void keep_last(unsigned ways) { rules_.last_ways = ways; }
    // Lines that go last become as others.
    void forget_last();

    // The line will be requested soon: the host may fetch the set, and then its way, and the one that a write will have
    // written back.
    void expect(unsigned part, Place place) const;
    void expect_way(unsigned part, Place place, bool writes) const;

    // While the clock stands, what is requested changes what is there and is counted, and device memory has no time.
    void stop_clock(bool stands) { clock_stands_ = stands; }

    // Bytes written to device memory since the start.
    std::uint64_t written_back() const;
    // Of the launch: by buffer; and bytes that nobody requested, by the instruction that had them fetched.
    std::vector<MemoryTraffic> by_buffer() const;
    std::vector<std::uint64_t> unasked() const;
    // Of the launch: what opening rows of device memory took beyond the bytes that moved, in bytes.
    struct RowBytes {
        std::uint64_t read = 0, written = 0;
    };
    RowBytes opening_bytes() const;
    std::uint64_t note_bytes() const;
    // What is there once all that is under way has come (settle()): as a number that two states which differ by chance
    // do not share. Nothing where there is too much to look at before each launch.
    std::optional<std::uint64_t> state() const;
    // Nothing is there any more, and nothing had to be written.
    void clear();
    // All that is under way has come; time begins anew.
    void settle();

private:
    static constexpr unsigned kMaxWays = 16;  // numeric: four bits name a way

    // What is kept of a line. How long ago it was used, and a hint of which lines are there, stands with the set, in
    // half of one of the host's cache lines: most lookups find nothing.
    struct alignas(64) Way {  // geometry: a cache line of the host
        std::uint64_t line = 0;
        // Sectors; partial ones are neither valid nor dirty.
        std::uint8_t valid = 0, dirty = 0, partial = 0;
        std::uint8_t noted = 0;  // those that somebody requested or wrote
        machine::Eviction eviction = machine::Eviction::kNormal;
        std::array<std::uint32_t, kSectorsPerLine> bytes{};  // of partial ones
        std::array<std::uint64_t, 2> ready{};                // by pair of sectors
        std::array<std::uint32_t, 2> op{};                   // that had it fetched, by pair of sectors
    };
    // What is noted of a line in a launch, a bit for each sector.
    struct Note {
        std::uint8_t seen = 0;                   // it has been in L2
        std::uint8_t unasked = 0;                // it was fetched along with its neighbour, and nobody has requested it
        std::array<std::uint8_t, 2> outdated{};  // by part: its copy was dropped when the sector was written at home
    };
    struct alignas(32) Set {                              // geometry: half of one
        std::array<std::uint8_t, kMaxWays> tags{};        // bits of the line, so that few others have to be looked at
        std::uint64_t order = 0;                          // ways, four bits each, the one used last lowest
        std::uint16_t taken = 0, dirty = 0, partial = 0;  // ways
        std::uint16_t special = 0;                        // that may go first or last
    };
    struct Part {
        std::vector<Set, LargePages<Set>> sets;
        std::vector<Way, LargePages<Way>> ways;
        std::vector<std::uint8_t> left;  // by set, whether it has a line that others left dirty
    };
    struct alignas(64) Slice {                                       // geometry: a cache line of the host
        std::vector<std::pair<std::uint8_t, std::uint32_t>> in_use;  // part and set
        std::uint64_t written_back = 0;
        SliceMemory memory;
        std::uint64_t read_in_time = 0, read = 0, written_in_time = 0, written = 0;  // bytes, of the launch

        // Of the launch.
        LineNotes<Note> notes;
        std::vector<std::uint64_t> unasked = std::vector<std::uint64_t>(1, 0);  // bytes, by op
        std::vector<MemoryTraffic> by_buffer = std::vector<MemoryTraffic>(2);
        BufferMap::Range range;  // of the line that was counted last
    };
    // Ways of the set that may have the line.
    static unsigned alike(const Set& set, std::uint64_t line);
    // A way of a set, if it is there.
    struct Found {
        Set* set = nullptr;
        Way* way = nullptr;
        unsigned number = 0;
    };
    // What a response is put together with.
    struct Serving {
        Slice& slice;
        std::uint64_t time = 0;
        Response response;
        std::uint32_t op = 0;
    };
    // Sectors that a read requested; of those missing, which the other part had, and which were there in part.
    // `fetched` may hold more than was requested.
    struct Looked {
        unsigned sectors = 0, missing = 0, elsewhere = 0, in_part = 0, fetched = 0;
    };

    unsigned home_of(std::uint64_t line) const;
    std::uint32_t set_of(std::uint64_t line) const;
    // How many times the sets have been gone round.
    std::uint64_t rounds_of(std::uint64_t index) const {
        if (sets_ == 1) return index;
        __extension__ using Product = unsigned __int128;
        const auto rounds = static_cast<std::uint64_t>(Product{index} * set_part_ >> 64);  // numeric: the upper half
        return index - rounds * sets_ < sets_ ? rounds : rounds - 1;
    }
    Found find(unsigned part, Place place);
    Found take(unsigned part, Place place, Serving& serving);
    void forget(unsigned part, Place place, unsigned sectors, Slice& slice);
    static void free_if_empty(const Found& found);
    static void settle_marks(const Found& found);
    unsigned fetch(Way& way, unsigned sectors, Serving& serving);
    void complete(Way& way, unsigned sectors, Serving& serving);
    void write_back(Way& way, unsigned sectors, Serving& serving);
    // Of a full set in which not all are alike, the way that gives way.
    unsigned special_victim(unsigned part, Place place) const;
    unsigned special_ways(const Set& set, const Way* ways, machine::Eviction eviction) const;
    // After an access that requests this.
    void settle_eviction(unsigned part, const Found& found, machine::Eviction eviction) {
        if (eviction != machine::Eviction::kNormal || found.set->special != 0) change_eviction(part, found, eviction);
    }
    void change_eviction(unsigned part, const Found& found, machine::Eviction eviction);
    // The way that a line has, or will have.
    unsigned way_of(const Set& set, std::uint64_t line) const;
    // Whether others left a dirty line in the set: in sets all over both parts.
    bool begins_dirty(std::uint64_t part, std::uint64_t set) const;
    void make_room(unsigned part, const Found& found, Serving& serving);
    void to_memory(std::uint64_t line, unsigned bytes, Serving& serving) const;
    std::uint64_t from_memory(std::uint64_t line, unsigned bytes, Serving& serving) const;
    // What is noted: who reads, writes and updates.
    void note_read(unsigned part, Way& near, const Looked& looked, Serving& serving) const;
    void note_write(unsigned part, Way& way, const Piece& piece, unsigned copied, Slice& slice) const;
    void note_asked(Note& note, Way& way, unsigned sectors, unsigned fetched, Serving& serving) const;
    void note_use(Note& note, const Way& way, unsigned sectors, Slice& slice) const;
    MemoryTraffic& traffic_of(std::uint64_t line, Slice& slice) const;
    static unsigned pairs(unsigned sectors);

    L2Rules rules_;
    DramRules dram_;
    bool clock_stands_ = false;
    std::uint64_t sets_ = 1;
    std::uint64_t set_part_ = 0;  // 2^64 over the number of sets, rounded up
    int part_shift_ = 0;          // the bit of lines that follows from the others, and the part
    std::vector<Part> parts_;
    std::array<Slice, kSlices> slices_;
    std::shared_ptr<const BufferMap> buffers_ = std::make_shared<const BufferMap>();
};

}  // namespace tilescope::observers

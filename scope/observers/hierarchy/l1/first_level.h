// FirstLevel: the L1 cache of one SM.
//
// Owns: its lines, the valid bytes of each sector, and the arrival times of outstanding sectors. Guarantees: these
// rules, measured on an H200 (bench/hardware/README.md, "What the caches do", November 2026). A miss fetches its own
// sectors only. An outstanding sector counts as present. A store updates a present sector. A store to a sector in
// motion counts as a miss and leaves only its own bytes, in global memory (bench/hardware/after_store.cu). A miss
// replaces a random line among the least recently used ones (L1Rules::victims). An outstanding line takes no place,
// but one of the tags, of which there are as many as if L1 had all of the memory that it shares. Ranks (traffic.h)
// follow the last access of a line. For each sector it knows what happened to it, which gives the reason of a miss.
// Does not model: sets, which no tried stride shows.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "scope/observers/hierarchy/l1/l1_rules.h"
#include "scope/observers/hierarchy/line_notes.h"
#include "scope/observers/hierarchy/lines.h"
#include "scope/observers/hierarchy/miss_reasons.h"
#include "scope/observers/hierarchy/record/traffic.h"

namespace tilescope::observers {

class FirstLevel {
public:
    // A line that is under way has one of the tags (at least as many as lines that are kept) and takes its place when
    // it comes.
    FirstLevel(const L1Rules& rules, std::uint64_t seed);

    struct Response {
        unsigned missing = 0;     // sectors to be fetched; they are under way from now on
        std::uint64_t ready = 0;  // when those that are there have come; 0: long ago
        std::uint32_t slot = 0;   // for arrives_at()
        // Of those that are missing: which a store left in part, and what became of the others when they were there.
        std::uint8_t in_part = 0, past = 0;

        void count(FirstMisses& into) const {
            for (unsigned i = 0; i < kSectorsPerLine; ++i)
                if ((missing >> i & 1) != 0)
                    ++into[(in_part >> i & 1) != 0 ? static_cast<std::size_t>(FirstMiss::kPartWritten)
                                                   : kMissOf[past >> 2 * i & 3]];  // numeric: two bits a sector
        }
    };
    // Of a piece's sectors; `masks` as in BlockTraffic::words.
    // `in_place`: a line that comes has its place from now on.
    Response load(std::uint64_t line, const Piece& piece, const std::uint64_t* masks, std::uint64_t now = 0,
                  Rank rank = Rank::kNormal, bool in_place = false);
    // What was missing comes then. A time that is not known yet may be told later, if it still stands there.
    void arrives_at(std::uint32_t slot, std::uint64_t time) { slots_[slot].ready = time; }
    void expect_line(std::uint64_t line) const { __builtin_prefetch(&table_[hash(line) % kTable]); }
    void expect_slot(std::uint32_t slot) const { __builtin_prefetch(&slots_[slot], 1); }
    void settle(std::uint32_t slot, std::uint64_t unknown, std::uint64_t time) {
        if (slots_[slot].ready == unknown) slots_[slot].ready = time;
    }
    // Sectors that were there, and not in motion, count as hits. `leaving` are those whose last store has not left the
    // SM. Of a sector of local memory the rest stays.
    unsigned store(std::uint64_t line, const Piece& piece, const std::uint64_t* masks, std::uint64_t now = 0,
                   unsigned leaving = 0, bool is_local = false);
    // An atomic changes the line elsewhere.
    void drop(std::uint64_t line);
    // Lines that are kept.
    std::size_t lines() const { return lines_; }
    // Sectors came while the clock stood still; why they were not there.
    void note_passed(std::uint64_t line, unsigned sectors, FirstMisses& misses) {
        Response response;
        response.missing = sectors;
        response.past = note(line, sectors, Past::kReplaced);
        response.count(misses);
    }
    // Likewise: of what came, this is still there. By `last`, all that was under way has come.
    void take_passed(std::uint64_t line, unsigned sectors, std::uint64_t last, std::uint64_t now);
    // A fence forgets everything.
    void clear();
    std::uint64_t note_bytes() const { return past_.bytes(); }
    // Lines will be requested soon: the host may fetch what is known of them, and of those that will have to give way.
    // The second is for after the first. `in_part`: they will be written in part.
    void expect(const std::uint64_t* lines, unsigned count, bool in_part = false) const;
    void expect_replaced(unsigned count) const;

private:
    static constexpr unsigned kTable = 4096;        // numeric: places, at least twice as many as there are tags
    static constexpr std::uint16_t kNone = 0xffff;  // numeric: all bits

    // Small, as are places: the host has the first levels of a whole GPC in its own caches.
    struct Slot {
        std::uint64_t line = 0, ready = 0;
        // Sectors; `coming`: of those that were last requested, until `ready`.
        std::uint8_t whole : 4 = 0, coming : 4 = 0;                        // geometry: one bit each
        std::uint8_t in_part : 4 = 0, is_under_way : 1 = 0, rank : 2 = 0;  // geometry: sectors, and flags
        std::uint16_t old_at = kNone;  // where it stands in Ages::old; kNone: it is young
        std::uint32_t touched = 0;     // of the touches, the last one of a young line; 0: it is not young
    };
    // A line is looked for from the place on that its hash names, up to the first that is free.
    struct Place {
        std::uint16_t hash = 0;
        std::uint16_t slot = kNone;
    };
    // The slots: young ones by use, old ones in no order, free ones from `used` on. Touches stand one behind the other,
    // also those of lines that were touched again or are not young any more: so a touch changes no other line's slot.
    struct Touch {
        std::uint32_t number = 0;
        std::uint16_t slot = kNone;
    };
    struct Ages {
        std::uint16_t used = 0;
        std::uint16_t newest = kNone, young = 0;
        std::vector<std::uint16_t> old, free;
        std::vector<Touch> touches;  // from `first` on
        std::size_t first = 0;
        std::uint32_t last = 0;  // number
    };

    // What became of a sector that is not there, two bits each: it never was, it had to give way, a fence took it, or
    // an atomic.
    enum class Past : std::uint8_t { kNever, kReplaced, kFence, kAtomic };
    static constexpr std::array<std::uint8_t, 4> kMissOf = {  // numeric: one for each Past
        static_cast<std::uint8_t>(FirstMiss::kFirstTouch), static_cast<std::uint8_t>(FirstMiss::kCapacity),
        static_cast<std::uint8_t>(FirstMiss::kFence), static_cast<std::uint8_t>(FirstMiss::kAtomic)};

    // What was noted of the line's sectors before.
    std::uint8_t note(std::uint64_t line, unsigned sectors, Past past) {
        std::uint8_t& noted = past_.of(line);
        const std::uint8_t before = noted;
        // numeric: each bit becomes two
        const unsigned spread = (sectors & 1) | (sectors & 2) << 1 | (sectors & 4) << 2 | (sectors & 8) << 3;
        // numeric: both bits of each
        noted = static_cast<std::uint8_t>((before & ~(spread * 3)) | spread * static_cast<unsigned>(past));
        return before;
    }

    static std::uint16_t hash(std::uint64_t line) {
        return static_cast<std::uint16_t>((line * kHash) >> 48);  // numeric: the upper sixteen bits
    }
    static std::uint64_t next_random(std::uint64_t random) {
        random ^= random << 13;        // numeric: xorshift64
        random ^= random >> 7;         // numeric: likewise
        return random ^ random << 17;  // numeric: likewise
    }
    std::uint16_t find(std::uint64_t line) const {
        const std::uint16_t wanted = hash(line);
        for (std::uint32_t at = wanted % kTable;; at = (at + 1) % kTable) {
            const Place place = table_[at];
            if (place.slot == kNone || (place.hash == wanted && slots_[place.slot].line == line)) return place.slot;
        }
    }
    std::uint16_t take(std::uint64_t line, Rank rank);
    void touch(std::uint16_t slot) {
        if (ages_.newest == slot) return;
        unlink(slot);
        push_young(slot);
    }
    std::uint16_t oldest_young();
    void forget_touches();
    // What is to be replaced next is one of these.
    void make_old();
    // The slot of a line that is not there any more: it gave way to one of that rank.
    std::uint16_t give_way(Rank comes);
    std::uint16_t next_to_go(Rank comes);
    void unlink(std::uint16_t slot) { slots_[slot].old_at == kNone ? unlink_young(slot) : remove_old(slot); }
    void set_rank(std::uint16_t slot, Rank rank) {
        if (slots_[slot].rank != static_cast<unsigned>(rank)) change_rank(slot, rank);
    }
    void change_rank(std::uint16_t slot, Rank rank);
    // Lines that have come take their place, and others give way to them.
    void let_in(std::uint64_t now) {
        if (first_under_way_ != under_way_.size()) let_in_next(now);
    }
    void let_in_next(std::uint64_t now);
    void make_room(Rank comes);
    std::size_t resident() const { return ages_.young + ages_.old.size() - lines_under_way_; }
    void push_young(std::uint16_t slot) {
        if (ages_.touches.size() == ages_.touches.capacity()) forget_touches();
        if (++ages_.last == 0) ++ages_.last;
        Slot& it = slots_[slot];
        it.old_at = kNone;
        it.touched = ages_.last;
        ages_.touches.push_back({ages_.last, slot});
        ages_.newest = slot;
        ++ages_.young;
    }
    void unlink_young(std::uint16_t slot) {
        slots_[slot].touched = 0;
        if (ages_.newest == slot) ages_.newest = kNone;
        --ages_.young;
    }
    void remove_old(std::uint16_t slot);
    void enter(std::uint16_t slot);
    void leave(std::uint16_t slot);

    std::vector<Slot> slots_;
    std::vector<std::array<std::uint32_t, kSectorsPerLine>> bytes_;  // by slot, of sectors that are there in part
    std::array<Place, kTable> table_{};
    Ages ages_;
    std::size_t lines_, max_last_ = 0, victims_ = 0;  // of which so many may give way last, or are victims
    std::size_t lines_under_way_ = 0;
    // Lines under way as they were requested, from `first_under_way_` on.
    struct UnderWay {
        std::uint64_t line = 0;
        std::uint16_t slot = kNone;
    };
    std::vector<UnderWay> under_way_;
    std::size_t first_under_way_ = 0;
    // Lines as they came to be of a rank, and how many still are.
    struct Ranked {
        Rank rank;
        std::deque<UnderWay> lines;
        std::size_t count = 0;

        void add(const FirstLevel& cache, const UnderWay& line);
        // kNone: there is none.
        std::uint16_t take_oldest(const FirstLevel& cache);
        bool is_one(const FirstLevel& cache, const UnderWay& line) const;
    };
    Ranked& ranked(Rank rank) { return rank == Rank::kFirst ? firsts_ : lasts_; }
    Ranked firsts_{Rank::kFirst, {}}, lasts_{Rank::kLast, {}};
    std::uint64_t random_;
    LineNotes<std::uint8_t> past_;
};

}  // namespace tilescope::observers

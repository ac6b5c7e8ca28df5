// RaceChecker: one access of a warp against what is kept of the memory that it touches.
//
// Owns: the rules of what conflicts, and what is kept of each unit. Guarantees: a race is found if one is there among
// the accesses of one unit, whichever of them ran first: of readers and of atomics all are kept that a later access
// could meet without knowing them. Where only barriers of whole blocks order a program's threads, two readers say all
// that there is to say (any writer is unordered with one of them), and no more are kept; likewise readers of two blocks
// where blocks cannot know of each other. Bounds of what is kept otherwise stand in race_checker.cpp.
// Does not model: values, beyond whether a write changes anything.
#pragma once

#include <cstdint>

#include "scope/machine/access.h"
#include "scope/observers/hazards/block_clock.h"
#include "scope/observers/hazards/hazards.h"
#include "scope/observers/hazards/shadow.h"

namespace tilescope::observers {

// What orders a program's threads beside barriers of whole blocks; known from its code.
struct SyncForms {
    bool is_simple = true;       // nothing
    bool has_arrivals = false;   // threads that come to a barrier and do not wait
    bool is_across = false;      // fences and the like that reach beyond a block
    bool has_read_only = false;  // reads by the read-only path
};
SyncForms sync_forms_of(const machine::Program& program);

// A space of memory as the checker sees it. Records before `live` are known to all who may come.
struct Checked {
    HazardSpace space = HazardSpace::kGlobal;
    Records* records = nullptr;
    Extensions* extensions = nullptr;
    HazardList* hazards = nullptr;
    SyncForms forms;
    std::uint32_t live = 1;
    std::uint32_t first = 0;    // record from which on there are writes of this memory's bytes
    std::uint32_t serial = 0;   // Record::serial of the access
    bool stores_fixed = false;  // Record::is_fixed of the access
    bool is_read_only = false;  // Record::is_read_only of the access
    bool passes_l1 = false;     // a load that L1 cannot answer
};

inline bool is_writing(Deed deed) { return deed != Deed::kRead && deed != Deed::kStrongRead; }

class RaceChecker {
public:
    RaceChecker(const Checked& checked, BlockClock& clock, const machine::Access& access);

    // All of the access. Pages: what has page(number), for addresses / ShadowPage::kBytes.
    template <class Pages>
    void follow(Pages& pages);
    // The number of the access's record, if it needed one so far; else 0.
    std::uint32_t record() const { return record_; }

private:
    template <class Pages>
    bool is_old_news(Pages& pages) const;
    template <class Pages>
    void touch(Pages& pages, std::uint64_t address, std::uint64_t bytes, std::uint32_t lanes);
    bool has_nothing_new(const Cell& cell) const;
    std::uint32_t make_record();
    std::uint32_t me() { return record_ != 0 ? record_ : make_record(); }
    bool is_settled(std::uint32_t record) const;
    bool is_mine(std::uint32_t record, unsigned other, std::uint32_t lanes) const;
    void read(Cell& cell, std::uint32_t lanes);
    bool become_two_blocks(Cell& cell, std::uint32_t lanes);
    void read_simple(Cell& cell, std::uint32_t lanes);
    void write(Cell& cell, std::uint32_t lanes);
    void strong(Cell& cell, std::uint32_t lanes);
    void meet(std::uint32_t record, unsigned other, std::uint32_t lanes, bool is_unchanged);
    void meet_all(const std::vector<Ref>& refs, std::uint32_t lanes);
    void meet_each_other(std::uint32_t lanes);
    void add(std::vector<Ref>& refs, std::uint32_t lanes);
    bool may_race(const Record& other) const;
    bool is_spread() const;
    bool stands_for(const Record& earlier) const;
    void report(const Record& other, unsigned other_lane, unsigned lane, bool is_same_value);
    bool is_met(const Record& met) const;
    void find_hand_over(const Record& other, unsigned other_lane, unsigned lane, bool is_before,
                        FoundHazard& hazard) const;
    void read_stale(const Cell& cell, std::uint32_t lanes);
    void write_under_readers(const Cell& cell, std::uint32_t lanes);
    void report_stale(const Record& met, unsigned met_lane, unsigned lane, bool is_ordered);
    void report_no_acquire(const Record& written, unsigned other_lane, unsigned lane);
    Extension& extend(Cell& cell);
    void drop_extension(Cell& cell);
    bool changes_nothing(std::uint32_t lanes) const;
    bool write_left_all(const Cell& cell) const;
    std::uint8_t unchanged_by(const Cell& cell, bool is_unchanged, bool is_race) const;
    bool store_the_same(unsigned one, unsigned other) const;

    const Checked& checked_;
    BlockClock& clock_;
    const machine::Access& access_;
    Deed deed_;
    unsigned warp_;
    bool writes_, is_strong_, is_spread_;
    machine::Scope scope_;
    std::uint32_t round_;
    std::uint32_t record_ = 0;
    std::uint32_t place_ = 0;         // Extension::place of the unit at hand
    std::uint64_t address_ = 0;       // of the lanes at hand
    std::uint64_t reported_ = ~0ull;  // what these lanes met last: a wide access counts once
    std::uint32_t stale_ = ~0u;       // the op whose stale read or write was reported last: once an access
};

}  // namespace tilescope::observers

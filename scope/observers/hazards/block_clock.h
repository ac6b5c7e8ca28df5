// BlockClock: what the threads of one block know of what others did. The happens-before relation of the race check.
//
// Every warp has a clock, its number of steps so far; an access happens at a time of its warp. Threads that passed a
// barrier of the whole block share one time before which they know everything of the block; the lanes of a warp that
// met share another. Whatever is finer (masked warp barriers, named barriers, fences, what atomics hand on, copies
// under way) makes the warp's Lanes, which most kernels never need.
//
// Owns: the clocks of a block, its named barriers and its barrier objects. Guarantees: exact; the same whatever the
// order in which warps ran. Lock-step orders nothing. Tolerated beyond PTX's model: a fence counts for the whole block
// once a barrier has passed (fence by each thread, barrier, atomic by one thread), and a barrier behind the atomic that
// observed something counts as its fence (lacks_acquire() tells such knowledge apart); and whoever reads what a strong
// store of another block wrote, fence or not, comes behind the reads before that store: a value that was read is there
// before anything that follows from it is written; and whoever acquires what a place hands on comes behind all strong
// writes of that place so far (they are coherent). Does not model: proxies; clusters of several blocks.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "scope/machine/events.h"
#include "scope/observers/hazards/group_meetings.h"
#include "scope/observers/hazards/known.h"
#include "scope/observers/hazards/shadow.h"

namespace tilescope::observers {

// How far an order reaches.
inline bool is_wide(machine::Scope scope) { return scope >= machine::Scope::kGpu; }

// Calls act(number) for each lane of a mask.
template <class Act>
void for_lanes(std::uint32_t lanes, Act act) {
    for (; lanes != 0; lanes &= lanes - 1) act(static_cast<unsigned>(std::countr_zero(lanes)));
}

class BlockClock {
public:
    // has_arrivals: the program has threads that come to a barrier and do not wait.
    BlockClock(std::uint64_t number, std::uint32_t threads, bool has_arrivals);

    std::uint64_t number() const { return number_; }
    std::uint32_t base() const { return base_; }
    std::uint32_t now(unsigned warp) const { return warps_[warp].now; }
    // How often the lanes of an access have gone back in the program, as far as their accesses tell, counted from the
    // block's last barrier on: where the access stands in the course of the program, whatever others left out.
    std::uint32_t round_of(unsigned warp, std::uint32_t lanes, std::uint32_t op) {
        WarpClock& clock = warps_[warp];
        if (lanes != clock.all || clock.is_split) return round_of_some(clock, lanes, op);
        if (op <= clock.course.last_op) ++clock.course.rounds;
        clock.course.last_op = op;
        return clock.course.rounds;
    }

    // Whether a thread knows what a recorded access did, or is its thread. `place`: Extension::place.
    bool knows(unsigned warp, unsigned lane, const Record& record, std::uint32_t number, unsigned other,
               std::uint32_t place) const;

    // Of what a thread knows by knows(): whether it does so only because a barrier followed an atomic that announced
    // it, with no acquire and no fence in the block since. Other blocks' accesses alone.
    bool lacks_acquire(const Record& record, unsigned other) const {
        return !announced_.empty() && record.block != number_ && is_known_to(announced_, record, other) &&
               !is_known_to(acquired_, record, other);
    }

    // All of a strong access's words take and give through these. `handed` lies with the word, whose number is `place`;
    // `serial` is the write's.
    void acquire(unsigned warp, unsigned lane, const Handed& handed, machine::Order order, machine::Scope scope);
    void release(unsigned warp, unsigned lane, Handed& handed, machine::Order order, machine::Scope scope,
                 bool replaces, std::uint32_t place, std::uint32_t serial);
    // A release counts up to here: what the warp does from now on is later.
    void step(unsigned warp) { ++warps_[warp].now; }

    // Lanes arrive at a barrier for some of the block's threads, and nothing orders them with the threads that it let
    // pass last: had they come earlier, it might have been they that passed.
    struct ByChance {
        unsigned lane = 0, other_thread = 0;
        std::uint32_t other_op = 0;  // where the other waited
    };
    std::optional<ByChance> barrier(const machine::BarrierArrival& arrival);
    // True when all threads of the block know all that was, and no copy is under way.
    bool barrier_passed(const machine::BarrierPassed& passed);
    void warp_barrier(const machine::WarpBarrier& event);
    void fence(const machine::Fence& fence);
    // A lane that uses a barrier object of whose beginning it cannot know.
    struct EarlyUse {
        unsigned lane = 0, other_thread = 0;
        std::uint32_t other_op = 0;  // that made the object
        std::uint64_t address = 0;
    };
    std::vector<EarlyUse> barrier_object(const machine::BarrierObjectUse& use);

    // Asynchronous copies: `record` is the number of one.
    void copy_begins(unsigned warp, std::uint32_t lanes, std::uint32_t record);
    void copy_group(const machine::CopyGroup& group);
    void product_group(const machine::ProductGroup& group) { meetings_.product_group(group); }
    const GroupMeetings& meetings() const { return meetings_; }
    // Whether a thread has waited since it last issued a copy that it never committed.
    bool is_uncommitted(unsigned warp, unsigned lane) const;
    bool is_copying() const { return copying_ != 0; }

private:
    struct FenceState {
        std::uint32_t time = 0, base = 0, together = 0;  // 0: there was none
        Known extra;
    };
    struct Copy {
        std::uint32_t record = 0, group = 0;
        bool is_waited_for = false;  // by a wait for groups, behind it
    };
    struct Lane {
        Known extra;               // of others, beside what the block and the warp know
        Known reads_over;          // reads of others that are over
        Known seen[2];             // observed without an acquire: by [0] the block's threads, [1] anybody
        FenceState fence[2];       // the last one: [0] of any scope, [1] of gpu scope
        Known passed[2];           // fences of others, handed on by warp barriers
        std::vector<Copy> copies;  // under way
        std::uint32_t groups = 0;  // committed
        std::size_t arrived = 0;   // copies that arrived at a barrier object, the first of the list
    };
    struct Lanes {
        bool apart = false;  // known is in use
        std::array<std::array<std::uint32_t, 32>, 32> known{};
        std::array<Lane, 32> lane;
        bool has_fences = false, has_extra = false;
    };
    struct Course {
        std::uint32_t rounds = 0, last_op = 0;
    };
    struct WarpClock {
        std::uint32_t now = 1;       // time of its next access
        std::uint32_t together = 0;  // before this its lanes know of each other
        Course course;               // of all lanes,
        bool is_split = false;       // or of each, since some went another way
        std::unique_ptr<std::array<Course, 32>> courses;
        std::uint32_t all = 0;  // lanes that there are
        std::unique_ptr<Lanes> lanes;
    };
    // Of an access of cp.async, by record.
    struct CopyState {
        std::uint32_t waited = 0, arrived = 0;  // lanes
        std::array<std::uint32_t, 32> waited_at{}, arrived_at{};
    };
    struct Waiting {
        std::uint32_t lanes = 0, op = 0;
        std::uint32_t time = 0;  // of the warp when it went on
    };
    struct Barrier {
        bool is_partial = false;
        Known known;
        std::map<unsigned, Waiting> waiting;  // by warp
        std::map<unsigned, Waiting> passed;   // those of the time before
        std::uint32_t passed_base = 0;        // base_ when they passed
    };
    struct Object {
        Known arriving, over;
        Record made;           // deed kNone: nobody has
        unsigned made_by = 0;  // lane
    };

    Lanes& lanes_of(unsigned warp) {
        if (!warps_[warp].lanes) warps_[warp].lanes = std::make_unique<Lanes>();
        return *warps_[warp].lanes;
    }
    static std::uint32_t round_of_some(WarpClock& clock, std::uint32_t lanes, std::uint32_t op);
    Known known_by(unsigned warp, unsigned lane) const;
    Known of_fence(unsigned warp, unsigned lane, const FenceState& fence) const;
    Known fenced(unsigned warp, unsigned lane, unsigned scope) const;
    void take_seen(unsigned warp, std::uint32_t lanes, bool wide, bool by_fence = false);
    static bool is_known_to(const Known& known, const Record& record, unsigned other);
    void gather_fences();
    void pass_all();
    Known arrival_of(unsigned warp, std::uint32_t lanes);
    std::optional<ByChance> chance_of(const Barrier& barrier, unsigned warp, std::uint32_t lanes) const;
    bool is_behind(unsigned warp, unsigned lane, unsigned other_warp, const Waiting& other) const;
    std::uint32_t extra_of(unsigned warp, unsigned lane, std::uint64_t key) const;
    bool is_over(unsigned warp, unsigned lane, const Record& read, unsigned other) const;

    std::uint64_t number_;
    bool has_arrivals_;
    GroupMeetings meetings_;
    std::uint32_t base_ = 1;
    std::vector<WarpClock> warps_;
    Known extra_;       // of other blocks, known to all threads
    Known reads_over_;  // likewise
    Known announced_;   // of other blocks, by atomics that barriers and no fence followed
    Known acquired_;    // of other blocks, by acquires and fences
    Known fenced_[2];   // fences before the last barrier of the block
    bool has_lanes_ = false;
    Barrier barriers_[16];
    std::unordered_map<std::uint64_t, Object> objects_;
    std::unordered_map<std::uint32_t, CopyState> copies_;
    std::uint64_t copying_ = 0;  // lanes' copies under way
};

}  // namespace tilescope::observers

#include "tests/hazards/reference/detector.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tilescope::reference {
namespace {

using machine::kWarpSize;
using machine::Order;
using machine::Scope;
using machine::Space;

// What somebody knows of others: of each all up to a time. Beside threads, each asynchronous copy has a clock of its
// own, as it is not done when its thread goes on; and so has each place at which strong writes hand something on:
// whoever acquires it comes behind all strong writes of that place so far.
using Clock = std::map<std::uint64_t, std::uint64_t>;

void join(Clock& clock, const Clock& other) {
    for (const auto& [who, time] : other) clock[who] = std::max(clock[who], time);
}

bool acquires(Order order) {
    return order == Order::kAcquire || order == Order::kAcquireRelease || order == Order::kSequential;
}
bool releases(Order order) {
    return order == Order::kRelease || order == Order::kAcquireRelease || order == Order::kSequential;
}
bool is_wide(Scope scope) { return scope >= Scope::kGpu; }

struct Access {
    std::uint64_t who = 0, time = 0;
    std::uint64_t place = 0, serial = 0;  // of strong writes: the clock of the place, and the write's time in it
    std::uint64_t block = 0;
    std::uint32_t op = 0;
    bool writes = false, is_strong = false;
    Scope scope = Scope::kNone;
};

// What strong writes of a place hand on.
struct Handed {
    std::map<std::uint64_t, Clock> near;  // to threads of one block, by its number
    Clock wide;                           // to everybody
    Clock reads;                          // reads that are over when the store was seen
};

struct Byte {
    std::vector<Access> reads, writes;
    std::set<Race> races;
};

struct Copy {
    std::uint64_t who = 0;
    std::uint32_t group = 0;
    bool is_over = false;
};

struct Thread {
    std::uint64_t time = 0;
    Clock knows, reads_over;
    Clock seen_near, seen_wide;   // observed, to count from the next fence on
    Clock fence_any, fence_wide;  // what was known at the last fence
    std::vector<Copy> copies;
    std::uint32_t groups = 0;
};

struct Barrier {
    Clock knows, reads_over;
    std::vector<std::uint32_t> waiting;
    bool is_counted = false;
};

struct Object {
    Clock arriving, over;
};

class Detector {
public:
    Detector(const Trace& trace, std::uint64_t most) : trace_(trace), most_(most) {}

    Verdict judge() {
        const std::vector<Event>& events = trace_.events;
        for (std::size_t i = 0; i < events.size() && compared_ <= most_;) {
            if (!is_access(events[i])) {
                follow(events[i++]);
                continue;
            }
            std::vector<Event> lanes{events[i++]};
            while (i < events.size() && is_access(events[i]) && !events[i].is_first) lanes.push_back(events[i++]);
            access_of_warp(lanes);
        }
        Verdict verdict;
        verdict.is_judged = compared_ <= most_;
        for (const auto& [place, byte] : bytes_) {
            if (byte.races.empty()) continue;
            verdict.races.insert(byte.races.begin(), byte.races.end());
            verdict.by_byte.insert(byte.races);
        }
        return verdict;
    }

private:
    using Place = std::tuple<Space, std::uint64_t, std::uint64_t>;  // space, block of shared memory, address

    static bool is_access(const Event& event) { return event.kind <= Kind::kCopyWrite; }
    static Place place_of(const Event& event, std::uint64_t address) {
        return {event.space, event.space == Space::kShared ? event.block : 0, address};
    }
    std::uint64_t number_of(std::uint64_t block, std::uint32_t thread) const { return block * trace_.threads + thread; }
    // The clocks of copies and places.
    std::uint64_t new_clock() { return kNotThreads + ++clocks_; }

    Thread& thread_of(std::uint64_t block, std::uint32_t number) { return threads_[number_of(block, number)]; }
    Thread& thread_of(const Event& event) { return thread_of(event.block, event.thread); }
    // The thread does something: what it knows of itself goes on.
    void step(const Event& event) {
        Thread& thread = thread_of(event);
        thread.knows[number_of(event.block, event.thread)] = ++thread.time;
    }

    void follow(const Event& event) {
        if (event.kind != Kind::kPassed && event.kind != Kind::kMeet) step(event);
        switch (event.kind) {
            case Kind::kArrive: return arrive(event);
            case Kind::kPassed: return pass(event);
            case Kind::kMeet: return meet(event);
            case Kind::kFence: return fence(event);
            case Kind::kCommit: ++thread_of(event).groups; return;
            case Kind::kWait:
            case Kind::kWaitAll: return wait(event);
            default: return barrier_object(event);
        }
    }

    // ---- accesses -----------------------------------------------------------------------------------------------
    Access access(const Event& event) {
        Thread& thread = thread_of(event);
        Access now;
        now.who = number_of(event.block, event.thread);
        now.time = thread.time;
        now.block = event.block;
        now.op = event.op;
        now.writes = event.kind != Kind::kLoad && event.kind != Kind::kCopyRead;
        now.is_strong = event.kind == Kind::kAtomic || event.order != Order::kWeak;
        now.scope = event.order == Order::kVolatile ? Scope::kSystem : event.scope;
        if (event.kind == Kind::kCopyWrite) {
            now.is_strong = false;
            now.who = new_clock();
            now.time = 1;
            thread.copies.push_back({now.who, thread.groups, false});
        }
        const bool reads = event.kind == Kind::kLoad || event.kind == Kind::kAtomic;
        if (now.is_strong && reads) take(event, now);
        if (now.is_strong && now.writes) {
            std::uint64_t& place = places_[place_of(event, event.address)];
            if (place == 0) place = new_clock();
            now.place = place;
            now.serial = ++strong_writes_;
        }
        for (std::uint64_t i = 0; i < event.bytes; ++i) compare(event, event.address + i, now);
        return now;
    }

    // Lanes of one instruction are held against what was before it; then they hand on, the lowest first.
    void access_of_warp(const std::vector<Event>& lanes) {
        std::vector<Access> accesses;
        for (const Event& event : lanes) {
            step(event);
            accesses.push_back(access(event));
        }
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            if (!accesses[i].writes) continue;
            if (lanes[i].kind == Kind::kAtomic) take(lanes[i], accesses[i]);
            give(lanes[i], accesses[i]);
        }
    }

    bool knows(const Thread& thread, const Access& earlier, std::uint64_t block) const {
        const auto holds = [](const Clock& clock, std::uint64_t who, std::uint64_t time) {
            const auto at = clock.find(who);
            return at != clock.end() && at->second >= time;
        };
        if (holds(thread.knows, earlier.who, earlier.time)) return true;
        if (earlier.place != 0 && holds(thread.knows, earlier.place, earlier.serial)) return true;
        return !earlier.writes && earlier.block != block && holds(thread.reads_over, earlier.who, earlier.time);
    }

    static bool may_race(const Access& one, const Access& other) {
        if (!one.is_strong || !other.is_strong) return true;
        return one.block != other.block && !(is_wide(one.scope) && is_wide(other.scope));
    }

    void compare(const Event& event, std::uint64_t address, const Access& now) {
        Byte& byte = bytes_[place_of(event, address)];
        const Thread& thread = thread_of(event);
        const auto hold = [&](const std::vector<Access>& all) {
            compared_ += all.size();
            for (const Access& earlier : all)
                if (may_race(earlier, now) && !knows(thread, earlier, now.block))
                    byte.races.insert({event.space, std::min(earlier.op, now.op), std::max(earlier.op, now.op)});
        };
        hold(byte.writes);
        if (now.writes) hold(byte.reads);
        (now.writes ? byte.writes : byte.reads).push_back(now);
    }

    // ---- what strong accesses hand on, which lies with their first byte ------------------------------------------
    void take(const Event& event, const Access& now) {
        const auto at = handed_.find(place_of(event, event.address));
        if (at == handed_.end()) return;
        Thread& thread = thread_of(event);
        const bool at_once = acquires(event.order);
        if (const auto near = at->second.near.find(event.block); near != at->second.near.end())
            join(at_once ? thread.knows : thread.seen_near, near->second);
        if (!is_wide(now.scope)) return;
        join(at_once ? thread.knows : thread.seen_wide, at->second.wide);
        join(thread.reads_over, at->second.reads);
    }

    void give(const Event& event, const Access& now) {
        const Place place = place_of(event, event.address);
        // A plain write hands on nothing, and what was handed on at its bytes is gone.
        if (!now.is_strong) {
            for (std::uint64_t i = 0; i < event.bytes; ++i) handed_.erase(place_of(event, event.address + i));
            return;
        }
        const Thread& thread = thread_of(event);
        const bool replaces = event.kind == Kind::kStore;
        Clock near = releases(event.order) ? thread.knows : thread.fence_any;
        Clock wide = releases(event.order) ? thread.knows : thread.fence_wide;
        if (!near.empty()) near[now.place] = now.serial;
        if (!wide.empty()) wide[now.place] = now.serial;
        Handed& handed = handed_[place];
        if (replaces) handed = Handed();
        join(handed.near[event.block], near);
        if (!is_wide(now.scope)) return;
        join(handed.wide, wide);
        if (!replaces) return;
        handed.reads = thread.knows;
        join(handed.reads, thread.reads_over);
    }

    void fence(const Event& event) {
        Thread& thread = thread_of(event);
        if (event.order != Order::kRelease) take_seen(thread, is_wide(event.scope));
        if (event.order == Order::kAcquire) return;
        thread.fence_any = thread.knows;
        if (is_wide(event.scope)) thread.fence_wide = thread.knows;
    }

    static void take_seen(Thread& thread, bool wide) {
        join(thread.knows, thread.seen_near);
        thread.seen_near.clear();
        if (!wide) return;
        join(thread.knows, thread.seen_wide);
        thread.seen_wide.clear();
    }

    // ---- barriers -----------------------------------------------------------------------------------------------
    void arrive(const Event& event) {
        Thread& thread = thread_of(event);
        take_seen(thread, true);  // a barrier behind what was observed counts as its fence
        Barrier& barrier = barriers_[{event.block, event.count}];
        join(barrier.knows, thread.knows);
        join(barrier.reads_over, thread.reads_over);
        barrier.is_counted = barrier.is_counted || event.is_counted;
        if (event.waits) barrier.waiting.push_back(event.thread);
    }

    void pass(const Event& event) {
        Barrier& barrier = barriers_[{event.block, event.count}];
        // Without a count it is for all threads; those that have ended count as arrived.
        const bool is_whole = !barrier.is_counted || barrier.waiting.size() == trace_.threads;
        if (is_whole) {
            barrier.waiting.clear();
            for (std::uint32_t i = 0; i < trace_.threads; ++i) {
                join(barrier.knows, thread_of(event.block, i).knows);
                join(barrier.reads_over, thread_of(event.block, i).reads_over);
                barrier.waiting.push_back(i);
            }
        }
        for (const std::uint32_t i : barrier.waiting) {
            join(thread_of(event.block, i).knows, barrier.knows);
            join(thread_of(event.block, i).reads_over, barrier.reads_over);
        }
        // Fences of all its threads, then a barrier: they count for each of them.
        if (is_whole) share_fences(event.block, barrier.waiting);
        barrier = Barrier();
    }

    void share_fences(std::uint64_t block, const std::vector<std::uint32_t>& who) {
        Clock any, wide;
        for (const std::uint32_t i : who) {
            join(any, thread_of(block, i).fence_any);
            join(wide, thread_of(block, i).fence_wide);
        }
        for (const std::uint32_t i : who) {
            thread_of(block, i).fence_any = any;
            thread_of(block, i).fence_wide = wide;
        }
    }

    void meet(const Event& event) {
        std::vector<std::uint32_t> who;
        for (unsigned lane = 0; lane < kWarpSize; ++lane)
            if (event.lanes >> lane & 1) who.push_back(event.thread + lane);
        Clock knows, reads_over;
        for (const std::uint32_t i : who) {
            Thread& thread = thread_of(event.block, i);
            take_seen(thread, true);
            join(knows, thread.knows);
            join(reads_over, thread.reads_over);
        }
        for (const std::uint32_t i : who) {
            thread_of(event.block, i).knows = knows;
            thread_of(event.block, i).reads_over = reads_over;
        }
        share_fences(event.block, who);
    }

    // ---- copies and barrier objects -----------------------------------------------------------------------------
    void wait(const Event& event) {
        Thread& thread = thread_of(event);
        for (Copy& copy : thread.copies) {
            const bool is_old = copy.group < thread.groups && thread.groups - copy.group > event.count;
            if (copy.is_over || (event.kind == Kind::kWait && !is_old)) continue;
            copy.is_over = true;
            thread.knows[copy.who] = 1;
        }
    }

    void barrier_object(const Event& event) {
        Object& object = objects_[{event.block, event.address}];
        Thread& thread = thread_of(event);
        switch (event.kind) {
            case Kind::kObjectArrive:
                join(object.arriving, releases(event.order) ? thread.knows : thread.fence_any);
                break;
            case Kind::kObjectCopies:
                for (const Copy& copy : thread.copies) object.arriving[copy.who] = 1;
                break;
            case Kind::kObjectWaited:
                join(acquires(event.order) ? thread.knows : thread.seen_near, object.over);
                return;
            default: object = Object(); return;
        }
        if (!event.completes) return;
        join(object.over, object.arriving);
        object.arriving.clear();
    }

    static constexpr std::uint64_t kNotThreads = std::uint64_t{1} << 62;

    const Trace& trace_;
    std::uint64_t most_, compared_ = 0, clocks_ = 0, strong_writes_ = 0;
    std::map<std::uint64_t, Thread> threads_;
    std::map<Place, Byte> bytes_;
    std::map<Place, Handed> handed_;
    std::map<Place, std::uint64_t> places_;
    std::map<std::pair<std::uint64_t, std::uint32_t>, Barrier> barriers_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, Object> objects_;
};

}  // namespace

Verdict judge(const Trace& trace, std::uint64_t most) {
    Verdict verdict;
    verdict.is_judged = trace.is_whole;
    return trace.is_whole ? Detector(trace, most).judge() : verdict;
}

}  // namespace tilescope::reference

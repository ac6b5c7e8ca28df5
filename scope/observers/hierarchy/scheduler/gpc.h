// Gpc: SMs whose reads meet on their way to L2, with their resident warps.
//
// Owns: the SMs with their L1 caches, each warp's next step, and the L2 requests of a window. Guarantees: a window
// depends on nothing that other GPCs do in it, because no L2 response arrives before its end. So GPCs may run in
// parallel. Does not model: exact time. The clock decides which accesses meet in the caches.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scope/observers/hierarchy/cache_traffic.h"
#include "scope/observers/hierarchy/l1/constant_level.h"
#include "scope/observers/hierarchy/l1/first_level.h"
#include "scope/observers/hierarchy/l1/passed_lines.h"
#include "scope/observers/hierarchy/l2/second_level.h"
#include "scope/observers/hierarchy/misses_in_flight/sm_misses.h"
#include "scope/observers/hierarchy/record/buffers.h"
#include "scope/observers/hierarchy/record/traffic.h"
#include "scope/observers/hierarchy/rules.h"
#include "scope/observers/hierarchy/scheduler/l2_request.h"
#include "scope/observers/hierarchy/scheduler/oldest_first.h"
#include "scope/observers/hierarchy/scheduler/running_block.h"
#include "scope/observers/hierarchy/scheduler/warp_run.h"
#include "scope/observers/hierarchy/store_path/hot_lines.h"
#include "scope/observers/hierarchy/store_path/store_path.h"

namespace tilescope::observers {

// How much SMs have to do: cycles in which one has blocks, and blocks that it runs.
struct SmSpread {
    std::uint64_t sms = 0;                 // that they are
    std::uint64_t active = 0, spells = 0;  // of all of them, and in how many stretches
    std::uint64_t least_active = ~std::uint64_t{0}, most_active = 0;
    std::uint64_t least_blocks = ~std::uint64_t{0}, most_blocks = 0;

    void add(const SmSpread& more);
};

// What warps' time goes into, in cycles.
template <class Number>
struct TimeOf {
    Number slots = 0, arithmetic = 0, pipe = 0, memory = 0, barriers = 0;
    Number local = 0;  // of `memory`: what local memory alone made longer

    // Calls `what` with each part, and with the same one of others, which may be of another type.
    template <class Do, class... Others>
    void for_each_part(const Do& what, Others&&... of) {
        what(slots, of.slots...);
        what(arithmetic, of.arithmetic...);
        what(pipe, of.pipe...);
        what(memory, of.memory...);
        what(barriers, of.barriers...);
        what(local, of.local...);
    }
};

// What a GPC's warps do with their time, and when its SMs are done.
struct GpcClock : TimeOf<std::uint64_t> {
    std::uint64_t warps = 0, longest_warp = 0;  // lives
    std::uint64_t ends = 0, sms = 0;            // of SMs with blocks: ends of their last blocks, and how many they are
    std::uint64_t resident = 0;                 // of warps, from their blocks' begins to their blocks' ends
    SmSpread spread;                            // of all SMs
};

// What went through the caches of a GPC without a clock.
struct Passed {
    std::vector<CacheTraffic> traffic;  // by its place in Gpc::traffic()
    std::uint64_t requests = 0;
    std::vector<std::uint64_t> mix;  // requests by op
    HotLines stored_lines;
    std::uint64_t lines = 0;  // of these stores
    std::uint64_t warps = 0;  // that were there when the first went by
};

// When requests went by, and how long they would have taken.
struct PassedTime {
    std::uint64_t since = 0, cycles = 0;
};
inline std::uint64_t passed_before(const std::vector<PassedTime>& all, std::uint64_t time) {
    std::uint64_t cycles = 0;
    for (const PassedTime& one : all) cycles += one.since <= time ? one.cycles : 0;
    return cycles;
}

class Gpc {
public:
    // Of the SMs of `rules` that `gpc_of` says are number `gpc`.
    Gpc(const HierarchyRules& rules, const std::vector<std::uint8_t>& gpc_of, unsigned gpc, std::size_t ops,
        const SecondLevel& second, const BufferMap& buffers);

    // A block begins at `time`, or when the block that the GPC got before has begun and it is its turn.
    void start(std::unique_ptr<RunningBlock> block, std::uint64_t time);
    // Everything that happens before `end`.
    void run_until(std::uint64_t end);
    // What was requested of L2 meanwhile, by slice, and room for the responses, by L2Request::number.
    const std::vector<L2Request>& requests(unsigned slice) const { return requests_[slice]; }
    // When the first of these and the last one were made.
    struct Times {
        std::uint64_t first = ~std::uint64_t{0}, last = 0;
    };
    const Times& times(unsigned slice) const { return times_[slice]; }
    L2Response& response(std::uint32_t number) { return responses_[number]; }
    // Takes the answers in: who waits for them has his turn in a window to come.
    void take_responses();
    // When it has something to do; ~0: when a block starts.
    std::uint64_t next_turn() const;
    // Warps that wait for each other for ever go on: lanes of one warp may have waited at different barriers, which a
    // warp's single file of requests cannot. False when there are none.
    bool release_stuck();

    // Places where blocks ended in the last window, and when; and the bytes that they took.
    std::vector<std::pair<std::uint64_t, std::uint32_t>>& freed() { return freed_; }
    std::uint64_t freed_bytes() const { return freed_bytes_; }
    void forget_freed();
    const std::vector<BufferTraffic>& traffic() const { return traffic_; }

    // Requests go through the caches without a clock, which stands still meanwhile: each warp's next ones, `turns` at
    // most. What is requested of L2 has its turn as in a window (requests(), response(), then take_passed()); blocks
    // that come begin at once.
    void pass(std::uint32_t turns);
    // What SMs have done in the last stretch, by how many warps they have; from now on warps go by at the speed that
    // those of such SMs had beside all.
    struct Done {
        double requests = 0, warps = 0;
    };
    using Progress = std::map<std::uint32_t, Done>;
    void begin_stretch();
    void add_progress(Progress& progress) const;
    void set_speeds(const Progress& progress);
    // From now on each place goes by until it has had so many blocks more, and is as far in the last as it is now.
    void pass_blocks(std::uint32_t blocks);
    void pass_in(std::unique_ptr<RunningBlock> block);
    void take_passed();
    // The clock goes on. `has_hits`: of L1, which are to find what went by.
    void resume(bool has_hits);
    // Warps that would come to their end by going on so far.
    std::uint64_t ending_within(std::uint32_t turns) const;
    // What went by since forget_passed(), as traffic() has what did not; its hits are those of this order of requests.
    const Passed& passed() const { return passed_; }
    void forget_passed();
    // What went by when the clock stood at `since` would have taken that long.
    void grow_older(std::uint64_t since, std::uint64_t cycles);
    std::uint64_t live_warps() const { return live_; }
    std::uint64_t warp_room() const { return places_.size() * rules_.warps; }
    // Requests by op, of what the clock saw.
    const std::vector<std::uint64_t>& mix() const { return mix_; }
    std::uint64_t note_bytes() const;
    std::uint64_t requests_done() const { return requests_done_; }
    GpcClock clock() const;
    // All that its SMs have sent, once the launch is over.
    const StoresSent& stores();
    const StoresSent& sent() const { return stores_; }  // so far

private:
    static constexpr unsigned kBuckets = 2048, kWordBits = 64;  // numeric: of our queue of turns
    static constexpr std::uint32_t kNobody = WarpRun::kNobody;
    // A time that is not known yet: with this bit, the number of the request whose response will tell.
    static constexpr std::uint64_t kUnknown = std::uint64_t{1} << 63;  // numeric: the highest bit

    // A quarter of an SM. Its slots go to the oldest warp that wants some. It hands over one access at a time: the next
    // one when the last has gone into the SM's pipe.
    struct Scheduler {
        struct Waiting {
            std::uint32_t warp = 0;
            bool passes = false;  // it is on its way through shared memory
            std::uint64_t age = 0;
        };
        OldestFirst slots;             // for instructions
        std::uint64_t hands_over = 0;  // when the access that it handed over last goes into the pipe
        std::vector<Waiting> waiting;  // as they came
    };
    struct Multiprocessor {
        explicit Multiprocessor(const MissRules& rules) : reads(rules) {}

        std::unique_ptr<FirstLevel> first;
        std::unique_ptr<PassedLines> passed;  // while requests go by
        std::unique_ptr<ConstantLevel> constants;
        std::array<Scheduler, kSchedulers> schedulers;
        std::uint64_t pipe = 0, port = 0;  // when the next request can go in; and out to L2, in sixteenths
        std::uint64_t ended = 0;
        std::uint64_t requests = 0, in_stretch = 0;  // since a stretch began, and in the one before
        std::uint64_t blocks = 0, residents = 0;     // that have ended; that have begun and not ended
        // Cycles with blocks, since when it has some, and how often it went from none to some.
        std::uint64_t active = 0, active_since = 0, spells = 0;
        bool is_active = false;
        StorePath stores;
        SmMissesInFlight reads;

        void enter(std::uint64_t time) {
            if (residents++ != 0 || is_active) return;
            is_active = true;
            active_since = time;
            ++spells;
        }
        void rest_if_empty(std::uint64_t time) {
            if (residents != 0 || !is_active) return;
            is_active = false;
            active += time - active_since;
        }
    };
    // Whose a request is: the warp, if it gets something, and what else is to know when it comes.
    struct Requester {
        std::uint64_t least = 0;                   // it does not come before
        std::uint32_t warp = kNobody, counts = 0;  // in traffic_
        std::uint32_t slot = kNobody;              // of its L1
        std::uint32_t behind = 0;                  // cycles behind which the warp has it
        std::uint16_t sm = 0;
        std::uint8_t sectors = 0;  // that a load reads, one bit each
    };
    static_assert(sizeof(Requester) == 32);  // numeric: there are very many
    // A warp, and perhaps a line of its L1, that a request of somebody else serves, too; and what is requested for its
    // sake.
    struct Joined {
        std::uint32_t number = 0, warp = kNobody, sm = 0, slot = kNobody, counts = 0;
        std::uint8_t sectors = 0;
        std::uint32_t behind = 0;  // as Requester's
    };

    std::uint32_t place_of(const RunningBlock& block) const {
        return own_[block.place % rules_.scheduler.sms] + block.place / rules_.scheduler.sms * sm_count_;
    }
    // The block of a place gets its warps.
    void settle_in(std::uint32_t place, std::uint64_t begins);
    std::uint32_t live_on(std::uint32_t sm) const;  // warps
    void expect_warp(std::uint32_t warp) const;
    bool goes_by(std::uint32_t place) const {
        return to_go_.empty() || to_go_[place].blocks != 0 || to_go_[place].done < to_go_[place].requests;
    }
    void pass_warp(std::uint32_t warp, std::uint32_t turns);
    void pass_meeting(std::uint32_t warp, RunningBlock& block, const Request& request, bool waits);
    void pass_access(std::uint32_t warp, const RunningBlock& block, const Request& request, const Shape& shape);
    unsigned pass_load(std::uint32_t sm, std::uint64_t line, const Piece& piece, const Shape& shape,
                       CacheTraffic& counts);
    void pass_constants(std::uint32_t warp, const RunningBlock& block, const Request& request, const Shape& shape);
    CacheTraffic& passed_of(std::uint32_t counts) {
        if (counts >= passed_.traffic.size()) passed_.traffic.resize(traffic_.size());
        return passed_.traffic[counts];
    }
    // Of what lies before the warp's next request.
    static std::uint64_t chain_of(const WarpRun& run) {
        return run.has_more() ? std::max(Span::cycles(run.request.slots), Span::cycles(run.request.chain)) : 0;
    }
    void wait_for_loads(std::uint32_t warp);
    void schedule(std::uint32_t warp, std::uint64_t when);
    void go_on(std::uint32_t warp, std::uint64_t time);
    void issued(std::uint32_t warp);
    void step(std::uint32_t warp);
    void expect_turn(std::uint32_t warp) const;
    void meet(std::uint32_t warp, RunningBlock& block, const Request& request, bool waits);
    bool meets_swaps(std::uint32_t warp, const Request& request);
    void take_waiting(std::uint32_t own_turn);
    // Whether the warp goes through shared memory before its next request.
    static bool has_passes(const WarpRun& run) { return !run.has_passed && run.request.passes != 0; }
    void enter(std::uint32_t warp);
    void end_warp(std::uint32_t warp);
    void end_block(std::unique_ptr<RunningBlock>& block, Multiprocessor& sm);
    void access(std::uint32_t warp, const RunningBlock& block, const Request& request, const Shape& shape);
    void fetch(std::uint32_t warp, const RunningBlock& block, const Request& request, const Shape& shape);
    // The line that the request's pieces count from, and `word` at the first of them.
    std::uint64_t begin_access(std::uint32_t warp, const RunningBlock& block, const Request& request,
                               const Shape& shape, const std::uint64_t*& word);
    // Whether something has to be requested of L2.
    bool load(std::uint32_t warp, std::uint64_t line, const Piece& piece, const std::uint64_t* masks,
              const Shape& shape, std::uint64_t time);
    // Sectors that a read asks for, and those of them that L1 has.
    static std::uint64_t& asked(CacheTraffic& counts, RequestKind kind) {
        return kind == RequestKind::kTexture   ? counts.texture_sectors
               : kind == RequestKind::kSurface ? counts.surface_sectors
                                               : counts.loads;
    }
    static std::uint64_t& hits(CacheTraffic& counts, const Shape& shape) {
        return shape.kind == RequestKind::kTexture   ? counts.texture_hits
               : shape.kind == RequestKind::kSurface ? counts.surface_hits
               : shape.is_local                      ? counts.local_hits
                                                     : counts.global_hits;
    }
    // Who is counted: the place in traffic_ of an instruction and the buffer that the line is of.
    std::uint32_t counts_of(std::uint32_t op, std::uint64_t line) {
        const Counts& last = counts_[op];
        return last.range.holds(line) ? last.at : other_counts_of(op, line);
    }
    std::uint32_t other_counts_of(std::uint32_t op, std::uint64_t line);
    std::uint64_t read_second(std::uint32_t warp, std::uint32_t counts, std::uint32_t slot, std::uint64_t line,
                              unsigned sectors, std::uint64_t time);
    std::uint64_t join_misses_in_flight(const SmMissesInFlight::Place& place, Joined joined, unsigned sectors);
    void count_reads(std::uint32_t counts, const L2Response& response, unsigned sectors);
    L2Request& request_l2(std::uint64_t line, L2RequestKind kind, std::uint64_t time, std::uint32_t counts);
    // Which priority the access that is at work requests for a line.
    machine::Eviction eviction_of(std::uint64_t line) const;
    void prefetch(std::uint32_t warp, std::uint32_t op, std::uint64_t line, unsigned sectors, L2RequestKind kind,
                  std::uint64_t time);
    void prefetch_neighbours(std::uint32_t warp, std::uint32_t op, std::uint64_t time, bool passes = false);
    void end_window();
    void arrives(std::uint32_t warp, std::uint64_t time, bool is_local = false);
    void look_up_constants(std::uint32_t warp, const RunningBlock& block, const Request& request, const Shape& shape);
    std::uint64_t second_constants(std::uint32_t sm, std::uint32_t counts, std::uint64_t line);
    void expect(std::uint32_t sm, std::uint64_t base, const std::uint64_t* word, unsigned pieces, bool stores = false);
    void expect_response(std::size_t number) const;
    // Warps are numbered by place, slot and SM, and within the GPC by its own SMs.
    std::uint32_t sm_of(std::uint32_t warp) const { return warps_[warp].sm; }
    Scheduler& scheduler_of(const WarpRun& run) { return sms_[run.sm].schedulers[run.scheduler]; }
    std::unique_ptr<RunningBlock>& block_of(std::uint32_t warp) { return places_[warp / rules_.warps]; }
    FirstLevel& first(std::uint32_t sm) { return sms_[sm].first ? *sms_[sm].first : begin_first(sm); }
    FirstLevel& begin_first(std::uint32_t sm);
    PassedLines& passed_lines(std::uint32_t sm) {
        if (!sms_[sm].passed) sms_[sm].passed = std::make_unique<PassedLines>();
        return *sms_[sm].passed;
    }

    const HierarchyRules& rules_;
    const SecondLevel& second_;
    std::vector<std::uint32_t> own_;      // by SM of the device: its number here
    std::vector<std::uint32_t> numbers_;  // the SMs, as the device numbers them
    std::uint32_t sm_count_ = 0;
    // Where an instruction was last, and its place in traffic_ there; the places of an instruction are a list.
    struct Counts {
        BufferMap::Range range;
        std::uint32_t at = kNobody, first = kNobody;
    };
    const BufferMap& buffers_;
    std::vector<BufferTraffic> traffic_;
    std::vector<std::uint32_t> next_traffic_;  // of the same instruction
    std::vector<Counts> counts_;               // by op
    GpcClock clock_;
    StoresSent stores_;

    std::uint64_t now_ = 0, scheduled_ = 0;
    std::uint64_t live_ = 0;          // warps
    std::vector<std::uint64_t> mix_;  // requests, by op
    Passed passed_;
    // A place's blocks that are still to go by, and how many requests of the last; all of its block that are done.
    struct WayToGo {
        std::uint32_t blocks = 0, requests = 0, done = 0;
    };
    std::vector<WayToGo> to_go_;  // by place; empty: there is no such end
    std::vector<PassedTime> passed_times_;
    std::uint64_t requests_done_ = 0;
    std::vector<std::unique_ptr<RunningBlock>> places_;
    std::vector<WarpRun> warps_;   // behind them, the schedulers' own turns, by SM
    std::uint32_t own_turns_ = 0;  // where these begin
    std::vector<WarpPast> pasts_;  // of warps
    std::vector<Multiprocessor> sms_;
    unsigned gpc_ = 0;                                            // of the SMs whose reads are joined
    std::unordered_map<std::uint64_t, std::uint64_t> constants_;  // lines of the GPC's cache, and when they come
    std::uint64_t leaves_ = 0;                                    // when its last read did, in sixteenths of a cycle
    std::uint64_t started_ = 0;                                   // blocks
    std::uint64_t begins_ = 0;                                    // when its last block did
    std::array<std::uint32_t, kBuckets> heads_, tails_;
    std::array<std::uint64_t, kBuckets / kWordBits> taken_{};  // buckets with warps

    // Of the access that is at work: its policy and what behind it (Shape), and how much it requests; lines that L1 did
    // not have, if their neighbours are requested.
    const std::uint64_t* policy_ = nullptr;
    Reach reach_ = Reach::kPair;
    bool is_special_ = false;   // one of these, or a window
    std::uint32_t behind_ = 0;  // cycles that the warp gets it later than L1 has it
    std::vector<std::uint64_t> missed_;

    // Of the window.
    std::array<std::vector<L2Request>, SecondLevel::kSlices> requests_;
    std::array<Times, SecondLevel::kSlices> times_;
    std::vector<Requester> requesters_;
    std::vector<L2Response> responses_;
    std::vector<Joined> joined_;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> constants_coming_;  // requests, and lines of constants_
    std::vector<std::uint32_t> blocked_;                                     // warps that wait for answers
    std::vector<std::unique_ptr<RunningBlock>> ended_;                       // requests may point into them
    std::vector<std::pair<std::uint64_t, std::uint32_t>> freed_;
    std::uint64_t freed_bytes_ = 0;
};

}  // namespace tilescope::observers

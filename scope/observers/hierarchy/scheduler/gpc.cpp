#include "scope/observers/hierarchy/scheduler/gpc.h"

#include <algorithm>
#include <bit>

namespace tilescope::observers {
namespace {

// The host is told that a shape of many pieces is looked at soon.
void expect_words(const std::uint64_t* shape, unsigned pieces) {
    constexpr unsigned kWords = 8;  // geometry: of a cache line of the host
    for (unsigned word = kWords; word < pieces; word += kWords) __builtin_prefetch(shape + word);
    // Pieces in part have masks.
    for (unsigned word = std::max(pieces, kWords); word < 2 * pieces; word += kWords) __builtin_prefetch(shape + word);
}

}  // namespace

void SmSpread::add(const SmSpread& more) {
    sms += more.sms;
    active += more.active;
    spells += more.spells;
    least_active = std::min(least_active, more.least_active);
    most_active = std::max(most_active, more.most_active);
    least_blocks = std::min(least_blocks, more.least_blocks);
    most_blocks = std::max(most_blocks, more.most_blocks);
}

Gpc::Gpc(const HierarchyRules& rules, const std::vector<std::uint8_t>& gpc_of, unsigned gpc, std::size_t ops,
         const SecondLevel& second, const BufferMap& buffers)
    : rules_(rules), second_(second), own_(rules.scheduler.sms), buffers_(buffers), counts_(ops), mix_(ops) {
    for (std::uint32_t sm = 0; sm < rules.scheduler.sms; ++sm) {
        if (gpc_of[sm] != gpc) continue;
        own_[sm] = sm_count_++;
        numbers_.push_back(sm);
    }
    sms_.reserve(sm_count_);
    for (std::uint32_t sm = 0; sm < sm_count_; ++sm) sms_.emplace_back(rules.misses);
    gpc_ = gpc;
    heads_.fill(kNobody);
    tails_.fill(kNobody);
}

FirstLevel& Gpc::begin_first(std::uint32_t sm) {
    sms_[sm].first = std::make_unique<FirstLevel>(rules_.l1, numbers_[sm]);
    return *sms_[sm].first;
}

std::uint32_t Gpc::other_counts_of(std::uint32_t op, std::uint64_t line) {
    Counts& counts = counts_[op];
    counts.range = buffers_.find(line);
    for (std::uint32_t at = counts.first; at != kNobody; at = next_traffic_[at])
        if (traffic_[at].buffer == counts.range.buffer) return counts.at = at;
    counts.at = static_cast<std::uint32_t>(traffic_.size());
    traffic_.push_back({op, counts.range.buffer, {}});
    next_traffic_.push_back(std::exchange(counts.first, counts.at));
    return counts.at;
}

std::uint64_t Gpc::note_bytes() const {
    std::uint64_t bytes = 0;
    for (const Multiprocessor& sm : sms_)
        if (sm.first) bytes += sm.first->note_bytes();
    return bytes;
}

// ---- The clock ------------------------------------------------------------------------------------------------------

void Gpc::schedule(std::uint32_t warp, std::uint64_t when) {
    warps_[warp].when = when;
    warps_[warp].has_turn = true;
    warps_[warp].next = kNobody;
    const std::size_t bucket = std::min(when, now_ + kBuckets - 1) % kBuckets;
    if (heads_[bucket] == kNobody) {
        heads_[bucket] = warp;
        taken_[bucket / kWordBits] |= std::uint64_t{1} << bucket % kWordBits;
    } else {
        warps_[tails_[bucket]].next = warp;
    }
    tails_[bucket] = warp;
    ++scheduled_;
}

std::uint64_t Gpc::next_turn() const {
    if (scheduled_ == 0) return ~std::uint64_t{0};
    const std::size_t from = now_ % kBuckets;
    constexpr std::size_t kWords = kBuckets / kWordBits;
    for (std::size_t i = 0; i <= kWords; ++i) {
        const std::size_t word = (from / kWordBits + i) % kWords;
        std::uint64_t taken = taken_[word];
        if (i == 0) taken &= ~std::uint64_t{0} << from % kWordBits;
        if (taken == 0) continue;
        const std::size_t bucket = word * kWordBits + static_cast<std::size_t>(std::countr_zero(taken));
        return now_ + (bucket - from) % kBuckets;
    }
    return ~std::uint64_t{0};
}

void Gpc::run_until(std::uint64_t end) {
    for (std::uint64_t turn = next_turn(); turn < end; turn = next_turn()) {
        now_ = turn;
        const std::size_t bucket = now_ % kBuckets;
        // Those that come into this bucket meanwhile have their turn at the same time.
        while (heads_[bucket] != kNobody) {
            const std::uint32_t warp = heads_[bucket], next = warps_[warp].next;
            heads_[bucket] = next;
            if (next != kNobody) expect_turn(next);
            --scheduled_;
            if (warps_[warp].when > now_)
                schedule(warp, warps_[warp].when);  // further away than the buckets reach
            else
                step(warp);
        }
        taken_[bucket / kWordBits] &= ~(std::uint64_t{1} << bucket % kWordBits);
    }
    now_ = std::max(now_, end);
    responses_.resize(requesters_.size());
}

// The host is told of what the turn behind the next one needs, and of what the next one's warp requests.
void Gpc::expect_turn(std::uint32_t warp) const {
    const WarpRun& run = warps_[warp];
    if (run.next != kNobody) warps_[run.next].expect_turn();
    if (warp < own_turns_) return run.expect_request();
    const std::uint32_t own = warp - own_turns_;
    const auto& waiting = sms_[own / kSchedulers].schedulers[own % kSchedulers].waiting;
    warps_[waiting.front().warp].expect_turn();
}

void Gpc::wait_for_loads(std::uint32_t warp) {
    const WarpRun& run = warps_[warp];
    const std::uint64_t least = std::max(now_, run.when), chain = chain_of(run);
    const std::uint64_t until = std::max(least, run.loads_arrive + chain);
    clock_.memory += until - run.when;
    clock_.local += until - std::max(least, run.others_arrive + chain);
    schedule(warp, until);
}

// To the warp's next request, or its end.
void Gpc::go_on(std::uint32_t warp, std::uint64_t time) {
    WarpRun& run = warps_[warp];
    time = std::max(time, now_);
    run.chained = time;
    if (!run.has_more()) return issued(warp);
    const std::uint64_t chain = chain_of(run);
    run.chained += chain;
    clock_.arithmetic += chain;
    const std::uint64_t slots = Span::cycles(run.request.slots);
    if (slots == 0) return issued(warp);
    run.issues = true;
    OldestFirst& scheduler = scheduler_of(run).slots;
    if (scheduler.enter(warp, run.age, slots, time)) schedule(warp, scheduler.done());
}

// It has had the slots that it wanted.
void Gpc::issued(std::uint32_t warp) {
    WarpRun& run = warps_[warp];
    run.when = std::max(now_, run.chained);
    clock_.slots += run.when - run.chained;
    const bool waits = run.stops || !run.has_more() || run.request.waits != 0;
    if ((run.at + 1) % WarpRequests::kChunk == 0) run.block->requests.expect(run.slot, run.at + 1);
    run.stops = false;
    if (!waits) return schedule(warp, run.when);
    if (run.awaits)
        blocked_.push_back(warp);
    else
        wait_for_loads(warp);
}

void Gpc::step(std::uint32_t warp) {
    if (warp >= own_turns_) return take_waiting(warp - own_turns_);
    WarpRun& run = warps_[warp];
    run.has_turn = false;
    if (run.begins) return enter(warp);
    Scheduler& scheduler = scheduler_of(run);
    if (run.issues) {
        OldestFirst& slots = scheduler.slots;
        if (slots.at_work() != warp) return;  // an older one came; its turn is when it is at work again
        if (slots.done() > now_) return schedule(warp, slots.done());
        run.issues = false;
        const std::uint32_t next = slots.leave(now_);
        if (next != OldestFirst::kNobody && !warps_[next].has_turn) schedule(next, slots.done());
        return issued(warp);
    }
    if (!run.has_more()) return end_warp(warp);
    const Request request = run.request;
    const Shape shape = Shape::of(run.words[request.shape]);
    if (shape.kind == RequestKind::kSwaps && meets_swaps(warp, request)) return;
    Multiprocessor& sm = sms_[run.sm];
    const bool passes = has_passes(run);
    const bool needs_pipe = shape.kind < RequestKind::kBarrier || shape.kind == RequestKind::kPrefetch ||
                            is_texel_read(shape.kind) || passes;
    // What copies to shared memory is handed over and waits by itself: of 32 copies a step and SM an H200's warps wait
    // for the pipe in a fiftieth of their time (mma_tiles of tests/truth, two stages; driver 580.159.04, 27 November
    // 2026).
    const bool queues = needs_pipe && (passes || !shape.is_copy);
    if (queues && !run.has_waited && (scheduler.hands_over > now_ || !scheduler.waiting.empty())) {
        run.has_waited = true;
        run.since = now_;
        expect_words(run.words + request.shape, shape.pieces);
        if (shape.kind == RequestKind::kLoad && shape.pieces != 0 && !shape.is_local && !shape.has_policy && sm.first) {
            const Piece piece = Piece::of(run.words[request.shape + 1]);
            sm.first->expect_line(request.line + static_cast<std::uint64_t>(piece.line));
        }
        scheduler.waiting.push_back({warp, passes, run.age});
        if (scheduler.waiting.size() == 1)
            schedule(own_turns_ + run.sm * kSchedulers + run.scheduler, std::max(now_, scheduler.hands_over));
        return;
    }
    if (run.has_waited) clock_.pipe += now_ - run.since;
    run.has_waited = false;
    run.has_passed = passes;
    if (queues) scheduler.hands_over = std::max(sm.pipe, now_);
    if (passes) {
        // They go by while its chain does, as far as the pipe had nothing else to do (bench/hardware/chains.cu).
        const std::uint64_t chain = std::min(now_, Span::cycles(request.chain));
        sm.pipe = std::max(sm.pipe, now_ - chain) + request.passes;
        // A warp gets what each brings two cycles behind the one before, though the pipe is busy for one.
        constexpr std::uint64_t kOwn = 2;  // numeric: likewise measured
        const std::uint64_t done = std::max(sm.pipe, now_ + kOwn * request.passes);
        clock_.pipe += done - now_;
        return schedule(warp, done);
    }
    RunningBlock& block = *run.block;
    run.go_on(block.requests);
    ++requests_done_;
    ++mix_[shape.op];
    ++sm.requests;
    switch (shape.kind) {
        case RequestKind::kBarrier: return meet(warp, block, request, true);
        case RequestKind::kArrival: return meet(warp, block, request, false);
        case RequestKind::kForgetFirst: first(run.sm).clear(); break;
        case RequestKind::kSwaps:
        case RequestKind::kEnd: return go_on(warp, now_);
        case RequestKind::kConstant: look_up_constants(warp, block, request, shape); break;
        case RequestKind::kLoad:
        case RequestKind::kLoadPastL1:
        case RequestKind::kStore:
        case RequestKind::kPrefetch:
        case RequestKind::kAtomic: access(warp, block, request, shape); break;
        case RequestKind::kTexture:
        case RequestKind::kSurface: fetch(warp, block, request, shape); break;
    }
    go_on(warp, now_ + 1);
}

// Whether the warp waits for others that swap the same words.
bool Gpc::meets_swaps(std::uint32_t warp, const Request& request) {
    std::uint64_t& swaps = pasts_[warp].swaps;
    if (swaps == 0) swaps = now_ - std::min(now_, Span::cycles(request.chain));
    const std::uint64_t until = swaps + request.line;
    if (until <= now_) return false;
    clock_.arithmetic += until - now_;
    schedule(warp, until);
    return true;
}

// The next of the warps that wait for a scheduler to hand its access over: who came first, but if that one wants to
// pass through shared memory, the oldest of all that do. Only so many stand in a file; of the others, the oldest is the
// next to join it.
void Gpc::take_waiting(std::uint32_t own_turn) {
    Scheduler& scheduler = sms_[own_turn / kSchedulers].schedulers[own_turn % kSchedulers];
    std::vector<Scheduler::Waiting>& waiting = scheduler.waiting;
    const auto is_older = [](const auto& one, const auto& other) { return one.age < other.age; };
    auto next = waiting.begin();
    if (next->passes)
        for (auto other = next + 1; other != waiting.end(); ++other)
            if (other->passes && is_older(*other, *next)) next = other;
    const std::uint32_t warp = next->warp;
    waiting.erase(next);
    const std::uint32_t in_order = std::max(1u, rules_.scheduler.in_order);
    if (waiting.size() > in_order) {
        const auto last = waiting.begin() + in_order - 1;
        const auto oldest = std::min_element(last, waiting.end(), is_older);
        std::rotate(last, oldest, oldest + 1);
    }
    step(warp);
    if (!waiting.empty()) schedule(own_turns_ + own_turn, std::max(now_, scheduler.hands_over));
}

GpcClock Gpc::clock() const {
    GpcClock clock = clock_;
    for (const Multiprocessor& sm : sms_) {
        clock.ends += sm.ended + passed_before(passed_times_, sm.ended);
        clock.sms += sm.ended != 0 ? 1 : 0;
        clock.spread.add({1, sm.active, sm.spells, sm.active, sm.active, sm.blocks, sm.blocks});
    }
    return clock;
}

}  // namespace tilescope::observers

#include "scope/observers/caches/replay.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#include "scope/observers/caches/placement.h"

namespace tilescope::observers {
namespace {

// Bytes of delivered blocks that hold workers up while another one replays.
constexpr std::uint64_t kEnoughWaiting = std::uint64_t{256} << 20;
// Cycles from one dependent instruction of a warp to the next, on average: two of them are independent.
constexpr std::uint64_t kCyclesPerInstruction = 2;
// Cycles that requests may wait in an SM's pipe; beyond, its warps wait, and the oldest one goes first.
constexpr std::uint64_t kPipeQueue = 16;
constexpr unsigned kTagsPerCycle = 1;
constexpr std::uint64_t kLocalLines = std::uint64_t{1} << 52;
constexpr std::size_t kUnderWay = 4096;

unsigned count(unsigned sectors) { return static_cast<unsigned>(std::popcount(sectors)); }

}  // namespace

Replay::Replay(CacheFigures figures, std::uint64_t blocks, std::size_t ops, std::shared_ptr<SecondLevel> second)
    : figures_(std::move(figures)),
      blocks_(blocks),
      second_(std::move(second)),
      written_before_(second_->written_back()),
      traffic_(ops) {
    const std::uint64_t per_sm =
        std::min<std::uint64_t>(figures_.blocks_per_sm, (blocks + figures_.sms - 1) / figures_.sms);
    const auto places = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, per_sm) * figures_.sms);
    const auto order = first_places(figures_, std::max<std::uint64_t>(1, per_sm));
    free_.assign(order.begin(), order.end());
    places_.resize(places);
    warps_.resize(std::size_t{places} * figures_.warps + figures_.sms);  // each SM's own turns come behind
    sms_.resize(figures_.sms);
    const std::size_t groups =
        figures_.group.empty() ? 0 : *std::max_element(figures_.group.begin(), figures_.group.end()) + 1u;
    leaves_.resize(groups);
    begins_.resize(std::max<std::size_t>(1, groups));
    under_way_.resize(groups, std::vector<UnderWay>(figures_.merged_reads > 1 ? kUnderWay : 0));
    heads_.fill(kNobody);
    tails_.fill(kNobody);
}

FirstLevel& Replay::first(std::uint32_t sm) {
    if (!sms_[sm].first) sms_[sm].first = std::make_unique<FirstLevel>(figures_.l1_bytes, sm);
    return *sms_[sm].first;
}

// ---- Blocks come in -------------------------------------------------------------------------------------------------

Replay::Delivered Replay::sorted(BlockTraffic traffic, std::uint32_t warps) {
    Delivered block;
    block.starts.assign(warps + 1, 0);
    for (const Request& request : traffic.requests) ++block.starts[request.warp + 1];
    for (std::uint32_t w = 0; w < warps; ++w) block.starts[w + 1] += block.starts[w];
    std::vector<Request> by_warp(traffic.requests.size());
    std::vector<std::uint32_t> next(block.starts.begin(), block.starts.end() - 1);
    for (const Request& request : traffic.requests) by_warp[next[request.warp]++] = request;
    block.traffic = std::move(traffic);
    block.traffic.requests = std::move(by_warp);
    return block;
}

bool Replay::grow(std::uint64_t bytes) {
    if (growing_.fetch_add(bytes) + bytes > figures_.max_traffic_bytes) abandoned_ = true;
    return !abandoned_;
}

void Replay::deliver(BlockTraffic traffic, std::uint64_t grown) {
    growing_ -= grown;
    if (abandoned_) return;
    Delivered block = sorted(std::move(traffic), figures_.warps);
    const std::uint64_t number = block.traffic.block;
    std::unique_lock lock(mutex_);
    waiting_bytes_ += block.traffic.bytes();
    delivered_.emplace(number, std::move(block));
    if (waiting_bytes_ + growing_ > figures_.max_traffic_bytes || abandoned_) {
        abandoned_ = true;
        delivered_.clear();
        room_.notify_all();
        return;
    }
    if (running_) room_.wait(lock, [this] { return !running_ || waiting_bytes_ < kEnoughWaiting || abandoned_; });
    if (!running_ && !abandoned_) run(lock);
}

// As far as it goes with what was delivered.
void Replay::run(std::unique_lock<std::mutex>& lock) {
    running_ = true;
    while (true) {
        while (!free_.empty() && next_block_ < blocks_) {
            const auto found = delivered_.find(next_block_);
            if (found == delivered_.end()) {
                running_ = false;
                room_.notify_all();
                return;
            }
            Delivered block = std::move(found->second);
            delivered_.erase(found);
            ++next_block_;
            const std::uint32_t place = free_.front();
            free_.pop_front();
            start(std::move(block), place);
        }
        lock.unlock();
        const bool needs_block = fill();
        lock.lock();
        room_.notify_all();
        if (!needs_block || abandoned_) break;
    }
    running_ = false;
    room_.notify_all();
}

void Replay::start(Delivered block, std::uint32_t place) {
    auto running = std::make_unique<Running>();
    running->place = place;
    running->arrived.resize(block.traffic.meetings.size());
    running->block = std::move(block);
    running->live = figures_.warps;
    places_[place] = std::move(running);
    const Running& it = *places_[place];
    places_[place]->age = started_++ * figures_.warps;
    std::uint64_t& begins = begins_[figures_.group.empty() ? 0 : figures_.group[sm_of(place)]];
    begins = std::max(begins + figures_.cycles_per_block, now_);
    for (std::uint32_t w = 0; w < figures_.warps; ++w) {
        const std::uint32_t warp = place * figures_.warps + w;
        WarpRun& run = warps_[warp];
        run.at = it.block.starts[w];
        run.end = it.block.starts[w + 1];
        run.loads_arrive = 0;
        go_on(warp, begins);
    }
}

// ---- The clock ------------------------------------------------------------------------------------------------------

void Replay::schedule(std::uint32_t warp, std::uint64_t when) {
    warps_[warp].when = when;
    warps_[warp].next = kNobody;
    const std::size_t bucket = std::min(when, now_ + kBuckets - 1) % kBuckets;
    if (heads_[bucket] == kNobody)
        heads_[bucket] = warp;
    else
        warps_[tails_[bucket]].next = warp;
    tails_[bucket] = warp;
    ++scheduled_;
}

// To the warp's next request, or its end.
void Replay::go_on(std::uint32_t warp, std::uint64_t time) {
    WarpRun& run = warps_[warp];
    if (run.at == run.end) return schedule(warp, std::max({time, run.loads_arrive, now_}));
    const std::uint32_t place = warp / figures_.warps;
    const Request& request = places_[place]->block.traffic.requests[run.at];
    const std::uint64_t gap = request.gap;
    std::uint64_t& issue = sms_[sm_of(place)].issue[warp % 4];
    issue = std::max(issue, time) + gap;
    std::uint64_t when = std::max(issue, time + gap * kCyclesPerInstruction);
    if (request.waits || Shape::of(places_[place]->block.traffic.words[request.shape]).waits)
        when = std::max(when, run.loads_arrive + gap);
    schedule(warp, std::max(when, now_));
}

// Runs until a block is needed (true) or everything has ended.
bool Replay::fill() {
    while (true) {
        if (!free_.empty() && next_block_ < blocks_) return true;
        if (scheduled_ == 0) {
            if (release_stuck()) continue;
            return false;
        }
        std::uint32_t warp = heads_[now_ % kBuckets];
        if (warp == kNobody) {
            ++now_;
            continue;
        }
        // Those that come into this bucket meanwhile have their turn at the same time.
        heads_[now_ % kBuckets] = warps_[warp].next;
        --scheduled_;
        if (warps_[warp].when > now_)
            schedule(warp, warps_[warp].when);  // further away than the buckets reach
        else
            step(warp);
    }
}

void Replay::step(std::uint32_t warp) {
    const auto warps = static_cast<std::uint32_t>(warps_.size() - figures_.sms);
    if (warp >= warps) return take_waiting(warp - warps);
    WarpRun& run = warps_[warp];
    if (run.at == run.end) return end_warp(warp);
    Running& block = *places_[warp / figures_.warps];
    const Request& request = block.block.traffic.requests[run.at];
    const Shape shape = Shape::of(block.block.traffic.words[request.shape]);
    Multiprocessor& sm = sms_[sm_of(block.place)];
    const bool passes = request.passes != 0 && !run.has_passed;
    if ((shape.kind < RequestKind::kBarrier || passes) && !run.has_waited && sm.pipe > now_ + kPipeQueue) {
        run.has_waited = true;
        sm.waiting.push_back({block.age + warp % figures_.warps, warp});
        std::push_heap(sm.waiting.begin(), sm.waiting.end(), std::greater<>());
        if (sm.waiting.size() == 1) schedule(warps + sm_of(block.place), sm.pipe - kPipeQueue);
        return;
    }
    run.has_waited = false;
    run.has_passed = passes;
    if (passes) {
        sm.pipe = std::max(sm.pipe, now_) + request.passes;
        return schedule(warp, sm.pipe);
    }
    ++run.at;
    switch (shape.kind) {
        case RequestKind::kBarrier: return meet(warp, block, request, true);
        case RequestKind::kArrival: return meet(warp, block, request, false);
        case RequestKind::kForgetFirst: first(sm_of(block.place)).clear(); break;
        case RequestKind::kLoad:
        case RequestKind::kLoadPastL1:
        case RequestKind::kStore:
        case RequestKind::kAtomic:
            run.loads_arrive = std::max(run.loads_arrive, access(warp, block, request, shape));
            break;
    }
    go_on(warp, now_ + 1);
}

// The oldest of the warps that wait for an SM's pipe.
void Replay::take_waiting(std::uint32_t sm) {
    Multiprocessor& it = sms_[sm];
    std::pop_heap(it.waiting.begin(), it.waiting.end(), std::greater<>());
    const std::uint32_t warp = it.waiting.back().second;
    it.waiting.pop_back();
    step(warp);
    if (!it.waiting.empty())
        schedule(static_cast<std::uint32_t>(warps_.size() - figures_.sms + sm),
                 std::max(now_, it.pipe - std::min(it.pipe, kPipeQueue)));
}

void Replay::end_warp(std::uint32_t warp) {
    const std::uint32_t place = warp / figures_.warps;
    if (--places_[place]->live != 0) return;
    const std::uint64_t bytes = places_[place]->block.traffic.bytes();
    places_[place].reset();
    free_.push_back(place);
    ++ended_;
    std::lock_guard lock(mutex_);
    waiting_bytes_ -= bytes;
}

void Replay::meet(std::uint32_t warp, Running& block, const Request& request, bool waits) {
    const auto meeting = static_cast<std::uint32_t>(request.line);
    const bool all = ++block.arrived[meeting] >= block.block.traffic.meetings[meeting];
    if (!all && waits) {
        block.waiting.emplace_back(meeting, warp);
        return;
    }
    go_on(warp, now_ + 1);
    if (!all) return;
    std::erase_if(block.waiting, [&](const auto& one) {
        if (one.first != meeting) return false;
        go_on(one.second, now_ + 1);
        return true;
    });
}

// Lanes of one warp may have waited at different barriers, which a warp's single file of requests cannot.
bool Replay::release_stuck() {
    bool released = false;
    for (const auto& block : places_) {
        if (!block) continue;
        for (const auto& [meeting, warp] : std::exchange(block->waiting, {})) {
            go_on(warp, now_ + 1);
            released = true;
        }
    }
    return released;
}

// ---- The way of a request -------------------------------------------------------------------------------------------

std::uint64_t Replay::read_second(std::uint32_t sm, std::uint64_t line, unsigned sectors, std::uint64_t time,
                                  CacheTraffic& counts) {
    std::uint64_t& port = sms_[sm].port;
    port = std::max(port, time) + (count(sectors) + 1) / 2;  // two sectors a cycle
    std::uint64_t ready = 0;
    UnderWay* entry = nullptr;
    if (figures_.merged_reads > 1) {
        auto& table = under_way_[figures_.group[sm]];
        entry = &table[(line * 0x9e3779b97f4a7c15ull >> 40) % kUnderWay];
        if (entry->line == line && time < entry->leaves + figures_.merge_cycles &&
            entry->served < figures_.merged_reads && (sectors & entry->sectors) != 0) {
            ++entry->served;
            ready = entry->until;
            sectors &= ~entry->sectors;
            if (sectors == 0) return ready;
        } else if (entry->line != line || time >= entry->leaves + figures_.merge_cycles ||
                   entry->served >= figures_.merged_reads) {
            *entry = {line, 0, 0, 0, 1};
        }
    }
    if (entry != nullptr) {
        // In sixteenths of a cycle.
        std::uint64_t& leaves = leaves_[figures_.group[sm]];
        leaves = std::max(leaves, time * 16) + count(sectors) * 16 / figures_.group_sectors;
        entry->leaves = time = leaves / 16;
    }
    const SecondLevel::Answer answer = second_->read(time, figures_.near_part[sm], line, sectors);
    counts.l2_reads += count(sectors);
    counts.l2_read_hits += answer.hits;
    counts.over_fabric += answer.over_fabric;
    counts.fetched += answer.fetched;
    ready = std::max({ready, answer.ready, port + figures_.near_latency});
    if (entry != nullptr) {
        entry->sectors = static_cast<std::uint8_t>(entry->sectors | sectors);
        entry->until = std::max(entry->until, ready);
    }
    return ready;
}

std::uint64_t Replay::load(std::uint32_t sm, std::uint64_t line, const Piece& piece, const std::uint64_t* masks,
                           bool past, std::uint64_t time, bool is_local, CacheTraffic& counts) {
    if (past || figures_.l1_bytes == 0) return read_second(sm, line, piece.sectors, time, counts);
    FirstLevel& cache = first(sm);
    const FirstLevel::Answer answer = cache.load(line, piece, masks);
    (is_local ? counts.local_hits : counts.global_hits) += count(piece.sectors & ~answer.missing);
    std::uint64_t ready = std::max(time + figures_.l1_latency, answer.ready);
    if (answer.missing == 0) return ready;
    ready = std::max(ready, read_second(sm, line, answer.missing, time, counts));
    cache.arrives_at(answer.slot, ready);
    return ready;
}

// Most of the work of a scattered request is waiting for the host's own memory: it is told of all pieces beforehand.
void Replay::expect(std::uint32_t sm, std::uint64_t base, const std::uint64_t* word, unsigned pieces) {
    std::array<std::uint64_t, machine::kWarpSize * 2> lines;
    const unsigned part = figures_.near_part[sm];
    pieces = std::min<unsigned>(pieces, lines.size());
    for (unsigned i = 0; i < pieces; ++i) {
        const Piece piece = Piece::of(*word);
        word += 1 + count(piece.in_part());
        lines[i] = base + static_cast<std::uint64_t>(piece.line);
        second_->expect(part, lines[i]);
    }
    if (figures_.l1_bytes != 0) first(sm).expect(lines.data(), pieces);
    for (unsigned i = 0; i < pieces; ++i) second_->expect_way(part, lines[i]);
    if (figures_.l1_bytes != 0) first(sm).expect_replaced(pieces);
}

// When what the warp asked for has come; 0: nothing comes.
std::uint64_t Replay::access(std::uint32_t warp, const Running& block, const Request& request, const Shape& shape) {
    const std::uint32_t sm = sm_of(block.place);
    CacheTraffic& counts = traffic_[shape.op];
    const std::uint64_t* word = &block.block.traffic.words[request.shape] + 1;
    std::uint64_t base = request.line;
    if (shape.is_local) base += kLocalLines + warp * (figures_.local_bytes / 4 + 1);
    if (shape.pieces > 1) expect(sm, base, word, shape.pieces);
    std::uint64_t ready = 0;
    std::uint64_t& pipe = sms_[sm].pipe;
    pipe = std::max(pipe, now_);
    for (unsigned i = 0; i < shape.pieces; ++i) {
        const Piece piece = Piece::of(*word++);
        const std::uint64_t line = base + static_cast<std::uint64_t>(piece.line);
        const std::uint64_t time = pipe + i / kTagsPerCycle;
        switch (shape.kind) {
            case RequestKind::kStore: {
                if (figures_.l1_bytes != 0) counts.store_hits += first(sm).store(line, piece, word);
                const auto answer = second_->write(time, figures_.near_part[sm], line, piece, word);
                counts.l2_writes += count(piece.sectors);
                counts.over_fabric += answer.over_fabric;
                counts.fetched += answer.fetched;
                break;
            }
            case RequestKind::kAtomic: {
                if (figures_.l1_bytes != 0) first(sm).drop(line);
                const auto answer = second_->update(time, figures_.near_part[sm], line, piece.sectors);
                counts.over_fabric += answer.over_fabric;
                counts.fetched += answer.fetched;
                ready = std::max(ready, answer.ready);
                break;
            }
            default:
                ready = std::max(ready, load(sm, line, piece, word, shape.kind == RequestKind::kLoadPastL1, time,
                                             shape.is_local, counts));
        }
        word += count(piece.in_part());
    }
    pipe += std::max(1u, (shape.pieces + kTagsPerCycle - 1) / kTagsPerCycle);
    return ready;
}

}  // namespace tilescope::observers

// Requests that go through a GPC's caches without a clock: what lies between stretches of the replay.
#include <algorithm>

#include "scope/observers/hierarchy/scheduler/gpc.h"

namespace tilescope::observers {
namespace {

// No warps are taken for slower or faster than that, beside all.
constexpr float kSlowest = 0.3f, kFastest = 3.0f;  // numeric: by errors seen (bench/README.md)
// How far ahead of a warp the host is told of its requests.
constexpr std::uint32_t kAhead = 2;  // numeric: by time that it took here
// All that was under way has come by then.
constexpr std::uint64_t kAtLast = (std::uint64_t{1} << 63) - 1;  // numeric: below Gpc::kUnknown

}  // namespace

void Gpc::pass(std::uint32_t turns) {
    // SM by SM, so that the host has one L1 at a time in its own caches.
    for (std::uint32_t sm = 0; sm < sm_count_; ++sm)
        for (std::uint32_t place = sm; place < places_.size(); place += sm_count_)
            for (std::uint32_t w = 0; w < rules_.warps && places_[place] && goes_by(place); ++w) {
                const std::uint32_t warp = place * rules_.warps + w;
                if (w + kAhead < rules_.warps) expect_warp(warp + kAhead);
                // Where the clock is to go on within a block, its warps come there side by side.
                pass_warp(warp, to_go_.empty() || to_go_[place].blocks != 0 ? turns : 1);
            }
    responses_.resize(requesters_.size());
}

void Gpc::pass_blocks(std::uint32_t blocks) {
    to_go_.assign(places_.size(), {blocks, 0, 0});
    for (std::uint32_t place = 0; place < places_.size(); ++place) {
        for (std::uint32_t w = 0; w < rules_.warps && places_[place]; ++w)
            to_go_[place].done += warps_[place * rules_.warps + w].at;
        to_go_[place].requests = to_go_[place].done;
    }
}

void Gpc::begin_stretch() {
    for (Multiprocessor& sm : sms_) sm.in_stretch = std::exchange(sm.requests, 0);
}

std::uint32_t Gpc::live_on(std::uint32_t sm) const {
    std::uint32_t warps = 0;
    for (std::uint32_t place = sm; place < places_.size(); place += sm_count_)
        if (places_[place]) warps += places_[place]->live;
    return warps;
}

void Gpc::add_progress(Progress& progress) const {
    for (std::uint32_t sm = 0; sm < sm_count_; ++sm) {
        const std::uint32_t warps = live_on(sm);
        if (warps == 0) continue;
        progress[warps].requests += static_cast<double>(sms_[sm].in_stretch);
        progress[warps].warps += warps;
    }
}

void Gpc::set_speeds(const Progress& progress) {
    double requests = 0, warps = 0;
    for (const auto& [live, done] : progress) {
        requests += done.requests;
        warps += done.warps;
    }
    for (std::uint32_t sm = 0; sm < sm_count_; ++sm) {
        const auto found = progress.find(live_on(sm));
        const bool is_known = found != progress.end() && requests > 0 && found->second.requests > 0;
        const double speed = is_known ? found->second.requests / found->second.warps / (requests / warps) : 1;
        for (std::uint32_t place = sm; place < places_.size(); place += sm_count_)
            for (std::uint32_t w = 0; w < rules_.warps && places_[place]; ++w) {
                WarpPast& past = pasts_[place * rules_.warps + w];
                past.speed = std::clamp(static_cast<float>(speed), kSlowest, kFastest);
                past.credit = 0;
            }
    }
}

// The host is told of requests that are next but a few.
void Gpc::expect_warp(std::uint32_t warp) const {
    const WarpRun& run = warps_[warp];
    const WarpRequests& requests = places_[warp / rules_.warps]->requests;
    requests.expect(run.slot, run.at);
    requests.expect(run.slot, run.at + WarpRequests::kChunk);
}

void Gpc::pass_in(std::unique_ptr<RunningBlock> block) {
    const std::uint32_t place = place_of(*block);
    places_[place] = std::move(block);
    // Their turns come when those of the warps before them would have.
    std::array<std::uint64_t, kMaxWarps> turns{};
    for (std::uint32_t w = 0; w < rules_.warps; ++w) turns[w] = warps_[place * rules_.warps + w].when;
    settle_in(place, now_);
    for (std::uint32_t w = 0; w < rules_.warps; ++w) warps_[place * rules_.warps + w].when = turns[w];
    if (!to_go_.empty()) {
        to_go_[place].blocks -= std::min(to_go_[place].blocks, 1u);
        to_go_[place].done = 0;
    }
    ++started_;
    sms_[place % sm_count_].enter(now_);
}

void Gpc::pass_warp(std::uint32_t warp, std::uint32_t turns) {
    WarpRun& run = warps_[warp];
    std::unique_ptr<RunningBlock>& block = block_of(warp);
    Multiprocessor& sm = sms_[sm_of(warp)];
    if (run.begins && warp % rules_.warps == 0) sm.enter(now_);  // it was on its way in
    run.begins = false;
    float& credit = pasts_[warp].credit;
    credit += static_cast<float>(turns) * pasts_[warp].speed;
    for (; credit >= 1 && run.at != run.end && !run.is_held; --credit) {
        const Request& request = block->requests.at(run.slot, run.at++);
        const Shape shape = Shape::of(block->traffic.words[request.shape]);
        ++passed_.requests;
        if (!to_go_.empty()) ++to_go_[warp / rules_.warps].done;
        ++passed_.mix[shape.op];
        switch (shape.kind) {
            case RequestKind::kBarrier: pass_meeting(warp, *block, request, true); break;
            case RequestKind::kArrival: pass_meeting(warp, *block, request, false); break;
            case RequestKind::kForgetFirst:
                first(sm_of(warp)).clear();
                passed_lines(sm_of(warp)).clear();
                break;
            case RequestKind::kSwaps:
            case RequestKind::kEnd: break;
            case RequestKind::kConstant: pass_constants(warp, *block, request, shape); break;
            case RequestKind::kLoad:
            case RequestKind::kLoadPastL1:
            case RequestKind::kStore:
            case RequestKind::kPrefetch:
            case RequestKind::kTexture:
            case RequestKind::kSurface:
            case RequestKind::kAtomic: pass_access(warp, *block, request, shape); break;
        }
    }
    run.go_to(run.at, block->requests);
    if (run.is_held) credit = 0;  // it waits for those that are slower
    if (run.at != run.end || run.is_held || run.has_ended) return;
    run.has_ended = true;
    --live_;
    if (--block->live == 0) end_block(block, sm);
}

void Gpc::pass_meeting(std::uint32_t warp, RunningBlock& block, const Request& request, bool waits) {
    const auto meeting = static_cast<std::uint32_t>(request.line);
    pasts_[warp].swaps = 0;
    if (++block.arrived[meeting] < block.traffic.meetings[meeting]) {
        warps_[warp].is_held = waits;
        warps_[warp].since = now_;
        if (waits) block.waiting.emplace_back(meeting, warp);
        return;
    }
    std::erase_if(block.waiting, [&](const auto& one) {
        if (one.first == meeting) warps_[one.second].is_held = false;
        return one.first == meeting;
    });
}

// What is to be requested of L2.
unsigned Gpc::pass_load(std::uint32_t sm, std::uint64_t line, const Piece& piece, const Shape& shape,
                        CacheTraffic& counts) {
    asked(counts, shape.kind) += shape.by_places ? piece.counted : sector_count(piece.sectors);
    if (shape.kind == RequestKind::kLoadPastL1 || rules_.l1.bytes == 0) {
        counts.first_misses[static_cast<std::size_t>(FirstMiss::kBypass)] +=
            shape.by_places ? piece.counted : sector_count(piece.sectors);
        counts.untouched += piece.untouched;
        counts.l2_reads += sector_count(piece.sectors);
        return piece.sectors;
    }
    const unsigned missing = passed_lines(sm).load(line, piece.sectors);
    hits(counts, shape) += sector_count(piece.sectors & ~missing);
    if (missing == 0) return 0;
    first(sm).note_passed(line, missing, counts.first_misses);
    counts.l2_reads += sector_count(missing);
    return missing;
}

void Gpc::pass_access(std::uint32_t warp, const RunningBlock& block, const Request& request, const Shape& shape) {
    const std::uint32_t sm = sm_of(warp);
    const std::uint64_t* word = nullptr;
    const std::uint64_t base = begin_access(warp, block, request, shape, word);
    const std::uint8_t part = rules_.l2.near_part[numbers_[sm]] & 1u;
    for (unsigned i = 0; i < shape.pieces; ++i) {
        const Piece piece = Piece::of(*word++);
        const std::uint64_t* const masks = word;
        word += sector_count(piece.in_part());
        const std::uint64_t line = base + static_cast<std::uint64_t>(piece.line);
        const std::uint32_t at = counts_of(shape.op, line);
        CacheTraffic& counts = passed_of(at);
        L2RequestKind kind = L2RequestKind::kRead;
        unsigned sectors = piece.sectors;
        if (shape.kind == RequestKind::kStore) {
            kind = L2RequestKind::kWrite;
            counts.stored += sector_count(sectors);
            counts.l2_writes += sector_count(sectors);
            passed_.stored_lines.take(line);
            ++passed_.lines;
            if (rules_.l1.bytes != 0)
                counts.store_hits += sector_count(passed_lines(sm).store(line, piece.sectors, piece.whole));
        } else if (shape.kind == RequestKind::kAtomic) {
            kind = L2RequestKind::kUpdate;
            counts.updates += sector_count(sectors);
            if (rules_.l1.bytes != 0) {
                first(sm).drop(line);
                passed_lines(sm).drop(line);
            }
        } else if (shape.kind == RequestKind::kPrefetch) {
            kind = L2RequestKind::kPrefetch;
        } else {
            sectors = pass_load(sm, line, piece, shape, counts);
            if (sectors == 0) continue;
            if (is_special_ && reach_ == Reach::kTwoLines) missed_.push_back(line);
        }
        L2Request& made = request_l2(line, kind, now_, at);
        made.part = part & 1u;
        made.sectors = sectors & kAllSectors;
        made.whole = piece.whole & kAllSectors;
        made.masks = masks;
        requesters_.back().sectors = static_cast<std::uint8_t>(kind == L2RequestKind::kRead ? sectors : 0);
    }
    if (!missed_.empty()) prefetch_neighbours(warp, shape.op, now_, true);
    is_special_ = false;
}

// The caches come to have what they would have; lookups are hits.
void Gpc::pass_constants(std::uint32_t warp, const RunningBlock& block, const Request& request, const Shape& shape) {
    auto& cache = sms_[sm_of(warp)].constants;
    if (!cache) cache = std::make_unique<ConstantLevel>(rules_.constants.sets, rules_.constants.ways);
    const std::uint64_t* word = &block.traffic.words[request.shape] + 1;
    for (unsigned i = 0; i < shape.pieces; ++i) {
        const ConstantPiece piece = ConstantPiece::of(*word++);
        const std::uint64_t line = request.line + static_cast<std::uint64_t>(piece.line);
        const std::uint64_t address = line << rules_.constants.line_shift;
        const std::uint32_t at = counts_of(shape.op, address >> kLineShift);
        passed_of(at).constant_hits += piece.lookups;
        const auto [kept, is_there] = cache->look_up(line, piece.set);
        if (!is_there) kept.ready = now_;
        const auto [found, is_new] = constants_.try_emplace(address >> rules_.constants.second_shift, now_);
        if (!is_new) continue;
        L2Request& read = request_l2(address >> kLineShift, L2RequestKind::kConstant, now_, at);
        read.part = rules_.l2.near_part[numbers_[sm_of(warp)]] & 1u;
        read.sectors = kAllSectors;
    }
}

void Gpc::take_passed() {
    for (std::uint32_t number = 0; number < requesters_.size(); ++number) {
        const Requester& requester = requesters_[number];
        const L2Response& response = responses_[number];
        CacheTraffic& counts = passed_of(requester.counts);
        counts.l2_read_hits += sector_count(response.found & requester.sectors);
        response.why.count(counts.second_misses, requester.sectors);
        counts.over_fabric += response.over_fabric;
        counts.fetched += response.fetched;
    }
    end_window();
}

void Gpc::resume(bool has_hits) {
    to_go_.clear();
    for (std::uint32_t sm = 0; sm < sm_count_; ++sm) {
        if (!sms_[sm].passed) continue;
        FirstLevel& cache = first(sm);
        if (has_hits)
            sms_[sm].passed->for_last(cache.lines(), [&](std::uint64_t line, unsigned sectors) {
                cache.take_passed(line, sectors, kAtLast, now_);
            });
        sms_[sm].passed->clear();
    }
    heads_.fill(kNobody);
    tails_.fill(kNobody);
    taken_ = {};
    scheduled_ = 0;
    for (Multiprocessor& sm : sms_) {
        for (Scheduler& scheduler : sm.schedulers) {
            scheduler.slots = {};
            scheduler.waiting.clear();
        }
        sm.rest_if_empty(now_);
    }
    for (std::uint32_t place = 0; place < places_.size(); ++place)
        for (std::uint32_t w = 0; w < rules_.warps && places_[place]; ++w) {
            const std::uint32_t warp = place * rules_.warps + w;
            WarpRun& run = warps_[warp];
            run.has_turn = run.issues = run.has_waited = run.has_passed = run.stops = false;
            if (run.has_ended || run.is_held) continue;
            schedule(warp, std::max(now_, run.when));
        }
}

std::uint64_t Gpc::ending_within(std::uint32_t turns) const {
    std::uint64_t warps = 0;
    for (std::uint32_t place = 0; place < places_.size(); ++place)
        for (std::uint32_t w = 0; w < rules_.warps && places_[place]; ++w) {
            const WarpRun& run = warps_[place * rules_.warps + w];
            warps += run.has_ended || run.end - run.at <= turns ? 1 : 0;
        }
    return warps;
}

void Gpc::forget_passed() {
    passed_.traffic.assign(traffic_.size(), {});
    passed_.requests = passed_.lines = 0;
    passed_.warps = live_;
    passed_.mix.assign(mix_.size(), 0);
    passed_.stored_lines = {};
}

void Gpc::grow_older(std::uint64_t since, std::uint64_t cycles) {
    passed_times_.push_back({since, cycles});
    std::uint64_t older = 0;
    for (std::uint32_t place = 0; place < places_.size(); ++place)
        for (std::uint32_t w = 0; w < rules_.warps && places_[place]; ++w) {
            const WarpRun& run = warps_[place * rules_.warps + w];
            if (run.has_ended || run.began >= since) continue;
            pasts_[place * rules_.warps + w].older += cycles;
            ++older;
        }
    // Those that came, went, or both meanwhile have lived for the rest of the time.
    const std::uint64_t others = (passed_.warps - std::min(passed_.warps, older)) * cycles;
    clock_.warps += others;
    clock_.resident += others;
    for (Multiprocessor& sm : sms_)
        if (sm.is_active) sm.active += cycles;
}

}  // namespace tilescope::observers

// How blocks come to a GPC's SMs, how their warps meet, and how they end.
#include <algorithm>
#include <utility>

#include "scope/observers/hierarchy/scheduler/gpc.h"

namespace tilescope::observers {
namespace {

// When a block's warp comes to its first load, as warps have no way to there in this clock: one after the other, each
// four a little behind the one before, and the two in the middle of a later four again.
std::uint64_t first_load_of(std::uint32_t warp, const SchedulerRules& rules) {
    const std::uint64_t behind = rules.four_behind;
    const std::uint32_t of_four = warp % kSchedulers;
    const bool is_middle = warp >= kSchedulers && (of_four == 1 || of_four == 2);
    return std::uint64_t{warp} * rules.cycles_per_warp + warp / kSchedulers * behind + (is_middle ? behind : 0);
}

}  // namespace

void Gpc::start(std::unique_ptr<RunningBlock> block, std::uint64_t time) {
    if (places_.empty()) {
        places_.resize(sm_count_ * rules_.scheduler.blocks_per_sm);
        pasts_.resize(places_.size() * rules_.warps);
        own_turns_ = static_cast<std::uint32_t>(pasts_.size());
        warps_.resize(own_turns_ + std::size_t{kSchedulers} * sm_count_);
    }
    const std::uint32_t place = place_of(*block);
    const bool is_first = started_ < places_.size();
    const std::uint64_t interval =
        is_first ? rules_.scheduler.cycles_per_first_block : rules_.scheduler.cycles_per_block;
    begins_ = std::max(begins_ + interval, time);
    // Pairs of SMs stand in files, of which all but the first are later while a launch begins. Where a kernel follows
    // itself they are not: that is not modelled.
    const std::uint32_t file = place % sm_count_ / 2 % std::max(1u, rules_.scheduler.pair_files);
    const std::uint64_t begins = begins_ + (is_first ? std::uint64_t{file} * rules_.scheduler.file_delay : 0);
    places_[place] = std::move(block);
    settle_in(place, begins);
    for (std::uint32_t w = 0; w < rules_.warps; ++w) {
        warps_[place * rules_.warps + w].begins = true;
        schedule(place * rules_.warps + w, begins + first_load_of(w, rules_.scheduler));
    }
    ++started_;
}

void Gpc::settle_in(std::uint32_t place, std::uint64_t begins) {
    RunningBlock& it = *places_[place];
    for (std::uint32_t w = 0; w < rules_.warps; ++w) {
        WarpRun& run = warps_[place * rules_.warps + w];
        run = {};
        pasts_[place * rules_.warps + w] = {};
        run.block = &it;
        run.sm = static_cast<std::uint16_t>(place % sm_count_);
        run.scheduler = static_cast<std::uint8_t>((place / sm_count_ * rules_.warps + w) % kSchedulers);
        run.slot = static_cast<std::uint8_t>(w);
        run.words = it.traffic.words.data();
        run.end = it.requests.count(w);
        run.go_to(0, it.requests);
        run.began = begins;
        run.age = started_ * rules_.warps + w;
    }
    live_ += rules_.warps;
}

// The first of a block's warps begins when the block does.
void Gpc::enter(std::uint32_t warp) {
    warps_[warp].begins = false;
    if (warp % rules_.warps == 0) sms_[sm_of(warp)].enter(now_);
    go_on(warp, now_);
}

void Gpc::end_warp(std::uint32_t warp) {
    std::unique_ptr<RunningBlock>& block = block_of(warp);
    Multiprocessor& sm = sms_[sm_of(warp)];
    const std::uint64_t life = now_ - warps_[warp].began + pasts_[warp].older;
    clock_.warps += life;
    clock_.longest_warp = std::max(clock_.longest_warp, life);
    warps_[warp].has_ended = true;
    --live_;
    if (--block->live != 0) return;
    clock_.resident += life * rules_.warps;
    end_block(block, sm);
    sm.rest_if_empty(now_);
}

void Gpc::end_block(std::unique_ptr<RunningBlock>& block, Multiprocessor& sm) {
    sm.ended = now_;
    --sm.residents;
    ++sm.blocks;
    freed_.emplace_back(now_, block->place);
    freed_bytes_ += block->bytes();
    ended_.push_back(std::move(block));
}

void Gpc::forget_freed() {
    freed_.clear();
    RunningBlock::leave(ended_);
    freed_bytes_ = 0;
}

void Gpc::meet(std::uint32_t warp, RunningBlock& block, const Request& request, bool waits) {
    const auto meeting = static_cast<std::uint32_t>(request.line);
    const bool all = ++block.arrived[meeting] >= block.traffic.meetings[meeting];
    pasts_[warp].swaps = 0;
    if (!all && waits) {
        block.waiting.emplace_back(meeting, warp);
        warps_[warp].since = now_;
        warps_[warp].is_held = true;
        return;
    }
    go_on(warp, now_ + 1);
    if (!all) return;
    std::erase_if(block.waiting, [&](const auto& one) {
        if (one.first != meeting) return false;
        clock_.barriers += now_ - warps_[one.second].since;
        warps_[one.second].is_held = false;
        go_on(one.second, now_ + 1);
        return true;
    });
}

bool Gpc::release_stuck() {
    bool released = false;
    for (const auto& block : places_) {
        if (!block) continue;
        for (const auto& [meeting, warp] : std::exchange(block->waiting, {})) {
            warps_[warp].is_held = false;
            go_on(warp, now_ + 1);
            released = true;
        }
    }
    return released;
}

}  // namespace tilescope::observers

#include "scope/observers/hierarchy/record/swap_meetings.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "scope/observers/hierarchy/lines.h"

namespace tilescope::observers {
namespace {

constexpr unsigned kSwappedShift = 2;              // geometry: words of 4 bytes
constexpr unsigned kRoundShift = 32;               // numeric: of a key: the word below, the round above
constexpr unsigned kSpreadShift = 40;              // numeric: the high bits of a product, as many as the table has
constexpr std::size_t kPartUsed = 2, kGrowth = 2;  // numeric: of our table

}  // namespace

void SwapMeetings::set_rules(const SwapRules& swap, std::uint64_t turn_cycles, std::size_t warps) {
    rules_ = swap;
    turn_cycles_ = turn_cycles;
    warps_.resize(warps);
}

void SwapMeetings::forget() {
    ++epoch_;
    rounds_.clear();
    used_ = 0;
}

SwapMeetings::Loop SwapMeetings::meet(unsigned warp, const machine::Access& access, const machine::WarpClock& now,
                                      std::uint64_t tries, std::uint64_t passes) {
    constexpr auto kTicks = static_cast<std::uint64_t>(machine::kClockTicks);
    const std::uint64_t begin =
        now.chain + static_cast<std::uint64_t>(std::max<std::int64_t>(0, now.turns)) * turn_cycles_;
    Warp& its = warps_[warp];
    if (its.epoch != epoch_) its = {epoch_, begin};
    Round& round = round_of(its, tries);
    const std::uint32_t before = round.most;
    for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
        const std::uint64_t word = access.address(static_cast<unsigned>(std::countr_zero(left))) >> kSwappedShift;
        round.most = std::max(round.most, count(word | its.round << kRoundShift));
    }
    Loop loop;
    loop.from_cycles = its.due / kTicks;
    its.due = (its.behind + round.most) * rules_.interval;
    loop.due_cycles = its.due / kTicks;

    // Who waits tries on, and so do those that were here before.
    const std::uint64_t own = tries * rules_.each_try.chain, elapsed = begin + own - its.begin + its.waited;
    const std::uint64_t waits = its.due > elapsed ? its.due - elapsed : 0;
    its.waited += waits;
    const std::uint64_t others = (round.most - before) * rules_.interval * (round.warps - 1);
    const std::uint64_t all = tries + (waits + others) * tries / std::max<std::uint64_t>(1, own + passes * kTicks);

    loop.requests = std::clamp<std::uint64_t>(all / machine::kWarpSize, 1, kMaxRequests);
    loop.passes = static_cast<std::uint32_t>(all * passes / tries / loop.requests);
    // For tries that fail the way through the banks is narrower than their scheduler's.
    loop.clock = {tries * rules_.each_try.slots / loop.requests, own / loop.requests, 0};
    return loop;
}

SwapMeetings::Round& SwapMeetings::round_of(Warp& warp, std::uint64_t tries) {
    const std::uint64_t number = warp.tries / machine::kWarpSize;
    warp.tries += tries;
    if (number >= rounds_.size()) rounds_.resize(number + 1);
    if (number != warp.round) {
        if (warp.round != kNowhere) warp.behind += rounds_[warp.round].most;
        warp.round = number;
        rounds_[number].warps += 1;
    }
    return rounds_[number];
}

std::uint32_t SwapMeetings::count(std::uint64_t key) {
    if (used_ * kPartUsed >= words_.size()) {
        if (words_.size() >= kMost) return 0;
        grow();
    }
    Word& word = place_of(key);
    if (word.epoch != epoch_) {
        word = {epoch_, key, 0};
        ++used_;
    }
    return ++word.updates;
}

SwapMeetings::Word& SwapMeetings::place_of(std::uint64_t key) {
    std::size_t at = key * kHash >> kSpreadShift;
    while (true) {
        Word& word = words_[at % words_.size()];
        if (word.epoch != epoch_ || word.key == key) return word;
        ++at;
    }
}

void SwapMeetings::grow() {
    std::vector<Word> old(std::max(kFirst, words_.size() * kGrowth));
    std::swap(old, words_);
    for (const Word& word : old)
        if (word.epoch == epoch_) place_of(word.key) = word;
}

}  // namespace tilescope::observers

// What a race is called and what would mend it, and what orders a program's threads at all.
#include <tuple>

#include "scope/machine/program.h"
#include "scope/observers/hazards/race_checker.h"

namespace tilescope::observers {

using machine::AccessKind;
using machine::kWarpSize;
using machine::Order;

SyncForms sync_forms_of(const machine::Program& program) {
    SyncForms forms;
    for (const machine::OpFacts& facts : program.facts) {
        if (facts.order < Order::kAcquire) continue;
        forms.is_simple = false;
        forms.is_across = forms.is_across || is_wide(facts.scope);
    }
    for (const machine::Site& site : program.sites) {
        if (!site.is_access) continue;
        forms.has_read_only = forms.has_read_only || site.cache.is_read_only;
        if (site.kind == AccessKind::kAsyncCopyWrite) forms.is_simple = false;
        // Flags without a fence: reads before them are over when they were seen.
        const bool is_flag = site.kind == AccessKind::kStore && site.order != Order::kWeak &&
                             (site.order == Order::kVolatile || is_wide(site.scope)) &&
                             (site.space == machine::Space::kGlobal || site.space == machine::Space::kGeneric);
        if (is_flag) forms.is_simple = false, forms.is_across = true;
    }
    for (const machine::BasicBlock& block : program.blocks) {
        if (block.end.kind == machine::TerminatorKind::kConverge) forms.is_simple = false;
        if (block.end.kind != machine::TerminatorKind::kBarrier || block.end.op->extra == nullptr) continue;
        const auto& site = *static_cast<const machine::BarrierSite*>(block.end.op->extra);
        if (site.has_count || !site.waits) forms.is_simple = false;
        if (!site.waits) forms.has_arrivals = true;
    }
    return forms;
}

namespace {

RaceOrder order_of(const Record& earlier, const Record& later) {
    const bool is_by_volatile = earlier.is_spread && later.is_spread && earlier.block == later.block;
    if (earlier.is_strong && later.is_strong && !is_by_volatile) return RaceOrder::kScopeTooSmall;
    if ((earlier.deed == Deed::kAtomic) != (later.deed == Deed::kAtomic)) return RaceOrder::kPlainAgainstAtomic;
    if (!is_writing(earlier.deed)) return RaceOrder::kWriteAfterRead;
    return is_writing(later.deed) ? RaceOrder::kWriteAfterWrite : RaceOrder::kReadAfterWrite;
}

Remedy remedy_of(const Record& earlier, const Record& later, RaceOrder order) {
    if (order == RaceOrder::kScopeTooSmall) return Remedy::kScope;
    if (earlier.deed == Deed::kAsyncCopy) return Remedy::kCopyWait;
    if (earlier.op == later.op && order == RaceOrder::kWriteAfterWrite) return Remedy::kOneWriter;
    if (earlier.block != later.block)
        return order == RaceOrder::kPlainAgainstAtomic ? Remedy::kAtomic : Remedy::kFences;
    return earlier.warp == later.warp ? Remedy::kWarpBarrier : Remedy::kBlockBarrier;
}

}  // namespace

// A product of four warps, and a write of one of them, with a meeting of the four between: the store before a product
// that reads it, or the store that takes the place of what an earlier product read. PTX doesn't promise the meeting, so
// it is still a race.
bool RaceChecker::is_met(const Record& met) const {
    if (met.block != clock_.number() || met.deed == Deed::kAsyncCopy) return false;
    const bool is_product = access_.kind == AccessKind::kFactorLoad;
    if (!(is_product && is_writing(met.deed)) && !(met.is_product && writes_)) return false;
    return clock_.meetings().has_met(warp_, met.warp, met.products, met.is_product);
}

// Two warps that synchronize by one lane each: the other lanes of a warp come along only behind a barrier of the warp.
void RaceChecker::find_hand_over(const Record& other, unsigned other_lane, unsigned lane, bool is_before,
                                 FoundHazard& hazard) const {
    if (other.block != clock_.number() || other.warp == warp_ || other.deed == Deed::kAsyncCopy) return;
    for (unsigned one = 0; one < kWarpSize; ++one) {
        const bool is_behind = one != other_lane && clock_.knows(warp_, lane, other, 0, one, 0);
        const bool is_ahead = one != lane && clock_.knows(warp_, one, other, 0, other_lane, 0);
        if (!is_behind && !is_ahead) continue;
        hazard.remedy = Remedy::kWarpHandOver;
        hazard.hands_on_at = is_before == is_behind;
        hazard.is_behind = is_behind;
        return;
    }
}

// The one that is later in the program is where it shows, whichever ran first.
void RaceChecker::report(const Record& met, unsigned met_lane, unsigned lane, bool is_same_value) {
    const std::uint64_t key = std::uint64_t{met.op} << 32 | met.warp << 8 | met_lane;
    if (key == reported_) return;
    reported_ = key;
    Record other = met;  // a new record may move it
    const bool is_behind_meeting = is_met(other);
    Record mine = (*checked_.records)[me()];
    // Blocks that wait for each other come in an order that means something; how often they polled means nothing.
    const bool ran_in_order = mine.block != other.block && checked_.forms.is_across;
    const bool is_before = !ran_in_order && std::tie(mine.round, mine.op) < std::tie(other.round, other.op);
    const unsigned own_lane = lane, other_lane = met_lane;
    if (is_before) {
        std::swap(mine, other);
        std::swap(lane, met_lane);
    }
    FoundHazard hazard;
    hazard.kind = HazardKind::kRace;
    hazard.space = checked_.space;
    hazard.order = order_of(other, mine);
    // That data bring what was there already is chance, and says nothing of the next run; a mark that is set anew is
    // meant.
    const bool is_read = !is_writing(other.deed) || !is_writing(mine.deed);
    const bool is_meant = !is_read || (is_writing(mine.deed) ? mine : other).is_fixed;
    is_same_value = is_same_value && is_meant && hazard.order != RaceOrder::kPlainAgainstAtomic;
    hazard.is_across = mine.block != other.block;
    if (other.deed == Deed::kAsyncCopy && !hazard.is_across)
        hazard.is_uncommitted = clock_.is_uncommitted(other.warp, met_lane);
    hazard.is_volatile = mine.is_spread && other.is_spread;
    hazard.is_met = is_behind_meeting;
    const bool is_mild = is_same_value || hazard.is_volatile || hazard.is_met;
    hazard.severity = is_mild ? Severity::kWarning : Severity::kError;
    hazard.remedy = remedy_of(other, mine, hazard.order);
    if (hazard.remedy == Remedy::kBlockBarrier && !checked_.forms.is_simple)
        find_hand_over(is_before ? mine : other, other_lane, own_lane, is_before, hazard);
    hazard.at = {mine.deed, mine.op, mine.block, mine.warp * kWarpSize + lane};
    hazard.other = {other.deed, other.op, other.block, other.warp * kWarpSize + met_lane};
    hazard.is_same_value = is_same_value;
    hazard.comes_round = other.op > mine.op;
    hazard.address = address_;
    hazard.bytes = access_.width;
    checked_.hazards->add(hazard);
}

// PTX wants an acquire; a GPU's barrier does without, as long as L1 has no older copy of the line.
void RaceChecker::report_no_acquire(const Record& written, unsigned other_lane, unsigned lane) {
    const std::uint64_t key = std::uint64_t{written.op} << 32 | written.warp << 8 | other_lane;
    if (key == reported_) return;
    reported_ = key;
    FoundHazard hazard;
    hazard.kind = HazardKind::kRace;
    hazard.space = checked_.space;
    hazard.order = RaceOrder::kReadAfterWrite;
    hazard.severity = Severity::kWarning;
    hazard.is_across = true;
    hazard.at = {deed_, access_.op, clock_.number(), warp_ * kWarpSize + lane};
    hazard.other = {written.deed, written.op, written.block, written.warp * kWarpSize + other_lane};
    hazard.address = address_;
    hazard.bytes = access_.width;
    hazard.facts.emplace();
    hazard.facts->what = HazardCase::kNoAcquire;
    hazard.facts->remedy = Remedy::kAcquireFence;
    checked_.hazards->add(hazard);
}

}  // namespace tilescope::observers

#include <algorithm>

#include "scope/observers/hazards/hazards.h"

namespace tilescope::observers {
namespace {

// Whichever worker found it: the lowest block's is the example.
bool is_earlier(const FoundHazard& one, const FoundHazard& other) {
    return std::tie(one.at.block, one.at.thread) < std::tie(other.at.block, other.at.thread);
}

// How many threads a remedy has to order.
int reach_of(Remedy remedy) { return remedy == Remedy::kWarpHandOver ? 0 : remedy == Remedy::kWarpBarrier ? 1 : 2; }

}  // namespace

// The example stays, but for one across warps in the place of one that looks as if lanes of a warp were all.
void FoundHazard::take_in(const FoundHazard& other) {
    const std::uint64_t sum = count + other.count;
    const bool is_worse =
        severity < other.severity || (severity == other.severity && reach_of(remedy) < reach_of(other.remedy));
    const bool is_any_across = is_across || other.is_across;
    if (is_worse) *this = other;
    is_across = is_any_across;
    count = sum;
}

HazardCase FoundHazard::told_apart() const {
    if (!facts) return HazardCase::kNone;
    switch (facts->what) {
        case HazardCase::kLeavesRows:
        case HazardCase::kBetweenRows:
        case HazardCase::kCrossesRow: return HazardCase::kCrossesRow;
        case HazardCase::kLuckyBarrier:
        case HazardCase::kIndexWraps:
        case HazardCase::kExactFit:
        case HazardCase::kNoAcquire: return facts->what;
        default: return HazardCase::kNone;
    }
}

FoundHazard* HazardList::add(const FoundHazard& hazard) {
    const Key key = key_of(hazard);
    const auto at = groups_.find(key);
    if (at != groups_.end()) {
        at->second.take_in(hazard);
        return nullptr;
    }
    if (groups_.size() >= kMaxGroups) {
        left_out_ += hazard.count;
        return nullptr;
    }
    return &groups_.emplace(key, hazard).first->second;
}

void HazardList::merge(const HazardList& other) {
    for (const auto& [key, theirs] : other.groups_) {
        const auto at = groups_.find(key);
        if (at == groups_.end()) {
            add(theirs);
            continue;
        }
        FoundHazard both = is_earlier(theirs, at->second) ? theirs : at->second;
        both.take_in(is_earlier(theirs, at->second) ? at->second : theirs);
        at->second = both;
    }
    left_out_ += other.left_out_;
}

std::vector<FoundHazard> HazardList::all() const {
    std::vector<FoundHazard> list;
    for (const auto& [key, hazard] : groups_) list.push_back(hazard);
    std::stable_sort(list.begin(), list.end(), [](const FoundHazard& a, const FoundHazard& b) {
        return std::tie(a.severity, b.at.op, b.other.op) > std::tie(b.severity, a.at.op, a.other.op);
    });
    return list;
}

}  // namespace tilescope::observers

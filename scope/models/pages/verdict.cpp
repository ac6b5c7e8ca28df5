// What the moves of managed memory amount to.
#include "scope/models/pages/residency.h"

namespace tilescope::models {
namespace {

// Below, it is not worth a word.
constexpr std::uint64_t kFewFaults = 8;  // numeric: presentation

}  // namespace

PageTrouble judge_pages(const PageReport& pages) {
    const PageMoves& all = pages.total;
    if (all.refaults_evicted >= kFewFaults) return PageTrouble::kThrash;
    if (all.refaults - all.refaults_evicted >= kFewFaults) return PageTrouble::kPingPong;
    const bool moves = all.to_device_bytes > all.prefetched_in_bytes;
    return all.faults >= kFewFaults && moves ? PageTrouble::kFaults : PageTrouble::kNone;
}

}  // namespace tilescope::models

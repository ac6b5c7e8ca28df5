// What the moves of managed memory amount to.
#include "scope/models/pages/residency.h"
#include "scope/report/format.h"

namespace tilescope::models {
namespace {

using report::thousands;

// Below, it is not worth a word.
constexpr std::uint64_t kFewFaults = 8;  // numeric: presentation

std::string thrash_text(const PageReport& pages) {
    const PageMoves& all = pages.total;
    return "pages thrash: kernels touch " + thousands(pages.touched_bytes) +
           " B of managed memory, the device has room for " + thousands(pages.room_bytes) + " B; " +
           thousands(all.refaults_evicted) + " of " + thousands(all.faults) + " faults ask for what was evicted, and " +
           thousands(all.evicted_bytes) +
           " B were. Work on pieces that fit, one after the other, each brought by cudaMemPrefetchAsync; or let what "
           "is "
           "used once stay on the host (cudaMemAdviseSetPreferredLocation)";
}

std::string ping_pong_text(const PageReport& pages) {
    const PageMoves& all = pages.total;
    return "pages go back and forth: the host takes them " + thousands(all.host_faults) +
           " times, and kernels ask for them " + thousands(all.refaults - all.refaults_evicted) +
           " times again. Keep the host away between launches; bring back only what it needs (cudaMemPrefetchAsync); "
           "or "
           "let both read one copy each (cudaMemAdviseSetReadMostly)";
}

std::string fault_text(const PageReport& pages) {
    const PageMoves& all = pages.total;
    return "kernels stand still for " + thousands(all.faults) + " page faults that bring " +
           thousands(all.to_device_bytes - all.prefetched_in_bytes) +
           " B to the device: cudaMemPrefetchAsync before the launch moves them in one go";
}

}  // namespace

PageVerdict judge_pages(const PageReport& pages) {
    const PageMoves& all = pages.total;
    if (all.refaults_evicted >= kFewFaults) return {PageTrouble::kThrash, thrash_text(pages)};
    if (all.refaults - all.refaults_evicted >= kFewFaults) return {PageTrouble::kPingPong, ping_pong_text(pages)};
    const bool moves = all.to_device_bytes > all.prefetched_in_bytes;
    if (all.faults >= kFewFaults && moves) return {PageTrouble::kFaults, fault_text(pages)};
    return {};
}

}  // namespace tilescope::models

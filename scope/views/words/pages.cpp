#include "scope/views/words/pages.h"

#include "scope/report/format.h"

namespace tilescope::views::words {

using report::thousands;

std::string pages_message(const PageReport& pages) {
    const PageMoves& all = pages.total;
    switch (pages.trouble) {
        case PageTrouble::kNone: break;
        case PageTrouble::kThrash:
            return "pages thrash: kernels touch " + thousands(pages.touched_bytes) +
                   " B of managed memory, the device has room for " + thousands(pages.room_bytes) + " B; " +
                   thousands(all.refaults_evicted) + " of " + thousands(all.faults) +
                   " faults request what was evicted, and " + thousands(all.evicted_bytes) +
                   " B were. Work on pieces that fit, one after the other, each brought by cudaMemPrefetchAsync; or "
                   "let what is used once stay on the host (cudaMemAdviseSetPreferredLocation)";
        case PageTrouble::kPingPong:
            return "pages go back and forth: the host takes them " + thousands(all.host_faults) +
                   " times, and kernels request them " + thousands(all.refaults - all.refaults_evicted) +
                   " times again. Keep the host away between launches; bring back only what it needs "
                   "(cudaMemPrefetchAsync); or let both read one copy each (cudaMemAdviseSetReadMostly)";
        case PageTrouble::kFaults:
            return "kernels stand still for " + thousands(all.faults) + " page faults that bring " +
                   thousands(all.to_device_bytes - all.prefetched_in_bytes) +
                   " B to the device: cudaMemPrefetchAsync before the launch moves them in one go";
    }
    return {};
}

}  // namespace tilescope::views::words

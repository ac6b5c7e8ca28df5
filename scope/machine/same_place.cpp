#include "scope/machine/same_place.h"

#include <sys/mman.h>

#include "scope/base/rounding.h"

namespace tilescope::machine {
namespace {

// So many places are tried: as many runs of a process as may be there at a time.
constexpr int kTries = 64;
constexpr std::uint64_t kPage = std::uint64_t{64} << 10U;  // of any host, or a multiple

void* map(std::uint64_t place, std::uint64_t bytes, int protection, int flags) {
    return mmap(reinterpret_cast<void*>(place), bytes, protection, flags | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

}  // namespace

void* map_at(std::uint64_t& next, std::uint64_t bytes, int protection, int flags) {
    std::uint64_t place = next;
    for (int i = 0; i < kTries; ++i, place += round_up(bytes, kPage)) {
        void* const mapping = map(place, bytes, protection, flags);
        if (mapping == MAP_FAILED) break;
        if (mapping == reinterpret_cast<void*>(place)) {
            next = place + round_up(bytes, kPage);
            return mapping;
        }
        munmap(mapping, bytes);
    }
    return map(0, bytes, protection, flags);
}

}  // namespace tilescope::machine

#include "scope/machine/guarded_arena.h"

#include <sys/mman.h>

#include <new>

namespace tilescope::machine {
namespace {

constexpr std::uint64_t kPage = 4096, kAlignment = 128;
// Around everything: what 32 bits can add to or take from an address. Between regions: more than a thread's largest
// stack (512 KiB) in all lanes of a warp.
constexpr std::uint64_t kOuterGuard = std::uint64_t{4} << 30, kInnerGuard = std::uint64_t{64} << 20;
constexpr std::uint64_t kSmallGuard = 64 << 10;  // where the address space is limited (ulimit -v)

std::uint64_t round_up(std::uint64_t bytes, std::uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

GuardedArena::GuardedArena(const std::vector<Region>& regions) {
    if (!map(regions, kOuterGuard, kInnerGuard) && !map(regions, kSmallGuard, kSmallGuard)) throw std::bad_alloc();
}

GuardedArena::~GuardedArena() { munmap(base_, bytes_); }

bool GuardedArena::map(const std::vector<Region>& regions, std::uint64_t outer, std::uint64_t inner) {
    placed_.clear();
    std::vector<std::uint64_t> starts;
    std::uint64_t at = outer;
    for (const Region& region : regions) {
        Placed placed;
        const std::uint64_t element = round_up(region.bytes, kAlignment);
        const std::uint64_t rounded = region.apart ? element : element * region.count;
        placed.page_bytes = round_up(rounded, kPage);
        placed.place.stride = region.apart ? placed.page_bytes + inner : element;
        starts.push_back(at);
        at += (region.apart ? placed.place.stride * region.count : placed.page_bytes + inner);
        placed_.push_back(placed);
    }
    bytes_ = at + outer;
    void* base = mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) return false;
    base_ = static_cast<std::byte*>(base);
    for (std::size_t i = 0; i < regions.size(); ++i) {
        Placed& placed = placed_[i];
        placed.pages = base_ + starts[i];
        const std::uint64_t element = round_up(regions[i].bytes, kAlignment);
        placed.place.data =
            placed.pages + placed.page_bytes - (regions[i].apart ? element : element * regions[i].count);
        if (placed.page_bytes == 0) continue;
        for (std::uint64_t e = 0; e < (regions[i].apart ? regions[i].count : 1); ++e)
            if (mprotect(placed.pages + e * placed.place.stride, placed.page_bytes, PROT_READ | PROT_WRITE) != 0) {
                munmap(base_, bytes_);
                return false;
            }
    }
    return true;
}

void GuardedArena::make_read_only(std::size_t region) {
    const Placed& placed = placed_[region];
    if (placed.page_bytes != 0) mprotect(placed.pages, placed.page_bytes, PROT_READ);
}

}  // namespace tilescope::machine

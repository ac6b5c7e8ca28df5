#include "scope/machine/guarded_arena.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

#include "scope/base/rounding.h"

namespace tilescope::machine {
namespace {

constexpr std::uint64_t kPage = 4096, kAlignment = 128;
// Around everything: what 32 bits can add to or take from an address. Between regions: more than a thread's largest
// stack (512 KiB) in all lanes of a warp.
constexpr std::uint64_t kOuterGuard = std::uint64_t{4} << 30, kInnerGuard = std::uint64_t{64} << 20;
constexpr std::uint64_t kSpareBytes = 256 << 10;  // a larger arena is cheaper to map than to clear
constexpr std::uint64_t kSmallGuard = 64 << 10;   // where the address space is limited (ulimit -v)

// Whether guards may be kept that nobody needs: not where the address space is limited.
bool has_address_space() {
    rlimit limit{};
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY;
}

}  // namespace

// Mappings that nobody uses now.
class GuardedArena::Spares {
public:
    // One of this shape, if there is one that holds just what is to be fixed; base is nullptr when there is none.
    Mapping take(const std::vector<Region>& regions, const Fixed& fixed) {
        const std::lock_guard lock(mutex_);
        const auto fits = [&](const Mapping& mapping) { return mapping.regions == regions; };
        auto found = std::find_if(mappings_.begin(), mappings_.end(),
                                  [&](const Mapping& mapping) { return fits(mapping) && holds(mapping, fixed); });
        if (found == mappings_.end()) found = std::find_if(mappings_.begin(), mappings_.end(), fits);
        if (found == mappings_.end()) return {};
        Mapping mapping = std::move(*found);
        mappings_.erase(found);
        return mapping;
    }
    // Keeps the mapping, and returns the one that has waited longest when they are too many.
    Mapping keep(Mapping mapping) {
        constexpr std::size_t kMaxSpares = 16;
        const std::lock_guard lock(mutex_);
        mappings_.push_back(std::move(mapping));
        if (mappings_.size() <= kMaxSpares) return {};
        Mapping oldest = std::move(mappings_.front());
        mappings_.erase(mappings_.begin());
        return oldest;
    }
    std::vector<Mapping> take_all() {
        const std::lock_guard lock(mutex_);
        return std::exchange(mappings_, {});
    }

private:
    std::mutex mutex_;
    std::vector<Mapping> mappings_;
};

// Never destroyed: a program's exit handlers may launch.
GuardedArena::Spares& GuardedArena::spares() {
    static auto* const kSpares = new Spares;
    return *kSpares;
}

void GuardedArena::unmap(const Mapping& mapping) {
    if (mapping.base != nullptr) munmap(mapping.base, mapping.bytes);
}

void GuardedArena::release_spares() {
    for (const Mapping& mapping : spares().take_all()) unmap(mapping);
}

GuardedArena::GuardedArena(const std::vector<Region>& regions, const Fixed& fixed) {
    mapping_ = spares().take(regions, fixed);
    if (mapping_.base != nullptr && renew(mapping_, fixed)) return;
    unmap(mapping_);
    mapping_ = {};
    mapping_.regions = regions;
    if (!map(kOuterGuard, kInnerGuard)) {
        release_spares();
        if (!map(kOuterGuard, kInnerGuard) && !map(kSmallGuard, kSmallGuard)) throw std::bad_alloc();
    }
    fix(mapping_, fixed);
}

GuardedArena::~GuardedArena() {
    if (mapping_.usable_bytes <= kSpareBytes && has_address_space()) mapping_ = spares().keep(std::move(mapping_));
    unmap(mapping_);
}

bool GuardedArena::map(std::uint64_t outer, std::uint64_t inner) {
    const std::vector<Region>& regions = mapping_.regions;
    mapping_.placed.clear();
    mapping_.usable_bytes = 0;
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
        mapping_.usable_bytes += placed.page_bytes * (region.apart ? region.count : 1);
        mapping_.placed.push_back(placed);
    }
    mapping_.bytes = at + outer;
    void* base = mmap(nullptr, mapping_.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) return false;
    mapping_.base = static_cast<std::byte*>(base);
    for (std::size_t i = 0; i < regions.size(); ++i) {
        Placed& placed = mapping_.placed[i];
        placed.pages = mapping_.base + starts[i];
        const std::uint64_t element = round_up(regions[i].bytes, kAlignment);
        placed.place.data =
            placed.pages + placed.page_bytes - (regions[i].apart ? element : element * regions[i].count);
        if (placed.page_bytes == 0) continue;
        for (std::uint64_t e = 0; e < (regions[i].apart ? regions[i].count : 1); ++e)
            if (mprotect(placed.pages + e * placed.place.stride, placed.page_bytes, PROT_READ | PROT_WRITE) != 0) {
                munmap(mapping_.base, mapping_.bytes);
                mapping_.base = nullptr;
                return false;
            }
    }
    return true;
}

// To change what pages allow takes longer than to look whether they have to.
bool GuardedArena::holds(const Mapping& mapping, const Fixed& fixed) {
    if (fixed.bytes.empty()) return true;
    const Placed& placed = mapping.placed[fixed.region];
    return placed.read_only && std::memcmp(placed.place.data, fixed.bytes.data(), fixed.bytes.size()) == 0;
}

bool GuardedArena::renew(Mapping& mapping, const Fixed& fixed) {
    const bool has_fixed = !fixed.bytes.empty() && holds(mapping, fixed);
    for (std::size_t i = 0; i < mapping.placed.size(); ++i) {
        Placed& placed = mapping.placed[i];
        if (placed.page_bytes == 0 || (has_fixed && i == fixed.region)) continue;
        if (placed.read_only && mprotect(placed.pages, placed.page_bytes, PROT_READ | PROT_WRITE) != 0) return false;
        placed.read_only = false;
        for (std::uint64_t e = 0; e < (mapping.regions[i].apart ? mapping.regions[i].count : 1); ++e)
            std::memset(placed.pages + e * placed.place.stride, 0, placed.page_bytes);
    }
    if (!has_fixed) fix(mapping, fixed);
    return true;
}

void GuardedArena::fix(Mapping& mapping, const Fixed& fixed) {
    if (fixed.bytes.empty()) return;
    Placed& placed = mapping.placed[fixed.region];
    std::memcpy(placed.place.data, fixed.bytes.data(), fixed.bytes.size());
    mprotect(placed.pages, placed.page_bytes, PROT_READ);
    placed.read_only = true;
}

}  // namespace tilescope::machine

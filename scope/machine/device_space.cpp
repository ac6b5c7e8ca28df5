#include "scope/machine/device_space.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "scope/base/rounding.h"
#include "scope/machine/same_place.h"

namespace tilescope::machine {
namespace {

// More than any device has, so that one chunk serves nearly every program and freed ranges rest for long.
constexpr std::uint64_t kChunkBytes = std::uint64_t{256} << 30U;
// For hosts that grant little address space (ulimit -v).
constexpr std::uint64_t kSmallChunkBytes = std::uint64_t{64} << 20U;
// Of a chunk, what stays free at either end: what an index misses an allocation by is still device memory, and no
// neighbour of the host's.
constexpr std::uint64_t kMarginPart = 32;
// Storage is made accessible in steps: one call serves many small allocations.
constexpr std::uint64_t kStep = std::uint64_t{64} << 20U;
constexpr std::uint64_t kLargeBytes = std::uint64_t{4} << 20U;

void* pointer(std::uint64_t address) { return reinterpret_cast<void*>(address); }

// What a process can have of addresses at all.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 46U;

// The first address from `start` on at which `bytes` do not cross a multiple of `piece`.
std::uint64_t inside_piece(std::uint64_t start, std::uint64_t bytes, std::uint64_t piece) {
    if (piece == 0 || start / piece == (start + bytes - 1) / piece) return start;
    return round_up(start, piece);
}

// Gives the pages of storage back to the host; the next owner finds zeros. A new mapping frees the page tables, too,
// which matters to programs that allocate and free without end; many small ones would split the address space.
void empty(std::uint64_t address, std::uint64_t bytes) {
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    if (bytes >= kLargeBytes && mmap(pointer(address), bytes, PROT_READ | PROT_WRITE, kFlags, -1, 0) != MAP_FAILED)
        return;
    madvise(pointer(address), bytes, MADV_DONTNEED);
}

}  // namespace

std::uint64_t DeviceSpace::page() {
    static const auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

DeviceSpace::~DeviceSpace() {
    for (const Chunk& chunk : chunks_) munmap(pointer(chunk.base), 2 * chunk.size);
}

std::optional<DeviceSpace::Range> DeviceSpace::take(std::uint64_t bytes, std::uint64_t piece) {
    const std::uint64_t whole = round_up(std::max<std::uint64_t>(bytes, 1), page());
    for (Chunk& chunk : chunks_)
        if (const auto address = take_from(chunk, whole, {.piece = piece})) return Range{*address, chunk.size};
    // A new piece may begin anywhere in the chunk: of twice the bytes, enough lie on one side of that place.
    if (!add_chunk(piece == 0 ? whole : 2 * whole)) return std::nullopt;
    const auto address = take_from(chunks_.back(), whole, {.piece = piece});
    if (!address) return std::nullopt;
    return Range{*address, chunks_.back().size};
}

std::optional<DeviceSpace::Range> DeviceSpace::take_aligned(std::uint64_t bytes, std::uint64_t alignment,
                                                            std::uint64_t wanted) {
    const std::uint64_t whole = round_up(bytes, page());
    if (auto* chunk = const_cast<Chunk*>(chunk_of(wanted)); chunk != nullptr && wanted % alignment == 0) {
        auto gap = chunk->gaps.upper_bound(wanted);
        const bool is_free = gap != chunk->gaps.begin() && (--gap)->second >= wanted - gap->first &&
                             gap->second - (wanted - gap->first) >= whole;
        if (is_free && cut(*chunk, gap, wanted, whole)) return Range{wanted, chunk->size};
    }
    for (Chunk& chunk : chunks_)
        if (const auto address = take_from(chunk, whole, {.alignment = alignment})) return Range{*address, chunk.size};
    std::uint64_t with_room = 0;
    if (__builtin_add_overflow(whole, alignment, &with_room) || with_room > kMostBytes || !add_chunk(with_room))
        return std::nullopt;
    const auto address = take_from(chunks_.back(), whole, {.alignment = alignment});
    if (!address) return std::nullopt;
    return Range{*address, chunks_.back().size};
}

void DeviceSpace::give_back(std::uint64_t address, std::uint64_t bytes) {
    auto* chunk = const_cast<Chunk*>(chunk_of(address));
    std::uint64_t size = round_up(std::max<std::uint64_t>(bytes, 1), page());
    empty(address + chunk->size, size);
    auto above = chunk->gaps.upper_bound(address);
    if (above != chunk->gaps.end() && above->first == address + size) {
        size += above->second;
        above = chunk->gaps.erase(above);
    }
    if (above != chunk->gaps.begin()) {
        const auto below = std::prev(above);
        if (below->first + below->second == address) {
            below->second += size;
            return;
        }
    }
    chunk->gaps.emplace(address, size);
}

std::uint64_t DeviceSpace::shift_of(std::uint64_t address) const {
    const Chunk* chunk = chunk_of(address);
    return chunk == nullptr ? 0 : chunk->size;
}

const DeviceSpace::Chunk* DeviceSpace::chunk_of(std::uint64_t address) const {
    const auto found = std::find_if(chunks_.begin(), chunks_.end(),
                                    [&](const Chunk& chunk) { return address - chunk.base < chunk.size; });
    return found == chunks_.end() ? nullptr : &*found;
}

bool DeviceSpace::add_chunk(std::uint64_t bytes) {
    for (const std::uint64_t wanted : {kChunkBytes, kSmallChunkBytes}) {
        const std::uint64_t margin = wanted / kMarginPart;
        const std::uint64_t size = std::max(wanted, round_up(bytes, page()) + 2 * margin);
        void* const base = map_at(next_, 2 * size, PROT_NONE, MAP_PRIVATE);
        if (base == MAP_FAILED) continue;
        Chunk chunk;
        chunk.base = reinterpret_cast<std::uint64_t>(base);
        chunk.size = size;
        chunk.open = margin;
        chunk.cursor = chunk.base + margin;
        chunk.gaps.emplace(chunk.base + margin, size - 2 * margin);
        chunks_.push_back(std::move(chunk));
        return true;
    }
    return false;
}

std::uint64_t DeviceSpace::Placing::first_from(std::uint64_t start, std::uint64_t bytes) const {
    return alignment != 0 ? round_up(start, alignment) : inside_piece(start, bytes, piece);
}

std::optional<std::uint64_t> DeviceSpace::take_from(Chunk& chunk, std::uint64_t bytes, const Placing& placing) {
    // On from where the last range ended; what was given back below it rests until the chunk's end is reached.
    for (const std::uint64_t floor : {chunk.cursor, chunk.base}) {
        auto gap = chunk.gaps.upper_bound(floor);
        if (gap != chunk.gaps.begin()) --gap;
        for (; gap != chunk.gaps.end(); ++gap) {
            const std::uint64_t gap_end = gap->first + gap->second;
            const std::uint64_t start = placing.first_from(std::max(gap->first, floor), bytes);
            if (start >= gap_end || bytes > gap_end - start) continue;
            if (!cut(chunk, gap, start, bytes)) return std::nullopt;
            chunk.cursor = start + bytes;
            return start;
        }
    }
    return std::nullopt;
}

bool DeviceSpace::cut(Chunk& chunk, std::map<std::uint64_t, std::uint64_t>::iterator gap, std::uint64_t start,
                      std::uint64_t bytes) {
    const std::uint64_t gap_start = gap->first, gap_end = gap->first + gap->second;
    if (!open_storage(chunk, start + bytes - chunk.base)) return false;
    chunk.gaps.erase(gap);
    if (start > gap_start) chunk.gaps.emplace(gap_start, start - gap_start);
    if (start + bytes < gap_end) chunk.gaps.emplace(start + bytes, gap_end - (start + bytes));
    return true;
}

bool DeviceSpace::open_storage(Chunk& chunk, std::uint64_t end) {
    if (end <= chunk.open) return true;
    void* const from = pointer(chunk.base + chunk.size + chunk.open);
    for (const std::uint64_t wanted : {std::min(round_up(end, kStep), chunk.size), end})
        if (mprotect(from, wanted - chunk.open, PROT_READ | PROT_WRITE) == 0) {
            chunk.open = wanted;
            return true;
        }
    return false;
}

}  // namespace tilescope::machine

// DeviceSpace: addresses of device memory that the host cannot touch, and the storage behind them.
//
// Owns: DeviceSpace. It reserves address space in chunks of two halves. The lower half is inaccessible; its addresses
// are the programs' device pointers. The upper half is the storage, at a constant distance (the chunk's shift), and
// only kernels and the runtime use it. Guarantees: a host load or store at a device pointer faults. Fresh ranges are
// zero. A returned range is reused only after the whole chunk has been handed out. Chunks have the same addresses in
// every run, if possible. Not thread-safe: Memory holds its lock. Does not model: physical memory. Untouched pages
// cost nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "scope/machine/same_place.h"

namespace tilescope::machine {

class DeviceSpace {
public:
    struct Range {
        std::uint64_t address = 0;
        std::uint64_t shift = 0;  // address + shift is where the bytes are
    };

    DeviceSpace() = default;
    ~DeviceSpace();
    DeviceSpace(const DeviceSpace&) = delete;
    DeviceSpace& operator=(const DeviceSpace&) = delete;

    // Zero-filled storage of at least `bytes`, in whole pages. `piece`: when not 0, the range lies between two
    // multiples of it. Nothing when the host has no more address space or memory.
    std::optional<Range> take(std::uint64_t bytes, std::uint64_t piece = 0);
    // From a multiple of `alignment` on; at `wanted` if that is one and free.
    std::optional<Range> take_aligned(std::uint64_t bytes, std::uint64_t alignment, std::uint64_t wanted);
    // What was taken, with the bytes that were asked for. The storage's pages go back to the host.
    void give_back(std::uint64_t address, std::uint64_t bytes);
    // Whether the address is one of device memory, in use or not.
    bool holds(std::uint64_t address) const { return chunk_of(address) != nullptr; }
    // The shift of such an address; 0 for all others.
    std::uint64_t shift_of(std::uint64_t address) const;

    // Bytes of a page of the host.
    static std::uint64_t page();

private:
    struct Chunk {
        std::uint64_t base = 0, size = 0;  // of the lower half; the upper half is as large
        std::uint64_t open = 0;            // where storage that can be read and written ends, from the chunk's start
        std::uint64_t cursor = 0;          // where the last range ended: the search goes on from there
        std::map<std::uint64_t, std::uint64_t> gaps;  // start to size: what is not in use
    };

    const Chunk* chunk_of(std::uint64_t address) const;
    bool add_chunk(std::uint64_t bytes);
    // Where a range may begin: the first address from some place on.
    struct Placing {
        std::uint64_t piece = 0, alignment = 0;
        std::uint64_t first_from(std::uint64_t start, std::uint64_t bytes) const;
    };
    static std::optional<std::uint64_t> take_from(Chunk& chunk, std::uint64_t bytes, const Placing& placing);
    // What takes a part of a gap.
    static bool cut(Chunk& chunk, std::map<std::uint64_t, std::uint64_t>::iterator gap, std::uint64_t start,
                    std::uint64_t bytes);
    static bool open_storage(Chunk& chunk, std::uint64_t end);

    std::vector<Chunk> chunks_;
    std::uint64_t next_ = kDevicePlace;  // where the next chunk goes, if that is free
};

}  // namespace tilescope::machine

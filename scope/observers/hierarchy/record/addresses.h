// Addresses for the caches, equal in every run.
//
// Guarantees: each allocation keeps its address while it lives, and no address is ever reused. Allocations follow each
// other in order of creation, from 1 MB on at multiples of 2 MB, as cudaMalloc's do on a device. Memory from malloc in
// kernels is in one range after all of them. Does not model: other memory, which keeps the host's addresses.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "scope/machine/memory.h"
#include "scope/observers/hierarchy/record/buffers.h"

namespace tilescope::observers {

class CacheAddresses {
public:
    struct Range {
        std::uint64_t from = 0, bytes = 0;  // as the program has it
        std::uint64_t shift = 0;            // from there to its place

        bool holds(std::uint64_t address) const { return address - from < bytes; }
    };

    // Takes new allocations in, and lets those go that are no more. The memory outlives this.
    void update(machine::Memory& memory);
    // The range that holds an address; one of no shift for any other. Several threads may ask at once.
    Range find(std::uint64_t address) const;
    bool knows(std::uint64_t address) const { return find(address).bytes > 1; }
    // Of so many bytes from an address on, those that are in one range each, where they lie.
    struct Piece {
        std::uint64_t place = 0, bytes = 0;
    };
    std::vector<Piece> pieces(std::uint64_t address, std::uint64_t bytes) const;
    // Whose lines are whose.
    std::shared_ptr<const BufferMap> buffers() const { return buffers_; }

private:
    std::vector<Range> ranges_;                     // by `from`
    std::map<std::uint64_t, std::uint64_t> by_id_;  // of an allocation, its place
    std::uint64_t end_ = 0;
    std::uint64_t version_ = 0;  // of the memory's allocations, when it was looked at
    machine::DeviceHeap* heap_ = nullptr;
    std::shared_ptr<const BufferMap> buffers_;
};

}  // namespace tilescope::observers

// AtomicAddresses: to how many different addresses the atomics of a block go.
//
// As many as there are atomic operations: the lanes never meet, and nothing could be combined beforehand. Few: sums in
// registers or in shared memory leave little to do at L2.
// Owns: for each line with global atomics a bit per unit of the allocations they touch. Guarantees: exact; the same for
// any number of workers. Does not model: atomics of different lines that meet.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "scope/machine/program.h"
#include "scope/observers/counting.h"
#include "scope/observers/touched_bytes.h"

namespace tilescope::observers {

class AtomicAddresses {
public:
    AtomicAddresses() = default;
    AtomicAddresses(const machine::Program& program, const machine::Memory* memory);

    void on_atomic(const machine::Access& access);
    void end_block();
    void merge(const AtomicAddresses& other);
    // Adds each line's count to the first of its ops.
    void finish(const machine::Program& program, OpCounters& counters) const;

private:
    // Of a line: where its atomics went last.
    struct Aim {
        TouchedBytes* bytes = nullptr;
        std::uint32_t* bits = nullptr;
    };
    // Where the atomics at an address go; false when no allocation is there.
    bool point(Aim& aim, std::uint32_t group, std::uint64_t address);
    TouchedBytes* find(std::uint64_t address);

    const machine::Memory* memory_ = nullptr;
    std::vector<std::uint32_t> group_of_site_;                        // sites of one line share a group
    std::vector<std::size_t> first_site_;                             // by group
    std::vector<Aim> aims_;                                           // by group
    std::vector<std::uint64_t> addresses_;                            // by group, over the blocks that ended
    std::map<std::uint64_t, std::unique_ptr<TouchedBytes>> buffers_;  // by base
    std::vector<TouchedChunk> touched_;                               // by the block at hand
    std::uint64_t all_ = 0;
};

}  // namespace tilescope::observers

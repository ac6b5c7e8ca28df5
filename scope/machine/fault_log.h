// FaultLog: the faulting accesses of a run that continues after them, one entry per place with a count.
//
// Owns: FaultPlace and FaultLog. Guarantees: the same places, first faults and counts for any number of workers. The
// text of a fault is made once per place. Does not model: other faults; those end the kernel.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "scope/machine/access.h"
#include "scope/machine/fault.h"

namespace tilescope::machine {

// An instruction at which accesses of one kind faulted.
struct FaultPlace {
    Fault first;              // of the lowest block that faulted here
    std::uint64_t block = 0;  // that block, by its linear number
    std::uint64_t count = 0;  // accesses of threads
    std::uint64_t turn = 0;   // of that block's faults, the smaller the earlier
    bool writes = false;      // rather than reads
};

class FaultLog {
public:
    void begin_block(std::uint64_t block) { block_ = block; }

    // Counts one thread's access. describe() gives its Fault and is called for a place's first.
    template <class Describe>
    void note(std::uint32_t op, FaultKind kind, Space space, bool writes, const Describe& describe) {
        ++noted_;
        FaultPlace& place = places_[{op, kind, space, writes}];
        if (place.count++ != 0) return;
        place.first = describe();
        place.block = block_;
        place.turn = noted_;
        place.writes = writes;
    }

    void merge(const FaultLog& other);
    // In the order of the program's instructions.
    std::vector<FaultPlace> places() const;

private:
    std::uint64_t block_ = 0, noted_ = 0;
    std::map<std::tuple<std::uint32_t, FaultKind, Space, bool>, FaultPlace> places_;
};

}  // namespace tilescope::machine

// Names for the addresses that a trace saw.
//
// Guarantees: the order of arrays (that of the list) orders everything in a table, so it must not depend on the
// compiler. Does not model: where the arrays are known from; whoever runs the trace says.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scope/machine/access.h"
#include "scope/report/phase_table.h"

namespace tilescope::observers {

struct TraceArray {
    PhaseArray shown;
    machine::Space space = machine::Space::kGlobal;
    std::uint64_t base = 0;           // address of element 0
    std::uint64_t low = 0, high = 0;  // addresses that belong to it
    bool is_part = false;             // of another array, which it takes precedence over
    bool is_float = false;            // its elements are known to be floating-point numbers
};

struct TraceNames {
    std::vector<TraceArray> arrays;
    std::vector<std::pair<std::uint32_t, std::string>> parameters;  // kernel arguments: offset in the buffer, name

    // Index of the array that holds the address; arrays.size() when none does.
    std::size_t find(machine::Space space, std::uint64_t address) const;
    // "M[0][1]", "M[0][0..3]" for several elements, "M+6" off its elements, or the address itself.
    std::string element(machine::Space space, std::uint64_t address, std::uint64_t bytes) const;
    std::string parameter(std::uint64_t offset) const;
};

}  // namespace tilescope::observers

// From the record of a block to its phase table.
//
// An interval is what lies between two barriers. A phase is an interval; or an interval that does nothing but fill
// shared memory, together with the next, if that one reads and stores nothing into shared memory: load tiles, barrier,
// compute. What only stores results after the last of them belongs to no phase.
#pragma once

#include <cstdint>

#include "scope/observers/trace_names.h"
#include "scope/observers/trace_record.h"
#include "scope/report/phase_table.h"

namespace tilescope::observers {

struct PhaseRange {
    std::uint32_t first = 1, last = ~0u;  // phases whose threads are shown; the others are only counted
};

// Fills arrays, phases, counts and notes; the head is the caller's.
PhaseTable phase_table(const machine::Program& program, const TraceRecord& record, const TraceNames& names,
                       const PhaseRange& shown);

}  // namespace tilescope::observers

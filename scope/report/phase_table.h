// PhaseTable: what the threads of one block loaded, stored and computed between barriers, as plain data.
//
// Owns: PhaseTable and what it holds. Guarantees: values only; names are final; order of rows, columns and statements
// is the order to show them in, the same whatever order a compiler gave the instructions.
// Does not model: how it was recorded (scope/observers/trace_*) or drawn (views/phase_*).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scope/report/enums.h"

namespace tilescope {

// Elements moved and operations done. A vector load of four floats counts four.
struct PhaseCounts {
    std::uint64_t global_loads = 0, global_stores = 0, shared_loads = 0, shared_stores = 0, atomics = 0, flop = 0;

    PhaseCounts& operator+=(const PhaseCounts& other) {
        global_loads += other.global_loads;
        global_stores += other.global_stores;
        shared_loads += other.shared_loads;
        shared_stores += other.shared_stores;
        atomics += other.atomics;
        flop += other.flop;
        return *this;
    }
    bool operator==(const PhaseCounts&) const = default;
};

// A named piece of memory, row-major.
struct PhaseArray {
    std::string name;
    PhaseSpace space = PhaseSpace::kGlobal;
    std::uint64_t bytes = 0;           // 0: not known
    std::uint32_t element_bytes = 0;   // 0: not known
    std::vector<std::uint64_t> shape;  // empty: a plain list of elements
};

// One thing that a thread did.
// kLoad:    terms[0] was read into a register and used later, or never
// kCopy:    terms[0], an element, went to target
// kFill:    terms[0], a constant or a kernel argument, went to target
// kStore:   the sum of terms went to target
// kCompute: target, a value kept in a register, is the sum of terms, or grows by it (accumulates)
// kAtomic:  terms[0] met target by `operation`
// kOther:   terms[0] says how many operations were done whose operands could not be followed
struct PhaseStatement {
    StatementKind kind = StatementKind::kLoad;
    std::string target, operation;
    bool accumulates = false;
    std::vector<std::string> terms;  // of a sum, each with "-" in front when subtracted
    std::uint64_t term_count = 0;    // terms may stop short of it
    std::string text;                // all of it as the table has it (views/words/speak.h)
    bool operator==(const PhaseStatement&) const = default;
};

struct PhaseColumn {
    ColumnKind kind = ColumnKind::kLoad;  // copies and fills stand among the stores
    std::string array;                    // which the column is about; "" for none
    std::uint32_t interval = 0;           // between which barriers: 0 is before the first
    std::vector<std::uint32_t> lines;
    bool operator==(const PhaseColumn&) const = default;
};

using PhaseCell = std::vector<PhaseStatement>;

struct PhaseRow {
    std::uint32_t thread = 0;      // number within the block
    std::vector<PhaseCell> cells;  // one for each column
    PhaseCounts counts;
};

// One phase, or a run of phases that are only counted (last > first, or no rows).
struct Phase {
    std::uint32_t first = 0, last = 0;  // numbers, from 1; 0: what follows the last phase
    std::uint32_t first_interval = 0, last_interval = 0;
    std::vector<PhaseColumn> columns;
    std::vector<PhaseRow> rows;  // the threads that are shown
    PhaseCounts others;          // of the threads that are not
    std::uint32_t other_threads = 0;
};

struct PhaseTable {
    std::uint32_t launch = 0;
    std::string kernel, file;                                    // file: that the columns' lines are in
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};  // extents
    std::array<std::uint32_t, 3> block_index{};
    std::vector<PhaseArray> arrays;
    std::vector<Phase> phases;
    std::uint32_t phase_count = 0, interval_count = 0;
    PhaseCounts least, most;  // of a thread, over all threads of the block and the whole kernel
    PhaseCounts total;        // of the block
    std::vector<std::string> notes;
};

}  // namespace tilescope

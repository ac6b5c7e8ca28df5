// The fields of a phase table, the "trace" of a profile.
#pragma once

#include "scope/report/fields.h"
#include "scope/report/phase_table.h"

namespace tilescope::report {

template <class V>
void describe(V& v, Is<PhaseCounts> auto& x) {
    v.field("global_loads", x.global_loads, "elements", "loaded from global memory");
    v.field("global_stores", x.global_stores, "elements", "stored there");
    v.field("shared_loads", x.shared_loads, "elements", "loaded from shared memory");
    v.field("shared_stores", x.shared_stores, "elements", "stored there");
    v.field("atomics", x.atomics, "operations", "atomic ones");
    v.field("flop", x.flop, "operations", "floating-point ones");
}

template <class V>
void describe(V& v, Is<PhaseArray> auto& x) {
    v.field("name", x.name, "", "in the source");
    v.field("space", x.space, "", "where it lies");
    v.field("bytes", x.bytes, "bytes", "of the array; 0: not known");
    v.field("element_bytes", x.element_bytes, "bytes", "of an element; 0: not known");
    v.field("shape", x.shape, "elements", "extents, row-major; empty: a plain list");
}

template <class V>
void describe(V& v, Is<PhaseStatement> auto& x) {
    v.field("kind", x.kind, "", "what was done");
    v.field("text", x.text, "", "the statement as the table has it");
    v.field("target", x.target, "", "where the value went", !x.target.empty());
    v.field("operation", x.operation, "", "of an atomic", !x.operation.empty());
    v.field("accumulates", x.accumulates, "", "the target grows by the terms", x.accumulates);
    v.field("terms", x.terms, "", "of a sum, each with - in front when subtracted");
    if constexpr (V::kReads) x.term_count = x.terms.size();
    v.field("term_count", x.term_count, "terms", "where not all are there", x.term_count != x.terms.size());
}

template <class V>
void describe(V& v, Is<PhaseColumn> auto& x) {
    v.field("kind", x.kind, "", "what its statements do; copies and fills stand among the stores");
    v.field("array", x.array, "", "which the column is about; empty for none");
    v.field("interval", x.interval, "index", "between which barriers: 0 is before the first");
    v.field("lines", x.lines, "", "of the source");
}

template <class V>
void describe(V& v, Is<Phase> auto& x) {
    v.field("first", x.first, "index", "number of the phase, from 1; 0: what follows the last");
    v.field("last", x.last, "index", "of a run of phases that are only counted, its last");
    v.field("first_interval", x.first_interval, "index", "between which barriers it begins");
    v.field("last_interval", x.last_interval, "index", "between which barriers it ends");
    v.field("columns", x.columns, "", "of the table, in order");
    v.list("rows", x.rows, "the threads that are shown", [&](auto& in, auto& row) {
        in.field("thread", row.thread, "index", "within the block");
        in.lists("cells", row.cells, "statements, a list for each column", x.columns.size());
        in.field("counts", row.counts, "", "of this thread in this phase");
    });
    v.field("other_threads", x.other_threads, "threads", "that are not shown");
    v.field("others", x.others, "", "counts of these");
}

template <class V>
void describe(V& v, Is<PhaseTable> auto& x) {
    v.field("launch", x.launch, "index", "of the launch");
    v.field("kernel", x.kernel, "", "demangled");
    v.field("file", x.file, "", "that the columns' lines are in");
    v.field("grid", x.grid, "blocks", "extents");
    v.field("block", x.block, "threads", "extents");
    v.field("block_index", x.block_index, "index", "of the block that the table is of");
    v.field("arrays", x.arrays, "", "named pieces of memory");
    v.field("phase_count", x.phase_count, "phases", "in the kernel");
    v.field("interval_count", x.interval_count, "intervals", "between barriers");
    v.field("phases", x.phases, "", "in order");
    v.field("thread_least", x.least, "", "counts of the thread with the least, over the whole kernel");
    v.field("thread_most", x.most, "", "the same of the most");
    v.field("total", x.total, "", "counts of the block");
    v.field("notes", x.notes, "", "what the table leaves out, in words");
}

}  // namespace tilescope::report

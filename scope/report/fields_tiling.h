// The fields of what tiling could save.
#pragma once

#include "scope/report/fields.h"
#include "scope/report/profile.h"

namespace tilescope::report {

template <class V>
void describe(V& v, Is<Tiling> auto& x) {
    v.result(
        "potential", [&] { return x.potential(); }, "times",
        "how much less a block would ask for that loads each byte once");
    v.field("requests", x.requests, "loads", "once for each thread");
    v.field("requested_bytes", x.requested_bytes, "bytes", "asked for by threads");
    v.field("unique_bytes_per_block", x.unique_bytes_per_block, "bytes",
            "distinct ones, counted once for each block, over all blocks");
    v.field("unique_bytes", x.unique_bytes, "bytes", "distinct ones over the whole grid; not of a line or a sample");
    v.field("own_share", x.own_share, "share",
            "of the requested bytes: asked for again by the thread that had, with none of its block between");
    v.field("register_share", x.register_share, "share", "of the requested bytes: own_share by the same instruction",
            x.own_share.has_value());
}

template <class V>
void describe(V& v, Is<BufferReuse> auto& x) {
    v.field("parameter", x.parameter, "index", "the first kernel parameter that points into it");
    v.field("name", x.name, "", "of a module's variable, or of the parameter in the source", !x.name.empty());
    v.field("bytes", x.bytes, "bytes", "of the allocation");
    describe(v, x.tiling);
    v.result(
        "requests_per_element", [&] { return x.requests_per_element(); }, "times",
        "how often an element that was loaded at all was asked for, on average over the grid");
}

template <class V>
void describe(V& v, Is<SharedReuse> auto& x) {
    v.field("name", x.name, "", "as in the PTX");
    v.field("offset", x.offset, "bytes", "into the block's shared memory");
    v.field("bytes", x.bytes, "bytes", "of the variable");
    v.field("written_bytes", x.written_bytes, "bytes", "distinct ones that a thread wrote, summed over blocks");
    v.field("read_by_others_bytes", x.read_by_others_bytes, "bytes",
            "of these: read by a thread other than the last to write them");
    v.field("indexed_at_run_time", x.indexed_at_run_time, "",
            "an instruction of one thread went to several places of it");
}

}  // namespace tilescope::report

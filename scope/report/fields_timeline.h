// The fields of copies and of the time line.
#pragma once

#include "scope/report/fields.h"
#include "scope/report/profile.h"

namespace tilescope::report {

template <class V>
void describe(V& v, Is<Transfer> auto& x) {
    v.field("direction", x.direction, "", "which way it goes");
    v.field("host_memory", x.host_memory, "", "of the host's side; absent: both lie on the device",
            x.host_memory != HostMemory::kNone);
    v.field("stream", x.stream, "index", "0: the default stream");
    v.field("async", x.is_async, "", "by a call that need not wait until it is done");
    v.field("count", x.count, "copies", "that this place made alike");
    v.field("bytes", x.bytes, "bytes", "of all of them");
    v.field("microseconds", x.microseconds, "us", "of all of them: modelled; absent where the device's link is not known");
    v.field("file", x.file, "", "of the host code; absent: not known", x.line != 0);
    v.field("line", x.line, "", "of that file", x.line != 0);
}

template <class V>
void describe(V& v, Is<TimelineSpan> auto& x) {
    v.field("kind", x.kind, "", "what it is");
    v.field("lane", x.lane, "", "who was busy: the host, the SMs, or the copy engine of a direction");
    v.field("stream", x.stream, "index", "0: the default stream");
    v.field("name", x.name, "", "of the kernel, the copy, or the call that waits");
    v.field("launch", x.launch, "index", "of a kernel's launch");
    v.field("bytes", x.bytes, "bytes", "that it moves or sets", x.bytes != 0);
    v.field("begin", x.begin, "us", "since the first call");
    v.field("microseconds", x.microseconds, "us", "that it takes");
}

template <class V>
void describe(V& v, Is<TimelineTotals> auto& x) {
    v.field("microseconds", x.microseconds, "us", "from the first call to the end of all work");
    v.field("kernels", x.kernels, "us", "in which kernels ran");
    v.field("copies", x.copies, "us", "in which copies crossed the link between host and device");
    v.field("hidden", x.hidden, "us", "in which both happened");
    v.field("host_waits", x.host_waits, "us", "in which the host waited for the device");
    v.field("left_out", x.left_out, "spans", "of the time line beyond those listed", x.left_out != 0);
    v.field("until", x.until, "index", "of the launch whose time is not known: the line ends before it");
}

}  // namespace tilescope::report

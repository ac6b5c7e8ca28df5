// The fields of copies, of the time line and of managed memory's pages.
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
    v.field("repeated", x.repeated, "copies", "of these, that brought to the device what was there already",
            x.repeated != 0);
    v.field("microseconds", x.microseconds, "us",
            "of all of them: modelled; absent where the device's link is not known");
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
    v.field("graph", x.graph, "number", "of the graph launch that it is part of, counted from 1", x.graph != 0);
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
    v.field("graph_launches", x.graph_launches, "launches", "of graphs", x.graph_launches != 0);
    v.field("left_out", x.left_out, "spans", "of the time line beyond those listed", x.left_out != 0);
    v.field("until", x.until, "index", "of the launch whose time is not known: the line ends before it");
}

template <class V>
void describe(V& v, Is<EventTimes> auto& x) {
    v.field("modelled", x.modelled, "times", "of the modelled time line");
    v.field("estimated", x.estimated, "times",
            "estimated of the counts and the device's peaks, as no time is modelled");
}

template <class V>
void describe(V& v, Is<PageMoves> auto& x) {
    v.field("faults", x.faults, "64 KiB leaves", "that kernels, copies and sets asked for and the device did not have");
    v.field("refaults", x.refaults, "64 KiB leaves", "of these: it had had them before");
    v.field("refaults_evicted", x.refaults_evicted, "64 KiB leaves", "of these: it gave them up for want of room");
    v.field("host_faults", x.host_faults, "64 KiB leaves",
            "of the host, for leaves that only the device had; and for each page of 4 KiB that it wrote while both had "
            "a copy");
    v.field("to_device_bytes", x.to_device_bytes, "bytes", "that moved to the device");
    v.field("to_host_bytes", x.to_host_bytes, "bytes", "that moved to the host");
    v.field("prefetched_in_bytes", x.prefetched_in_bytes, "bytes", "of to_device_bytes, by cudaMemPrefetchAsync");
    v.field("prefetched_back_bytes", x.prefetched_back_bytes, "bytes", "of to_host_bytes, by cudaMemPrefetchAsync");
    v.field("evicted_bytes", x.evicted_bytes, "bytes", "that left the device for want of room");
    v.field("mapped_bytes", x.mapped_bytes, "bytes",
            "in leaves that kernels reached across the link, by advice; each once for each launch");
    v.field("device_stall_microseconds", x.device_stall_microseconds, "us",
            "that kernels, copies and sets stood still for their faults, which the time line has and `time` has not");
    v.field("host_stall_microseconds", x.host_stall_microseconds, "us", "that the host stood still for its own");
}

template <class V>
void describe(V& v, Is<LaunchPages> auto& x) {
    v.field("launch", x.launch, "index", "of the launch");
    v.field("moves", x.moves, "", "in it, and on the host since the one before");
}

template <class V>
void describe(V& v, Is<PageReport> auto& x) {
    v.field("managed_bytes", x.managed_bytes, "bytes", "allocated at once, at most");
    v.field("touched_bytes", x.touched_bytes, "bytes", "that kernels touched, in whole leaves, each once");
    v.field("resident_bytes", x.resident_bytes, "bytes", "on the device at once, at most");
    v.field("room_bytes", x.room_bytes, "bytes", "that the device has for them, at least");
    v.field("total", x.total, "", "of the run");
    v.field("trouble", x.trouble, "", "what is wrong", x.trouble != PageTrouble::kNone);
    v.field("message", x.message, "", "what is wrong and what to do about it", !x.message.empty());
    v.field("launches", x.launches, "", "those with something to tell");
    v.field("left_out", x.left_out, "launches", "with something to tell beyond those listed", x.left_out != 0);
    v.field("unseen_bytes", x.unseen_bytes, "bytes", "of managed variables whose pages cannot be followed",
            x.unseen_bytes != 0);
}

}  // namespace tilescope::report

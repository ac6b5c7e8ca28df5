// The fields of a hazard's facts. What is 0, false or empty is left out: most hazards have few of them.
#pragma once

#include "scope/report/fields.h"
#include "scope/report/hazard_facts.h"

namespace tilescope::report {

template <class V>
void describe(V& v, Is<SourceSpot> auto& x) {
    v.field("file", x.file, "", "of a source");
    v.field("line", x.line, "", "of that file");
}

template <class V>
void describe(V& v, Is<HazardMemory> auto& x) {
    v.field("naming", x.naming, "", "how it is named");
    v.field("name", x.name, "", "in the source", !x.name.empty());
    v.field("index", x.index, "index", "of the element or the argument", x.index != 0);
    v.field("byte", x.byte, "bytes", "into it", x.byte != 0);
    v.field("bytes", x.bytes, "bytes", "that it has", x.bytes != 0);
    v.field("kind", x.kind, "", "absent: device", x.kind != MemoryKind::kDevice);
    v.field("allocated", x.allocated, "", "by the host, where", x.allocated.line != 0);
    v.field("freed", x.freed, "", "by the host, where", x.freed.line != 0);
}

template <class V>
void describe(V& v, Is<HazardAct> auto& x) {
    v.field("deed", x.deed, "", "what was done", x.deed != Deed::kNone);
    v.field("doer", x.doer, "", "absent: thread", x.doer != Doer::kThread);
    v.field("function", x.function, "", "kernel, or function of the host", !x.function.empty());
    v.field("stream", x.stream, "index", "of work on a stream", x.stream != 0);
    v.field("graph", x.graph, "number", "of the graph launch that it is part of, counted from 1", x.graph != 0);
    v.field("number", x.number, "index", "of the thread within its block, or of the lane", x.number != 0);
    v.field("at", x.at, "", "where it is not at the hazard's own line", x.at != SourceSpot());
}

template <class V>
void describe_figures(V& v, Is<HazardFacts> auto& x) {
    v.field("bytes", x.bytes, "bytes", "of the access or the copy, or leaked", x.bytes != 0);
    v.field("undefined", x.undefined, "bytes", "of these", x.undefined != 0);
    v.field("beyond", x.beyond, "bytes", "past the end; negative: before the beginning", x.beyond != 0);
    v.field("across", x.is_across, "", "it begins within and ends outside", x.is_across);
    v.field("volatile", x.is_volatile, "", "both accesses are, which does not order them", x.is_volatile);
    v.field("same_value", x.is_same_value, "", "what is written was there, or both write the same", x.is_same_value);
    v.field("warpgroup", x.is_met, "", "four warps that wait for each other order the two: an H200 does so, not PTX",
            x.is_met);
    v.field("computed", x.is_computed, "", "the undefined value was made of others", x.is_computed);
    v.field("from_lane", x.is_from_lane, "", "the undefined value came from a lane that takes no part in a shuffle",
            x.is_from_lane);
    v.field("one_line", x.is_one_line, "", "one line makes both barriers", x.is_one_line);
    v.field("there", x.is_there, "", "the lane that was asked lives", x.is_there);
    v.field("only_decides", x.only_decides, "", "the value that was read reaches nothing but comparisons",
            x.only_decides);
    v.field("texture", x.is_texture, "", "a texture read it", x.is_texture);
    v.field("before", x.is_before, "", "of a stale read: it comes before the write, in order", x.is_before);
    v.field("at_act", x.hands_on_act, "", "__syncwarp() goes to the line of `act`; absent: of `other`", x.hands_on_act);
    v.field("behind", x.is_behind, "", "and behind that line; absent: before it", x.is_behind);
    v.field("barrier", x.barrier, "index", "its number", x.barrier != 0);
    v.field("came", x.came, "threads", "to the barrier", x.came != 0);
    v.field("expected", x.expected, "threads", "that the barrier is for", x.expected != 0);
    v.field("missing", x.missing, "index", "a thread that did not come", x.what == HazardCase::kEndedBefore);
    v.field("lanes", x.lanes, "mask", "that went on, or that ask lanes which take no part", x.lanes != 0);
    v.field("other_lanes", x.other_lanes, "mask", "that are missing", x.other_lanes != 0);
    v.field("row", x.row, "index", "of a buffer whose shape was given", x.row != 0);
    v.field("other_row", x.other_row, "index", "that it ran into", x.other_row != 0);
    v.field("rows", x.rows, "rows", "that the buffer has", x.rows != 0);
    v.field("elements", x.elements, "elements", "of one row", x.elements != 0);
    v.field("option", x.option, "", "that gave the shape", !x.option.empty());
    v.field("reaches", x.reaches, "elements", "that an index comes to over the whole grid", x.reaches != 0);
    v.field("limit", x.limit, "elements", "that its type holds", x.limit != 0);
}

template <class V>
void describe(V& v, Is<HazardFacts> auto& x) {
    v.field("case", x.what, "", "what was concluded; absent: only the message says it", x.what != HazardCase::kNone);
    v.field("act", x.act, "", "what was done at the hazard's line", x.act != HazardAct());
    v.field("other", x.other, "", "what that met", x.other != HazardAct());
    v.field("stored", x.stored, "", "of an undefined value: what last stored it", x.stored != HazardAct());
    v.field("memory", x.memory, "", "that it is about", x.memory != HazardMemory());
    v.field("from", x.from, "", "what the address counts from, or an undefined value was read from",
            x.from != HazardMemory());
    v.field("remedy", x.remedy, "", "what mends it", x.remedy != Remedy::kNone);
    v.field("place", x.place, "", "where a barrier goes", x.place != RemedyPlace::kNone);
    v.field("first_line", x.first_line, "", "between which lines", x.first_line != 0);
    v.field("last_line", x.last_line, "", "and this one", x.last_line != 0);
    v.field("conditional", x.is_conditional, "",
            "the place is in a condition: a barrier goes where all threads come by", x.is_conditional);
    v.field("parted", x.parted, "", "the condition that keeps some threads of the block from there",
            x.parted != SourceSpot());
    describe_figures(v, x);
}

}  // namespace tilescope::report

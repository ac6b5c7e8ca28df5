// The fields of a launch's place under the roofs.
#pragma once

#include "scope/report/fields.h"
#include "scope/report/roofline_profile.h"

namespace tilescope::report {

template <class V>
void describe(V& v, Is<RooflinePoint> auto& x) {
    v.field("level", x.level, "", "whose bytes; requested: by threads");
    v.field("bytes", x.bytes, "bytes", "that went through it; absent when only the intensity is known", x.bytes != 0);
    v.field("intensity", x.intensity, "operations/byte", "of these bytes");
    v.field("bandwidth", x.bandwidth, "bytes/s", "of the slope that these bytes run into; DRAM's for those requested");
    v.field("ridge", x.ridge, "operations/byte", "where that slope meets the peak");
    v.field("ceiling", x.ceiling, "operations/s", "at most");
    v.field("bound", x.bound, "", "what sets the ceiling: dram, l2, l1, shared, or the type of arithmetic");
}

template <class V>
void describe(V& v, Is<LaunchBinding> auto& x) {
    v.field("kind", x.kind, "", "what people call it: memory-bound, ...");
    v.field("bound", x.bound, "", "which part of the time that is");
    v.field("share", x.share, "share", "of the time, that it takes");
    v.field("microseconds", x.microseconds, "us", "of the launch: modelled");
    v.field("next_bound", x.next_bound, "", "what would be the largest part without it");
    v.field("next_microseconds", x.next_microseconds, "us", "of the launch without it: modelled");
    v.field("fewer_bytes_help", x.fewer_bytes_help, "", "whether fewer bytes for each operation make it faster");
}

template <class V>
void describe(V& v, Is<RooflineFacts> auto& x) {
    v.field("limit", x.limit, "", "what binds: arithmetic, the bytes asked for, or what passes L1 or shared memory");
    v.field("level", x.level, "", "whose bytes bind; absent where arithmetic does");
    v.field("unit", x.unit, "", "of the operations: FLOP or OP");
    v.field("counted", x.counted, "", "false: of a kernel that is only thought of");
    v.field("tiling", x.tiling, "", "how tiles would get it past the ridge", x.tiling != TilingOutlook::kUnknown);
    v.field("standing", x.standing, "", "of what was achieved to what is attainable",
            x.standing != RooflineStanding::kUnknown);
    v.field("next_bound", x.next_bound, "", "what sets the next roof, where caches lifted it over the lowest",
            !x.next_bound.empty());
    v.field("time", x.time, "", "what binds by the modelled time, which has the last word; absent without one");
    v.field("room_bound", x.room_bound, "", "which roof a faster launch would meet first", !x.room_bound.empty());
    v.group("figures", "those of the verdict", true, [&](auto& in) { describe_figures(in, x.figures); });
}

template <class V>
void describe(V& v, Is<RooflineProfile> auto& x) {
    v.field("type", x.type, "", "of the arithmetic: fp32, or fp32+fp64 for a mixture, the costlier first");
    v.field("peak", x.peak, "operations/s", "of that type");
    v.field("ridge", x.ridge, "operations/byte", "against DRAM");
    v.field("points", x.points, "", "one for each level whose bytes are known");
    v.field("bound", x.bound, "", "what sets the lowest ceiling");
    v.field("attainable", x.attainable, "operations/s", "the lowest ceiling");
    v.field("of_peak", x.of_peak, "share", "attainable / peak");
    v.field("achieved", x.achieved, "operations/s", "where a time is known");
    v.field("achieved_modelled", x.achieved_modelled, "", "true: it follows from the modelled time; false: measured",
            x.achieved.has_value());
    v.field("verdict", x.verdict, "", "in words");
    v.field("facts", x.facts, "", "that the verdict goes by");
}

}  // namespace tilescope::report

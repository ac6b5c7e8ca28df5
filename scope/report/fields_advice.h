// The fields of advice and of the facts that it goes by.
#pragma once

#include "scope/report/advice.h"
#include "scope/report/fields.h"

namespace tilescope::report {

template <class V>
void describe(V& v, Is<AskedBuffer> auto& x) {
    v.field("parameter", x.parameter, "index", "the first kernel parameter that points into it");
    v.field("name", x.name, "", "of a module's variable, or of the parameter in the source", !x.name.empty());
    v.field("times", x.times, "times", "that each byte of it is asked for by a block");
}

template <class V>
void describe(V& v, Is<Advice> auto& x) {
    v.field("rule", x.rule, "", "which: docs/guide/advice.md");
    v.field("file", x.file, "", "that it is about");
    v.field("line", x.line, "", "0: the kernel as a whole");
    v.field("saves_bytes", x.saves_bytes, "bytes",
            "that would not move between SMs and L2; that lanes would not ask for, where caches are not modelled");
    v.field("speedup", x.speedup, "times",
            "modelled: of the whole launch or program, by its time; where that is not modelled, by the device's peak "
            "rates");
    v.field("saves_microseconds", x.saves_microseconds, "us", "modelled: of that time; absent where there is none");
    v.field("message", x.message, "", "what is seen, and how to do better");
    v.group("facts", "that the message goes by", !x.facts.empty(), [&](auto& in) {
        auto& facts = x.facts;
        in.field("variant", facts.variant, "", "which of the things that the rule tells apart",
                 facts.variant != AdviceVariant::kNone);
        in.field("variable", facts.variable, "", "of the kernel", !facts.variable.empty());
        in.field("extents", facts.extents, "elements", "of that variable, as the source declares it",
                 !facts.extents.empty());
        in.field("buffers", facts.buffers, "", "that are asked for again; absent where all are alike",
                 !facts.buffers.empty());
        in.field("more_buffers", facts.more_buffers, "buffers", "of these that are not named", facts.more_buffers != 0);
        in.field("lines", facts.lines, "", "of the same file, beside its own", !facts.lines.empty());
        in.field("kernel", facts.kernel, "", "that it is about, of advice about the program", !facts.kernel.empty());
        in.field("limiters", facts.limiters, "", "resources that set the blocks of an SM", !facts.limiters.empty());
        in.group("figures", "those of the rule", true, [&](auto& inner) { describe_figures(inner, facts.figures); });
    });
}

}  // namespace tilescope::report

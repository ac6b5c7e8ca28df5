// How undefined bits go through one instruction, in one lane: the rules behind machine::Spread.
#pragma once

#include <cstdint>

#include "scope/machine/flow.h"

namespace tilescope::observers {

struct SpreadSource {
    std::uint64_t value = 0, undefined = 0, undefined_high = 0;
    unsigned bytes = 0;  // 0: a predicate
};

class SpreadLane {
public:
    static constexpr unsigned kMaxSources = 8;

    void add(const SpreadSource& source) {
        if (count_ < kMaxSources) sources_[count_++] = source;
    }
    // What chooses, or is combined with the rest.
    void set_predicate(bool holds, bool is_undefined) {
        holds_ = holds;
        is_predicate_undefined_ |= is_undefined;
    }

    // Works the results out. True when what is undefined of them was computed, rather than moved.
    bool apply(const machine::OpFlow& flow);
    void result(const machine::OpFlow& flow, std::size_t number, std::uint64_t& low, std::uint64_t& high) const;

private:
    bool is_undefined(unsigned source) const {
        return source < count_ && (sources_[source].undefined | sources_[source].undefined_high) != 0;
    }
    bool any() const;
    bool everything();
    bool logic();
    bool shift(bool left, bool keeps_sign);
    bool funnel(bool left, bool clamps);
    bool extract(const machine::FlowInteger& type);
    bool insert(unsigned bytes);
    bool permute();
    bool select();
    bool compare(const machine::OpFlow& flow);

    SpreadSource sources_[kMaxSources] = {};
    unsigned count_ = 0;
    bool holds_ = false, is_predicate_undefined_ = false;
    bool is_all_ = false;  // of all results
    std::uint64_t bits_ = 0;
};

}  // namespace tilescope::observers

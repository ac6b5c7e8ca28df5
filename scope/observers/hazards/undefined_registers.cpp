#include "scope/observers/hazards/undefined_registers.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "scope/observers/hazards/spread.h"

namespace tilescope::observers {

using machine::FlowValue;
using machine::kWarpSize;
using machine::Operand;
using machine::OpFlow;
using machine::Spread;
using machine::Warp;

namespace {

bool is_register(Operand place) { return place.bank() == static_cast<unsigned>(machine::Bank::kRegisters); }
// Bytes of a register's slot in the frame; a predicate is one word.
std::size_t slot_bytes(unsigned bytes) { return bytes == 0 ? 4 : std::size_t{bytes} * kWarpSize; }

}  // namespace

void UndefinedRegisters::begin(std::span<const std::byte> registers) {
    forget();
    frames_ = registers.data();
    if (size_ != registers.size()) bits_.reset();
    size_ = registers.size();
}

void UndefinedRegisters::forget() {
    if (marked_ == 0) return;
    std::memset(bits_.get(), 0, size_);
    marks_.assign(marks_.size(), false);
    marked_ = 0;
    values_.clear();
}

bool UndefinedRegisters::is_marked(std::size_t offset, std::size_t bytes) const {
    for (std::size_t at = offset / kGranule; at <= (offset + bytes - 1) / kGranule; ++at)
        if (marks_[at]) return true;
    return false;
}

bool UndefinedRegisters::is_marked(const Warp& warp, Operand place, unsigned bytes) const {
    return marked_ != 0 && is_register(place) && is_marked(offset_of(warp, place), slot_bytes(bytes));
}

bool UndefinedRegisters::touches(const Warp& warp, const machine::Op& op, const OpFlow& flow) const {
    if (marked_ == 0) return false;
    const auto marked = [&](const FlowValue& value) { return is_marked(warp, value.place, value.bytes); };
    if (op.guarded && is_marked(warp, op.guard, 0)) return true;
    if (std::any_of(flow.sources.begin(), flow.sources.end(), marked)) return true;
    if (std::any_of(flow.results.begin(), flow.results.end(), marked)) return true;
    for (const Operand predicate : flow.predicates)
        if (is_marked(warp, predicate, 0)) return true;
    return is_marked(warp, flow.address.base, flow.address.base_bytes) ||
           (flow.kind == machine::FlowKind::kCopy && is_marked(warp, flow.from.base, flow.from.base_bytes));
}

LaneBits UndefinedRegisters::bits(const Warp& warp, Operand place, unsigned bytes) const {
    LaneBits found;
    if (!is_marked(warp, place, bytes)) return found;
    const std::size_t offset = offset_of(warp, place);
    const std::byte* const at = bits_.get() + offset;
    for (unsigned i = 0; i < kWarpSize; ++i) {
        std::memcpy(&found.low[i], at + i * bytes, std::min(bytes, 8u));
        if (bytes > 8) std::memcpy(&found.high[i], at + i * bytes + 8, bytes - 8);
    }
    if (const auto values = values_.find(offset); values != values_.end())
        std::copy_n(values->second.begin(), kWarpSize, found.value);
    return found;
}

std::uint32_t UndefinedRegisters::predicate(const Warp& warp, Operand place) const {
    if (!is_marked(warp, place, 0)) return 0;
    std::uint32_t lanes = 0;
    std::memcpy(&lanes, bits_.get() + offset_of(warp, place), sizeof lanes);
    return lanes;
}

std::uint32_t UndefinedRegisters::value_of(const Warp& warp, Operand place, unsigned lane) const {
    const auto values = values_.find(offset_of(warp, place));
    return values == values_.end() ? 0 : values->second[lane];
}

void UndefinedRegisters::remark(std::size_t offset, std::size_t bytes) {
    for (std::size_t at = offset / kGranule; at <= (offset + bytes - 1) / kGranule; ++at) {
        const std::byte* const first = bits_.get() + at * kGranule;
        const std::byte* const end = bits_.get() + std::min(size_, (at + 1) * kGranule);
        const bool is_set = std::any_of(first, end, [](std::byte byte) { return byte != std::byte{0}; });
        if (is_set == marks_[at]) continue;
        marks_[at] = is_set;
        marked_ += is_set ? 1 : std::size_t{0} - 1;
    }
}

void UndefinedRegisters::set(const Warp& warp, const FlowValue& to, std::uint32_t lanes, const LaneBits& bits) {
    if (to.is_absent || !is_register(to.place)) return;
    const std::uint32_t undefined = bits.lanes() & lanes;
    if (undefined == 0 && !is_marked(warp, to.place, to.bytes)) return;
    if (!bits_) {
        bits_ = std::make_unique<std::byte[]>(size_);
        marks_.assign((size_ + kGranule - 1) / kGranule, false);
    }
    const std::size_t offset = offset_of(warp, to.place);
    std::byte* const at = bits_.get() + offset;
    if (to.bytes == 0) {
        std::uint32_t all = 0;
        std::memcpy(&all, at, sizeof all);
        all = (all & ~lanes) | undefined;
        std::memcpy(at, &all, sizeof all);
    } else {
        for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
            const auto i = static_cast<unsigned>(std::countr_zero(left));
            std::memcpy(at + i * to.bytes, &bits.low[i], std::min<unsigned>(to.bytes, 8));
            if (to.bytes > 8) std::memcpy(at + i * to.bytes + 8, &bits.high[i], to.bytes - 8u);
        }
    }
    if (undefined != 0) {
        auto& values = values_[offset];
        for (std::uint32_t left = undefined; left != 0; left &= left - 1) {
            const auto i = static_cast<unsigned>(std::countr_zero(left));
            values[i] = bits.value[i];
        }
    }
    remark(offset, slot_bytes(to.bytes));
}

// One lane of a register, or some lanes of a predicate.
void UndefinedRegisters::copy(const std::byte* to, const std::byte* from, std::size_t bytes,
                              std::uint32_t predicate_lanes) {
    const auto inside = [&](const std::byte* at) { return at >= frames_ && at < frames_ + size_; };
    if (marked_ == 0 || !inside(to)) return;
    const auto target = static_cast<std::size_t>(to - frames_);
    std::byte held[16] = {};
    if (inside(from)) std::memcpy(held, bits_.get() + (from - frames_), std::min(bytes, sizeof held));
    if (predicate_lanes != 0) {
        std::uint32_t now = 0, with = 0;
        std::memcpy(&now, bits_.get() + target, sizeof now);
        std::memcpy(&with, held, sizeof with);
        now = (now & ~predicate_lanes) | (with & predicate_lanes);
        std::memcpy(bits_.get() + target, &now, sizeof now);
    } else {
        std::memcpy(bits_.get() + target, held, std::min(bytes, sizeof held));
    }
    remark(target, bytes);
    if (!inside(from)) return;
    // Which value it is lies with the register's first lane; `to` and `from` are the same lane of theirs.
    const auto source = static_cast<std::size_t>(from - frames_);
    const std::size_t lanes = predicate_lanes != 0 ? 1 : kWarpSize;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        if (source < lane * bytes || target < lane * bytes) break;
        const auto values = values_.find(source - lane * bytes);
        if (values == values_.end()) continue;
        const auto copied = values->second;
        auto& mine = values_[target - lane * bytes];
        if (predicate_lanes != 0)
            mine = copied;
        else
            mine[lane] = copied[lane];
    }
}

namespace {

// The values of a source in all lanes, as they are.
void read_values(const Warp& warp, Operand place, unsigned bytes, std::uint64_t* values) {
    const auto* at = warp.source<std::byte>(place);
    for (unsigned i = 0; i < kWarpSize; ++i) {
        values[i] = 0;
        std::memcpy(&values[i], at + i * bytes, std::min(bytes, 8u));
    }
}

}  // namespace

std::vector<LaneBits> UndefinedRegisters::spread(const Warp& warp, const OpFlow& flow, std::uint32_t lanes,
                                                 UndefinedValues& values) const {
    constexpr std::size_t kMaxSources = 8;
    const std::size_t count = std::min(kMaxSources, flow.sources.size());
    const bool is_of_predicates = flow.sources.empty();
    std::vector<LaneBits> undefined;
    std::vector<std::array<std::uint64_t, kWarpSize>> held(count);
    for (std::size_t k = 0; k < count; ++k) {
        undefined.push_back(bits(warp, flow.sources[k].place, flow.sources[k].bytes));
        read_values(warp, flow.sources[k].place, flow.sources[k].bytes, held[k].data());
    }
    std::vector<LaneBits> results(flow.results.size());
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(left));
        SpreadLane lane;
        std::uint32_t value = 0;
        for (std::size_t k = 0; k < count; ++k) {
            lane.add({held[k][i], undefined[k].low[i], undefined[k].high[i], flow.sources[k].bytes});
            if (value == 0 && (undefined[k].low[i] | undefined[k].high[i]) != 0) value = undefined[k].value[i];
        }
        for (std::size_t k = 0; k < flow.predicates.size(); ++k) {
            const bool holds = ((warp.predicate(flow.predicates[k]) >> i ^ flow.negated >> k) & 1) != 0;
            const bool is_undefined = (predicate(warp, flow.predicates[k]) >> i & 1) != 0;
            if (is_of_predicates)
                lane.add({holds, is_undefined, 0, 0});
            else
                lane.set_predicate(holds, is_undefined);
            if (value == 0 && is_undefined) value = value_of(warp, flow.predicates[k], i);
        }
        if (value == 0) continue;
        const bool computes = lane.apply(flow);
        if (computes) value = values.computed(value);
        for (std::size_t k = 0; k < results.size(); ++k) {
            lane.result(flow, k, results[k].low[i], results[k].high[i]);
            results[k].value[i] = value;
        }
    }
    return results;
}

}  // namespace tilescope::observers

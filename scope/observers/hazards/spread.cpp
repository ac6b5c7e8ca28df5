#include "scope/observers/hazards/spread.h"

#include <algorithm>
#include <bit>

namespace tilescope::observers {
namespace {

using machine::FlowInteger;
using machine::OpFlow;
using machine::Spread;

constexpr std::uint64_t kOnes = ~std::uint64_t{0};

// The low bits of a word.
std::uint64_t low_bits(unsigned count) { return count >= 64 ? kOnes : (std::uint64_t{1} << count) - 1; }
std::uint64_t shifted_left(std::uint64_t bits, std::uint64_t by) { return by >= 64 ? 0 : bits << by; }
std::uint64_t shifted_right(std::uint64_t bits, std::uint64_t by) { return by >= 64 ? 0 : bits >> by; }

// As many bytes, with zeros above or what the highest bit is.
std::uint64_t extended(std::uint64_t bits, const FlowInteger& type) {
    const unsigned width = 8u * type.bytes;
    if (width == 0 || width >= 64) return bits;
    bits &= low_bits(width);
    return type.is_signed && (bits >> (width - 1) & 1) != 0 ? bits | ~low_bits(width) : bits;
}

}  // namespace

bool SpreadLane::any() const {
    for (unsigned i = 0; i < count_; ++i)
        if (is_undefined(i)) return true;
    return is_predicate_undefined_;
}

bool SpreadLane::everything() {
    is_all_ = any();
    return is_all_;
}

// A bit is defined where it comes out alike whatever the undefined bits are.
bool SpreadLane::logic() {
    if (count_ < 4) return everything();
    std::uint64_t ones = 0, zeros = 0;
    for (unsigned n = 0; n < 8; ++n) {
        std::uint64_t possible = kOnes;
        for (unsigned k = 0; k < 3; ++k) {
            const SpreadSource& source = sources_[k];
            possible &= (n >> (2 - k) & 1 ? source.value : ~source.value) | source.undefined;
        }
        (sources_[3].value >> n & 1 ? ones : zeros) |= possible;
    }
    bits_ = ones & zeros;
    return false;
}

bool SpreadLane::shift(bool left, bool keeps_sign) {
    if (is_undefined(1)) return everything();
    const unsigned width = 8 * sources_[0].bytes;
    const std::uint64_t amount = std::min<std::uint64_t>(sources_[1].value & low_bits(32), width);
    const bool computes = amount % 8 != 0;  // by whole bytes is how compilers move parts of words
    if (left) {
        bits_ = shifted_left(sources_[0].undefined, amount);
        return computes;
    }
    const std::uint64_t wide = extended(sources_[0].undefined, {static_cast<std::uint8_t>(width / 8), keeps_sign});
    bits_ = keeps_sign
                ? static_cast<std::uint64_t>(static_cast<std::int64_t>(wide) >> std::min<std::uint64_t>(amount, 63))
                : shifted_right(wide, amount);
    return computes;
}

bool SpreadLane::funnel(bool left, bool clamps) {
    if (is_undefined(2)) return everything();
    const std::uint64_t both = sources_[1].undefined << 32 | (sources_[0].undefined & low_bits(32));
    const std::uint64_t wanted = sources_[2].value & low_bits(32);
    const std::uint64_t amount = clamps ? std::min<std::uint64_t>(wanted, 32) : wanted & 31;
    bits_ = left ? both << amount >> 32 : both >> amount;
    return false;
}

bool SpreadLane::extract(const FlowInteger& type) {
    if (is_undefined(1) || is_undefined(2)) return everything();
    const unsigned width = 8u * type.bytes;
    const auto from = static_cast<unsigned>(std::min<std::uint64_t>(sources_[1].value & 0xff, width));
    const auto length = static_cast<unsigned>(sources_[2].value & 0xff);
    const std::uint64_t whole = extended(sources_[0].undefined, type);  // bits beyond the top are the top's
    bits_ = shifted_right(whole, from);
    if (length >= 64) return false;
    const bool sign = type.is_signed && length != 0 && (bits_ >> (length - 1) & 1) != 0;
    bits_ = (bits_ & low_bits(length)) | (sign ? ~low_bits(length) : 0);
    return false;
}

bool SpreadLane::insert(unsigned bytes) {
    if (is_undefined(2) || is_undefined(3) || count_ < 4) return everything();
    const std::uint64_t at = sources_[2].value & 0xff;
    const auto length = static_cast<unsigned>(sources_[3].value & 0xff);
    const std::uint64_t mask = shifted_left(low_bits(length), at) & low_bits(8 * bytes);
    bits_ = (shifted_left(sources_[0].undefined, at) & mask) | (sources_[1].undefined & ~mask);
    return false;
}

bool SpreadLane::permute() {
    if (is_undefined(2)) return everything();
    const std::uint64_t both = sources_[1].undefined << 32 | (sources_[0].undefined & low_bits(32));
    for (unsigned n = 0; n < 4; ++n) {
        const std::uint64_t selector = sources_[2].value >> 4 * n;
        std::uint64_t byte = both >> 8 * (selector & 7) & 0xff;
        if (selector & 8) byte = byte & 0x80 ? 0xff : 0;
        bits_ |= byte << 8 * n;
    }
    return false;
}

bool SpreadLane::select() {
    const SpreadSource &one = sources_[0], &other = sources_[1];
    if (!is_predicate_undefined_) {
        bits_ = holds_ ? one.undefined : other.undefined;
        return false;
    }
    bits_ = one.undefined | other.undefined | (one.value ^ other.value);
    return true;
}

// The least and greatest that the two can be decide, if they agree.
bool SpreadLane::compare(const OpFlow& flow) {
    const SpreadSource &a = sources_[0], &b = sources_[1];
    const std::uint64_t unknown = a.undefined | b.undefined;
    if (unknown == 0) return everything();
    if (flow.relation == machine::Relation::kEqual) {
        is_all_ = ((a.value ^ b.value) & ~unknown) == 0;
        return is_all_;
    }
    // Signed numbers in the order of unsigned ones.
    const unsigned width = 8u * flow.to_type.bytes;
    const std::uint64_t flip = flow.to_type.is_signed && width != 0 ? std::uint64_t{1} << (width - 1) : 0;
    const auto least = [&](const SpreadSource& x) { return ((x.value ^ flip) & ~x.undefined) & low_bits(width); };
    const auto greatest = [&](const SpreadSource& x) { return ((x.value ^ flip) | x.undefined) & low_bits(width); };
    const auto holds = [&](std::uint64_t x, std::uint64_t y) {
        return flow.relation == machine::Relation::kLess ? x < y : x <= y;
    };
    is_all_ = holds(least(a), greatest(b)) != holds(greatest(a), least(b));
    return is_all_;
}

bool SpreadLane::apply(const OpFlow& flow) {
    const SpreadSource &a = sources_[0], &b = sources_[1];
    switch (flow.spread) {
        case Spread::kSame:
        case Spread::kConvert:
        case Spread::kConcatenate: return false;  // see result()
        case Spread::kBits:
            for (unsigned i = 0; i < count_; ++i) bits_ |= sources_[i].undefined;
            return false;
        case Spread::kAnd:
            bits_ = (a.undefined & b.undefined) | (a.undefined & b.value) | (b.undefined & a.value);
            return false;
        case Spread::kOr:
            bits_ = (a.undefined & b.undefined) | (a.undefined & ~b.value) | (b.undefined & ~a.value);
            return false;
        case Spread::kLogic: return logic();
        case Spread::kUpwards: {
            std::uint64_t all = 0;
            for (unsigned i = 0; i < count_; ++i) all |= sources_[i].undefined;
            bits_ = all == 0 ? 0 : kOnes << std::countr_zero(all);
            return true;
        }
        case Spread::kShiftLeft: return shift(true, false);
        case Spread::kShiftRight: return shift(false, flow.to_type.is_signed);
        case Spread::kFunnelLeft: return funnel(true, flow.clamps);
        case Spread::kFunnelRight: return funnel(false, flow.clamps);
        case Spread::kExtract: return extract(flow.to_type);
        case Spread::kInsert: return insert(flow.to_type.bytes);
        case Spread::kPermute: return permute();
        case Spread::kSelect: return select();
        case Spread::kCompare: return compare(flow);
        case Spread::kAll:
        case Spread::kLanes:
        case Spread::kBallot:
        case Spread::kAgree: return everything();
    }
    return everything();
}

void SpreadLane::result(const OpFlow& flow, std::size_t number, std::uint64_t& low, std::uint64_t& high) const {
    high = 0;
    if (is_all_) {
        low = high = kOnes;
        return;
    }
    low = bits_;
    const bool has_source = number < count_;
    if (flow.spread == Spread::kSame || flow.spread == Spread::kConvert) {
        low = has_source ? sources_[number].undefined : 0;
        high = has_source ? sources_[number].undefined_high : 0;
        if (flow.spread == Spread::kConvert) low = extended(extended(low, flow.from_type), flow.to_type);
        return;
    }
    if (flow.spread != Spread::kConcatenate) return;
    // One side is a whole, the other its parts, which may lie in wider registers.
    if (count_ == 1) {
        const unsigned part = 8 * sources_[0].bytes / static_cast<unsigned>(flow.results.size());
        const std::size_t from = number * part;
        const std::uint64_t word = from >= 64 ? sources_[0].undefined_high : sources_[0].undefined;
        low = word >> from % 64 & low_bits(part);
        return;
    }
    low = 0;
    const unsigned part = 8u * flow.results[0].bytes / count_;
    for (unsigned k = 0; k < count_; ++k) {
        const std::uint64_t bits = sources_[k].undefined & low_bits(part);
        (k * part >= 64 ? high : low) |= bits << (k * part) % 64;
    }
}

}  // namespace tilescope::observers

#include "scope/machine/cache_policy.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tilescope::machine {
namespace {

// Of a fraction: 1 in the highest four bits, the primary priority in two, the secondary in one, sixteenths less one in
// four. Of a range: 2 in the highest two bits, the priorities in three; the line that it begins with in 41; by how many
// places the whole is shifted, in five, and its six digits behind the highest; of its 128 parts, those that the primary
// one has, less one, in seven.
constexpr unsigned kFractionPriorities = 56, kSixteenths = 52, kRangePriorities = 59;
constexpr unsigned kLineBits = 41, kLine = 18, kShift = 13, kDigits = 7, kParts = 128, kLineShift = 7;

std::uint64_t priorities(Eviction primary, Eviction secondary) {
    const std::uint64_t code = primary == Eviction::kFirst    ? 1
                               : primary == Eviction::kLast   ? 2
                               : primary == Eviction::kNormal ? 3
                                                              : 0;
    return code << 1 | (secondary == Eviction::kFirst ? 1 : 0);
}

Eviction primary_of(std::uint64_t code) {
    constexpr Eviction kEvictions[] = {Eviction::kUnchanged, Eviction::kFirst, Eviction::kLast, Eviction::kNormal};
    return kEvictions[code >> 1 & 3];
}

Eviction secondary_of(std::uint64_t code) { return (code & 1) != 0 ? Eviction::kFirst : Eviction::kUnchanged; }

}  // namespace

CachePolicy CachePolicy::of_fraction(Eviction primary, Eviction secondary, float fraction) {
    const float clamped = std::isnan(fraction) ? 0.0F : std::clamp(fraction, 0.0F, 1.0F);
    const auto sixteenths = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::lround(clamped * kWhole)));
    return CachePolicy(std::uint64_t{1} << 60 | priorities(primary, secondary) << kFractionPriorities |
                       (sixteenths - 1) << kSixteenths);
}

CachePolicy CachePolicy::of_range(Eviction primary, Eviction secondary, std::uint64_t address,
                                  std::uint32_t primary_bytes, std::uint32_t total_bytes) {
    constexpr unsigned kMost = 64;  // of the whole, from here on to twice as many units
    constexpr std::uint64_t kLineBytes = std::uint64_t{1} << kLineShift;
    const std::uint64_t lines = (std::max({total_bytes, primary_bytes, 1u}) + kLineBytes - 1) / kLineBytes;
    unsigned shift = 0;
    while (lines > (std::uint64_t{2 * kMost - 1} << shift)) ++shift;
    const std::uint64_t units = std::max<std::uint64_t>(kMost, (lines + (std::uint64_t{1} << shift) - 1) >> shift);
    const std::uint64_t whole = (units << shift) * kLineBytes;
    const std::uint64_t parts =
        std::clamp<std::uint64_t>((std::uint64_t{primary_bytes} * kParts + whole - 1) / whole, 1, kParts);
    const std::uint64_t line = address >> kLineShift & ((std::uint64_t{1} << kLineBits) - 1);
    return CachePolicy(std::uint64_t{2} << 62 | priorities(primary, secondary) << kRangePriorities | line << kLine |
                       std::uint64_t{shift} << kShift | (units - kMost) << kDigits | (parts - 1));
}

Eviction CachePolicy::eviction_of(std::uint64_t address, std::uint64_t line) const {
    if (is_fraction()) {
        const auto sixteenths = static_cast<unsigned>((bits_ >> kSixteenths & 15) + 1);
        const std::uint64_t code = bits_ >> kFractionPriorities & 15;
        return is_in_fraction(line, sixteenths) ? primary_of(code) : secondary_of(code);
    }
    if (!is_range()) return Eviction::kUnchanged;
    const std::uint64_t code = bits_ >> kRangePriorities & 7;
    const std::uint64_t from = (bits_ >> kLine & ((std::uint64_t{1} << kLineBits) - 1)) << kLineShift;
    const std::uint64_t whole = (64 + (bits_ >> kDigits & 63)) << (bits_ >> kShift & 31) << kLineShift;
    const std::uint64_t inner = whole * ((bits_ & 127) + 1) / kParts;
    if (address - from < inner) return primary_of(code);
    if (address - (from - (whole - inner)) < whole + (whole - inner)) return secondary_of(code);
    return Eviction::kUnchanged;
}

}  // namespace tilescope::machine

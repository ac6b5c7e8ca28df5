// Compiled once per target (target.h). Every key is compared with every lower one, which for 32 of them takes less time
// than to sort them.
#include "scope/machine/simd/lane_sets.h"

#include <algorithm>
#include <bit>
#include <utility>
#if defined(__AVX512CD__)
#include <immintrin.h>
#endif

#include "scope/machine/simd/target.h"

namespace tilescope::machine::TILESCOPE_TARGET {
namespace {

#if defined(__AVX512CD__)

// The 16 lower lanes and the 16 upper ones. Within a half the processor finds the equals; between them, the lower half
// is turned past the upper one.
struct Halves {
    explicit Halves(const std::uint32_t* keys) : low(_mm512_loadu_si512(keys)), high(_mm512_loadu_si512(keys + 16)) {}
    __m512i low, high;
};

// The forms with a mask of all lanes: of the plain ones GCC 12 says that they read what nobody wrote.
constexpr __mmask16 kAllLanes = 0xffff;

template <int kTurn>
__m512i turned(__m512i keys) {
    return _mm512_maskz_alignr_epi32(kAllLanes, keys, keys, kTurn);
}

template <int... kTurns>
std::uint32_t upper_in_lower(const Halves& keys, std::integer_sequence<int, kTurns...>) {
    std::uint32_t found[2] = {};
    ((found[kTurns & 1] |= _mm512_cmpeq_epi32_mask(keys.high, turned<kTurns>(keys.low))), ...);
    return found[0] | found[1];
}

std::uint32_t repeats(const std::uint32_t* at) {
    const Halves keys(at);
    const __m512i low = _mm512_maskz_conflict_epi32(kAllLanes, keys.low);
    const __m512i high = _mm512_maskz_conflict_epi32(kAllLanes, keys.high);
    const std::uint32_t within = _mm512_test_epi32_mask(low, low) | std::uint32_t{_mm512_test_epi32_mask(high, high)}
                                                                        << 16;
    return within | upper_in_lower(keys, std::make_integer_sequence<int, 16>()) << 16;
}

// Of each of 16 numbers of 16 bits.
__m512i count_bits(__m512i bits) {
    const auto sum = [](__m512i from, unsigned shift, int mask) {
        const __m512i kept = _mm512_set1_epi32(mask);
        return _mm512_add_epi32(_mm512_and_si512(from, kept),
                                _mm512_and_si512(_mm512_maskz_srli_epi32(kAllLanes, from, shift), kept));
    };
    return sum(sum(sum(sum(bits, 1, 0x5555), 2, 0x3333), 4, 0x0f0f), 8, 0x00ff);
}

template <int... kTurns>
__m512i count_in_lower(const Halves& keys, std::integer_sequence<int, kTurns...>) {
    const __m512i one = _mm512_set1_epi32(1);
    __m512i counts[2] = {};
    ((counts[kTurns & 1] = _mm512_mask_add_epi32(
          counts[kTurns & 1], _mm512_cmpeq_epi32_mask(keys.high, turned<kTurns>(keys.low)), counts[kTurns & 1], one)),
     ...);
    return _mm512_add_epi32(counts[0], counts[1]);
}

void ranks(const std::uint32_t* at, std::uint32_t* ranks) {
    const Halves keys(at);
    const __m512i low = _mm512_maskz_conflict_epi32(kAllLanes, keys.low);
    const __m512i high = _mm512_maskz_conflict_epi32(kAllLanes, keys.high);
    const __m512i below = count_in_lower(keys, std::make_integer_sequence<int, 16>());
    _mm512_storeu_si512(ranks, count_bits(low));
    _mm512_storeu_si512(ranks + 16, _mm512_add_epi32(count_bits(high), below));
}

unsigned max_in_bank(const std::uint32_t* words, std::uint32_t lanes) {
    alignas(64) std::uint32_t keys[kWarpSize], lower[kWarpSize];
    for (unsigned i = 0; i < kWarpSize; ++i) keys[i] = (lanes & 1u << i) != 0 ? words[i] % 32 : 32 + i;
    ranks(keys, lower);
    std::uint32_t max = 0;
    for (unsigned i = 0; i < kWarpSize; ++i) max = std::max(max, lower[i]);
    return max + 1;
}

#else

// The keys behind as many copies of the first one, so that there is one to compare with however far below a lane looks.
struct Padded {
    explicit Padded(const std::uint32_t* keys) {
        for (unsigned i = 0; i < kWarpSize; ++i) {
            all[i] = keys[0];
            all[kWarpSize + i] = keys[i];
        }
    }
    const std::uint32_t* below(unsigned distance) const { return all + kWarpSize - distance; }

    alignas(64) std::uint32_t all[2 * kWarpSize];
};

std::uint32_t repeats(const std::uint32_t* keys) {
    const Padded padded(keys);
    alignas(64) std::uint32_t known[kWarpSize];
    std::uint32_t falls = 0;
    const std::uint32_t* const one_below = padded.below(1);
    for (unsigned i = 0; i < kWarpSize; ++i) {
        known[i] = keys[i] == one_below[i] ? ~0u : 0u;
        falls |= keys[i] < one_below[i] ? ~0u : 0u;
    }
    if (falls != 0)
        for (unsigned distance = 2; distance < kWarpSize; ++distance) {
            const std::uint32_t* const below = padded.below(distance);
            for (unsigned i = 0; i < kWarpSize; ++i) known[i] |= keys[i] == below[i] ? ~0u : 0u;
        }
    std::uint32_t mask = 0;
    for (unsigned i = 0; i < kWarpSize; ++i) mask |= known[i] & 1u << i;
    return mask & ~1u;
}

void ranks(const std::uint32_t* keys, std::uint32_t* __restrict ranks) {
    const Padded padded(keys);
    alignas(64) std::uint32_t count[kWarpSize] = {};
    for (unsigned distance = 1; distance < kWarpSize; ++distance) {
        const std::uint32_t* const below = padded.below(distance);
        for (unsigned i = 0; i < kWarpSize; ++i) count[i] += keys[i] == below[i] ? 1u : 0u;
    }
    // The copies are no lanes.
    for (unsigned i = 0; i < kWarpSize; ++i) ranks[i] = count[i] - (keys[i] == keys[0] ? kWarpSize - 1 - i : 0u);
}

unsigned max_in_bank(const std::uint32_t* words, std::uint32_t lanes) {
    std::uint32_t once = 0, again = 0;
    for (unsigned i = 0; i < kWarpSize; ++i) {
        const std::uint32_t bank = (lanes >> i & 1u) << words[i] % 32;
        again |= once & bank;
        once |= bank;
    }
    if (again == 0) return 1;
    std::uint8_t counts[32] = {};
    unsigned max = 0;
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const unsigned count = ++counts[words[std::countr_zero(left)] % 32];
        max = std::max(max, count);
    }
    return max;
}

#endif

unsigned max_per_bank(const std::uint32_t* offsets, std::uint32_t lanes, bool shared) {
    alignas(64) std::uint32_t words[kWarpSize];
    const std::uint32_t first = offsets[std::countr_zero(lanes)];
    for (unsigned i = 0; i < kWarpSize; ++i) words[i] = ((lanes & 1u << i) != 0 ? offsets[i] : first) / 4;
    return max_in_bank(words, shared ? ~repeats(words) : lanes);
}

// Here and not by callers: of another instruction set's narrower stores a processor has to wait for all.
unsigned count_distinct(const std::uint32_t* keys, std::uint32_t add, unsigned shift) {
    alignas(64) std::uint32_t shifted[kWarpSize];
    for (unsigned i = 0; i < kWarpSize; ++i) shifted[i] = (keys[i] + add) >> shift;
    return kWarpSize - static_cast<unsigned>(std::popcount(repeats(shifted)));
}

LaneSets::Span offsets(const std::int64_t* deltas, std::uint32_t* __restrict offsets) {
    LaneSets::Span span;
    span.low = deltas[0];
    for (unsigned i = 1; i < kWarpSize; ++i) span.low = std::min(span.low, deltas[i]);
    const auto low = static_cast<std::uint64_t>(span.low);
    for (unsigned i = 0; i < kWarpSize; ++i) {
        const std::uint64_t offset = static_cast<std::uint64_t>(deltas[i]) - low;
        offsets[i] = static_cast<std::uint32_t>(offset);
        span.bits |= offset;
    }
    return span;
}

unsigned move_bits(std::uint32_t* __restrict from, std::uint32_t* __restrict to) {
    constexpr unsigned kWords = 16;
#if defined(__POPCNT__)
    unsigned count = 0;
    for (unsigned i = 0; i < kWords; i += 2)
        count += static_cast<unsigned>(std::popcount(std::uint64_t{from[i]} | std::uint64_t{from[i + 1]} << 32));
#else
    // All words at once, so that compilers make vector instructions of it: four sums of bytes, each at most 8 x 16.
    std::uint32_t sums = 0;
    for (unsigned i = 0; i < kWords; ++i) {
        std::uint32_t x = from[i];
        x -= x >> 1 & 0x55555555u;
        x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
        sums += (x + (x >> 4)) & 0x0f0f0f0fu;
    }
    sums = (sums & 0x00ff00ffu) + (sums >> 8 & 0x00ff00ffu);
    const unsigned count = (sums & 0xffffu) + (sums >> 16);
#endif
    for (unsigned i = 0; i < kWords; ++i) {
        to[i] |= from[i];
        from[i] = 0;
    }
    return count;
}

}  // namespace

// Declared by targets.cpp, for each target.
const LaneSets& compiled_lane_sets();
const LaneSets& compiled_lane_sets() {
    static constexpr LaneSets kSets{&repeats, &count_distinct, &ranks, &max_per_bank, &offsets, &move_bits};
    return kSets;
}

}  // namespace tilescope::machine::TILESCOPE_TARGET

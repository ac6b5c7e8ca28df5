// What the special function unit of a GPU gives for 1/x of a float: rcp.approx, and what is made of it.
//
// Guarantees: the significand of all 2^23 that an NVIDIA H100 gave (sm_90, driver 580.159.04, 27 November 2026); they
// are taken to be alike for every exponent and both signs, and on an H200. The nearest float is another one for 13 of
// 100. Subnormal results are rounded once more. Without branches, so that all lanes of a warp can go together. Does not
// model: that the unit itself takes subnormal numbers for 0, which instructions get around or not.
//
// How it was found: between 128 equal steps the results lie on parabolas, to within their rounding, if the square is
// summed from the products of single bits without those below 2^17. Then coefficients of all steps are whole numbers.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace tilescope {

// Of a step: the value at its begin in 2^-26, its slope in 2^-23 and its bend in 2^-24 of a step.
struct ReciprocalStep {
    std::int32_t value, slope, bend;
};
// clang-format off
inline constexpr ReciprocalStep kReciprocalSteps[128] = {
    {67108864, -65534, 1013}, {66588642, -64522, 989}, {66076422, -63533, 966}, {65572021, -62567, 945},
    {65075262, -61622, 923}, {64585976, -60699, 902}, {64103992, -59797, 883}, {63629146, -58914, 863},
    {63161284, -58051, 845}, {62700254, -57207, 827}, {62245905, -56381, 809}, {61798091, -55572, 791},
    {61356677, -54781, 774}, {60921524, -54007, 758}, {60492499, -53249, 742}, {60069474, -52507, 727},
    {59652325, -51780, 711}, {59240930, -51068, 696}, {58835170, -50371, 682}, {58434930, -49688, 669},
    {58040099, -49019, 656}, {57650569, -48363, 642}, {57266231, -47721, 631}, {56886986, -47091, 618},
    {56512729, -46473, 605}, {56143366, -45868, 594}, {55778798, -45274, 582}, {55418934, -44692, 572},
    {55063686, -44121, 561}, {54712961, -43560, 549}, {54366677, -43011, 540}, {54024747, -42471, 529},
    {53687093, -41942, 519}, {53353633, -41423, 510}, {53024288, -40913, 501}, {52698987, -40412, 490},
    {52377651, -39921, 482}, {52060212, -39439, 474}, {51746596, -38965, 465}, {51436737, -38500, 457},
    {51130565, -38043, 449}, {50828017, -37594, 441}, {50529029, -37153, 433}, {50233538, -36720, 426},
    {49941482, -36294, 418}, {49652803, -35876, 412}, {49367442, -35464, 403}, {49085342, -35060, 397},
    {48806449, -34663, 390}, {48530705, -34272, 383}, {48258060, -33888, 377}, {47988464, -33511, 371},
    {47721861, -33140, 366}, {47458204, -32774, 358}, {47197444, -32415, 353}, {46939534, -32062, 348},
    {46684429, -31714, 341}, {46432082, -31373, 337}, {46182446, -31036, 331}, {45935480, -30705, 326},
    {45691143, -30379, 320}, {45449392, -30059, 316}, {45210185, -29743, 310}, {44973481, -29432, 305},
    {44739244, -29127, 302}, {44507436, -28826, 297}, {44278016, -28529, 291}, {44050948, -28237, 287},
    {43826199, -27950, 283}, {43603730, -27667, 279}, {43383510, -27388, 274}, {43165503, -27114, 271},
    {42949675, -26843, 266}, {42735995, -26577, 263}, {42524430, -26314, 258}, {42314950, -26056, 256},
    {42107525, -25801, 251}, {41902122, -25550, 248}, {41698714, -25302, 243}, {41497270, -25058, 240},
    {41297764, -24818, 237}, {41100168, -24581, 233}, {40904453, -24348, 231}, {40710593, -24117, 226},
    {40518561, -23890, 223}, {40328333, -23667, 222}, {40139883, -23446, 218}, {39953186, -23228, 214},
    {39768218, -23014, 212}, {39584955, -22802, 208}, {39403371, -22593, 205}, {39223448, -22388, 204},
    {39045159, -22184, 199}, {38868484, -21984, 197}, {38693401, -21787, 196}, {38519888, -21592, 193},
    {38347924, -21399, 189}, {38177489, -21209, 186}, {38008563, -21022, 184}, {37841123, -20837, 182},
    {37675154, -20655, 180}, {37510633, -20475, 178}, {37347543, -20297, 175}, {37185866, -20122, 173},
    {37025582, -19949, 171}, {36866673, -19778, 169}, {36709124, -19609, 166}, {36552915, -19443, 165},
    {36398030, -19278, 161}, {36244452, -19116, 160}, {36092164, -18956, 159}, {35941151, -18797, 155},
    {35791396, -18641, 154}, {35642884, -18487, 153}, {35495599, -18334, 150}, {35349528, -18184, 149},
    {35204652, -18035, 147}, {35060959, -17888, 145}, {34918436, -17743, 143}, {34777064, -17600, 143},
    {34636835, -17458, 140}, {34497732, -17318, 138}, {34359741, -17180, 137}, {34222849, -17043, 135},
    {34087044, -16908, 133}, {33952313, -16775, 132}, {33818641, -16643, 131}, {33686019, -16513, 130},
};
// clang-format on

// The significand of 1/(1 + fraction/2^23) in 2^-24, from 2^23 to 2^24.
[[gnu::always_inline]] inline std::uint32_t reciprocal_significand(std::uint32_t fraction) {
    constexpr std::int64_t kRounding = 2023;
    const ReciprocalStep& step = kReciprocalSteps[fraction >> 16 & 127u];
    const std::uint32_t within = fraction & 0xffffu, high = within >> 8;
    // Products of two bits count twice, but for a bit's with itself; what is below 2^17 is left out.
    std::uint32_t square = high * high >> 1;
    for (unsigned bit = 1; bit < 8; ++bit) square += (0u - (within >> bit & 1u)) & within >> (16 - bit);
    const std::int64_t sum = (std::int64_t{step.value} << 13) + kRounding +
                             std::int64_t{step.slope} * static_cast<std::int32_t>(within) +
                             std::int64_t{step.bend} * static_cast<std::int32_t>(square);
    return static_cast<std::uint32_t>(sum >> 15);
}

[[gnu::always_inline]] inline float approximate_reciprocal(float a) {
    constexpr std::uint32_t kSign = 0x80000000u, kInfinity = 0x7f800000u, kFraction = 0x7fffffu;
    constexpr int kDoubleBias = 1023, kDoubleFraction = 52;
    const std::uint32_t given = std::bit_cast<std::uint32_t>(a), size = given & ~kSign;
    // What is below 2^-126 is made normal, and its reciprocal large again.
    const bool is_subnormal = size <= kFraction;
    const std::uint32_t normal =
        is_subnormal ? std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) * 0x1p24f) : size;
    // significand * 2^-24 * 2^-(exponent - 127)
    const int power = 127 - 24 - static_cast<int>(normal >> 23) + (is_subnormal ? 24 : 0);
    const double scale = std::bit_cast<double>(
        static_cast<std::uint64_t>(static_cast<std::int64_t>(power + kDoubleBias)) << kDoubleFraction);
    const auto result = static_cast<float>(static_cast<double>(reciprocal_significand(normal & kFraction)) * scale);
    std::uint32_t bits = std::bit_cast<std::uint32_t>(result);
    bits = size == 0 ? kInfinity : size == kInfinity ? 0u : bits;
    return size > kInfinity ? std::numeric_limits<float>::quiet_NaN() : std::bit_cast<float>(bits | (given & kSign));
}

}  // namespace tilescope

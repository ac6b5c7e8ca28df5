// The L2 requests of a GPC in a window of its clock, and their responses.
//
// Guarantees: plain data, kept small to save host memory bandwidth.
#pragma once

#include <cstdint>

#include "scope/machine/cache_hints.h"
#include "scope/observers/hierarchy/miss_reasons.h"

namespace tilescope::observers {

enum class L2RequestKind : std::uint8_t { kRead, kWrite, kUpdate, kConstant, kPrefetch };

struct L2Request {
    std::uint64_t line = 0, time = 0;
    const std::uint64_t* masks = nullptr;  // of sectors written in part
    std::uint32_t set = 0, number = 0;     // in the window, of the GPC's requests
    std::uint32_t op = 0;
    L2RequestKind kind = L2RequestKind::kRead;
    machine::Eviction eviction = machine::Eviction::kNormal;
    std::uint8_t sectors : 4 = 0, whole : 4 = 0;  // geometry: one bit each
    static constexpr unsigned kAlone = 63;        // numeric: six bits, all set

    std::uint8_t part : 1 = 0, whole_line : 1 = 0;
    std::uint8_t gpc : 6 = kAlone;  // numeric: whose other reads it may go along with
};
static_assert(sizeof(L2Request) == 40);  // numeric: there are very many
struct L2Response {
    std::uint64_t ready = 0;
    std::uint16_t fetched = 0;
    SectorReasons why;
    std::uint8_t found = 0, over_fabric = 0;  // sectors; how many
    bool joined = false;                      // it went along with another one
};
static_assert(sizeof(L2Response) == 16);  // numeric: likewise

}  // namespace tilescope::observers

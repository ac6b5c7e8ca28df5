// Cache operators and hints of an access, as PTX spells them.
//
// Does not model: their effect on hardware. Of policies that programs create at run time (cache_policy.h) it knows
// only that there is one.
#pragma once

#include <cstdint>

namespace tilescope::machine {

enum class CacheOperator : std::uint8_t {
    kNone,          // none is written
    kAllLevels,     // .ca
    kSecondLevel,   // .cg
    kStreaming,     // .cs
    kLastUse,       // .lu
    kAnew,          // .cv: what is cached does not count
    kWriteBack,     // .wb
    kWriteThrough,  // .wt
};

enum class Eviction : std::uint8_t { kNone, kNormal, kUnchanged, kFirst, kLast, kNoAllocate };

struct CacheHints {
    CacheOperator operation = CacheOperator::kNone;
    Eviction first_level = Eviction::kNone, second_level = Eviction::kNone;
    bool is_read_only = false;         // .nc: nobody writes there while the kernel runs
    bool has_policy = false;           // L2::cache_hint
    std::uint16_t prefetch_bytes = 0;  // into the second level

    bool operator==(const CacheHints&) const = default;
};

}  // namespace tilescope::machine

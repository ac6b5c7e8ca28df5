// What tells one state of a SecondLevel from another.
#include <xxhash.h>

#include <array>
#include <optional>
#include <type_traits>

#include "scope/observers/hierarchy/l2/second_level.h"
#include "scope/observers/hierarchy/l2/way_order.h"

namespace tilescope::observers {
namespace {

constexpr std::size_t kMaxSets = 8192;  // numeric: half a millisecond here

// All that a later launch can notice of a line, beside which of its set were used before and after it.
struct LineState {
    std::uint64_t line = 0;
    std::uint8_t valid = 0, dirty = 0, partial = 0, eviction = 0;
    std::array<std::uint32_t, kSectorsPerLine> bytes{};
    std::uint32_t is_special = 0;
};
static_assert(std::has_unique_object_representations_v<LineState>);

}  // namespace

// Sets stand in the lists of slices in the order in which they were first used, which decides nothing: a sum. Nor does
// it matter which of the ways has a line: lines are taken in the order of their use.
std::optional<std::uint64_t> SecondLevel::state() const {
    std::size_t sets = 0;
    for (const Slice& slice : slices_) sets += slice.in_use.size();
    if (sets > kMaxSets) return std::nullopt;
    std::uint64_t sum = 0;
    for (const Slice& slice : slices_) {
        for (const auto& [part, number] : slice.in_use) {
            const Set& set = parts_[part].sets[number];
            const std::uint8_t left = parts_[part].left[number];
            if (set.taken == 0 && (left != 0) == begins_dirty(part, number)) continue;  // as one that was never used
            const Way* const ways = &parts_[part].ways[std::uint64_t{number} * rules_.ways];
            const std::uint64_t head[] = {part, number, left};
            std::uint64_t hash = XXH3_64bits(head, sizeof head);
            for (int at = 0; at <= kLastWay; at += int{kWayBits}) {
                const auto i = static_cast<unsigned>(set.order >> at & kWayMask);
                if ((set.taken >> i & 1) == 0) continue;
                LineState line{ways[i].line,
                               ways[i].valid,
                               ways[i].dirty,
                               ways[i].partial,
                               static_cast<std::uint8_t>(ways[i].eviction),
                               {},
                               set.special >> i & 1u};
                if (line.partial != 0) line.bytes = ways[i].bytes;
                hash = XXH3_64bits_withSeed(&line, sizeof line, hash);
            }
            sum += hash;
        }
    }
    return sum;
}

}  // namespace tilescope::observers

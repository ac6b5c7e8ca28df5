// BlockTraffic: one block's requests to global and local memory, in the order of each warp.
//
// Owns: requests (16 bytes each) and the shapes that they share. Guarantees: exact lines, sectors and, for partly
// accessed sectors, bytes. Does not model: the data.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "scope/machine/access.h"
#include "scope/observers/hierarchy/lines.h"

namespace tilescope::observers {

enum class RequestKind : std::uint8_t {
    kLoad,
    kLoadPastL1,  // what L1 keeps does not count, and nothing is kept there
    kStore,
    kAtomic,
    kBarrier,      // line: which meeting of the block's threads (BlockTraffic::meetings)
    kArrival,      // the same, without waiting
    kForgetFirst,  // a fence that empties L1
    kConstant,     // a load that the constant caches response; line: one of theirs
    kPrefetch,     // brings nothing to the SM
    kSwaps,        // through shared memory alone; line: cycles until the warp may go on, from its first since a barrier
    kEnd,          // what the warp does behind its last request
    kTexture,      // a fetch, through the texture unit
    kSurface,      // a read of a surface, likewise
};
inline constexpr unsigned kRequestKinds = 13;                            // numeric: of the enumeration
inline constexpr std::uint64_t kMaxLine = (std::uint64_t{1} << 48) - 1;  // numeric: bits of Request::line

constexpr bool is_texel_read(RequestKind kind) {
    return kind == RequestKind::kTexture || kind == RequestKind::kSurface;
}

// One warp instruction.
struct Request {
    std::uint64_t line : 48 = 0;    // geometry: that its shape counts from
    std::uint64_t passes : 16 = 0;  // geometry: through the banks of shared memory, since the warp's request before
    std::uint32_t shape = 0;
    std::uint32_t warp : 5 = 0;   // geometry: of kMaxWarps
    std::uint32_t waits : 1 = 0;  // until the warp's loads have come: it is another turn of the code
    // Of its scheduler, since the warp's request before; as a Span, as is the next.
    std::uint32_t slots : 13 = 0;  // geometry: Span::kMask
    std::uint32_t chain : 13 = 0;  // geometry: cycles that these take at least, one needing the other
};
static_assert(sizeof(Request) == 16);  // geometry: there are very many

// Cycles in 13 bits: nine that count, and by how many places they are shifted.
struct Span {
    static constexpr unsigned kDigits = 9;                                           // numeric: as above
    static constexpr std::uint32_t kMask = 0x1fff;                                   // numeric: 13 bits
    static constexpr std::uint64_t kMax = std::uint64_t{(1u << kDigits) - 1} << 15;  // numeric: the four others

    static std::uint32_t of(std::uint64_t cycles) {
        cycles = std::min(cycles, kMax);
        const auto width = static_cast<unsigned>(std::bit_width(cycles));
        const unsigned shift = width > kDigits ? width - kDigits : 0;
        return static_cast<std::uint32_t>(cycles >> shift | std::uint64_t{shift} << kDigits);
    }
    static std::uint64_t cycles(std::uint32_t span) {
        return std::uint64_t{span & ((1u << kDigits) - 1)} << (span >> kDigits);
    }
};

// How much of memory comes where something is missing.
enum class Reach : std::uint8_t {
    kPair,     // aligned pairs of sectors
    kLine,     // the line
    kTwoLines  // and the other one of the aligned 256 bytes
};

// Which lines of L1 give way to others: to those that are to go first only such as are, to all but those that are to go
// last none of these, as long as there are others.
enum class Rank : std::uint8_t { kNormal, kFirst, kLast };

// What requests of one instruction have in common, in BlockTraffic::words: this, then, if `has_policy`, a policy for L2
// (machine::CachePolicy) and how far its addresses are from the caches', then `pieces` pieces, each followed by its
// masks.
struct Shape {
    std::uint32_t op = 0;
    RequestKind kind = RequestKind::kLoad;
    bool is_local = false;
    bool waits = false;  // it takes what loads of its basic block bring
    std::uint8_t pieces = 0;
    bool blocks = false;  // of constants: what is missing is waited for
    bool has_policy = false;
    Reach reach = Reach::kPair;
    Rank rank = Rank::kNormal;
    std::uint8_t passes = 0;  // of a load: cycles of L1's pipe, or passes of the texture unit; 0: one for each piece
    bool by_places = false;   // of a copy past L1: each piece is a read of its own, several of a line
    bool is_copy = false;     // to shared memory: the warp goes on before the pipe has room

    std::uint64_t packed() const {
        // numeric: where each part stands in the word
        return op | std::uint64_t{static_cast<std::uint8_t>(kind)} << 32 | std::uint64_t{is_local} << 40 |
               std::uint64_t{is_copy} << 38 | std::uint64_t{by_places} << 39 | std::uint64_t{waits} << 41 |
               std::uint64_t{blocks} << 42 | std::uint64_t{has_policy} << 43 |
               std::uint64_t{static_cast<std::uint8_t>(reach)} << 44 |
               std::uint64_t{static_cast<std::uint8_t>(rank)} << 46 | std::uint64_t{pieces} << 48 |
               std::uint64_t{passes} << 56;
    }
    static Shape of(std::uint64_t word) {
        // numeric: likewise
        return {static_cast<std::uint32_t>(word),
                static_cast<RequestKind>(word >> 32 & 0x3f),
                (word >> 40 & 1) != 0,
                (word >> 41 & 1) != 0,
                static_cast<std::uint8_t>(word >> 48 & 0xff),
                (word >> 42 & 1) != 0,
                (word >> 43 & 1) != 0,
                static_cast<Reach>(word >> 44 & 3),
                static_cast<Rank>(word >> 46 & 3),
                static_cast<std::uint8_t>(word >> 56),
                (word >> 39 & 1) != 0,
                (word >> 38 & 1) != 0};
    }
};

// Sectors of one line. masks: of the sectors touched in part, the lowest first, which bytes; in BlockTraffic::words.
struct Piece {
    std::int64_t line = 0;  // from the request's
    unsigned sectors = 0, whole = 0;
    unsigned untouched = 0;  // bytes of these sectors
    unsigned counted = 0;    // of a shape by places, sectors that L1 counts for it

    unsigned in_part() const { return sectors & ~whole; }
    std::uint64_t packed() const {
        // numeric: where each part stands in the word
        return static_cast<std::uint64_t>(line) << 20 | std::uint64_t{counted} << 16 | untouched << 8 | sectors << 4 |
               whole;
    }
    static Piece of(std::uint64_t word) {
        // numeric: likewise
        return {static_cast<std::int64_t>(word) >> 20, static_cast<unsigned>(word >> 4 & 15),
                static_cast<unsigned>(word & 15), static_cast<unsigned>(word >> 8 & 0xff),
                static_cast<unsigned>(word >> 16 & 15)};
    }
};

// A line of the constant caches that a request looks up, in BlockTraffic::words: how far from the request's, in which
// of the sets counted from the line's own, and for how many different addresses.
struct ConstantPiece {
    std::int64_t line = 0;
    unsigned set = 0, lookups = 0;

    // numeric: where each part stands in the word
    std::uint64_t packed() const { return static_cast<std::uint64_t>(line) << 24 | std::uint64_t{set} << 8 | lookups; }
    static ConstantPiece of(std::uint64_t word) {
        // numeric: likewise
        return {static_cast<std::int64_t>(word) >> 24, static_cast<unsigned>(word >> 8 & 0xffff),
                static_cast<unsigned>(word & 0xff)};
    }
};

struct BlockTraffic {
    std::uint64_t block = 0;
    std::vector<Request> requests;
    std::vector<std::uint64_t> words;
    std::vector<std::uint16_t> meetings;  // warps that arrive at each

    std::uint64_t bytes() const {
        return requests.size() * sizeof(Request) + words.size() * sizeof(std::uint64_t) +
               meetings.size() * sizeof(std::uint16_t);
    }
};

// Adds the shape of an access to `words`; local memory lies interleaved, word by word of all lanes.
// `policy` and `shift` are what stands behind a shape that has a policy, `lookup_tenths` is L1Rules::hit_tenths.
std::uint32_t add_shape(std::vector<std::uint64_t>& words, Shape shape, const machine::Access& access,
                        std::uint64_t policy = 0, std::uint64_t shift = 0, unsigned lookup_tenths = 0);
// The line that it counts from; global memory lies `shift` (a multiple of lines) further on than it says.
std::uint64_t first_line(const machine::Access& access, std::uint64_t shift = 0);

}  // namespace tilescope::observers

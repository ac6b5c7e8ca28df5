#include "scope/observers/hierarchy/record/traffic.h"

#include <algorithm>
#include <bit>

#include "scope/observers/bank_rule.h"
#include "scope/observers/hierarchy/lines.h"

namespace tilescope::observers {
namespace {

using machine::Access;

constexpr unsigned kHalf = 64;         // geometry: bytes of half a line, one bit each
constexpr unsigned kWord = 4;          // geometry: bytes by which local memory is interleaved
constexpr unsigned kMaxPieces = 0xff;  // numeric: eight bits count them

// Bytes of one line.
struct Touched {
    std::uint64_t line, bytes[2];

    void add(unsigned from, unsigned count) {
        for (unsigned half = 0; half < 2; ++half) {
            const unsigned low = std::max(from, half * kHalf), high = std::min(from + count, half * kHalf + kHalf);
            if (low >= high) continue;
            const std::uint64_t ones = high - low == kHalf ? ~std::uint64_t{0} : (std::uint64_t{1} << (high - low)) - 1;
            bytes[half] |= ones << (low - half * kHalf);
        }
    }
    std::uint32_t sector(unsigned i) const {
        return static_cast<std::uint32_t>(bytes[i / 2] >> (i % 2 * kSectorBytes));
    }
};

// Lines in the order in which lanes first touch them. A lane touches at most two (32 bytes wide) lines, or, where local
// memory is interleaved, one for each word.
class TouchedLines {
public:
    void add(std::uint64_t address, unsigned count) {
        while (count != 0) {
            const std::uint64_t line = address >> kLineShift;
            const auto from = static_cast<unsigned>(address & ((1u << kLineShift) - 1));
            const unsigned here = std::min(count, (1u << kLineShift) - from);
            at(line).add(from, here);
            address += here;
            count -= here;
        }
    }
    const Touched* begin() const { return lines_; }
    const Touched* end() const { return lines_ + count_; }
    unsigned size() const { return count_; }

private:
    Touched& at(std::uint64_t line) {
        if (count_ != 0 && lines_[count_ - 1].line == line) return lines_[count_ - 1];
        for (unsigned i = 0; i < count_; ++i)
            if (lines_[i].line == line) return lines_[i];
        lines_[count_] = {line, {0, 0}};
        return lines_[count_++];
    }

    Touched lines_[machine::kWarpSize * 8];  // geometry: words of 32 bytes, which a lane touches at most
    unsigned count_ = 0;
};

// Word w of a lane's local memory.
std::uint64_t interleaved(std::uint64_t address, unsigned lane) {
    return (address / kWord * machine::kWarpSize + lane) * kWord + address % kWord;
}

}  // namespace

std::uint64_t first_line(const Access& access, std::uint64_t shift) {
    if (access.space != machine::Space::kLocal) return (access.first + shift) >> kLineShift;
    return access.first / kWord;  // 32 lanes' words fill a line
}

std::uint32_t add_shape(std::vector<std::uint64_t>& words, Shape shape, const Access& access, std::uint64_t policy,
                        std::uint64_t shift, unsigned lookup_tenths) {
    TouchedLines lines;
    for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const std::uint64_t address = access.address(lane);
        if (access.space != machine::Space::kLocal) {
            lines.add(address, access.width);
        } else {
            for (unsigned done = 0; done < access.width;) {
                const auto here = static_cast<unsigned>(
                    std::min<std::uint64_t>(access.width - done, kWord - (address + done) % kWord));
                lines.add(interleaved(address + done, lane), here);
                done += here;
            }
        }
    }
    const auto at = static_cast<std::uint32_t>(words.size());
    shape.is_local = access.space == machine::Space::kLocal;
    shape.pieces = static_cast<std::uint8_t>(std::min(lines.size(), kMaxPieces));
    if (!shape.is_local && (shape.kind == RequestKind::kLoad || shape.kind == RequestKind::kLoadPastL1))
        shape.passes =
            static_cast<std::uint8_t>(std::min(kMaxPieces, load_passes(access, shape.pieces, lookup_tenths)));
    words.push_back(shape.packed());
    if (shape.has_policy) words.insert(words.end(), {policy, shift});
    const std::uint64_t first = first_line(access);
    unsigned left = shape.pieces;
    for (const Touched& line : lines) {
        if (left-- == 0) break;
        Piece piece;
        piece.line = static_cast<std::int64_t>(line.line - first);
        for (unsigned i = 0; i < kSectorsPerLine; ++i) {
            piece.sectors |= (line.sector(i) != 0 ? 1u : 0u) << i;
            piece.whole |= (line.sector(i) == ~std::uint32_t{0} ? 1u : 0u) << i;
            if (line.sector(i) != 0) piece.untouched += static_cast<unsigned>(std::popcount(~line.sector(i)));
        }
        words.push_back(piece.packed());
        for (unsigned i = 0; i < kSectorsPerLine; ++i)
            if ((piece.in_part() >> i & 1) != 0) words.push_back(line.sector(i));
    }
    return at;
}

}  // namespace tilescope::observers

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

// What a copy past L1 reads. A sector goes to a sector of shared memory as it is, or with its halves exchanged, or half
// of it. Whatever goes from one line to one line in the same of these ways is one read, so that rows which do not begin
// on 32 bytes are read twice. So has it an H200 (driver 580.159.04, 27 November 2026) in 210 of the 263 launches of
// bench/hardware/copy_places.cu; the others gather their pieces, and which of their reads are joined is not known.
class CopiedPieces {
public:
    explicit CopiedPieces(const Access& access) {
        for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            add(access.address(lane), access.to(lane));
        }
        for (unsigned i = 0; i < moves_; ++i) gather(move_[i]);
    }

    unsigned size() const { return reads_; }
    // From one line of global memory to one of shared memory: cycles of L1's tags.
    unsigned lines() const {
        unsigned lines = 0;
        for (unsigned i = 0; i < reads_; ++i) lines += is_first(i) ? 1 : 0;
        return lines;
    }
    bool repeats_lines() const {
        for (unsigned i = 0; i < reads_; ++i)
            for (unsigned other = 0; other < i; ++other)
                if (read_[i].line == read_[other].line) return true;
        return false;
    }
    void put(std::vector<std::uint64_t>& words, std::uint64_t first) const {
        for (unsigned i = 0; i < reads_; ++i) {
            const Read& read = read_[i];
            Piece piece;
            piece.line = static_cast<std::int64_t>(read.line - first);
            piece.sectors = read.sectors;
            piece.whole = read.halves == kBoth ? read.sectors : 0;
            piece.counted = read.counted;
            if (piece.whole == 0) piece.untouched = sector_count(read.sectors) * kHalfBytes;
            words.push_back(piece.packed());
            const std::uint64_t half = (std::uint64_t{1} << kHalfBytes) - 1;
            const std::uint64_t bytes = half << (read.halves == 1 ? 0 : kHalfBytes);
            for (unsigned in_part = piece.in_part(); in_part != 0; in_part &= in_part - 1) words.push_back(bytes);
        }
    }

private:
    static constexpr unsigned kHalfBytes = 16;  // geometry: bytes that a lane copies
    static constexpr unsigned kBoth = 3;        // numeric: both halves
    // A sector's way to a sector of shared memory; halves: which of its own.
    struct Move {
        std::uint64_t from, to;
        bool exchanged;
        unsigned halves;
    };
    struct Read {
        std::uint64_t line, to;
        bool exchanged;
        unsigned halves, sectors, counted;
    };

    void add(std::uint64_t from, std::uint64_t to) {
        const bool exchanged = ((from ^ to) & kHalfBytes) != 0;
        const unsigned half = (from & kHalfBytes) != 0 ? 2 : 1;
        for (unsigned i = 0; i < moves_; ++i) {
            Move& move = move_[i];
            if (move.from != from >> kSectorShift || move.to != to >> kSectorShift || move.exchanged != exchanged)
                continue;
            move.halves |= half;
            return;
        }
        move_[moves_++] = {from >> kSectorShift, to >> kSectorShift, exchanged, half};
    }
    void gather(const Move& move) {
        const std::uint64_t line = move.from / kSectorsPerLine, to = move.to / kSectorsPerLine;
        const unsigned sector = 1u << move.from % kSectorsPerLine, counted = is_counted(move) ? 1 : 0;
        for (unsigned i = 0; i < reads_; ++i) {
            Read& read = read_[i];
            if (read.line != line || read.to != to || read.exchanged != move.exchanged || read.halves != move.halves ||
                (read.sectors & sector) != 0)
                continue;
            read.sectors |= sector;
            read.counted += counted;
            return;
        }
        read_[reads_++] = {line, to, move.exchanged, move.halves, sector, counted};
    }
    // Whether L1 counts it: the first that goes from the line to the sector (sector_rule.h).
    bool is_counted(const Move& move) const {
        for (const Move* other = move_; other != &move; ++other)
            if (other->from / kSectorsPerLine == move.from / kSectorsPerLine && other->to == move.to) return false;
        return true;
    }
    bool is_first(unsigned number) const {
        for (unsigned i = 0; i < number; ++i)
            if (read_[i].line == read_[number].line && read_[i].to == read_[number].to) return false;
        return true;
    }

    Move move_[machine::kWarpSize];
    Read read_[machine::kWarpSize];
    unsigned moves_ = 0, reads_ = 0;
};

}  // namespace

std::uint64_t first_line(const Access& access, std::uint64_t shift) {
    if (access.space != machine::Space::kLocal) return (access.first + shift) >> kLineShift;
    return access.first / kWord;  // 32 lanes' words fill a line
}

std::uint32_t add_shape(std::vector<std::uint64_t>& words, Shape shape, const Access& access, std::uint64_t policy,
                        std::uint64_t shift, unsigned lookup_tenths) {
    const auto at = static_cast<std::uint32_t>(words.size());
    if (access.to_deltas != nullptr && shape.kind == RequestKind::kLoadPastL1) {
        const CopiedPieces pieces(access);
        shape.by_places = pieces.repeats_lines();
        shape.pieces = static_cast<std::uint8_t>(pieces.size());
        shape.passes =
            static_cast<std::uint8_t>(std::min(kMaxPieces, load_passes(access, pieces.lines(), lookup_tenths)));
        words.push_back(shape.packed());
        if (shape.has_policy) words.insert(words.end(), {policy, shift});
        pieces.put(words, first_line(access));
        return at;
    }
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

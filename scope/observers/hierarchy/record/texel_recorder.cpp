#include "scope/observers/hierarchy/record/texel_recorder.h"

#include <algorithm>
#include <bit>

#include "scope/observers/hierarchy/lines.h"

namespace tilescope::observers {
namespace {

constexpr unsigned kMaxPieces = 255, kMaxPasses = 255;  // numeric: eight bits count each
constexpr std::uint32_t kWholeSector = 0xffffffffu;     // numeric: a bit for each byte

// Bytes of the sectors of one line.
struct LineBytes {
    std::uint64_t line = 0;
    std::array<std::uint32_t, kSectorsPerLine> bytes{};
};

}  // namespace

void TexelRecorder::take(const machine::Texels& event, bool waits, const CacheAddresses& addresses,
                         std::vector<std::uint64_t>& words, const Note& note) {
    Shape shape;
    shape.op = event.op;
    shape.waits = waits;
    if (event.kind == machine::TexelsKind::kSurfaceWrite) {
        shape.kind = RequestKind::kStore;
        write(event, shape, addresses, words, note);
        return;
    }
    shape.kind = event.kind == machine::TexelsKind::kFetch ? RequestKind::kTexture : RequestKind::kSurface;
    read(event, shape, addresses, words, note);
}

void TexelRecorder::read(const machine::Texels& event, Shape shape, const CacheAddresses& addresses,
                         std::vector<std::uint64_t>& words, const Note& note) {
    const unsigned passes = texture_passes(event, rules_);
    passes_ += passes;
    shape.passes = static_cast<std::uint8_t>(std::min(passes, kMaxPasses));
    std::array<LineBytes, 64> lines;  // geometry: as many as a request has sectors
    const texture::Sector* sector = event.sectors;
    for (unsigned i = 0; i < event.parts; ++i) {
        unsigned count = 0;
        for (unsigned left = event.counts[i]; left != 0; --left, ++sector) {
            const std::uint64_t place = place_of(sector->address, addresses), line = place >> kLineShift;
            const auto end = lines.begin() + count;
            const auto found = std::find_if(lines.begin(), end, [&](const LineBytes& one) { return one.line == line; });
            if (found == end) lines[count++] = {line, {}};
            found->bytes[place >> kSectorShift & (kSectorsPerLine - 1)] |= sector->bytes;
        }
        for (unsigned k = 0; k < count; ++k) {
            if (shape.pieces == kMaxPieces) {
                put(note, shape, words);
                shape.pieces = 0;
                shape.passes = 1;
            }
            add_piece(shape, lines[k].line, lines[k].bytes);
        }
        lines_ += count;
    }
    put(note, shape, words);
}

void TexelRecorder::write(const machine::Texels& event, Shape shape, const CacheAddresses& addresses,
                          std::vector<std::uint64_t>& words, const Note& note) {
    std::array<LineBytes, machine::kWarpSize * 2> lines;  // geometry: a lane writes to one sector
    unsigned count = 0;
    for (unsigned i = 0; i < event.count; ++i) {
        const texture::Sector& sector = event.sectors[i];
        const std::uint64_t place = place_of(sector.address, addresses), line = place >> kLineShift;
        const auto end = lines.begin() + count;
        const auto found = std::find_if(lines.begin(), end, [&](const LineBytes& one) { return one.line == line; });
        if (found == end) {
            if (count == lines.size()) break;
            lines[count++] = {line, {}};
        }
        found->bytes[place >> kSectorShift & (kSectorsPerLine - 1)] |= sector.bytes;
    }
    for (unsigned k = 0; k < count; ++k) add_piece(shape, lines[k].line, lines[k].bytes);
    put(note, shape, words);
}

void TexelRecorder::add_piece(Shape& shape, std::uint64_t line,
                              const std::array<std::uint32_t, kSectorsPerLine>& bytes) {
    if (shape.pieces++ == 0) {
        first_ = line;
        pieces_.clear();
    }
    Piece piece;
    piece.line = static_cast<std::int64_t>(line - first_);
    for (unsigned i = 0; i < kSectorsPerLine; ++i) {
        if (bytes[i] == 0) continue;
        piece.sectors |= 1u << i;
        piece.whole |= (bytes[i] == kWholeSector ? 1u : 0u) << i;
        piece.untouched += static_cast<unsigned>(std::popcount(~bytes[i]));
    }
    pieces_.push_back(piece.packed());
    for (unsigned i = 0; i < kSectorsPerLine; ++i)
        if ((piece.in_part() >> i & 1) != 0) pieces_.push_back(bytes[i]);
}

// Shapes that look alike are one, as far as the block's last ones are remembered.
void TexelRecorder::put(const Note& note, Shape shape, std::vector<std::uint64_t>& words) {
    if (shape.pieces == 0) return;
    const std::uint64_t head = shape.packed();
    std::uint64_t hash = head * kHash;
    for (const std::uint64_t word : pieces_) hash = (hash ^ word ^ hash >> 29) * kHash;  // numeric: a mix
    Known& known = known_[hash >> 55];                                                   // numeric: nine bits
    const bool is_known = known.hash == hash && known.size == pieces_.size() && known.at < words.size() &&
                          words[known.at] == head &&
                          std::equal(pieces_.begin(), pieces_.end(), words.begin() + known.at + 1);
    if (!is_known) {
        known = {hash, static_cast<std::uint32_t>(words.size()), static_cast<std::uint32_t>(pieces_.size())};
        words.push_back(head);
        words.insert(words.end(), pieces_.begin(), pieces_.end());
    }
    note(first_, known.at);
}

}  // namespace tilescope::observers

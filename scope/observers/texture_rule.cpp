#include "scope/observers/texture_rule.h"

#include <algorithm>
#include <array>
#include <bit>

#include "scope/observers/hierarchy/lines.h"

namespace tilescope::observers {
namespace {

constexpr unsigned kWordBytes = 4;                                           // geometry: of a bank
constexpr unsigned kWordsOfSector = kSectorBytes / kWordBytes;               // geometry: likewise
constexpr unsigned kWordsOfLine = kLineBytes / kWordBytes, kWideTexel = 16;  // geometry: bytes of the widest texels
constexpr unsigned kSlices = 2;  // geometry: that filtering between them needs

struct WantedLine {
    std::uint64_t line = 0, words = 0;
};

std::uint64_t words_of(std::uint32_t bytes) {
    std::uint64_t words = 0;
    for (unsigned i = 0; i < kWordsOfSector; ++i)
        words |= std::uint64_t{(bytes >> i * kWordBytes & 0xf) != 0} << i;  // numeric: four bits for a word
    return words;
}

class WantedLines {
public:
    // `by_sector`: one of its bytes keeps the banks of all of a sector.
    void add(const texture::Sector& sector, bool is_tiled, bool by_sector) {
        const std::uint64_t line = sector.address >> kLineShift;
        const unsigned within = static_cast<unsigned>(sector.address >> kSectorShift) % kSectorsPerLine;
        const unsigned shift = within * kWordsOfSector + (is_tiled && (line & 1) != 0 ? kWordsOfLine : 0);
        const std::uint64_t words = words_of(by_sector ? ~std::uint32_t{0} : sector.bytes) << shift;
        for (unsigned i = 0; i < count_; ++i)
            if (lines_[i].line == line) {
                lines_[i].words |= words;
                return;
            }
        if (count_ < lines_.size()) lines_[count_++] = {line, words};
    }
    // Each pass takes the first that is left, and what fits beside it; `in_order`: up to what does not fit.
    unsigned passes(unsigned tags, bool in_order) {
        unsigned passes = 0;
        while (count_ != 0) {
            ++passes;
            std::uint64_t words = 0, looked_up = 0;
            unsigned left = 0;
            bool is_over = false;
            for (unsigned i = 0; i < count_; ++i) {
                const std::uint64_t tag = std::uint64_t{1} << lines_[i].line % tags;
                if (is_over || (words & lines_[i].words) != 0 || (looked_up & tag) != 0) {
                    lines_[left++] = lines_[i];
                    is_over = in_order;
                    continue;
                }
                words |= lines_[i].words;
                looked_up |= tag;
            }
            count_ = left;
        }
        return passes;
    }

private:
    std::array<WantedLine, 64> lines_;  // geometry: as many as a request has sectors
    unsigned count_ = 0;
};

}  // namespace

unsigned texture_passes(const machine::Texels& event, const TextureRules& rules) {
    const machine::TexelAccess& access = event.access;
    const bool is_wide = access.bytes >= kWideTexel, is_fetch = event.kind == machine::TexelsKind::kFetch;
    const bool is_blended = access.is_volume && access.filters;
    const unsigned least = access.is_of_levels          ? kSlices
                           : access.gathers             ? rules.gather
                           : !is_wide || access.filters ? 1
                           : is_fetch                   ? rules.wide
                                                        : rules.wide_surface;
    const unsigned tags = std::clamp(rules.tags, 1u, 64u);  // numeric: bits of a word
    unsigned all = 0;
    const texture::Sector* sector = event.sectors;
    for (unsigned i = 0; i < event.parts; ++i) {
        WantedLines lines;
        unsigned bytes = 0;
        for (unsigned left = event.counts[i]; left != 0; --left, ++sector) {
            lines.add(*sector, access.is_tiled, !is_fetch);
            bytes += static_cast<unsigned>(std::popcount(sector->bytes));
        }
        unsigned passes = 1;
        if (is_wide && access.filters)
            passes = bytes / std::max(1u, rules.wide_filtered);
        else if (!access.is_pitched)
            passes = lines.passes(tags, !access.is_tiled);
        if (is_blended) passes = (passes + kSlices - 1) / kSlices;
        all += std::max({1u, least, passes});
    }
    return all;
}

}  // namespace tilescope::observers

// KeptShapes: shapes of accesses that repeat from block to block, so that blocks copy instead of computing them.
//
// Owns: their words, by site and by the access's offset in a line. Guarantees: a copy equals the computed shape word
// by word.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "scope/observers/hierarchy/lines.h"

namespace tilescope::observers {

class KeptShapes {
public:
    static constexpr std::uint32_t kNone = 0xffffffffu;  // numeric: all bits
    static constexpr unsigned kPhases = 1u << kLineShift;

    // What is kept of a site's pattern.
    class Site {
        friend class KeptShapes;
        struct Kept {
            std::uint32_t at = kNone, words = 0;
        };
        std::vector<Kept> by_phase_;  // none: nothing is
        std::uint32_t round_ = 0;     // of KeptShapes, in which that was
    };

    // The pattern is another one.
    static void forget(Site& site) { site.by_phase_.clear(); }
    // Puts the shape behind `words`, and says where; kNone: it is not kept.
    std::uint32_t copy(const Site& site, unsigned phase, std::vector<std::uint64_t>& words) const {
        if (site.by_phase_.empty() || site.round_ != round_) return kNone;
        const Site::Kept kept = site.by_phase_[phase];
        if (kept.at == kNone) return kNone;
        const auto at = static_cast<std::uint32_t>(words.size());
        const auto from = words_.begin() + kept.at;
        words.insert(words.end(), from, from + kept.words);
        return at;
    }
    // The shape that begins at `at` and ends the words.
    void keep(Site& site, unsigned phase, const std::vector<std::uint64_t>& words, std::uint32_t at) {
        const std::size_t count = words.size() - at;
        if (words_.size() + count > kMost) {
            words_.clear();
            ++round_;
        }
        if (site.by_phase_.empty() || site.round_ != round_) site.by_phase_.assign(kPhases, {});
        site.round_ = round_;
        site.by_phase_[phase] = {static_cast<std::uint32_t>(words_.size()), static_cast<std::uint32_t>(count)};
        words_.insert(words_.end(), words.begin() + at, words.end());
    }

private:
    static constexpr std::size_t kMost = 1 << 17;  // numeric: words, of the host's memory

    std::vector<std::uint64_t> words_;
    std::uint32_t round_ = 0;  // how often all were forgotten
};

}  // namespace tilescope::observers

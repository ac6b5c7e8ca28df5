// How the tiles of a last, partly full wave are cut. Owns the choice alone: the launchers and the cost model both ask.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tiles {

// `tiles` tiles in `parts` parts each; when that leaves one tile over, all clusters share it. parts 0: nothing is cut.
struct TailCut {
    int tiles = 0, parts = 0;
    bool shared = false;
    int64_t longest = 0;  // blocks of k that the busiest cluster has
};

// Parts of tiles have the same ranges of k, so that clusters which share rows or columns read them at the same time:
// even ranges that begin anywhere in k would balance better, but read everything from memory instead of the L2.
inline TailCut cut_of_tail(int64_t rest, int64_t clusters, int64_t k_blocks) {
    constexpr int64_t kAdding = 8;  // blocks of k that the sums of a tile in many parts cost
    const auto longest_of = [&](int64_t parts) { return (k_blocks + parts - 1) / parts; };
    TailCut best;
    best.longest = k_blocks;
    if (rest < 1 || k_blocks * clusters >= int64_t{1} << 30) return best;
    if (const int64_t parts = std::min(clusters / rest, k_blocks); parts > 1)
        best = {static_cast<int>(rest), static_cast<int>(parts), false, longest_of(parts)};
    if (rest == 1 || k_blocks < clusters) return best;  // no part is empty
    const int64_t parts = clusters / (rest - 1), longest = longest_of(parts) + longest_of(clusters);
    if (parts > 1 && longest + kAdding < best.longest)
        best = {static_cast<int>(rest - 1), static_cast<int>(parts), true, longest};
    return best;
}

}  // namespace tiles

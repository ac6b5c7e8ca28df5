// WarpRequests: the requests of a block's warps, in each warp's order.
//
// Owns: their storage. Guarantees: consecutive requests of all warps are close together, because warps of a block
// progress at about the same pace. So the host needs few of its pages.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "scope/observers/hierarchy/record/traffic.h"

namespace tilescope::observers {

class WarpRequests {
public:
    static constexpr std::uint32_t kChunk = 64 / sizeof(Request);  // numeric: of one of the host's cache lines

    // Of so many warps, instead of those that it had.
    void fill(const std::vector<Request>& requests, std::uint32_t warps) {
        counts_ = {};
        rows_.clear();
        for (const Request& request : requests) ++counts_[request.warp];
        // The more a warp requests, the further in front of its row it stands: then it has the same place in each.
        std::array<std::uint8_t, kMaxWarps> order{};
        std::iota(order.begin(), order.begin() + warps, std::uint8_t{0});
        std::stable_sort(order.begin(), order.begin() + warps,
                         [this](auto one, auto other) { return counts_[one] > counts_[other]; });
        for (std::uint32_t rank = 0; rank < warps; ++rank) ranks_[order[rank]] = static_cast<std::uint8_t>(rank);
        const std::uint32_t rows = warps == 0 ? 0 : (counts_[order[0]] + kChunk - 1) / kChunk;
        std::uint32_t in_row = warps;
        rows_.reserve(rows + 1);
        for (std::uint32_t row = 0, start = 0; row <= rows; ++row) {
            rows_.push_back(start);
            while (in_row != 0 && counts_[order[in_row - 1]] <= row * kChunk) --in_row;
            start += in_row * kChunk;
        }
        if (requests_.size() < rows_.back()) requests_.resize(rows_.back());
        std::array<std::uint32_t, kMaxWarps> next{};
        for (const Request& request : requests) requests_[place(request.warp, next[request.warp]++)] = request;
    }

    std::uint32_t count(std::uint32_t warp) const { return counts_[warp]; }
    // The warp's request, of count().
    const Request& at(std::uint32_t warp, std::uint32_t number) const { return requests_[place(warp, number)]; }
    // The host is told that the warp will come to it.
    void expect(std::uint32_t warp, std::uint32_t number) const {
        if (number < counts_[warp]) __builtin_prefetch(&at(warp, number));
    }
    std::uint64_t bytes() const {
        const std::uint64_t requests = rows_.empty() ? 0 : rows_.back();
        return requests * sizeof(Request) + rows_.size() * sizeof(std::uint32_t);
    }
    std::uint64_t room() const {
        return requests_.capacity() * sizeof(Request) + rows_.capacity() * sizeof(std::uint32_t);
    }

private:
    std::uint32_t place(std::uint32_t warp, std::uint32_t number) const {
        return rows_[number / kChunk] + ranks_[warp] * kChunk + number % kChunk;
    }

    std::array<std::uint32_t, kMaxWarps> counts_{};
    std::array<std::uint8_t, kMaxWarps> ranks_{};
    std::vector<std::uint32_t> rows_;  // where each begins
    std::vector<Request> requests_;    // as many as the last row says, and perhaps some of others behind them
};

}  // namespace tilescope::observers

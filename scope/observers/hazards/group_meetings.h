// GroupMeetings: where the four warps of a warpgroup wait for each other, which an H200 does at every product (wgmma).
//
// Owns: how many products each warp has issued, and how many of them it had waited for when it issued each. Guarantees:
// what is said to be over had ended before the meeting, whatever the order in which warps ran. Does not model: products
// that the warps of a group issue in different numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "scope/machine/events.h"

namespace tilescope::observers {

inline constexpr unsigned kWarpsOfGroup = 4;

class GroupMeetings {
public:
    void product_group(const machine::ProductGroup& event) {
        Warp& warp = warps_[event.warp()];
        switch (event.kind) {
            case machine::ProductGroupKind::kProduct: warp.over_at.push_back(warp.over); break;
            case machine::ProductGroupKind::kCommit: warp.committed.push_back(warp.count()); break;
            case machine::ProductGroupKind::kWait:
                if (event.pending < warp.committed.size())
                    warp.over = std::max(warp.over, warp.committed[warp.committed.size() - event.pending - 1]);
                break;
            case machine::ProductGroupKind::kFence: break;
        }
    }

    // Products that the warp has issued so far, the one at hand included.
    std::uint32_t products(unsigned warp) const {
        const auto found = warps_.find(warp);
        return found == warps_.end() ? 0 : found->second.count();
    }

    // Whether `warp` has met `other` after an access of the other one was over. The access ran when the other had
    // issued `products`; it was the last of these itself, or an ordinary access that ended at once.
    bool has_met(unsigned warp, unsigned other, std::uint32_t products, bool is_product) const {
        const auto found = warps_.find(other);
        if (found == warps_.end() || warp / kWarpsOfGroup != other / kWarpsOfGroup) return false;
        std::size_t meeting = products + 1;
        if (is_product) {
            const auto& over_at = found->second.over_at;
            const auto at = std::lower_bound(over_at.begin() + products, over_at.end(), products);
            if (at == over_at.end()) return false;
            meeting = static_cast<std::size_t>(at - over_at.begin()) + 1;
        }
        return this->products(warp) >= meeting;
    }

private:
    struct Warp {
        std::vector<std::uint32_t> over_at;    // by product: those that had been waited for when it was issued
        std::vector<std::uint32_t> committed;  // by group: products up to its end
        std::uint32_t over = 0;
        std::uint32_t count() const { return static_cast<std::uint32_t>(over_at.size()); }
    };
    std::unordered_map<unsigned, Warp> warps_;
};

}  // namespace tilescope::observers

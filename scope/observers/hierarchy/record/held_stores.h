// HeldStores: moves a warp's stores behind the loads that ptxas moves before them (issues.h).
//
// Owns: the waiting stores. Guarantees: each store comes out once, before the next request that no load passes, and
// stores keep their order. Does not model: other reordering by ptxas.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "scope/observers/hierarchy/record/issues.h"
#include "scope/observers/hierarchy/record/traffic.h"

namespace tilescope::observers {

class HeldStores {
public:
    void set_warps(std::size_t warps) { held_.resize(warps); }

    // The warp's next request, of the op `op`, whose issue is `here`.
    void put(unsigned warp, std::uint32_t op, const Issue& here, RequestKind kind, const Request& request,
             std::vector<Request>& out) {
        Held& held = held_[warp];
        if (held.requests.empty() && here.passed_by == 0) [[likely]] {
            out.push_back(request);
            return;
        }
        if (op <= held.last || op > held.until || here.block != held.block) release(held, out);
        held.last = op;
        if (kind != RequestKind::kStore || (here.passed_by == 0 && held.requests.empty())) {
            out.push_back(request);
            return;
        }
        held.block = here.block;
        held.until = std::max(held.until, here.passed_by);
        held.requests.push_back(request);
    }
    void release(std::vector<Request>& out) {
        for (Held& held : held_) release(held, out);
    }
    void forget() {
        for (Held& held : held_) held = {};
    }

private:
    struct Held {
        std::uint32_t block = 0, last = 0, until = 0;  // of ops: the basic block, the last one that came, the last load
        std::vector<Request> requests;
    };

    static void release(Held& held, std::vector<Request>& out) {
        out.insert(out.end(), held.requests.begin(), held.requests.end());
        held.requests.clear();
        held.last = held.until = 0;
    }

    std::vector<Held> held_;  // by warp
};

}  // namespace tilescope::observers

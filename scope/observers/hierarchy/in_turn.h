// in_turn: requests of L2 one after the other, with the host told of those that come next.
//
// Guarantees: the order of the requests. Most of the work of one is waiting for the host's own memory: it is told of a
// request's set, and then of its way, some requests beforehand.
#pragma once

#include <cstddef>

#include "scope/observers/hierarchy/l2/second_level.h"
#include "scope/observers/hierarchy/scheduler/gpc.h"

namespace tilescope::observers {

// `at` gives the request of a number below `count`; `serve` is called with each number.
template <class At, class Serve>
void in_turn(const SecondLevel& second, std::size_t count, const At& at, const Serve& serve) {
    constexpr std::size_t kSetAhead = 24, kWayAhead = 12;  // numeric: by time that it took here
    const auto set = [&](std::size_t i) {
        if (i >= count) return;
        const L2Request& request = at(i);
        second.expect(request.part, {request.line, request.set});
    };
    const auto way = [&](std::size_t i) {
        if (i >= count) return;
        const L2Request& request = at(i);
        second.expect_way(request.part, {request.line, request.set}, request.kind != L2RequestKind::kRead);
    };
    for (std::size_t i = 0; i < kSetAhead; ++i) set(i);
    for (std::size_t i = 0; i < kWayAhead; ++i) way(i);
    for (std::size_t i = 0; i < count; ++i) {
        set(i + kSetAhead);
        way(i + kWayAhead);
        serve(i);
    }
}

}  // namespace tilescope::observers

// in_turn: runs L2 requests in order, and prefetches the host memory that the next ones need.
//
// Guarantees: the order of the requests. Most of a request's cost is waiting for the host's memory, so the host
// prefetches the request, then its set, then its way, some requests ahead.
#pragma once

#include <algorithm>
#include <cstddef>

#include "scope/observers/hierarchy/l2/second_level.h"
#include "scope/observers/hierarchy/scheduler/l2_request.h"

namespace tilescope::observers {

// `at` gives the request of a number below `count`; `serve` is called with each number, `expect` with each some time
// before all else.
template <class At, class Expect, class Serve>
void in_turn(const SecondLevel& second, std::size_t count, const At& at, const Expect& expect, const Serve& serve) {
    constexpr std::size_t kAhead = 40, kSetAhead = 24, kWayAhead = 12;  // numeric: by time that it took here
    const auto set = [&](std::size_t i) {
        if (i >= count) return;
        const L2Request& request = at(i);
        second.expect(request.part, {request.line, request.set});
        __builtin_prefetch(request.masks);
    };
    const auto way = [&](std::size_t i) {
        if (i >= count) return;
        const L2Request& request = at(i);
        second.expect_way(request.part, {request.line, request.set}, request.kind != L2RequestKind::kRead);
    };
    for (std::size_t i = 0; i < std::min(kAhead, count); ++i) expect(i);
    for (std::size_t i = 0; i < kSetAhead; ++i) set(i);
    for (std::size_t i = 0; i < kWayAhead; ++i) way(i);
    for (std::size_t i = 0; i < count; ++i) {
        if (i + kAhead < count) expect(i + kAhead);
        set(i + kSetAhead);
        way(i + kWayAhead);
        serve(i);
    }
}

}  // namespace tilescope::observers

// What a texture fetches of memory that the same launch has written.
//
// Guarantees: addresses are those at which stores and surfaces write: a texel of an array lies elsewhere in a GPU's
// memory than here. Does not model: which lane of the warp fetched it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "scope/machine/events.h"
#include "scope/machine/program.h"

namespace tilescope::observers {

struct WrittenTexel {
    std::uint64_t address = 0;
    std::uint32_t record = 0;  // of the write; 0: there was none
    unsigned lane = 0;
};

// Calls visit(address) for the first byte of each texel that an event fetched, until it returns true.
bool any_texel(const machine::Texels& event, bool writes_surfaces, const std::function<bool(std::uint64_t)>& visit);

// The first texel of the event that `latest_write(address)` knows a write of.
template <class LatestWrite>
std::optional<WrittenTexel> written_texel(const machine::Texels& event, bool writes_surfaces,
                                          LatestWrite latest_write) {
    WrittenTexel found;
    any_texel(event, writes_surfaces, [&](std::uint64_t address) {
        found = latest_write(address);
        return found.record != 0;
    });
    return found.record != 0 ? std::optional(found) : std::nullopt;
}

}  // namespace tilescope::observers

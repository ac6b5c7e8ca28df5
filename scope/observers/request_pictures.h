// Single requests of an access as a profile shows them: which of its requests take how many sectors or wavefronts, and
// one of each sort, lane by lane.
//
// Owns: RequestExamples, of one site, and add_pictures(). Guarantees: the same for any number of workers: of requests
// that take as many units that is kept which has the most lanes, and of these the one whose offsets come first; where a
// request begins is nothing that it goes by. Does not model: atomics, local memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scope/machine/access.h"
#include "scope/machine/program.h"
#include "scope/report/profile.h"

namespace tilescope::observers {

struct LaunchContext;

class RequestExamples {
public:
    // A pattern of lanes that has not been looked at yet where it begins: `phase` bytes into a sector or a word.
    void offer(const machine::Access& access, unsigned phase, unsigned units, unsigned ideal);
    void merge(const RequestExamples& other);

    struct Example {
        std::uint32_t units = 0, ideal = 0, mask = 0, lanes = 0, width = 0, phase = 0;
        std::array<std::int64_t, machine::kWarpSize> deltas{};  // from the lowest lane
        bool comes_before(const Example& other) const;
    };
    const Example* of(unsigned units) const;

private:
    void take(const Example& example);
    std::vector<Example> examples_;  // one for each number of units
};

// How many requests took so many units; more than the last are with it.
inline constexpr std::size_t kMostUnits = 64;
using RequestTally = std::array<std::uint64_t, kMostUnits + 1>;

// What a launch's observers of one memory saw of a site.
struct SeenRequests {
    std::uint32_t site = 0;
    machine::AccessKind kind = machine::AccessKind::kLoad;
    const RequestTally* tally = nullptr;
    const RequestExamples* examples = nullptr;
    std::optional<std::uint32_t> parameter{};  // that its address counts from
    std::string variable{};
};

// Pictures of the lines whose sites took the most units.
void add_pictures(const machine::Program& program, std::vector<SeenRequests> seen, bool banks, LaunchProfile& launch);

}  // namespace tilescope::observers

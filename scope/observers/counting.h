// Counting observers: what they share, and the list of them.
//
// Owns: CountingObserver, an Observer that turns its per-site counts into counters of the profile, and the registry.
// Guarantees: exact integer counts, the same for any number of workers.
// Does not model: caches and DRAM.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "scope/machine/grid.h"
#include "scope/machine/observer.h"
#include "scope/report/counters.h"

namespace tilescope::observers {

// Counters by op, parallel to Program::ops.
using OpCounters = std::vector<CounterSet>;

class CountingObserver : public machine::Observer {
public:
    virtual void finish(const machine::Program& program, OpCounters& counters) const = 0;
};

struct ObserverRow {
    std::string_view name;
    std::string_view question;  // what it answers, one line
    std::unique_ptr<CountingObserver> (*make)();
};

// The observers of an ordinary run, in the order in which they see an access.
const std::vector<ObserverRow>& counting_observers();

// Instructions, branches, barriers and flop of a finished grid: they follow from how often each basic block ran.
void count_instructions(const machine::Program& program, const machine::GridResult& result, OpCounters& counters);

std::unique_ptr<CountingObserver> make_coalescing();
std::unique_ptr<CountingObserver> make_local_coalescing();
std::unique_ptr<CountingObserver> make_banks();
std::unique_ptr<CountingObserver> make_constants();

}  // namespace tilescope::observers

// Counting observers: what they share, and the list of them.
//
// Owns: CountingObserver, an Observer that turns what it saw into counters or other figures of the profile, and the
// registry.
// Guarantees: integer counts, the same for any number of workers; exact but for those of caches and DRAM, which are
// modelled.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scope/machine/access.h"
#include "scope/machine/grid.h"
#include "scope/machine/observer.h"
#include "scope/machine/padding.h"
#include "scope/report/counters.h"
#include "scope/report/profile.h"

namespace tilescope::observers {

class CacheAddresses;
struct HierarchyRules;
struct SpillPlan;
class SecondLevel;
class KnownLaunches;

// Counters by op, parallel to Program::ops.
using OpCounters = std::vector<CounterSet>;

// What a launch tells its observers beforehand.
struct LaunchContext {
    const machine::Memory* memory = nullptr;
    std::uint64_t shared_bytes = 0;                          // of a block's array (Program::shared_base)
    std::uint64_t blocks = 0;                                // of the grid
    std::vector<std::optional<std::uint64_t>> pointers;      // by kernel parameter: its value, if it is 64 bits wide
    std::vector<std::uint64_t> parameter_offsets;            // likewise: where it lies among the parameters
    std::function<std::string(std::uint64_t base)> name_of;  // of the module's variable that lies there; else empty
    std::shared_ptr<const HierarchyRules> caches;  // of the device, for this launch; null: caches are not modelled
    std::shared_ptr<SecondLevel> second_level;     // what is there when the launch begins
    std::shared_ptr<const CacheAddresses> cache_addresses;
    // Launches that this one may be alike, and the state in which it finds the caches (known_launches.h).
    std::shared_ptr<KnownLaunches> known_launches;
    std::optional<std::uint64_t> cache_state;
    bool keeps_caches = false;
    // Where variables of constant memory lie, one behind the other in the bank that they share; by address.
    struct Constant {
        std::uint64_t address = 0, bytes = 0;
    };
    std::vector<Constant> constants;
    const machine::PaddingPlan* padding = nullptr;  // of the program; lives longer than the launch
    std::shared_ptr<const SpillPlan> spills;        // that go through the caches, too; null: none
    machine::LaunchProgress* progress = nullptr;    // told of what follows the run; null: nobody looks
};

// Whether an access is an atomic or a reduction of any kind.
constexpr bool is_atomic(machine::AccessKind kind) {
    using machine::AccessKind;
    return kind != AccessKind::kLoad && kind != AccessKind::kStore && kind != AccessKind::kAsyncCopyRead &&
           kind != AccessKind::kAsyncCopyWrite && kind != AccessKind::kMatrixLoad && kind != AccessKind::kMatrixStore &&
           kind != AccessKind::kFactorLoad;
}

class CountingObserver : public machine::Observer {
public:
    machine::View view() const override { return machine::View::kCounted; }
    // Called on the prototype, before shards are made of it.
    virtual void prepare(const LaunchContext&) {}
    // Of a merged observer: bytes of the tables that grow with what the program touches.
    virtual std::uint64_t table_bytes() const { return 0; }
    // Of a merged observer: counts that belong to an op.
    virtual void finish(const machine::Program&, OpCounters&) const {}
    // Of a merged observer: everything else. The launch has its shape, blocks_run, sampled and lines already.
    virtual void add_to_profile(const machine::Program&, LaunchProfile&) const {}
};

// A count over the blocks that ran, as it stands for the whole grid.
std::uint64_t scaled(const LaunchProfile& launch, std::uint64_t count);

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
std::unique_ptr<CountingObserver> make_texels();
std::unique_ptr<CountingObserver> make_reuse();
std::unique_ptr<CountingObserver> make_sharing();
std::unique_ptr<CountingObserver> make_meetings();
std::unique_ptr<CountingObserver> make_caches();
std::unique_ptr<CountingObserver> make_split_copies();
std::unique_ptr<CountingObserver> make_passes();
std::unique_ptr<CountingObserver> make_padding();

}  // namespace tilescope::observers

// Bank conflicts of shared memory.
//
// The cost of a pattern does not change when it moves by whole words, so each site computes it once per pattern.
#include "scope/observers/bank_rule.h"
#include "scope/observers/counting.h"

namespace tilescope::observers {
namespace {

using machine::Access;
using machine::AccessKind;
using machine::Space;

constexpr unsigned kWordBytes = 4;

BankUse use_of(AccessKind kind) {
    switch (kind) {
        case AccessKind::kLoad:
        case AccessKind::kAsyncCopyRead: return BankUse::kLoad;
        case AccessKind::kStore:
        case AccessKind::kAsyncCopyWrite: return BankUse::kStore;
        case AccessKind::kIncrement: return BankUse::kIncrement;
        case AccessKind::kAtomic:
        case AccessKind::kReduction:
        case AccessKind::kCombined: break;
    }
    return BankUse::kAtomic;
}

struct SiteCount {
    AccessKind kind = AccessKind::kLoad;
    std::uint64_t requests = 0, wavefronts = 0, conflicts = 0, bytes = 0, lanes = 0;
    bool known[kWordBytes] = {};
    BankCost cost[kWordBytes];  // by the pattern's first byte within a word
    std::uint32_t pattern_lanes = 0, pattern_bytes = 0;
};

class Banks final : public CountingObserver {
public:
    std::uint32_t spaces() const override { return machine::bit_of(Space::kShared); }

    void on_access(const Access& access) override {
        // What cp.async writes to shared memory the hardware counts nowhere here (tests/truth: tiled_async).
        if (access.kind == AccessKind::kAsyncCopyWrite) return;
        SiteCount& site = sites_[access.site];
        if (!access.same_pattern) {
            site.kind = access.kind;
            site.pattern_lanes = access.lanes();
            site.pattern_bytes = site.pattern_lanes * access.width;
            for (bool& known : site.known) known = false;
        }
        const unsigned phase = access.first % kWordBytes;
        if (!site.known[phase]) {
            std::uint64_t offsets[machine::kWarpSize];
            for (unsigned lane = 0; lane < machine::kWarpSize; ++lane) offsets[lane] = access.address(lane);
            site.cost[phase] = bank_cost(offsets, access.mask, access.width, use_of(access.kind));
            site.known[phase] = true;
        }
        site.requests += 1;
        site.wavefronts += site.cost[phase].wavefronts;
        site.conflicts += site.cost[phase].conflicts;
        site.bytes += site.pattern_bytes;
        site.lanes += site.pattern_lanes;
    }

    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override {
        auto shard = std::make_unique<Banks>();
        shard->sites_.resize(program.sites.size());
        return shard;
    }

    void merge(const Observer& other) override {
        const auto& theirs = static_cast<const Banks&>(other).sites_;
        for (std::size_t i = 0; i < sites_.size(); ++i) {
            if (theirs[i].requests == 0) continue;
            sites_[i].kind = theirs[i].kind;
            sites_[i].requests += theirs[i].requests;
            sites_[i].wavefronts += theirs[i].wavefronts;
            sites_[i].conflicts += theirs[i].conflicts;
            sites_[i].bytes += theirs[i].bytes;
            sites_[i].lanes += theirs[i].lanes;
        }
    }

    void finish(const machine::Program& program, OpCounters& counters) const override {
        for (std::size_t i = 0; i < sites_.size(); ++i) {
            const SiteCount& site = sites_[i];
            if (site.requests == 0) continue;
            CounterSet& op = counters[program.sites[i].op];
            if (site.kind == AccessKind::kLoad) {
                op[Counter::kSharedLoadRequests] += site.requests;
                op[Counter::kSharedLoadWavefronts] += site.wavefronts;
                op[Counter::kSharedLoadBankConflicts] += site.conflicts;
                op[Counter::kSharedLoadBytesRequested] += site.bytes;
            } else if (site.kind == AccessKind::kStore) {
                op[Counter::kSharedStoreRequests] += site.requests;
                op[Counter::kSharedStoreWavefronts] += site.wavefronts;
                op[Counter::kSharedStoreBankConflicts] += site.conflicts;
                op[Counter::kSharedStoreBytesRequested] += site.bytes;
            } else {
                op[Counter::kSharedAtomicRequests] += site.requests;
                op[Counter::kSharedAtomicBankConflicts] += site.conflicts;
                op[Counter::kSharedAtomicThreadOperations] += site.lanes;
            }
        }
    }

private:
    std::vector<SiteCount> sites_;
};

}  // namespace

std::unique_ptr<CountingObserver> make_banks() { return std::make_unique<Banks>(); }

}  // namespace tilescope::observers

// Constant memory: one pass per distinct address of a request (H200, tests/truth: constant_spread_*).
#include "scope/observers/address_set.h"
#include "scope/observers/counting.h"

namespace tilescope::observers {
namespace {

using machine::Access;
using machine::Space;

class Constants final : public CountingObserver {
public:
    std::uint32_t wants(const machine::Site&) const override { return machine::bit_of(Space::kConstant); }

    void on_access(const Access& access) override {
        Count& site = sites_[access.site];
        if (!access.same_pattern) site.pattern = AddressKeys(access).count_distinct();
        site.requests += 1;
        site.passes += site.pattern;
    }

    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override {
        auto shard = std::make_unique<Constants>();
        shard->sites_.resize(program.sites.size());
        return shard;
    }

    void merge(const Observer& other) override {
        const auto& theirs = static_cast<const Constants&>(other).sites_;
        for (std::size_t i = 0; i < sites_.size(); ++i) {
            sites_[i].requests += theirs[i].requests;
            sites_[i].passes += theirs[i].passes;
        }
    }

    void finish(const machine::Program& program, OpCounters& counters) const override {
        for (std::size_t i = 0; i < sites_.size(); ++i) {
            CounterSet& op = counters[program.sites[i].op];
            op[Counter::kConstantRequests] += sites_[i].requests;
            op[Counter::kConstantPasses] += sites_[i].passes;
        }
    }

private:
    struct Count {
        std::uint64_t requests = 0, passes = 0;
        unsigned pattern = 0;
    };
    std::vector<Count> sites_;
};

}  // namespace

std::unique_ptr<CountingObserver> make_constants() { return std::make_unique<Constants>(); }

}  // namespace tilescope::observers

// Extents: accesses that leave the shared variable which their address counts from, and stay in the block's memory.
//
// Which variable that is was found when the kernel was lowered (Site::shared_variable); of other accesses nothing is
// said. What leaves the block's memory altogether is a fault, and never comes here.
#include <algorithm>
#include <bit>

#include "scope/machine/program.h"
#include "scope/observers/hazards/hazards.h"

namespace tilescope::observers {
namespace {

using machine::Access;
using machine::Space;

class Extents final : public HazardObserver {
public:
    std::uint32_t wants(const machine::Site& site) const override {
        return site.shared_variable >= 0 ? machine::bit_of(Space::kShared) : 0;
    }

    void on_access(const Access& access) override {
        const machine::SharedVariable& variable =
            program_->shared_variables[static_cast<std::size_t>(program_->sites[access.site].shared_variable)];
        Pattern& pattern = patterns_[access.site];
        if (!access.same_pattern) pattern = pattern_of(access);
        // The dynamic array is as long as the launch says, behind which there is nothing.
        const std::uint64_t end = variable.bytes == 0 ? ~std::uint64_t{0} : variable.offset + variable.bytes;
        if (access.first + pattern.low >= variable.offset && access.first + pattern.high <= end) return;
        for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            const std::uint64_t from = access.address(lane);
            if (from < variable.offset || from + access.bytes(lane) > end) return report(access, lane);
        }
    }

    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override {
        auto shard = std::make_unique<Extents>();
        shard->program_ = &program;
        shard->patterns_.resize(program.sites.size());
        return shard;
    }
    void merge(const Observer& other) override { hazards_.merge(static_cast<const Extents&>(other).hazards_); }
    void conclude(const machine::Program&, HazardList& list) const override { list.merge(hazards_); }

private:
    // Where the lanes' bytes begin and end, from the first lane's address on; below it they wrap round.
    struct Pattern {
        std::uint64_t low = 0, high = 0;
    };

    static Pattern pattern_of(const Access& access) {
        std::int64_t low = 0, high = 0;
        for (unsigned lane = 0; lane < machine::kWarpSize; ++lane) {
            low = std::min(low, access.deltas[lane]);
            high = std::max(high, access.deltas[lane]);
        }
        return {static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high) + access.width};
    }

    void report(const Access& access, unsigned lane) {
        FoundHazard hazard;
        hazard.kind = HazardKind::kOutOfBounds;
        hazard.space = HazardSpace::kShared;
        const bool is_plain = access.kind == machine::AccessKind::kLoad || access.kind == machine::AccessKind::kStore;
        const Deed deed = !is_plain ? Deed::kAtomic : machine::writes(access.kind) ? Deed::kWrite : Deed::kRead;
        const bool is_copy = access.kind == machine::AccessKind::kAsyncCopyWrite;
        hazard.at = {is_copy ? Deed::kAsyncCopy : deed, access.op, access.block->number, access.thread + lane};
        hazard.address = access.address(lane);
        hazard.bytes = access.bytes(lane);
        hazards_.add(hazard);
    }

    const machine::Program* program_ = nullptr;
    std::vector<Pattern> patterns_;  // by site, of its latest access
    HazardList hazards_;
};

}  // namespace

std::unique_ptr<HazardObserver> make_extents() { return std::make_unique<Extents>(); }

}  // namespace tilescope::observers

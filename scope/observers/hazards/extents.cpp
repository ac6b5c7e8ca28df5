// Extents: accesses that leave the variable or the allocation which their address counts from, and land in another one.
//
// Which one that is was found when the kernel was lowered (Site::shared_variable, Site::pointer); of other accesses
// nothing is said. What lands in nobody's memory is a fault, and never comes here.
#include <algorithm>
#include <bit>
#include <optional>

#include "scope/machine/memory.h"
#include "scope/machine/program.h"
#include "scope/observers/hazards/hazards.h"

namespace tilescope::observers {
namespace {

using machine::Access;
using machine::Space;

class Extents final : public HazardObserver {
public:
    std::uint32_t wants(const machine::Site& site) const override {
        if (site.pointer >= 0) return machine::bit_of(Space::kGlobal) | machine::bit_of(Space::kConstant);
        return site.shared_variable >= 0 ? machine::bit_of(Space::kShared) : 0;
    }
    void prepare(const HazardContext& context) override { context_ = context; }

    void on_access(const Access& access) override {
        const Extent extent = extents_[access.site];
        Pattern& pattern = patterns_[access.site];
        if (!access.same_pattern) pattern = pattern_of(access);
        if (access.first + pattern.low >= extent.begin && access.first + pattern.high <= extent.end) return;
        for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            const std::uint64_t from = access.address(lane);
            // The word around the last byte is swapped whole (memory_bounds.cpp).
            const bool is_word = access.order >= machine::Order::kRelaxed && access.width <= 4;
            const std::uint64_t bytes = is_word ? 1 : access.bytes(lane);
            if (from < extent.begin || from + bytes > extent.end) return report(access, lane);
        }
    }

    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override {
        auto shard = std::make_unique<Extents>();
        shard->patterns_.resize(program.sites.size());
        for (const machine::Site& site : program.sites) shard->extents_.push_back(extent_of(program, site));
        return shard;
    }
    void merge(const Observer& other) override { hazards_.merge(static_cast<const Extents&>(other).hazards_); }
    void report_hazards(const machine::Program&, HazardList& list) const override { list.merge(hazards_); }

private:
    struct Extent {
        std::uint64_t begin = 0, end = ~std::uint64_t{0};
    };

    // Everything where nothing is known.
    Extent extent_of(const machine::Program& program, const machine::Site& site) const {
        if (site.pointer >= 0) {
            const std::optional<std::uint64_t> address =
                address_of(program.pointers[static_cast<std::size_t>(site.pointer)], context_.parameters);
            const auto allocation = address ? context_.memory->find(*address) : std::nullopt;
            return allocation ? Extent{allocation->base, allocation->base + allocation->size} : Extent();
        }
        if (site.shared_variable < 0) return {};
        const auto& variable = program.shared_variables[static_cast<std::size_t>(site.shared_variable)];
        // The dynamic array is as long as the launch says, behind which there is nothing.
        if (variable.bytes == 0) return {variable.offset, ~std::uint64_t{0}};
        return {variable.offset, std::uint64_t{variable.offset} + variable.bytes};
    }

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
        hazard.space = access.space == Space::kShared   ? HazardSpace::kShared
                       : access.space == Space::kGlobal ? HazardSpace::kGlobal
                                                        : HazardSpace::kConstant;
        const bool is_plain = access.kind == machine::AccessKind::kLoad ||
                              access.kind == machine::AccessKind::kFactorLoad ||
                              access.kind == machine::AccessKind::kStore;
        const Deed deed = !is_plain ? Deed::kAtomic : machine::writes(access.kind) ? Deed::kWrite : Deed::kRead;
        const bool is_copy = access.kind == machine::AccessKind::kAsyncCopyWrite;
        hazard.at = {is_copy ? Deed::kAsyncCopy : deed, access.op, access.block->number, access.thread + lane};
        hazard.address = access.address(lane);
        hazard.bytes = access.bytes(lane);
        hazards_.add(hazard);
    }

    HazardContext context_;
    std::vector<Extent> extents_;    // by site
    std::vector<Pattern> patterns_;  // likewise, of its latest access
    HazardList hazards_;
};

}  // namespace

std::unique_ptr<HazardObserver> make_extents() { return std::make_unique<Extents>(); }

}  // namespace tilescope::observers

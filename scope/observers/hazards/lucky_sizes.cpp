// Hazards that wait: what is right with the sizes of this launch alone. Notes, never errors.
//
// A barrier behind a condition on the thread's place, which all threads of each block happened to meet alike; an index
// of 32 bits that some thread of this grid takes past what 32 bits hold; accesses that no condition guards, of a grid
// that ends with the buffer. All follow from the program's text and the launch's shape: no access is looked at, and of
// what ran only whether the condition did.
#include <algorithm>
#include <limits>
#include <set>
#include <span>
#include <vector>

#include "scope/machine/program.h"
#include "scope/observers/hazards/hazards.h"
#include "scope/observers/hazards/index_range.h"

namespace tilescope::observers {
namespace {

using machine::IndexAtom;
using machine::IndexFactor;
using machine::IndexForm;

bool has_factor(const IndexForm& form, IndexFactor first, IndexFactor last) {
    return std::any_of(form.begin(), form.end(), [&](const machine::IndexTerm& term) {
        return std::any_of(term.factors.begin(), term.factors.end(),
                           [&](const IndexAtom& factor) { return factor.what >= first && factor.what <= last; });
    });
}

class LuckySizes : public HazardObserver {
public:
    void prepare(const HazardContext& context) override { context_ = context; }
    void merge(const Observer&) override {}

protected:
    // By the last thread of the grid.
    FoundHazard note_at(std::uint32_t op, HazardKind kind, HazardFacts facts) const {
        FoundHazard hazard;
        hazard.kind = kind;
        hazard.severity = Severity::kNote;
        const auto all = [](const std::uint32_t(&extent)[3]) {
            return std::uint64_t{extent[0]} * extent[1] * extent[2];
        };
        hazard.at = {Deed::kNone, op, all(context_.grid) - 1, static_cast<std::uint32_t>(all(context_.block) - 1)};
        hazard.facts = std::move(facts);
        return hazard;
    }

    HazardContext context_;
};

class LuckyBarriers final : public LuckySizes {
public:
    std::unique_ptr<Observer> make_shard(const machine::Program&) const override {
        auto shard = std::make_unique<LuckyBarriers>();
        shard->context_ = context_;
        return shard;
    }

    void look_at_counts(const machine::Program& program, std::span<const machine::BlockCount> counts) override {
        for (const machine::ConditionalBarrier& barrier : program.index_facts.barriers)
            for (std::size_t b = 0; b < program.blocks.size() && b < counts.size(); ++b) {
                const machine::BasicBlock& block = program.blocks[b];
                const bool is_inside = barrier.branch >= block.first && barrier.branch < block.first + block.count;
                const bool is_end = block.end.op != nullptr && block.end.op->index == barrier.branch;
                if ((is_inside || is_end) && counts[b].runs != 0) asked_.insert(barrier.branch);
            }
    }

    void report_hazards(const machine::Program& program, HazardList& list) const override {
        if (context_.is_quiet) return;
        const std::vector<FoundHazard> known = list.all();
        for (const machine::ConditionalBarrier& barrier : program.index_facts.barriers) {
            const auto* site = static_cast<const machine::BarrierSite*>(program.ops[barrier.barrier].extra);
            if (site == nullptr || site->has_count || !asked_.contains(barrier.branch)) continue;
            const bool is_found = std::any_of(known.begin(), known.end(), [&](const FoundHazard& hazard) {
                return hazard.kind == HazardKind::kDivergentBarrier &&
                       (hazard.at.op == barrier.barrier || hazard.other.op == barrier.barrier);
            });
            if (is_found) continue;
            HazardFacts facts;
            facts.what = HazardCase::kLuckyBarrier;
            facts.remedy = Remedy::kUnconditional;
            FoundHazard hazard = note_at(barrier.barrier, HazardKind::kDivergentBarrier, std::move(facts));
            hazard.at.deed = Deed::kBarrier;
            hazard.other = {Deed::kBranchOn, barrier.branch, 0, 0};
            list.add(hazard);
        }
    }

private:
    std::set<std::uint32_t> asked_;  // branches that ran
};

class LuckyIndices final : public LuckySizes {
public:
    std::unique_ptr<Observer> make_shard(const machine::Program&) const override {
        auto shard = std::make_unique<LuckyIndices>();
        shard->context_ = context_;
        return shard;
    }

    void report_hazards(const machine::Program& program, HazardList& list) const override {
        if (context_.is_quiet) return;
        for (const machine::WidenedIndex& index : program.index_facts.widened) look_at_width(program, index, list);
        for (const machine::AccessIndex& access : program.index_facts.accesses) look_at_end(program, access, list);
    }

private:
    // Arithmetic of blocks that has no room in 32 bits. What is multiplied with a parameter, a row's length say, may be
    // kept below that by a condition on the row: it is told where a buffer has more elements than 32 bits count.
    void look_at_width(const machine::Program& program, const machine::WidenedIndex& index, HazardList& list) const {
        if (!has_factor(index.form, IndexFactor::kCtaidX, IndexFactor::kCtaidZ)) return;
        const auto range = range_of(index.form, context_);
        const __int128 limit = index.is_signed ? __int128{std::numeric_limits<std::int32_t>::max()}
                                               : __int128{std::numeric_limits<std::uint32_t>::max()};
        if (!range || range->high <= limit || range->high > std::numeric_limits<std::int64_t>::max()) return;
        const bool has_parameter = has_factor(index.form, IndexFactor::kParameter, IndexFactor::kParameter);
        if (has_parameter && !has_larger_buffer(program, static_cast<std::uint64_t>(limit))) return;
        HazardFacts facts;
        facts.what = HazardCase::kIndexWraps;
        facts.remedy = Remedy::kWideIndex;
        facts.reaches = static_cast<std::uint64_t>(range->high);
        facts.limit = static_cast<std::uint64_t>(limit);
        FoundHazard hazard = note_at(index.op, HazardKind::kOutOfBounds, std::move(facts));
        hazard.space = HazardSpace::kGlobal;
        list.add(hazard);
    }

    bool has_larger_buffer(const machine::Program& program, std::uint64_t elements) const {
        const auto& accesses = program.index_facts.accesses;
        return std::any_of(accesses.begin(), accesses.end(), [&](const machine::AccessIndex& access) {
            const auto address =
                machine::address_of(program.pointers[static_cast<std::size_t>(access.pointer)], context_.parameters);
            const auto buffer = address ? context_.memory->find(*address) : std::nullopt;
            return buffer && access.width != 0 && buffer->size / access.width > elements;
        });
    }

    // Accesses without a check, of which the last thread's ends where the buffer does.
    void look_at_end(const machine::Program& program, const machine::AccessIndex& access, HazardList& list) const {
        if (access.is_guarded || !has_factor(access.bytes, IndexFactor::kTidX, IndexFactor::kCtaidZ)) return;
        const auto range = range_of(access.bytes, context_);
        if (!range || range->low < 0 || range->high == range->low) return;
        const auto address =
            machine::address_of(program.pointers[static_cast<std::size_t>(access.pointer)], context_.parameters);
        const auto allocation = address ? context_.memory->find(*address) : std::nullopt;
        if (!allocation) return;
        const __int128 end = __int128{*address} + range->high + access.width;
        if (end != __int128{allocation->base} + allocation->size || access.width == 0) return;
        const std::uint64_t elements = (allocation->base + allocation->size - *address) / access.width;
        if (!has_factor(access.bytes, IndexFactor::kParameter, IndexFactor::kParameter) && !is_told(program, elements))
            return;
        HazardFacts facts;
        facts.what = HazardCase::kExactFit;
        facts.remedy = Remedy::kCheckIndex;
        facts.reaches = elements;
        FoundHazard hazard = note_at(access.op, HazardKind::kOutOfBounds, std::move(facts));
        hazard.space = HazardSpace::kGlobal;
        hazard.address = *address;
        hazard.bytes = access.width;
        list.add(hazard);
    }

    // Whether the kernel is told so many elements: a size that could be another one.
    bool is_told(const machine::Program& program, std::uint64_t elements) const {
        constexpr std::uint64_t kLeast = 32;  // numeric: smaller numbers are met by chance
        if (elements < kLeast) return false;
        return std::any_of(
            program.launch_slots.begin(), program.launch_slots.end(), [&](const machine::LaunchSlot& slot) {
                if (slot.what != machine::LaunchValue::kParameter) return false;
                const auto value =
                    parameter_value({IndexFactor::kParameter, slot.parameter_offset, slot.bytes}, context_);
                return value && *value > 0 && static_cast<std::uint64_t>(*value) == elements;
            });
    }
};

}  // namespace

std::unique_ptr<HazardObserver> make_lucky_barriers() { return std::make_unique<LuckyBarriers>(); }
std::unique_ptr<HazardObserver> make_lucky_indices() { return std::make_unique<LuckyIndices>(); }

}  // namespace tilescope::observers

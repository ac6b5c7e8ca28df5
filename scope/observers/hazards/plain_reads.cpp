#include "scope/observers/hazards/plain_reads.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

namespace tilescope::observers {
namespace {

using machine::AccessKind;
using machine::PlainRead;
using machine::Site;
using machine::Space;

class Judge {
public:
    Judge(const HazardList& found, const machine::Program& program, const HazardContext& context)
        : program_(program), context_(context), found_(found.all()) {
        for (const PlainRead& read : program.race_facts.reads)
            if (read.only_decides) mild_.insert(read.op);
        for (const Site& site : program.sites)
            if (site.is_access && site.is_announced && machine::writes(site.kind)) writes_.push_back(&site);
    }

    HazardList run() {
        while (take_out_one()) {
        }
        HazardList list;
        for (FoundHazard hazard : found_) {
            const PlainRead* const read = read_of(hazard);
            if (read != nullptr && read->is_guess && is_checked(other_end(hazard))) continue;
            if (read != nullptr && is_mild(hazard)) {
                hazard.severity = Severity::kWarning;
                hazard.only_decides = true;
                hazard.remedy = Remedy::kRelaxedRead;
            }
            list.add(hazard);
        }
        return list;
    }

private:
    static bool is_race(const FoundHazard& hazard) {
        return hazard.kind == HazardKind::kRace && hazard.space == HazardSpace::kGlobal;
    }

    const PlainRead* find(std::uint32_t op) const {
        const auto& reads = program_.race_facts.reads;
        const auto at = std::lower_bound(reads.begin(), reads.end(), op,
                                         [](const PlainRead& read, std::uint32_t wanted) { return read.op < wanted; });
        return at != reads.end() && at->op == op ? &*at : nullptr;
    }
    const PlainRead* read_of(const FoundHazard& hazard) const {
        if (!is_race(hazard)) return nullptr;
        if (hazard.at.deed == Deed::kRead) return find(hazard.at.op);
        return hazard.other.deed == Deed::kRead ? find(hazard.other.op) : nullptr;
    }
    static const HazardEnd& other_end(const FoundHazard& hazard) {
        return hazard.at.deed == Deed::kRead ? hazard.other : hazard.at;
    }
    static bool is_checked(const HazardEnd& write) {
        return write.deed == Deed::kAtomic || write.deed == Deed::kStrongWrite;
    }

    const Site& site_of(std::uint32_t op) const { return program_.sites[program_.ops[op].site]; }
    static bool is_fixed_store(const Site& site) { return site.kind == AccessKind::kStore && site.stores_fixed; }

    std::optional<std::uint64_t> buffer_of(std::int32_t pointer) const {
        const auto address =
            machine::address_of(program_.pointers[static_cast<std::size_t>(pointer)], context_.parameters);
        const auto allocation = address && context_.memory != nullptr ? context_.memory->find(*address) : std::nullopt;
        return allocation ? std::optional(allocation->base) : std::nullopt;
    }

    // Whether two accesses may reach one byte.
    bool may_meet(const Site& one, const Site& other) const {
        const bool is_generic = one.space == Space::kGeneric || other.space == Space::kGeneric;
        if (!is_generic && one.space != other.space) return false;
        if (one.space == Space::kShared && other.space == Space::kShared)
            return one.shared_variable < 0 || other.shared_variable < 0 || one.shared_variable == other.shared_variable;
        if (one.pointer < 0 || other.pointer < 0) return true;
        if (one.pointer == other.pointer) return true;
        const auto base = buffer_of(one.pointer), other_base = buffer_of(other.pointer);
        return !base || !other_base || *base == *other_base;
    }

    bool is_mild(const FoundHazard& hazard) const {
        const PlainRead* const read = read_of(hazard);
        if (read == nullptr || !mild_.contains(read->op)) return false;
        const HazardEnd& write = other_end(hazard);
        return is_checked(write) || (write.deed == Deed::kWrite && is_fixed_store(site_of(write.op)));
    }

    bool stores_there(const PlainRead& read) const {
        const Site& own = site_of(read.op);
        return std::any_of(read.stores.begin(), read.stores.end(), [&](std::uint32_t store) {
            const Site& site = site_of(store);
            return may_meet(own, site) && (read.has_effects || !is_fixed_store(site));
        });
    }

    // Whether a read in the code that another one decides about may bring what the launch writes.
    bool brings_written(const PlainRead& read, std::uint32_t load) const {
        if (load == read.op || mild_.contains(load)) return false;
        const PlainRead* const guess = find(load);
        if (guess != nullptr && guess->is_guess) return false;
        const Site& site = site_of(load);
        return std::any_of(writes_.begin(), writes_.end(), [&](const Site* write) { return may_meet(site, *write); });
    }

    // Races that were found of reads in that code, whatever the text says.
    bool has_race(std::uint32_t load) const {
        return std::any_of(found_.begin(), found_.end(), [&](const FoundHazard& hazard) {
            const bool is_its = (hazard.at.op == load && hazard.at.deed == Deed::kRead) ||
                                (hazard.other.op == load && hazard.other.deed == Deed::kRead);
            if (!is_its || hazard.severity != Severity::kError) return false;
            const PlainRead* const read = read_of(hazard);
            const bool is_guess = read != nullptr && read->is_guess && is_checked(other_end(hazard));
            return !is_guess && !is_mild(hazard);
        });
    }

    bool take_out_one() {
        for (const std::uint32_t op : mild_) {
            const PlainRead& read = *find(op);
            const bool is_bad =
                stores_there(read) || std::any_of(read.loads.begin(), read.loads.end(), [&](std::uint32_t load) {
                    return brings_written(read, load) || (load != op && has_race(load));
                });
            if (!is_bad) continue;
            mild_.erase(op);
            return true;
        }
        return false;
    }

    const machine::Program& program_;
    const HazardContext& context_;
    std::vector<FoundHazard> found_;
    std::set<std::uint32_t> mild_;     // reads that may be warnings, by op
    std::vector<const Site*> writes_;  // of the program
};

}  // namespace

HazardList judge_plain_reads(const HazardList& found, const machine::Program& program, const HazardContext& context) {
    const bool has_reads = !program.race_facts.reads.empty() && !found.empty();
    HazardList judged = has_reads ? Judge(found, program, context).run() : found;
    if (has_reads) judged.add_left_out(found.left_out());
    return judged;
}

}  // namespace tilescope::observers

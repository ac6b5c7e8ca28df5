// Copies that the source writes as one access and the compiler split.
//
// A copy of an aligned record has one place in the source, which clang's half of us marked (OpFacts::copy_group). Where
// accesses of one such copy, in one basic block, touch different parts of an aligned window that one access could have
// moved, the compiler split the copy. Guarantees: accesses that the source writes apart are never taken for one. Does
// not model: copies whose parts went to different basic blocks, and nvcc's code, which names no types.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "scope/observers/counting.h"

namespace tilescope::observers {
namespace {

using machine::Access;
using machine::AccessKind;
using machine::Space;

// Of the first request of a site.
struct PartOfCopy {
    std::uint64_t requests = 0;  // of all
    std::uint64_t first = 0;     // where its lowest lane goes
    std::uint32_t mask = 0;
    std::uint8_t width = 0;
    Space space = Space::kGlobal;
    bool loads = false;
};

class SplitCopies final : public CountingObserver {
public:
    std::uint32_t wants(const machine::Site& site) const override {
        const bool moves = site.kind == AccessKind::kLoad || site.kind == AccessKind::kStore;
        return moves && is_part_[site.op] != 0 ? machine::bit_of(Space::kGlobal) | machine::bit_of(Space::kShared) : 0;
    }

    void on_access(const Access& access) override {
        PartOfCopy& part = parts_[access.site];
        if (part.requests++ != 0) return;
        part = {1, access.first, access.mask, access.width, access.space, access.kind == AccessKind::kLoad};
    }

    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override {
        auto shard = std::make_unique<SplitCopies>();
        shard->parts_.resize(program.sites.size());
        for (const machine::OpFacts& facts : program.facts) shard->is_part_.push_back(facts.copy_group != 0);
        return shard;
    }

    // A worker that ran one part of a copy ran the others, too: their first requests belong together.
    void merge(const Observer& other) override {
        const auto& theirs = static_cast<const SplitCopies&>(other).parts_;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            const std::uint64_t all = parts_[i].requests + theirs[i].requests;
            if (parts_[i].requests == 0) parts_[i] = theirs[i];
            parts_[i].requests = all;
        }
    }

    void add_to_profile(const machine::Program& program, LaunchProfile& launch) const override {
        using Line = std::pair<std::string, std::uint32_t>;
        std::map<Window, std::set<std::uint64_t>> addresses;
        std::map<Line, SplitCopy> split;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            const PartOfCopy& part = parts_[i];
            const machine::OpFacts& facts = program.facts[program.sites[i].op];
            if (part.requests == 0 || part.width >= facts.copy_window || facts.place.line == 0) continue;
            auto& of_window = addresses[window_of(part, facts)];
            of_window.insert(part.first);
            if (of_window.size() < 2) continue;
            SplitCopy& line = split[{program.files[facts.place.file], facts.place.line}];
            std::uint32_t& most = part.loads ? line.loads : line.stores;
            most = std::max(most, static_cast<std::uint32_t>(of_window.size()));
            line.bytes = std::max<std::uint32_t>(line.bytes, facts.copy_window);
        }
        for (LineProfile& line : launch.lines)
            if (const auto found = split.find({line.file, line.line}); found != split.end())
                line.split_copy = found->second;
    }

private:
    // Parts that ran together and lie in one window.
    using Window = std::tuple<std::uint32_t, bool, Space, std::uint64_t, std::uint32_t, std::uint64_t>;
    static Window window_of(const PartOfCopy& part, const machine::OpFacts& facts) {
        return {facts.copy_group, part.loads, part.space, part.requests, part.mask, part.first / facts.copy_window};
    }

    std::vector<PartOfCopy> parts_;  // by site
    std::vector<char> is_part_;      // by op
};

}  // namespace

std::unique_ptr<CountingObserver> make_split_copies() { return std::make_unique<SplitCopies>(); }

}  // namespace tilescope::observers

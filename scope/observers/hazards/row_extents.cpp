// Row extents: accesses that leave their row of a buffer whose shape the user has given (--shape), or whose rows the
// program's own index shows. What leaves the buffer as well is a fault or told by extents.cpp, and never told here.
//
// Certain are accesses of what lies between two rows, and behind the last one. An access that runs from one row into
// the next is another one's element, and a walk over all elements does that rightly. It is wrong where threads of one
// row of a block go along a row of the buffer while the block's next row of threads is in another row of it: then
// column and row are apart in the program, too.
#include <bit>
#include <cstdlib>
#include <map>
#include <optional>

#include "scope/machine/program.h"
#include "scope/observers/hazards/hazards.h"

namespace tilescope::observers {
namespace {

using machine::Access;
using machine::Space;

// What is kept of how the threads of a block share the rows among them: turns of a loop, for each access.
constexpr std::uint32_t kMaxVisits = 64;

class RowExtents final : public HazardObserver {
public:
    std::uint32_t wants(const machine::Site& site) const override {
        return rows_of(site) == nullptr ? 0 : machine::bit_of(Space::kGlobal);
    }
    void prepare(const HazardContext& context) override { context_ = context; }

    void on_access(const Access& access) override {
        const auto found = sites_.find(access.site);
        if (found == sites_.end()) return;
        SiteState& state = found->second;
        check_lanes(access, state);
        if (context_.block[0] > 1 && context_.block[1] > 1) follow(access, state);
    }

    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override {
        auto shard = std::make_unique<RowExtents>();
        shard->context_ = context_;
        shard->pointers_ = &program.pointers;
        for (std::uint32_t site = 0; site < program.sites.size(); ++site)
            if (const ShapedRows* rows = shard->rows_of(program.sites[site])) {
                shard->sites_[site].rows = rows;
                if (const auto buffer = context_.memory->find(rows->base))
                    shard->sites_[site].buffer = {buffer->base, buffer->base + buffer->size};
            }
        return shard;
    }
    void merge(const Observer& other) override {
        const auto& from = static_cast<const RowExtents&>(other);
        hazards_.merge(from.hazards_);
        for (const auto& [site, state] : from.sites_) {
            SiteState& own = sites_[site];
            own.is_by_rows |= state.is_by_rows;
            own.is_otherwise |= state.is_otherwise;
            own.crossings.merge(state.crossings);
        }
    }
    void report_hazards(const machine::Program&, HazardList& list) const override {
        list.merge(hazards_);
        for (const auto& [site, state] : sites_)
            if (state.is_by_rows && !state.is_otherwise) list.merge(state.crossings);
    }

private:
    // Where thread 0 of a row of the block's threads would be, by that row's number; of each turn.
    using Visit = std::map<std::uint32_t, std::uint64_t>;
    struct Buffer {
        std::uint64_t begin = 0, end = ~std::uint64_t{0};
        bool has(const Access& access, unsigned lane) const {
            const std::uint64_t address = access.address(lane);
            return address >= begin && address + access.bytes(lane) <= end;
        }
    };
    struct SiteState {
        const ShapedRows* rows = nullptr;
        Buffer buffer;
        bool is_by_rows = false;    // rows of threads are in different rows of the buffer
        bool is_otherwise = false;  // somewhere they are not
        HazardList crossings;       // that are wrong if so
        std::optional<std::uint64_t> block;
        std::map<unsigned, std::uint32_t> turns;  // by warp
        std::map<std::uint32_t, Visit> visits;
    };
    struct Place {
        std::int64_t row = 0;
        std::uint64_t column = 0;  // bytes into the row
    };

    const ShapedRows* rows_of(const machine::Site& site) const {
        if (site.pointer < 0 || pointers_ == nullptr) return nullptr;
        const machine::PointerSource& source = (*pointers_)[static_cast<std::size_t>(site.pointer)];
        for (const ShapedRows& rows : context_.rows)
            if (rows.source == source) return &rows;
        return nullptr;
    }

    static Place place_of(const ShapedRows& rows, std::uint64_t address) {
        const auto offset = static_cast<std::int64_t>(address - rows.base);
        const auto pitch = static_cast<std::int64_t>(rows.pitch);
        const std::int64_t row = offset >= 0 ? offset / pitch : -((-offset + pitch - 1) / pitch);
        return {row, static_cast<std::uint64_t>(offset - row * pitch)};
    }

    void check_lanes(const Access& access, const SiteState& state) {
        const ShapedRows& rows = *state.rows;
        for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            const Place place = place_of(rows, access.address(lane));
            if (place.row < 0 || !state.buffer.has(access, lane)) continue;
            HazardFacts facts;
            facts.row = place.row;
            if (static_cast<std::uint64_t>(place.row) >= rows.count) {
                facts.what = HazardCase::kLeavesRows;
            } else if (place.column >= rows.bytes) {
                facts.what = HazardCase::kBetweenRows;
                facts.beyond = static_cast<std::int64_t>(place.column - rows.bytes);
            } else {
                continue;
            }
            hazards_.add(hazard_of(access, lane, rows, Severity::kError, facts));
            return;
        }
    }

    void follow(const Access& access, SiteState& state) {
        const std::uint32_t across = context_.block[0], height = context_.block[1];
        if (!state.block || *state.block != access.block->number) {
            state.block = access.block->number;
            state.turns.clear();
            state.visits.clear();
        }
        const std::uint32_t turn = state.turns[access.warp()]++;
        Visit inside;  // of blocks that take turns only what one warp shows
        Visit& visit = context_.blocks_take_turns || turn >= kMaxVisits ? inside : state.visits[turn];
        std::optional<unsigned> before;
        std::optional<HazardFacts> beyond;  // of the thread before, which is past the end of its row
        for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            const std::uint32_t thread = access.thread + lane, x = thread % across, y = thread / across;
            const std::uint64_t address = access.address(lane);
            const std::uint64_t begin = address - std::uint64_t{x} * access.width;
            if (!before || *before + 1 != lane || x == 0 || access.address(*before) + access.width != address)
                beyond.reset();
            else if (!cross(access, lane, *before, state, beyond) && beyond)
                add_crossing(access, lane, state, *beyond);
            if (visit.try_emplace(y, begin).second) {
                if (const auto above = visit.find(y - 1); y % height != 0 && above != visit.end())
                    step(access, begin - above->second, state);
                if (const auto below = visit.find(y + 1); (y + 1) % height != 0 && below != visit.end())
                    step(access, below->second - begin, state);
            }
            before = lane;
        }
    }

    // From one row of the block's threads to the next. What does not move at all tells nothing.
    void step(const Access& access, std::uint64_t bytes, SiteState& state) const {
        if (bytes == 0) return;
        const auto distance = static_cast<std::uint64_t>(std::llabs(static_cast<long long>(bytes)));
        const std::uint64_t pitch = state.rows->pitch, line = std::uint64_t{context_.block[0]} * access.width;
        const bool is_flat = distance != pitch && (distance == line || distance == line * context_.grid[0]);
        (distance % pitch == 0 && !is_flat ? state.is_by_rows : state.is_otherwise) = true;
    }

    // Whether the row ends between these two; then `beyond` is what is told of all that come after it.
    bool cross(const Access& access, unsigned lane, unsigned before, SiteState& state,
               std::optional<HazardFacts>& beyond) const {
        const ShapedRows& rows = *state.rows;
        const Place from = place_of(rows, access.address(before)), to = place_of(rows, access.address(lane));
        if (rows.bytes != rows.pitch || from.row + 1 != to.row) return false;
        // A block that is as wide as the buffer, or a grid, may as well mean elements one after the other.
        if (std::uint64_t{context_.block[0]} * access.width % rows.pitch == 0) return false;
        const bool is_before = from.row < 0;
        HazardFacts facts;
        facts.what = HazardCase::kCrossesRow;
        facts.row = from.row;
        facts.other_row = to.row;
        add_crossing(access, is_before ? before : lane, state, facts);
        beyond.reset();
        if (!is_before) beyond = std::move(facts);
        return true;
    }

    void add_crossing(const Access& access, unsigned lane, SiteState& state, const HazardFacts& facts) const {
        if (!state.buffer.has(access, lane)) return;
        const ShapedRows& rows = *state.rows;
        const std::uint64_t line = std::uint64_t{context_.block[0]} * access.width;
        const bool may_be_flat = line * context_.grid[0] == rows.pitch;
        const Severity severity = may_be_flat || rows.is_derived ? Severity::kWarning : Severity::kError;
        state.crossings.add(hazard_of(access, lane, rows, severity, facts));
    }

    FoundHazard hazard_of(const Access& access, unsigned lane, const ShapedRows& rows, Severity severity,
                          HazardFacts facts) const {
        FoundHazard hazard;
        hazard.kind = HazardKind::kOutOfBounds;
        hazard.space = HazardSpace::kGlobal;
        hazard.severity = severity;
        const bool is_plain = access.kind == machine::AccessKind::kLoad ||
                              access.kind == machine::AccessKind::kFactorLoad ||
                              access.kind == machine::AccessKind::kStore;
        const Deed deed = !is_plain ? Deed::kAtomic : machine::writes(access.kind) ? Deed::kWrite : Deed::kRead;
        hazard.at = {deed, access.op, access.block->number, access.thread + lane};
        hazard.address = access.address(lane);
        hazard.bytes = access.bytes(lane);
        facts.from.naming = MemoryNaming::kVariable;
        facts.from.name = rows.name;
        facts.rows = rows.count;
        facts.elements = rows.bytes / rows.element;
        facts.option = rows.option;
        facts.remedy = Remedy::kCheckColumn;
        hazard.facts = std::move(facts);
        return hazard;
    }

    HazardContext context_;
    const std::vector<machine::PointerSource>* pointers_ = nullptr;
    std::map<std::uint32_t, SiteState> sites_;
    HazardList hazards_;
};

}  // namespace

std::unique_ptr<HazardObserver> make_row_extents() { return std::make_unique<RowExtents>(); }

}  // namespace tilescope::observers

// Races: accesses of which at least one writes, by different threads, that nothing orders.
//
// Every access is held against those before it that its thread does not know of (block_clock.h, race_checker.h). What
// is kept of shared memory lasts as long as its block, what is kept of global memory as long as the launch. Blocks may
// hand what they know to each other by atomics, so one observer sees them all.
#include <algorithm>
#include <bit>
#include <unordered_map>

#include <fmt/format.h>

#include "scope/machine/program.h"
#include "scope/observers/hazards/plain_reads.h"
#include "scope/observers/hazards/race_checker.h"
#include "scope/observers/hazards/surface_access.h"
#include "scope/observers/hazards/texture_reads.h"

namespace tilescope::observers {
namespace {

using machine::Access;
using machine::AccessKind;
using machine::Order;
using machine::Space;

// A block that runs, with its shared memory.
struct BlockState {
    BlockState(std::uint64_t number, std::uint32_t threads, bool has_arrivals) : clock(number, threads, has_arrivals) {}

    BlockClock clock;
    Records records;
    std::uint32_t first = 1;  // record of shared memory, before which there were other blocks
    std::uint32_t live = 1;   // before this one they are known to all
    SharedShadow shadow;
};

class Races final : public HazardObserver {
public:
    std::uint32_t wants(const machine::Site&) const override {
        return machine::bit_of(Space::kShared) | machine::bit_of(Space::kGlobal);
    }
    std::uint32_t events() const override { return machine::kEveryEvent; }
    bool sees_all_blocks() const override { return true; }
    void prepare(const HazardContext& context) override { context_ = context; }

    void begin_block(const machine::BlockPlace& place) override {
        const std::uint32_t threads = context_.block[0] * context_.block[1] * context_.block[2];
        std::unique_ptr<BlockState>& block = blocks_[place.number];
        block = std::make_unique<BlockState>(place.number, threads, forms_.has_arrivals);
        if (spare_) {
            // Cells of the last block stay, as all that is recorded in them is over.
            block->records = std::move(spare_->records);
            block->shadow = std::move(spare_->shadow);
            block->records.forget_all();
            block->live = block->first = block->records.next();
            spare_.reset();
        }
        current_ = block.get();
    }

    void end_block(const machine::BlockPlace& place) override {
        const auto at = blocks_.find(place.number);
        if (at == blocks_.end()) return;
        forget_extensions(*at->second);
        spare_ = std::move(at->second);
        blocks_.erase(at);
        current_ = nullptr;
    }

    void on_access(const Access& access) override {
        BlockState& block = block_of(*access.block);
        const bool is_shared = access.space == Space::kShared;
        Checked checked;
        checked.space = is_shared ? HazardSpace::kShared : HazardSpace::kGlobal;
        checked.records = is_shared ? &block.records : &records_;
        checked.extensions = &extensions_;
        checked.hazards = &hazards_;
        checked.forms = forms_;
        const machine::Site& site = program_->sites[access.site];
        checked.stores_fixed = site.stores_fixed;
        checked.passes_l1 = site.cache.operation == machine::CacheOperator::kSecondLevel ||
                            site.cache.operation == machine::CacheOperator::kAnew || site.cache.is_read_only;
        checked.is_read_only = !is_shared && site.cache.is_read_only;
        if (is_shared) {
            checked.live = block.live;
            checked.first = block.first;
        }
        const bool is_strong = access.order != Order::kWeak || is_atomic(access.kind);
        if (is_strong && !forms_.is_simple) take(block, access);
        has_strong_ = has_strong_ || is_strong;
        if (is_strong && machine::writes(access.kind)) checked.serial = next_serial();
        RaceChecker checker(checked, block.clock, access);
        if (is_shared)
            checker.follow(block.shadow);
        else
            checker.follow(shadow_);
        if (access.kind == AccessKind::kAsyncCopyWrite) begin_copy(checker, block, access);
        if (is_strong && !forms_.is_simple) give(block, access);
        if (!is_shared && records_.size() > max_records_) collect();
    }

    void on_texels(const machine::Texels& event) override {
        writes_surfaces_ = writes_surfaces_ || event.kind == machine::TexelsKind::kSurfaceWrite || event.is_atomic;
        if (SurfaceAccess::is_one(event)) return on_access(SurfaceAccess(event, *program_).access());
        if (event.kind != machine::TexelsKind::kFetch) return;
        const auto write =
            written_texel(event, writes_surfaces_, [&](std::uint64_t address) { return latest_write(address); });
        if (!write) return;
        const Record& record = records_[write->record];
        FoundHazard hazard;
        hazard.kind = HazardKind::kStaleRead;
        hazard.space = HazardSpace::kGlobal;
        hazard.remedy = Remedy::kCoherentRead;
        hazard.at = {Deed::kRead, event.op, event.block->number,
                     event.thread + static_cast<unsigned>(std::countr_zero(event.mask))};
        hazard.other = {record.deed, record.op, record.block, record.warp * machine::kWarpSize + write->lane};
        hazard.is_texture = true;
        hazard.is_across = record.block != event.block->number;
        hazard.address = write->address;
        hazard.bytes = event.access.bytes;
        hazards_.add(hazard);
    }

    void on_barrier(const machine::BarrierArrival& event) override {
        const auto chance = block_of(*event.block).clock.barrier(event);
        if (!chance) return;
        FoundHazard hazard;
        hazard.kind = HazardKind::kDivergentBarrier;
        hazard.at = {Deed::kBarrier, event.op, event.block->number, event.thread + chance->lane};
        hazard.other = {Deed::kBarrier, chance->other_op, event.block->number, chance->other_thread};
        hazard.remedy = Remedy::kUniform;
        FoundHazard* const first = hazards_.add(hazard);
        if (first == nullptr) return;
        HazardFacts& facts = first->facts.emplace();
        facts.what = HazardCase::kCrowdedBarrier;
        facts.remedy = Remedy::kBarrierNumbers;
        facts.barrier = event.barrier;
        facts.expected = event.expected;
        facts.act.number = hazard.at.thread;
        facts.other.number = hazard.other.thread;
    }
    void on_barrier_passed(const machine::BarrierPassed& event) override {
        BlockState& block = block_of(*event.block);
        if (!block.clock.barrier_passed(event)) return;
        block.records.forget_all();
        block.live = block.records.next();
    }
    void on_warp_barrier(const machine::WarpBarrier& event) override {
        block_of(*event.block).clock.warp_barrier(event);
    }
    void on_fence(const machine::Fence& event) override { block_of(*event.block).clock.fence(event); }
    void on_copy_group(const machine::CopyGroup& event) override { block_of(*event.block).clock.copy_group(event); }
    void on_product_group(const machine::ProductGroup& event) override {
        block_of(*event.block).clock.product_group(event);
    }
    // Whoever gets a block comes behind whoever gave it back: the heap orders them.
    void on_heap_block(const machine::HeapBlock& event) override {
        for (std::uint32_t left = event.mask; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            if (event.addresses[lane] != 0) forget(event.addresses[lane], event.bytes[lane]);
        }
    }
    void on_barrier_object(const machine::BarrierObjectUse& event) override {
        for (const BlockClock::EarlyUse& use : block_of(*event.block).clock.barrier_object(event)) {
            const bool waits = event.kind == machine::BarrierObjectKind::kWaitPassed;
            FoundHazard hazard;
            hazard.kind = HazardKind::kRace;
            hazard.space = HazardSpace::kShared;
            hazard.order = RaceOrder::kReadAfterWrite;
            hazard.remedy =
                use.other_thread / machine::kWarpSize == event.warp() ? Remedy::kWarpBarrier : Remedy::kBlockBarrier;
            hazard.at = {waits ? Deed::kBarrier : Deed::kAtomic, event.op, event.block->number,
                         event.thread + use.lane};
            hazard.other = {Deed::kWrite, use.other_op, event.block->number, use.other_thread};
            hazard.address = use.address;
            hazard.bytes = 8;
            hazards_.add(hazard);
        }
    }

    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override {
        auto shard = std::make_unique<Races>();
        shard->context_ = context_;
        shard->program_ = &program;
        shard->forms_ = sync_forms_of(program);
        return shard;
    }
    // There is one shard, which saw all blocks.
    void merge(const Observer& other) override {
        hazards_.merge(static_cast<const Races&>(other).hazards_);
        serial_ = std::max(serial_, static_cast<const Races&>(other).serial_);
    }
    std::uint64_t table_bytes() const override { return shadow_.bytes() + records_.bytes() + extensions_.bytes(); }
    void report_hazards(const machine::Program& program, HazardList& list) const override {
        list.merge(judge_plain_reads(hazards_, program, context_));
    }

    std::string note() const override {
        if (serial_ % machine::kWarpSize == 0) return {};
        return fmt::format(
            "more than {} atomics and other strong writes of warps: plain accesses that are not ordered with later "
            "ones may be "
            "missed (--check races)",
            context_.max_ordered_writes);
    }

private:
    std::uint32_t next_serial() {
        const bool is_last = serial_ / machine::kWarpSize >= context_.max_ordered_writes;
        if (!is_last) return serial_ += machine::kWarpSize;
        return serial_ = (context_.max_ordered_writes + 1) * machine::kWarpSize + 1;
    }

    static bool is_atomic(AccessKind kind) { return kind == AccessKind::kAtomic || kind == AccessKind::kReduction; }

    BlockState& block_of(const machine::BlockPlace& place) {
        if (current_ == nullptr || current_->clock.number() != place.number) current_ = blocks_.at(place.number).get();
        return *current_;
    }

    // Of a byte of global memory; record 0: nobody has written it.
    WrittenTexel latest_write(std::uint64_t address) {
        ShadowPage* const page = shadow_.find(address >> ShadowPage::kShift);
        if (page == nullptr) return {};
        const Cell& cell = page->cells[(address & (ShadowPage::kBytes - 1)) >> page->unit_shift];
        if ((cell.flags & Cell::kExtended) != 0 && !extensions_[cell.first].strong_writes.empty()) {
            const Ref& last = extensions_[cell.first].strong_writes.back();
            return {address, last.record, static_cast<unsigned>(std::countr_zero(last.lanes))};
        }
        return {address, cell.write, cell.write_lane};
    }

    void begin_copy(const RaceChecker& checker, BlockState& block, const Access& access) {
        if (checker.record() != 0) block.clock.copy_begins(access.warp(), access.mask, checker.record());
    }

    // What is handed on lies with the first unit of the word. None: nobody released anything there.
    Extension* extension_at(BlockState& block, Space space, std::uint64_t address) {
        const std::uint64_t number = address >> ShadowPage::kShift;
        ShadowPage& page = space == Space::kShared ? block.shadow.page(number) : shadow_.page(number);
        const Cell& cell = page.cells[(address & (ShadowPage::kBytes - 1)) >> page.unit_shift];
        return cell.flags & Cell::kExtended ? &extensions_[cell.first] : nullptr;
    }

    // All units of a lane's word know its number.
    std::uint32_t place_of(BlockState& block, const Access& access, unsigned lane, Extension& first) {
        const std::uint32_t place = first.place != 0 ? first.place : ++places_;
        for (unsigned i = 0; i < access.bytes(lane); ++i)
            if (Extension* const unit = extension_at(block, access.space, access.address(lane) + i))
                unit->place = place;
        return place;
    }

    static machine::Scope scope_of(const Access& access) {
        return access.order == Order::kVolatile ? machine::Scope::kSystem : access.scope;
    }

    void take(BlockState& block, const Access& access) {
        if (!machine::reads(access.kind)) return;
        for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            const Extension* const at = extension_at(block, access.space, access.address(lane));
            if (at != nullptr) block.clock.acquire(access.warp(), lane, at->handed, access.order, scope_of(access));
        }
    }

    // The lanes of an atomic come one by one, the lowest first: each sees what those before it handed on.
    void give(BlockState& block, const Access& access) {
        if (!machine::writes(access.kind)) return;
        block.clock.step(access.warp());
        for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            Extension* const at = extension_at(block, access.space, access.address(lane));
            if (at == nullptr) continue;
            if (left != access.mask && access.kind != AccessKind::kStore)
                block.clock.acquire(access.warp(), lane, at->handed, access.order, scope_of(access));
            block.clock.release(access.warp(), lane, at->handed, access.order, scope_of(access),
                                access.kind == AccessKind::kStore, place_of(block, access, lane, *at), serial_of(lane));
        }
    }

    std::uint32_t serial_of(unsigned lane) const {
        return serial_ % machine::kWarpSize == 0 ? serial_ + lane : serial_;
    }

    void forget_extensions(BlockState& block) {
        if (forms_.is_simple && !has_strong_) return;
        block.shadow.for_each_cell([&](Cell& cell) {
            if ((cell.flags & Cell::kExtended) == 0) return;
            extensions_.free(cell.first);
            cell = Cell();
        });
    }

    // What was done with these bytes of global memory.
    void forget(std::uint64_t address, std::uint64_t bytes) {
        for (const std::uint64_t end = address + bytes; address < end;) {
            ShadowPage& page = shadow_.page(address >> ShadowPage::kShift);
            const std::uint64_t begin = address & ~(ShadowPage::kBytes - 1);
            const std::uint64_t last = std::min(end - 1, begin + ShadowPage::kBytes - 1);
            for (std::uint64_t unit = (address - begin) >> page.unit_shift; unit <= (last - begin) >> page.unit_shift;
                 ++unit) {
                Cell& cell = page.cells[unit];
                if ((cell.flags & Cell::kExtended) != 0) extensions_.free(cell.first);
                cell = Cell();
            }
            address = last + 1;
        }
    }

    // Keeps the records of global memory that a cell still names.
    void collect() {
        Records kept;
        std::unordered_map<std::uint32_t, std::uint32_t> known;
        const auto keep = [&](std::uint32_t& number) {
            if (number == 0) return;
            const auto [at, is_new] = known.try_emplace(number, 0);
            if (is_new) at->second = kept.add(records_[number]);
            number = at->second;
        };
        shadow_.for_each_cell([&](Cell& cell) {
            keep(cell.write);
            if ((cell.flags & Cell::kExtended) == 0) {
                keep(cell.first);
                keep(cell.second);
                return;
            }
            for (Ref& ref : extensions_[cell.first].reads) keep(ref.record);
            for (Ref& ref : extensions_[cell.first].strong_writes) keep(ref.record);
        });
        records_ = std::move(kept);
        max_records_ = std::max<std::size_t>(kMinRecords, 2 * records_.size());
    }

    static constexpr std::size_t kMinRecords = 1u << 20;

    HazardContext context_;
    const machine::Program* program_ = nullptr;
    SyncForms forms_;
    bool writes_surfaces_ = false;
    bool has_strong_ = false;  // there was an atomic or the like
    HazardList hazards_;
    Shadow shadow_;
    Records records_;  // of global memory
    Extensions extensions_;
    std::size_t max_records_ = kMinRecords;
    std::uint32_t serial_ = 0;  // of the latest strong write
    std::uint32_t places_ = 0;  // that strong writes handed something on at
    std::unordered_map<std::uint64_t, std::unique_ptr<BlockState>> blocks_;
    std::unique_ptr<BlockState> spare_;
    BlockState* current_ = nullptr;
};

}  // namespace

std::unique_ptr<HazardObserver> make_races() { return std::make_unique<Races>(); }

}  // namespace tilescope::observers

// Products of groups of warps (wgmma): whether what they multiply is there when they begin, and stays until they end.
//
// They read shared memory by a way of its own, the asynchronous proxy, from their issue until their warp has waited for
// their group. Looked at are chunks of 16 bytes, as products read them. What is written is there for them once a fence
// between proxies has been passed behind it, by whomever: a barrier hands the rest on, which the check of races asks
// for. What is overwritten before the warp that reads has waited is a hazard, whatever orders the two. Sums that are
// read before a wait were found in the code (isa/lower/early_reads.h); they count when their product has run.
#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "scope/machine/program.h"
#include "scope/observers/hazards/hazards.h"

namespace tilescope::observers {
namespace {

using machine::Access;
using machine::AccessKind;
using machine::Event;
using machine::ProductGroupKind;

constexpr std::uint64_t kChunkBytes = 16;
constexpr unsigned kGroupWarps = 4;

struct Done {
    std::uint32_t op = 0, thread = 0;
    std::uint32_t when = 0;  // writes: of the block's fences, how many were before, and one; 0: none. Reads: the group
    bool is_set = false;
};

struct Chunk {
    Done written;
    std::map<unsigned, Done> read;  // by warp
};

struct WarpProducts {
    std::uint32_t groups = 0, over = 0;  // committed; of these over
    std::uint32_t products = 0;          // how many ran
    bool is_fenced = false;
};

// The latest product of a group of warps, by the first warp that ran it.
struct GroupProduct {
    std::uint32_t number = 0, op = 0, thread = 0;
};

struct BlockProducts {
    std::map<std::uint64_t, Chunk> chunks;
    std::map<unsigned, WarpProducts> warps;
    std::map<unsigned, GroupProduct> latest;  // by group
    std::uint32_t fences = 0;
};

class Products final : public HazardObserver {
public:
    std::uint32_t wants(const machine::Site&) const override {
        return program_ != nullptr && program_->has_group_products ? machine::bit_of(machine::Space::kShared) : 0;
    }
    std::uint32_t events() const override { return bit_of(Event::kFence) | bit_of(Event::kProductGroup); }

    void begin_block(const machine::BlockPlace& place) override { blocks_[place.number] = BlockProducts(); }
    void end_block(const machine::BlockPlace& place) override { blocks_.erase(place.number); }

    void on_fence(const machine::Fence& fence) override {
        if (fence.kind == machine::FenceKind::kProxy) ++blocks_[fence.block->number].fences;
    }

    void on_product_group(const machine::ProductGroup& group) override {
        BlockProducts& block = blocks_[group.block->number];
        WarpProducts& warp = block.warps[group.warp()];
        switch (group.kind) {
            case ProductGroupKind::kProduct:
                run(warp, group);
                compare(block.latest[group.warp() / kGroupWarps], warp, group);
                break;
            case ProductGroupKind::kFence: warp.is_fenced = true; break;
            case ProductGroupKind::kCommit: ++warp.groups; break;
            case ProductGroupKind::kWait:
                warp.over = std::max(warp.over, warp.groups - std::min(warp.groups, group.pending));
                break;
        }
    }

    void on_access(const Access& access) override {
        BlockProducts& block = blocks_[access.block->number];
        for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            const std::uint64_t first = access.address(lane) / kChunkBytes;
            const std::uint64_t last = (access.address(lane) + access.bytes(lane) - 1) / kChunkBytes;
            for (std::uint64_t chunk = first; access.bytes(lane) != 0 && chunk <= last; ++chunk) {
                if (access.kind == AccessKind::kFactorLoad)
                    multiply(block, access, lane, chunk);
                else if (machine::writes(access.kind))
                    write(block, access, lane, chunk);
            }
        }
    }

    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override {
        auto shard = std::make_unique<Products>();
        shard->program_ = &program;
        return shard;
    }
    void merge(const Observer& other) override { hazards_.merge(static_cast<const Products&>(other).hazards_); }
    void report_hazards(const machine::Program&, HazardList& list) const override { list.merge(hazards_); }

private:
    void multiply(BlockProducts& block, const Access& access, unsigned lane, std::uint64_t number) {
        Chunk& chunk = block.chunks[number];
        const WarpProducts& warp = block.warps[access.warp()];
        const Done& written = chunk.written;
        if (written.is_set && written.when == block.fences)
            add(HazardCase::kNoProxyFence, Remedy::kProxyFence, RaceOrder::kReadAfterWrite,
                {Deed::kRead, access.op, access.block->number, access.thread + lane},
                {Deed::kWrite, written.op, access.block->number, written.thread}, number);
        chunk.read[access.warp()] = {access.op, access.thread + lane, warp.groups, true};
    }

    void write(BlockProducts& block, const Access& access, unsigned lane, std::uint64_t number) {
        Chunk& chunk = block.chunks[number];
        for (const auto& [warp, read] : chunk.read)
            if (read.when >= block.warps[warp].over)
                add(HazardCase::kProductUnderWay, Remedy::kProductWait, RaceOrder::kWriteAfterRead,
                    {access.kind == AccessKind::kAsyncCopyWrite ? Deed::kAsyncCopy : Deed::kWrite, access.op,
                     access.block->number, access.thread + lane},
                    {Deed::kRead, read.op, access.block->number, read.thread}, number);
        std::erase_if(chunk.read, [&](const auto& entry) { return entry.second.when < block.warps[entry.first].over; });
        chunk.written = {access.op, access.thread + lane, block.fences, true};
    }

    // A product of a warp.
    void run(WarpProducts& warp, const machine::ProductGroup& product) {
        const HazardEnd here{Deed::kRead, product.op, product.block->number, product.thread};
        ++warp.products;
        if (!warp.is_fenced) add(HazardCase::kUnfencedProduct, Remedy::kProductFence, RaceOrder::kNone, here, {}, 0);
        if (!ran_.insert(product.op).second) return;
        for (const machine::EarlyRead& early : program_->early_reads)
            if (early.product == product.op)
                add(HazardCase::kEarlyRead, Remedy::kProductWait, RaceOrder::kReadAfterWrite,
                    {Deed::kRead, early.op, product.block->number, product.thread}, here, 0);
    }

    // PTX requires one instruction of all four warps; an H200 lets each run its own.
    void compare(GroupProduct& latest, const WarpProducts& warp, const machine::ProductGroup& product) {
        if (warp.products > latest.number) {
            latest = {warp.products, product.op, product.thread};
            return;
        }
        if (warp.products != latest.number || product.op == latest.op) return;
        add(HazardCase::kPartialGroup, Remedy::kWholeGroup, RaceOrder::kNone,
            {Deed::kBarrier, product.op, product.block->number, product.thread},
            {Deed::kBarrier, latest.op, product.block->number, latest.thread}, 0);
    }

    void add(HazardCase what, Remedy remedy, RaceOrder order, const HazardEnd& at, const HazardEnd& other,
             std::uint64_t chunk) {
        FoundHazard hazard;
        hazard.kind = what == HazardCase::kPartialGroup ? HazardKind::kDivergentBarrier : HazardKind::kRace;
        const bool is_of_memory = what == HazardCase::kNoProxyFence || what == HazardCase::kProductUnderWay;
        hazard.space = is_of_memory ? HazardSpace::kShared : HazardSpace::kNone;
        // ptxas puts the missing fence or wait there, and lets products go one by one for it.
        const bool is_healed = what == HazardCase::kUnfencedProduct || what == HazardCase::kEarlyRead;
        hazard.severity = is_healed ? Severity::kWarning : Severity::kError;
        hazard.order = order;
        hazard.remedy = remedy;
        hazard.at = at;
        hazard.other = other;
        hazard.address = chunk * kChunkBytes;
        hazard.bytes = is_of_memory ? kChunkBytes : 0;
        FoundHazard* const first = hazards_.add(hazard);
        if (first == nullptr) return;
        HazardFacts& facts = first->facts.emplace();
        facts.what = what;
        facts.remedy = remedy;
        facts.act.number = at.thread;
        facts.other.number = other.thread;
    }

    const machine::Program* program_ = nullptr;
    std::map<std::uint64_t, BlockProducts> blocks_;
    std::set<std::uint32_t> ran_;  // products, by op
    HazardList hazards_;
};

}  // namespace

std::unique_ptr<HazardObserver> make_products() { return std::make_unique<Products>(); }

}  // namespace tilescope::observers

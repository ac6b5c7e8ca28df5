// Barriers of the block: whether all its threads come to them, and to the same one.
//
// A barrier without a count is for all threads of the block. Hardware lets it pass without those that have ended, and
// takes threads that wait under one number for one barrier, wherever they stand; CUDA leaves both undefined. Two
// barriers are two instructions, whatever their lines: one line holds several by a macro or an inlined function, and a
// compiler makes several of one only where all threads of a block go the same way, as barriers are convergent to it.
// Barriers with a count are for those who name them, from wherever they do.
#include <array>
#include <bit>

#include "scope/machine/program.h"
#include "scope/observers/hazards/hazards.h"

namespace tilescope::observers {
namespace {

using machine::BarrierArrival;
using machine::BarrierPassed;
using machine::Event;
using machine::kWarpSize;

struct Gathering {
    std::uint32_t op = 0, first_thread = 0;        // of who came first
    std::uint32_t other_op = 0, other_thread = 0;  // of one who came elsewhere
    bool is_begun = false, is_counted = false, is_split = false;
    std::uint32_t came[32] = {};  // lanes by warp
};

class BlockBarriers final : public HazardObserver {
public:
    std::uint32_t events() const override { return bit_of(Event::kBarrierArrival) | bit_of(Event::kBarrierPassed); }
    void prepare(const HazardContext& context) override { context_ = context; }
    void begin_block(const machine::BlockPlace&) override {
        for (Gathering& gathering : gatherings_) gathering = Gathering();
    }

    void on_barrier(const BarrierArrival& arrival) override {
        Gathering& here = gatherings_[arrival.barrier];
        const std::uint32_t thread = arrival.thread + static_cast<unsigned>(std::countr_zero(arrival.mask));
        here.is_counted = here.is_counted || arrival.is_counted;
        if (!here.is_begun) {
            here.is_begun = true;
            here.op = arrival.op;
            here.first_thread = thread;
        } else if (arrival.op != here.op && !here.is_split) {
            here.is_split = true;
            here.other_op = arrival.op;
            here.other_thread = thread;
        }
        here.came[arrival.warp()] |= arrival.mask;
    }

    void on_barrier_passed(const BarrierPassed& passed) override {
        Gathering& here = gatherings_[passed.barrier];
        const std::uint32_t threads = context_.block[0] * context_.block[1] * context_.block[2];
        if (here.is_begun && !here.is_counted) {
            if (here.is_split) report_split(*passed.block, here);
            if (passed.arrived < threads) report_missing(*passed.block, here, passed.arrived, threads);
        }
        here = Gathering();
    }

    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override {
        auto shard = std::make_unique<BlockBarriers>();
        shard->program_ = &program;
        shard->context_ = context_;
        return shard;
    }
    void merge(const Observer& other) override { hazards_.merge(static_cast<const BlockBarriers&>(other).hazards_); }
    void report_hazards(const machine::Program&, HazardList& list) const override { list.merge(hazards_); }

private:
    bool is_one_line(std::uint32_t a, std::uint32_t b) const {
        const machine::SourcePlace &one = program_->facts[a].place, &other = program_->facts[b].place;
        return one.line != 0 && one.line == other.line && one.file == other.file;
    }

    std::array<std::uint32_t, 3> place_of(std::uint32_t thread) const {
        return {thread % context_.block[0], thread / context_.block[0] % context_.block[1],
                thread / context_.block[0] / context_.block[1]};
    }

    FoundHazard hazard_at(const machine::BlockPlace& block, const Gathering& here) const {
        FoundHazard hazard;
        hazard.kind = HazardKind::kDivergentBarrier;
        hazard.at = {Deed::kBarrier, here.op, block.number, here.first_thread};
        hazard.remedy = Remedy::kUniform;
        return hazard;
    }

    void report_split(const machine::BlockPlace& block, const Gathering& here) {
        FoundHazard hazard = hazard_at(block, here);
        hazard.other = {Deed::kBarrier, here.other_op, block.number, here.other_thread};
        FoundHazard* const first = hazards_.add(hazard);
        if (first == nullptr) return;
        HazardFacts& facts = first->facts.emplace();
        facts.what = HazardCase::kTwoBarriers;
        facts.remedy = Remedy::kUniform;
        facts.is_one_line = is_one_line(here.op, here.other_op);
    }

    void report_missing(const machine::BlockPlace& block, const Gathering& here, std::uint32_t came,
                        std::uint32_t threads) {
        FoundHazard* const first = hazards_.add(hazard_at(block, here));
        if (first == nullptr) return;
        std::uint32_t missing = 0;
        while (missing < threads && here.came[missing / kWarpSize] >> missing % kWarpSize & 1) ++missing;
        HazardFacts& facts = first->facts.emplace();
        facts.what = HazardCase::kEndedBefore;
        facts.remedy = Remedy::kUnconditional;
        facts.came = came;
        facts.expected = threads;
        facts.missing = place_of(missing);
    }

    HazardContext context_;
    const machine::Program* program_ = nullptr;
    Gathering gatherings_[16];
    HazardList hazards_;
};

}  // namespace

std::unique_ptr<HazardObserver> make_block_barriers() { return std::make_unique<BlockBarriers>(); }

}  // namespace tilescope::observers

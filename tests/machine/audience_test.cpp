// Who is told of what: by site and space, by view, by kind of event, by block; and of memory that comes and goes. The
// program is made by hand, without PTX.
#include <gtest/gtest.h>

#include <cstring>

#include "scope/machine/grid.h"
#include "scope/machine/run_observers.h"
#include "tests/machine/event_recorder.h"

namespace tilescope::machine {
namespace {

using test::EventRecorder;
using test::joined;
using test::Lines;
using test::Wanted;

class Listener final : public Observer {
public:
    Listener(std::uint32_t shared, std::uint32_t others, View view) : shared_(shared), others_(others), view_(view) {}
    std::uint32_t wants(const Site& site) const override { return site.space == Space::kShared ? shared_ : others_; }
    View view() const override { return view_; }
    std::unique_ptr<Observer> make_shard(const Program&) const override { return nullptr; }
    void merge(const Observer&) override {}

private:
    std::uint32_t shared_, others_;
    View view_;
};

TEST(Audience, IsChosenBySiteSpaceAndView) {
    Audience audience;
    Listener global(0, bit_of(Space::kGlobal), View::kWritten), all(kEverySpace, kEverySpace, View::kWritten),
        counting(kEverySpace, kEverySpace, View::kCounted);
    for (Listener* listener : {&global, &all, &counting}) audience.add(*listener);
    Site shared, generic, other;
    shared.space = Space::kShared;
    other.op = 1;
    using Observers = std::vector<Observer*>;
    const auto at = [&](const Site& site, View view, Space space) {
        return audience.listeners(site, view).by_space[static_cast<unsigned>(space)];
    };
    EXPECT_EQ(at(shared, View::kWritten, Space::kShared), Observers{&all});
    EXPECT_EQ(at(generic, View::kWritten, Space::kGlobal), (Observers{&global, &all}));
    EXPECT_EQ(at(generic, View::kWritten, Space::kShared), Observers{&all});
    EXPECT_EQ(at(generic, View::kCounted, Space::kGlobal), Observers{&counting});
    EXPECT_EQ(&audience.listeners(generic, View::kWritten), &audience.listeners(other, View::kWritten));
    Audience nobody;
    EXPECT_EQ(nobody.listeners(generic, View::kWritten).spaces, 0u);
    EXPECT_FALSE(nobody.wants(Event::kFence));
}

void nothing(Warp&, const Op&) {}

// Two warps meet at barrier 3, each with its lanes at a warp barrier first.
struct TwoBarriers {
    TwoBarriers() {
        const auto add_constant = [&](std::uint32_t value) {
            const auto offset = static_cast<std::uint32_t>(program.constants.size());
            program.constants.resize(offset + 128);
            for (unsigned lane = 0; lane < kWarpSize; ++lane)
                std::memcpy(program.constants.data() + offset + lane * 4, &value, 4);
            return Operand(Bank::kConstants, offset);
        };
        site.id = add_constant(3);
        program.ops.resize(3);
        program.facts.resize(3);
        for (std::uint32_t i = 0; i < 3; ++i) {
            program.ops[i].index = i;
            program.ops[i].fn = &nothing;
            program.facts[i].text_line = 10 + i;
            BasicBlock block;
            block.first = i;
            block.end.op = &program.ops[i];
            block.end.next = i + 1;
            program.blocks.push_back(block);
        }
        program.ops[1].extra = &site;
        program.facts[0].order = Order::kAcquireRelease;
        program.facts[0].scope = Scope::kBlock;
        program.blocks[0].end.kind = TerminatorKind::kConverge;
        program.blocks[0].end.member_mask = add_constant(kFullMask);
        program.blocks[1].end.kind = TerminatorKind::kBarrier;
        program.blocks[2].end.kind = TerminatorKind::kExit;
        program.functions.emplace_back();
        request.program = &program;
        request.memory = &memory;
        request.budget = &budget;
        request.shape.block[0] = 40;
        request.shape.multiprocessors = 2;
    }

    std::string run(const Wanted& wanted) {
        Lines lines;
        const EventRecorder recorder(lines, wanted);
        request.observers = {&recorder};
        const GridResult result = run_grid(request);
        EXPECT_FALSE(result.fault);
        EXPECT_EQ(result.observers.size(), 1u);
        return joined(lines);
    }

    Program program;
    BarrierSite site;
    Memory memory;
    InstructionBudget budget;
    GridRequest request;
};

TEST(Audience, BarriersTellWhoComesAndWhenTheyArePassed) {
    TwoBarriers two;
    EXPECT_EQ(two.run({}),
              "b0 begins at 0,0,0 on SM 0\n"
              "b0 w0 line 10 warp barrier acq_rel.cta for ffffffff by ffffffff\n"
              "b0 w0 line 11 barrier 3 sync of 40 living by ffffffff\n"
              "b0 w1 line 10 warp barrier acq_rel.cta for ffffffff by ff\n"
              "b0 w1 line 11 barrier 3 sync of 40 living by ff\n"
              "b0 barrier 3 passed by 40\n"
              "b0 ends\n");
    EXPECT_EQ(two.run({.events = bit_of(Event::kBarrierPassed), .blocks = false}), "b0 barrier 3 passed by 40\n");
    EXPECT_EQ(two.run({.events = 0, .blocks = false}), "");
}

// One observer sees all blocks, in order, however many workers there might be.
TEST(Audience, OneObserverMaySeeAllBlocks) {
    TwoBarriers two;
    two.request.shape.grid[0] = 2;
    two.request.shape.grid[1] = 2;
    two.request.workers = 4;
    const std::string apart =
        "b0 begins at 0,0,0 on SM 0\nb0 ends\nb1 begins at 1,0,0 on SM 1\nb1 ends\n"
        "b2 begins at 0,1,0 on SM 0\nb2 ends\nb3 begins at 1,1,0 on SM 1\nb3 ends\n";
    EXPECT_EQ(two.run({.events = 0}), apart);
    // Blocks that may wait for each other: two fit, and take turns.
    two.request.cooperative = true;
    two.request.blocks_per_sm = 1;
    EXPECT_EQ(two.run({.events = 0}), apart);
}

TEST(RunObservers, AreToldOfMemoryInOrder) {
    Lines lines;
    RunObservers observers;
    Memory memory;
    memory.tell(observers);
    void* const before = memory.allocate(16, AllocationKind::kDevice);
    observers.add(std::make_unique<test::RunRecorder>(lines));
    void* const device = memory.allocate(100, AllocationKind::kDevice, {.stream = 3, .is_async = true});
    char own[64];
    EXPECT_TRUE(memory.adopt(own, sizeof own, AllocationKind::kRegistered));
    EXPECT_FALSE(memory.adopt(own, sizeof own, AllocationKind::kRegistered));
    const std::uint64_t heap = memory.heap().allocate(24);
    EXPECT_TRUE(memory.heap().release(heap));
    EXPECT_TRUE(memory.release(device, {.stream = 4, .is_async = true}));
    EXPECT_FALSE(memory.release(device));
    EXPECT_TRUE(memory.release(before));
    EXPECT_TRUE(memory.release(own));
    EXPECT_EQ(joined(lines),
              "allocate #2 device 100 on stream 3 async\nallocate #3 registered 64 on stream 0\n"
              "allocate #4 heap 24 on stream 0\nrelease #4 on stream 0\nrelease #2 on stream 4 async\n"
              "release #1 on stream 0\nrelease #3 on stream 0\n");
}

}  // namespace
}  // namespace tilescope::machine

// Observer: answers one question about a launch.
//
// Guarantees: each worker has observers of its own (make_shard), so none needs a lock. Shards merge in a fixed order
// after the launch. A shard declares once which events it wants, and nothing else costs time. Observers count or
// check; they never print and never change the machine. Does not model: host actions between launches
// (run_observer.h).
#pragma once

#include <cstdint>
#include <memory>

#include "scope/machine/access.h"
#include "scope/machine/events.h"

namespace tilescope::machine {

class Follower;
class Program;
struct Site;

// Which accesses an observer is told of.
enum class View : std::uint8_t {
    kWritten,  // those of the program, each with its true width, lanes and addresses
    kCounted,  // those that machine code makes of them: merged, widened, left out, combined (scope/isa/assembler)
};

class Observer {
public:
    virtual ~Observer() = default;

    // Spaces (bit_of) in which on_access wants the accesses of a site; 0: none. A site whose space only shows when it
    // runs is kGeneric, its accesses never are.
    virtual std::uint32_t wants(const Site&) const { return 0; }
    virtual View view() const { return View::kWritten; }
    // The events (bit_of) that it wants beside accesses.
    virtual std::uint32_t events() const { return 0; }
    // Whether one observer must see all blocks, as they run: then there is one worker and one shard.
    virtual bool sees_all_blocks() const { return false; }
    // Of a shard: what is to see the registers, too (follower.h); of one observer of a launch at most.
    virtual Follower* follower() { return nullptr; }

    // The block whose accesses and events follow on this worker, and its end; blocks that wait for each other
    // (together.h) are under way at the same time, where a shard sees all blocks. A block that faults has no end, and
    // then its launch has no counts.
    virtual void begin_block(const BlockPlace&) {}
    virtual void end_block(const BlockPlace&) {}
    // This worker has run its last block; others may be at work yet. Where it has a share in what follows, it takes
    // part before it returns. Not called where there is one worker for all blocks together.
    virtual void end_work() {}
    virtual void on_access(const Access&) {}
    virtual void on_barrier(const BarrierArrival&) {}
    virtual void on_barrier_passed(const BarrierPassed&) {}
    virtual void on_warp_barrier(const WarpBarrier&) {}
    virtual void on_fence(const Fence&) {}
    virtual void on_copy_group(const CopyGroup&) {}
    virtual void on_barrier_object(const BarrierObjectUse&) {}
    virtual void on_prefetch(const Prefetch&) {}
    virtual void on_warp_end(const WarpEnd&) {}
    virtual void on_heap_block(const HeapBlock&) {}
    virtual void on_grid_dependency(const GridDependency&) {}
    virtual void on_texels(const Texels&) {}
    virtual void on_product_group(const ProductGroup&) {}

    // A fresh observer of the same kind for another worker.
    virtual std::unique_ptr<Observer> make_shard(const Program& program) const = 0;
    // Adds the other's counts to this one; other is of the same kind.
    virtual void merge(const Observer& other) = 0;
};

}  // namespace tilescope::machine

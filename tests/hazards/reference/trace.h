// Trace: what the threads of one launch did, one event for each thread and deed, in the order in which the machine ran.
//
// Owns: Event and Trace, plain data, and TraceRecorder, the observer that writes one down. Guarantees: events of a
// thread stand in its program order; the whole order is one in which the launch could have run. Does not model: values.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "scope/machine/observer.h"

namespace tilescope::reference {

enum class Kind : std::uint8_t {
    kLoad,
    kStore,
    kAtomic,
    kCopyRead,      // the global side of cp.async
    kCopyWrite,     // its shared side
    kArrive,        // a thread comes to a barrier of the block
    kPassed,        // that barrier lets go: no thread's event
    kMeet,          // lanes of a warp meet; `lanes` of the warp that `thread` begins
    kFence,         //
    kCommit,        // copies so far are a group
    kWait,          // until `count` groups at most are under way
    kWaitAll,       //
    kObjectBegins,  // a barrier object is made or given up
    kObjectArrive,  //
    kObjectCopies,  // the thread's copies so far arrive when they are done
    kObjectWaited,  // the thread saw that a phase is over
};

struct Event {
    Kind kind = Kind::kLoad;
    std::uint64_t block = 0;
    std::uint32_t thread = 0;  // within the block
    std::uint32_t op = 0;      // index into Program::ops
    machine::Space space = machine::Space::kGlobal;
    std::uint64_t address = 0;  // shared memory: within the block's; of a barrier object likewise
    std::uint32_t bytes = 0;
    machine::Order order = machine::Order::kWeak;
    machine::Scope scope = machine::Scope::kNone;
    std::uint32_t count = 0;  // kArrive, kPassed: the barrier's number; kWait: groups
    std::uint32_t lanes = 0;  // kMeet
    bool is_first = true;     // the lowest lane of its instruction
    bool waits = true;        // kArrive: this thread stays until the barrier lets go
    bool is_counted = false;  // kArrive: the barrier is for as many as it names
    bool completes = false;   // kObjectArrive, kObjectCopies: the phase is over by this
};

struct Trace {
    std::uint32_t threads = 0;  // of a block
    std::vector<Event> events;
    bool is_whole = true;  // false: it grew past its bound, and stops somewhere
};

class TraceRecorder final : public machine::Observer {
public:
    // `trace` outlives the launch.
    TraceRecorder(Trace& trace, std::size_t most) : trace_(trace), most_(most) {}

    std::uint32_t wants(const machine::Site&) const override;
    std::uint32_t events() const override { return machine::kEveryEvent; }
    bool sees_all_blocks() const override { return true; }
    void on_access(const machine::Access& access) override;
    void on_barrier(const machine::BarrierArrival& arrival) override;
    void on_barrier_passed(const machine::BarrierPassed& passed) override;
    void on_warp_barrier(const machine::WarpBarrier& barrier) override;
    void on_fence(const machine::Fence& fence) override;
    void on_copy_group(const machine::CopyGroup& group) override;
    void on_barrier_object(const machine::BarrierObjectUse& use) override;
    std::unique_ptr<machine::Observer> make_shard(const machine::Program&) const override {
        return std::make_unique<TraceRecorder>(trace_, most_);
    }
    void merge(const machine::Observer&) override {}

private:
    void add(const Event& event);
    // One event for each lane, made by `fill`.
    template <class Fill>
    void add_lanes(const machine::WarpEvent& of, Fill fill);

    Trace& trace_;
    std::size_t most_;
};

}  // namespace tilescope::reference

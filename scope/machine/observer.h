// Observer: what asks a question of the accesses.
//
// Guarantees: each worker thread has observers of its own (make_shard), so none needs a lock; shards merge in a fixed
// order after the launch. Observers count; they never print and never change what the machine does.
#pragma once

#include <cstdint>
#include <memory>

#include "scope/machine/access.h"

namespace tilescope::machine {

class Program;

// Spaces as bits, for subscriptions.
inline constexpr std::uint32_t bit_of(Space space) { return 1u << static_cast<unsigned>(space); }

class Observer {
public:
    virtual ~Observer() = default;
    // Spaces whose accesses on_access wants (bit_of).
    virtual std::uint32_t spaces() const = 0;
    virtual void on_access(const Access& access) = 0;
    // The block (its linear number) whose accesses follow, and its end. A block that faults has no end, and then its
    // launch has no counts.
    virtual void begin_block(std::uint64_t) {}
    virtual void end_block() {}
    // Block-wide barrier passed by the block that this worker runs.
    virtual void on_barrier() {}
    // A fresh observer of the same kind for another worker.
    virtual std::unique_ptr<Observer> make_shard(const Program& program) const = 0;
    // Adds the other's counts to this one; other is of the same kind.
    virtual void merge(const Observer& other) = 0;
};

}  // namespace tilescope::machine

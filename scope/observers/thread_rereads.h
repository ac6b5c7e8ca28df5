// ThreadRereads: which of the bytes that loads ask for had the same thread just asked for.
//
// A byte that many threads want belongs into shared memory; one that a single thread wants again and again, into a
// register of that thread. For each unit of memory the thread of the block that loaded it last is kept.
// Owns: that, for a few blocks of the grid and the first accesses of each, which is enough to tell a habit.
// Guarantees: the same for any number of workers. Does not model: the rest of the grid.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "scope/machine/memory.h"
#include "scope/machine/program.h"
#include "scope/observers/counting.h"
#include "scope/observers/steady_sites.h"
#include "scope/observers/zeroed_array.h"

namespace tilescope::observers {

// Bytes that loads asked for; of these, those that the thread had asked for last; of these, those that the same
// instruction asked for again, so that a register could have kept them.
struct RereadBytes {
    std::uint64_t asked = 0, own = 0, steady = 0;
    RereadBytes& operator+=(const RereadBytes& other) {
        asked += other.asked;
        own += other.own;
        steady += other.steady;
        return *this;
    }
};

class ThreadRereads {
public:
    ThreadRereads() = default;
    ThreadRereads(const machine::Program& program, const LaunchContext& context);

    void begin_block(std::uint64_t block);
    // Whether this access is one of those looked at.
    bool follows() const { return lanes_left_ != 0; }
    void on_access(const machine::Access& access);
    void merge(const ThreadRereads& other);

    // By base of the allocation, then by site.
    const std::map<std::uint64_t, std::vector<RereadBytes>>& bytes() const { return bytes_; }

private:
    // Of one allocation: who loaded each unit last, as owner_tag() has it.
    struct Owners {
        machine::Allocation allocation;
        ZeroedArray<std::uint32_t> tags;
        std::vector<RereadBytes>* bytes = nullptr;
    };
    std::uint32_t owner_tag(std::uint32_t thread) const { return block_number_ << kThreadBits | (thread + 1); }
    Owners* owners_of(std::uint64_t address);

    static constexpr unsigned kUnitShift = 2, kThreadBits = 12;

    const machine::Program* program_ = nullptr;
    const machine::Memory* memory_ = nullptr;
    std::uint64_t every_ = 1;  // block that is followed
    std::uint64_t lanes_left_ = 0;
    std::uint32_t block_number_ = 0;  // of those followed
    SteadySites steady_;
    std::map<std::uint64_t, Owners> owners_;  // by base
    std::map<std::uint64_t, std::vector<RereadBytes>> bytes_;
};

}  // namespace tilescope::observers

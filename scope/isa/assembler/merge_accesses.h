// What the assembler makes of neighbouring accesses: loads and stores that become one wide instruction, parts of
// vectors that nobody reads, values that are still in a register. As ptxas 13.0 does it;
// docs/internals/rules/assembler.md names the launches.
//
// Loads. Of shared or global memory, of one width (2, 4 or 8 bytes an element, vectors taken apart), with nothing
// between that could write there or orders memory. Aligned pairs become one; a pair of 4 bytes with anything in the
// other half of its 16 bytes becomes 128 bits, the gap included, one of 2 bytes 64 bits likewise. The alignment must
// follow from the code, or from a vector access off the same unknown. 16 bits that are widened as they were loaded stay
// alone: the load does that.
//
// Stores. A run of stores into one aligned 16 bytes, with no other access to that memory between, of 2, 4 or 8 bytes:
// what fills aligned 4, 8 or 16 bytes becomes one (of 2 bytes each at most 8). Nothing is made of a window whose first
// store is wider than another.
//
// Forwarding. A load of what the last store to that memory has written there takes no access, nor does a load again.
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "scope/isa/assembler/operation.h"
#include "scope/isa/assembler/places.h"
#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {

// How registers are read, by register.
struct Readers {
    explicit Readers(const FunctionCode& code);

    std::vector<char> is_read;
    std::vector<char> is_widened;  // by all readers, as an integer of 16 bits: 1 unsigned, 2 signed; else 0
};

class AccessMerger {
public:
    explicit AccessMerger(const Readers& readers) : readers_(readers) {}

    // The next instruction of a stretch; `walk` stands before it.
    void visit(Instruction& instruction, const PlaceWalk& walk);
    // The stretch ends.
    void flush();

private:
    enum Where : std::uint8_t { kShared, kGlobal, kSpaces };
    // One element of an instruction.
    struct Element {
        Instruction* instruction;
        std::int64_t offset;  // from the unknown
        std::int64_t own;     // where the instruction's own address is
        unsigned order;
        bool is_vector;
    };
    struct Group {
        unsigned bytes = 0;  // of an element
        unsigned zeros = 0;  // the unknown is `residue` modulo 2^zeros
        std::int64_t residue = 0;
        std::vector<Element> elements;
    };
    struct Key {
        std::int32_t id;
        unsigned bytes;
        bool operator<(const Key& other) const { return std::tie(id, bytes) < std::tie(other.id, other.bytes); }
    };
    struct Stored {
        Place place;
        Type type;
    };

    void take_load(Instruction& instruction, const Place& place, Where where);
    void take_store(Instruction& instruction, const Place& place, Where where);
    void end_loads(Where where);
    void end_stores(Where where);
    void end(Where where);

    const Readers& readers_;
    std::map<Key, Group> loads_[kSpaces];
    struct Run {
        std::int32_t id;
        std::int64_t window;
        Group group;
    };
    std::optional<Run> stores_[kSpaces];
    std::optional<Stored> stored_[kSpaces];
    unsigned order_ = 0;
};

}  // namespace tilescope::isa

// What the assembler makes of neighbouring accesses: loads and stores that become one wide instruction, parts of
// vectors that nobody reads, values that are still in a register. As ptxas 13.0 does it; docs/FIDELITY.md names the
// launches.
//
// Loads. Of shared or global memory, of one width (4 or 8 bytes an element, vectors taken apart), with nothing between
// that could write there or orders memory. Aligned pairs of words become 64 bits; a pair with anything in the other
// half of its 16 bytes becomes 128 bits, the gap included. The alignment must follow from the code, or from a vector
// access off the same unknown.
//
// Stores. A run of stores into one aligned 16 bytes, with no other access to that memory between, of 2, 4 or 8 bytes:
// what fills aligned 4, 8 or 16 bytes becomes one. Nothing is made of a window whose first store is wider than another.
//
// Forwarding. A load of what the last store to that memory has written there takes no access, nor does a load again.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "scope/isa/assembler/operation.h"
#include "scope/isa/assembler/places.h"
#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {

class AccessMerger {
public:
    // Registers that nothing reads, by register.
    explicit AccessMerger(const std::vector<char>& is_read) : is_read_(is_read) {}

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
        auto operator<=>(const Key&) const = default;
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

    const std::vector<char>& is_read_;
    std::map<Key, Group> loads_[kSpaces];
    struct Run {
        std::int32_t id = kConstantPlace;
        std::int64_t window = 0;
        Group group;
    };
    std::optional<Run> stores_[kSpaces];
    std::optional<Stored> stored_[kSpaces];
    unsigned order_ = 0;
};

}  // namespace tilescope::isa

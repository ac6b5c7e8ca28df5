// BlockWalk: what the machine code of one basic block asks of an SM, instruction by instruction, and the longest chain
// through it (work.h has the rules).
//
// Owns: when each register's value is there, and which loads are under way. Guarantees: a walk that continues another
// says by how much its block makes that one's longest chain longer. Does not model: where instructions really stand.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "scope/isa/assembler/folded.h"
#include "scope/isa/assembler/instruction_cost.h"
#include "scope/isa/assembler/unroll_loops.h"
#include "scope/isa/lower/lowering.h"
#include "scope/machine/program.h"

namespace tilescope::isa {

// A chain of instructions each of which needs the one before.
struct Path {
    float cycles = 0, steps = 0;
    std::array<float, kWaits> waits{};

    void take_steps(float more);
    void wait(Wait kind);
};

// One of several turns of a loop that are one stretch of code: counting and the branch back are there once.
struct Turn {
    const TurnsTogether* loop = nullptr;
    std::int32_t guard = kNoRegister;  // of the branch back
    bool is_last = false;
    bool is_whole = false;  // all turns of the loop are there, and no branch
};

class BlockWalk {
public:
    using Pending = std::map<std::int32_t, Wait>;  // loads that are under way, by register

    // Continues the walk of the block before where ptxas makes one stretch of both, and takes over what that one knows.
    // `folds` says by instruction what is part of another.
    // `goes_on`: the block behind it will, and nothing but a barrier or an exchange parts them: values are waited for
    // there.
    BlockWalk(const FunctionCode& code, const std::vector<Fold>& folds, std::uint32_t block, Pending pending,
              BlockWalk* before, bool goes_on = false, const Turn* turn = nullptr);

    const Pending& pending() const { return pending_; }
    machine::BlockWork work() const;

private:
    void step(const Instruction& instruction, Fold fold);
    // A loop's own branch, which is mostly taken; and whether it is not there, as all turns are.
    bool goes_back(const Instruction& instruction) const;
    bool is_gone(const Instruction& instruction) const;
    float steps_of_branch(const Instruction& instruction) const;
    // To where all instructions so far have been issued, whose results may be on their way.
    Path issued() const;
    // A value from before the stretch has a register in it, unless the instruction can name it: a parameter, or a
    // number.
    void hold_sources();
    bool can_be_named(std::int32_t reg, unsigned depth = 0) const;
    // Whether the block has made the value before, of the same one.
    bool was_converted(const Instruction& instruction);
    // Not started before loads are under way for more registers than there are.
    void wait_for_registers(const Instruction& instruction, Path& path) const;

    // A store to memory that is not shared or local, of which it is known where it lies: so far from what `reg` holds.
    struct Placed {
        std::int32_t reg = kNoRegister;
        std::int64_t offset = 0, bytes = 0;
        Path path;
    };
    static bool lie_apart(const Placed& one, const Placed& other);
    std::optional<Placed> place_of(const Instruction& instruction, const Cost& cost) const;
    void keep_store(Path& stored, const std::optional<Placed>& placed, const Path& path);
    bool is_constant(std::uint32_t index) const;

    // Whether an instruction counts turns, or asks for another one. What is added to a register stands in the offsets
    // of the accesses that count from it, but for all turns together at the end.
    bool is_counting(const Instruction& instruction);

    // The register holds something else from here on.
    void forget_places(std::int32_t reg);
    // Words of its factors that are made into f16 for it, the first to take them.
    unsigned unpack(const Instruction& instruction);

    void add(const Cost& cost);

    // The value is needed: a load that was under way is waited for.
    void use(std::int32_t reg, Path& path);

    void rename(const Instruction& instruction);

    // The last store to memory that this access may find changed.
    Path* stored_in(const Instruction& instruction, const Cost& cost);

    // Of copies to shared memory that were started before: all of them are waited for, not only the older ones.
    static bool waits_for_copies(const Instruction& instruction);

    Cost cost_of(const Instruction& instruction);

    Cost cost_of_arithmetic(const Instruction& instruction, const Row& row, const Form& form);

    // What an addition of 64 bits adds to a product of two numbers of 32: one instruction multiplies and adds. Which
    // product that is, kNoRegister if none.
    std::int32_t product_added(const Instruction& instruction) const;

    // The reciprocal of a divisor is worked out once for a block, and before a loop where it stays the same.
    bool knows_divisor(const Instruction& instruction);

    const FunctionCode& code_;
    const CodeBlock& block_;
    const std::uint32_t number_;
    Pending pending_;
    std::map<std::int32_t, Path> ready_;
    std::set<std::int32_t> products_;  // made in this stretch, and not added to anything
    std::set<std::int32_t> divisors_, changing_;
    std::set<std::int32_t> unpacked_;  // registers of 8-bit floats that have been made into f16
    static constexpr unsigned kElsewhere = 2;
    static constexpr std::size_t kMostPlaced = 32, kMostConverted = 256;
    // Of more at once than registers hold, the later ones are not waited for.
    static constexpr std::size_t kMostPending = 256;
    // Registers that ptxas 13.0 fills with loads of global memory before it needs the first of them, less those that
    // hold what came from before the stretch: of loops with 8 to 128 loads from one place 20 of 32 bits are under way,
    // 9 or 10 of 64, 5 of 128; from two places 16 to 19, from three 17; in code without a loop 22 or 23. Sums of
    // products on tensor cores do not count: 26 are under way beside 32 of them in mma_direct of tests/truth.
    static constexpr unsigned kRegisters = 24, kLeastUnderWay = 4;
    std::array<Path, 3> stored_{};                  // by memory: shared, local, elsewhere
    std::vector<Placed> placed_;                    // stores elsewhere that are not in it
    std::map<std::int32_t, std::int64_t> shifted_;  // what was added to counters in this stretch
    struct Load {
        unsigned registers = 0;
        Path path;  // to when it has come
    };
    std::vector<Load> loaded_;                   // of global memory
    std::vector<const Instruction*> converted_;  // whose values stand
    std::set<std::int32_t> held_;                // registers whose values came from before the stretch
    unsigned held_registers_ = 0;                // of 32 bits, that they are
    // The longest chain; of what stays before the next barrier; what accesses behind the last one wait for; what has
    // been waited for when the block ends, and when it begins.
    Path longest_, kept_, begin_, due_, before_;
    const Turn* turn_ = nullptr;  // while the block is walked through
    machine::BlockWork work_;
    float movable_ = 0;  // of its integers
    bool is_loop_ = false;
};

}  // namespace tilescope::isa

// Whether a block that came back to where it was will do the same for ever.
//
// A block's threads stand where they stood one turn before; some registers may differ (a count of tries). The proof
// follows one more turn and marks every value that depends on such a difference, or on memory that the block itself
// changes. When no branch, no address and nobody else's memory depends on a marked value, and one more turn marks
// nothing new, then all later turns take the same way, as long as nobody outside changes what they read.
//
// Values that depend on a clock and on nothing else that differs are marked apart: a branch may hang on them, and then
// the proof holds for as long as the clock decides nothing else (asks_time). Who asks tries later times. Single bits of
// a clock, and what is hashed of it, are as good as any other difference.
//
// Owns: the marks, bit by bit as the registers and stacks lie, and the changed places of global and shared memory.
// Guarantees: never says yes wrongly; an instruction whose effects are not known makes it say no.
// Does not model: branches that only lead to other ways through the same loop. Such a loop is not proven.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "scope/machine/endless_poll.h"
#include "scope/machine/program.h"
#include "scope/machine/worker.h"

namespace tilescope::machine {

class EndlessProof {
public:
    // `state`: the registers and stacks of all warps by address, none of them empty; `flow` says what each op reads and
    // writes.
    EndlessProof(const Program& program, const std::vector<OpFlow>& flow, std::vector<std::span<std::byte>> state);

    // Marks what differs between two turns. `before`: the pieces of the state, one behind the other.
    void mark_differences(const std::vector<std::byte>& before);
    void begin_turn();
    // Runs ops one by one and follows their values.
    void run(Warp& warp, const Op* first, const Op* end);
    // A terminator is about to be executed by `lanes`.
    void at_end(const Warp& warp, std::uint32_t lanes, const Terminator& end);
    // Bytes of the state are copied, as a call does with its arguments.
    void copied(const std::byte* to, const std::byte* from, std::size_t bytes);
    // Closes a turn. True when it marked nothing that was not marked at its beginning.
    bool end_turn();

    bool failed() const { return failed_; }
    bool asks_time() const { return asks_time_; }
    // The way that the last turn took: equal where all warps came by the same blocks in the same order.
    std::uint64_t path() const { return path_; }
    bool changes_global() const { return changes_global_; }
    const std::vector<EndlessPoll>& polls() const { return polls_; }
    // Words of global memory, by address / 4: all that were read, and all that differ from turn to turn.
    const std::set<std::uint64_t>& reads() const { return reads_; }
    std::set<std::uint64_t> changes() const;

private:
    struct Lanes {
        std::uint32_t run = 0;        // execute the op
        std::uint32_t uncertain = 0;  // may or may not in later turns: their guard is marked
    };
    struct Place {
        Space space = Space::kGlobal;
        std::uint64_t address = 0;
    };

    // Why a value may differ from turn to turn; several at once.
    using Cause = std::uint8_t;
    static constexpr Cause kNone = 0, kTries = 1, kTime = 2;
    // Marks of one cause, bit by bit as the state lies.
    using Marks = std::vector<std::uint8_t>;

    // Where the byte's marks lie; nothing when it is no part of the state.
    std::optional<std::size_t> index_of(const void* at) const;
    Cause cause_of(const Warp& warp, Operand place, unsigned bytes, unsigned lane) const;
    void mark(Warp& warp, Operand place, unsigned bytes, unsigned lane, Cause cause);
    Cause cause_of_sources(const Warp& warp, const OpFlow& flow, unsigned lane) const;
    void decides(Cause cause);
    Lanes lanes_of(const Warp& warp, const Op& op);
    Place place_of(const Warp& warp, const FlowAddress& address, unsigned lane);
    static bool is_valid(const Warp& warp, const Place& place, unsigned bytes);
    static std::byte* bytes_at(const Warp& warp, const Place& place, unsigned lane, std::uint64_t offset);
    Cause cause_of_cells(const Warp& warp, const Place& place, unsigned lane, unsigned bytes) const;
    void mark_cells(const Warp& warp, const Place& place, unsigned lane, unsigned bytes, Cause cause);
    void step(Warp& warp, const Op& op);
    void step_memory(Warp& warp, const Op& op, const OpFlow& flow, const Lanes& lanes);
    void note_read(const Place& place, unsigned bytes);
    void note_poll(const Warp& warp, const Op& op, const Place& place, unsigned lane, unsigned bytes);

    const Program& program_;
    const std::vector<OpFlow>& flow_;
    std::vector<std::span<std::byte>> state_;
    std::vector<std::size_t> first_mark_;  // of each piece
    Marks marks_, marks_at_start_;         // kTries
    Marks by_time_, by_time_at_start_;     // kTime
    std::set<std::uint64_t> cells_;        // changed words: global by address / 4, shared with the highest bit set
    std::size_t cells_at_start_ = 0;
    std::uint64_t path_ = 0;
    bool failed_ = false, asks_time_ = false, carry_marked_ = false, carry_at_start_ = false, changes_global_ = false;
    std::vector<EndlessPoll> polls_;  // of the last turn, one an op and warp
    std::set<std::uint64_t> reads_;
};

}  // namespace tilescope::machine

// Hazard observers: what they share, the hazards that they find, and the list of them.
//
// Owns: FoundHazard and HazardList, a bounded collection of them; HazardObserver, an Observer that looks for what a
// kernel does wrong; and the registry. Guarantees: a hazard found never ends the launch; of a group of hazards that
// are alike the first is kept with a count, and which is the first does not depend on the number of workers.
// Does not model: names, which are the session's (scope/session/launch/found_hazards.h), and words.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "scope/machine/grid.h"
#include "scope/machine/memory.h"
#include "scope/machine/observer.h"
#include "scope/machine/program.h"
#include "scope/report/hazard_facts.h"

namespace tilescope::observers {

struct HazardEnd {
    Deed deed = Deed::kNone;
    std::uint32_t op = 0;      // index into Program::ops
    std::uint64_t block = 0;   // number within the grid
    std::uint32_t thread = 0;  // number within the block
};

struct FoundHazard {
    HazardKind kind = HazardKind::kRace;
    HazardSpace space = HazardSpace::kNone;
    RaceOrder order = RaceOrder::kNone;
    Severity severity = Severity::kError;
    Remedy remedy = Remedy::kNone;
    // `at` is where it shows; `other`, what that met, comes before it in the program. Deed::kNone: there is no other.
    HazardEnd at, other;
    bool is_same_value = false;   // the write changes nothing, or two wrote the same
    bool is_across = false;       // some of the group are of two blocks
    bool is_uncommitted = false;  // the asynchronous copy was waited for, but never committed
    bool is_volatile = false;     // both ends are volatile accesses, which orders them no more
    bool is_met = false;          // the four warps of a group waited for each other between the two
    bool comes_round = false;     // `at` stands before `other` in the code: a loop leads there
    bool only_decides = false;    // what was read reaches nothing but comparisons
    bool is_texture = false;      // kStaleRead: a texture read it
    bool is_before = false;       // kStaleRead: the read comes before the write, in order
    bool hands_on_at = false;     // Remedy::kWarpHandOver: the missing order is at `at`, else at `other`
    bool is_behind = false;       // ... and behind it in its warp, else before it
    std::uint64_t address = 0;    // shared memory: offset within the block's
    std::uint32_t bytes = 0;      // 0: about no memory
    // An undefined value: by which op it last came to memory, if it did, and what was read in an earlier launch.
    std::optional<std::uint32_t> stored_op;
    std::string earlier_file, earlier_kernel;
    std::uint32_t earlier_line = 0;
    HazardMemory earlier_memory;
    // Where the observer itself knows them all, but for names of variables and lines.
    std::optional<HazardFacts> facts;
    std::uint64_t count = 1;

    // One more of the same group, or several.
    void take_in(const FoundHazard& other);
    // What it is told apart by from others of the same place and kind: a row left within the buffer is not the buffer
    // left, and what only waits is not what went wrong.
    HazardCase told_apart() const;
};

// Hazards of a launch in groups: kind, space, order and the two ops. Bounded.
class HazardList {
public:
    static constexpr std::size_t kMaxGroups = 1000;

    // Returns the group if it is new, for its facts to be filled in.
    FoundHazard* add(const FoundHazard& hazard);
    void merge(const HazardList& other);
    // In the order of the places in the code.
    std::vector<FoundHazard> all() const;
    std::uint64_t left_out() const { return left_out_; }  // hazards of groups beyond the bound
    void add_left_out(std::uint64_t count) { left_out_ += count; }
    bool empty() const { return groups_.empty(); }

private:
    using Key = std::tuple<HazardKind, HazardSpace, RaceOrder, Severity, std::uint32_t, std::uint32_t, HazardCase>;
    static Key key_of(const FoundHazard& hazard) {
        return {hazard.kind,  hazard.space,    hazard.order,       hazard.severity,
                hazard.at.op, hazard.other.op, hazard.told_apart()};
    }
    std::map<Key, FoundHazard> groups_;
    std::uint64_t left_out_ = 0;
};

class UndefinedMemory;

// A buffer of rows, as the user has given its shape. In bytes.
struct ShapedRows {
    machine::PointerSource source;  // what names it
    std::uint64_t base = 0;         // of element 0
    std::uint64_t bytes = 0, pitch = 0, count = 0;
    std::uint32_t element = 1;
    std::string name, option;  // "M", "--shape M=50x50"
    bool is_derived = false;   // of the program's own indices, which may mean something else
};

// What a launch tells beforehand.
struct HazardContext {
    UndefinedMemory* undefined = nullptr;  // of the run, under --check init
    const machine::Memory* memory = nullptr;
    std::span<const std::byte> parameters;  // of the launch
    std::uint32_t max_ordered_writes = 0;   // races: strong writes that are told apart by when they came
    machine::MemoryBudget* budget = nullptr;
    std::uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
    std::uint64_t shared_bytes = 0;  // of a block's array (Program::shared_base)
    bool blocks_take_turns = false;  // blocks may wait for each other
    std::vector<ShapedRows> rows;
    bool is_quiet = false;  // no notes are wanted
};

class HazardObserver : public machine::Observer {
public:
    machine::View view() const final { return machine::View::kWritten; }
    // Called on the prototype, before shards are made of it.
    virtual void prepare(const HazardContext&) {}
    // Of a merged observer, before it reports: how often each basic block of the program ran.
    virtual void look_at_counts(const machine::Program&, std::span<const machine::BlockCount>) {}
    // Of a merged observer: bytes of its tables, and what it found.
    virtual std::uint64_t table_bytes() const { return 0; }
    virtual std::string note() const { return {}; }  // what it could not do, for people
    virtual void report_hazards(const machine::Program&, HazardList&) const = 0;
};

struct HazardRow {
    Check check;  // that asks for it
    std::string_view name;
    std::string_view question;  // what it answers, one line
    std::unique_ptr<HazardObserver> (*make)();
};

// In the order in which they see an access.
const std::vector<HazardRow>& hazard_observers();

std::unique_ptr<HazardObserver> make_extents();
std::unique_ptr<HazardObserver> make_row_extents();
std::unique_ptr<HazardObserver> make_lucky_indices();
std::unique_ptr<HazardObserver> make_races();
std::unique_ptr<HazardObserver> make_products();
std::unique_ptr<HazardObserver> make_block_barriers();
std::unique_ptr<HazardObserver> make_lucky_barriers();
std::unique_ptr<HazardObserver> make_skipped_fields();
std::unique_ptr<HazardObserver> make_undefined_uses();

}  // namespace tilescope::observers

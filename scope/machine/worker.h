// Worker: what one host thread needs to run blocks, all of it its own.
//
// Owns: shared memory of the block at hand, per-site state, execution counts and this worker's observers.
// Guarantees: no two workers share anything that is written, except global memory itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "scope/machine/access.h"
#include "scope/machine/audience.h"
#include "scope/machine/fault.h"
#include "scope/machine/fault_log.h"
#include "scope/machine/finding.h"
#include "scope/machine/fragment.h"
#include "scope/machine/memory.h"
#include "scope/machine/program.h"
#include "scope/machine/warp.h"

namespace tilescope::machine {

// Generic addresses of shared and local memory lie where no host pointer can: above the canonical user half.
inline constexpr std::uint64_t kSharedWindow = 0xa000000000000000ull;
inline constexpr std::uint64_t kLocalWindow = 0xb000000000000000ull;
inline constexpr std::uint64_t kWindowBytes = std::uint64_t{1} << 32;

// How the addresses of a full warp lie; kHalves: each half-warp is one address or 16 neighbours (tiles 16 wide).
enum class Shape : std::uint8_t { kUnset, kGeneral, kUniform, kContiguous, kHalves };

// The last address pattern at one access site. Loops repeat patterns: only the first address moves.
struct alignas(64) SiteMemo {
    std::int64_t deltas[kWarpSize] = {};
    std::uint32_t narrow[kWarpSize] = {};  // the same, modulo 2^32: for 32-bit addresses
    std::uint32_t mask = 0;
    Shape shape = Shape::kUnset;  // of the active lanes; anything but general only with a full mask
    Space space = Space::kGlobal;
    std::uint8_t counted_width = 0, more_pieces = 0;
    std::int16_t counted_shift = 0;
    // Spaces in which somebody listens to the site's accesses, as machine code makes them and as written.
    std::uint8_t counted_spaces = 0, written_spaces = 0;
    Order order = Order::kWeak;
    Scope scope = Scope::kNone;
    std::int64_t low = 0;          // least delta
    std::uint64_t extent = 0;      // bytes from there to the end of the highest lane's access; 2^64 - 1 when beyond
    std::uint64_t delta_bits = 0;  // all deltas or-ed: alignment
    const Listeners *counted = nullptr, *written = nullptr;
    std::uint64_t allowed_from = 0, allowed_bytes = 0;  // global: the allocation last used here
    std::uint64_t allowed_version = 0;
    std::uint64_t shift = 0;  // global: from the addresses of the access at hand to its bytes (Allocation::shift)
    bool allowed_writable = false;
    bool half_uniform[2] = {};  // kHalves: one address (else neighbours)
    // Of a copy's reads: where in a line of shared memory the last one wrote first; kUnknownPlace: its lanes wrote
    // elsewhere.
    static constexpr std::uint8_t kUnknownPlace = 0xff;  // numeric: all bits
    std::uint8_t place = kUnknownPlace;
};

// Executions of one basic block.
struct BlockCount {
    std::uint64_t runs = 0;   // by warps (fragments)
    std::uint64_t lanes = 0;  // summed active lanes
    std::uint64_t divergent = 0;
};

class Follower;
class Stepper;

// What a worker may ask when its block seems to hang. Called from any worker's thread.
struct HangHelp {
    std::function<const std::vector<OpFlow>*()> flow;                   // of the program's ops; nullptr: not known
    std::function<std::string(std::uint64_t address)> name_of;          // of what lies at an address of global memory
    std::function<std::string(const std::string& symbol)> source_name;  // of a variable, as its source has it
    std::function<std::string()> blocks_left;  // blocks that have not begun, and why; "" when none
};

struct Worker {
    const Program* program = nullptr;
    Memory* memory = nullptr;
    std::byte* shared = nullptr;
    std::uint64_t shared_bytes = 0;               // of the array (Program::shared_base)
    std::uint64_t shared_own = 0;                 // where the block's own bytes begin in it
    std::uint64_t shared_window = kSharedWindow;  // generic address of the array's first byte
    std::uint64_t local_bytes = 0;                // per lane
    const std::byte* parameters = nullptr;
    std::uint64_t parameter_bytes = 0;
    const HangHelp* hang_help = nullptr;
    bool alone = true;  // no other worker runs: atomics need no host atomics

    std::vector<SiteMemo> memos;               // by site
    std::vector<std::uint64_t> guarded_lanes;  // by site
    std::vector<BlockCount> counts;            // by basic block
    const WarpClock* paces = nullptr;          // by basic block, what each adds to a warp's clock; nullptr: nothing
    std::uint64_t writes = 0;                  // stores, atomics and prints: whether anything outside registers changed
    std::uint64_t executed = 0;                // warp instructions, the worker's clock
    std::uint64_t clock_lead = 0;              // what kernels read of that clock is later by so much

    Audience audience;                        // who is told of what
    FaultLog* faults = nullptr;               // takes down faulting accesses from which the run goes on
    bool on_after_faults = false;             // all of them; else those alone that a card does not notice
    std::uint64_t shared_bytes_reserved = 0;  // of the driver, below the block's shared memory
    Follower* follower = nullptr;             // sees the registers (follower.h)
    Stepper* stepper = nullptr;               // sees each op of a steppable program (stepper.h)
    Findings findings;                        // what the kernel did that is doubtful
    std::uint32_t absent_sources = 0;  // lanes that got a value of a lane that takes no part; a follower takes them
    bool yields = false;               // the op that just ran waits for others: their turn (TerminatorKind::kYield)
    BarrierResult barrier_result;      // for the instruction that is being resumed past a barrier
    BlockPlace block;                  // the block at hand
    void (*print)(void* context, const char* text, std::size_t size) = nullptr;  // device-side printf
    void* print_context = nullptr;
};

// What an event says of the lanes of warp.exec.
void fill(WarpEvent& event, const Warp& warp, const Op& op);

// A fault of one lane of the warp. Its block and thread coordinates are the grid's to fill.
Fault fault_of(const Warp& warp, const Op& op, FaultKind kind, std::string space, unsigned lane, std::string message);
// Ends the kernel with it.
[[noreturn]] void raise(const Warp& warp, const Op& op, FaultKind kind, std::string space, unsigned lane,
                        std::string message);

}  // namespace tilescope::machine

// Program: one kernel as flat decoded code, ready to run.
//
// Owns: the ops, the basic blocks with their terminators and reconvergence points, the functions reachable from the
// kernel, the constant pool, and what must be filled in per launch and per warp.
// Guarantees: immutable after lowering; shared by all workers and launches.
// Does not model: instructions by name. What an op does is behind its function pointer; what it counts as is in facts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "scope/machine/access.h"
#include "scope/machine/bounds_check.h"
#include "scope/machine/cache_hints.h"
#include "scope/machine/flow.h"
#include "scope/machine/index_facts.h"
#include "scope/machine/op.h"
#include "scope/machine/order.h"
#include "scope/machine/race_facts.h"
#include "scope/report/counters.h"
#include "scope/report/work.h"

namespace tilescope::machine {

inline constexpr std::uint32_t kNoBlock = 0xffffffffu;

// Where an op stands in the source: index into Program::files; line 0 when not known.
struct SourcePlace {
    std::uint32_t file = 0;
    std::uint32_t line = 0;
};

// What one op counts as; constant per op, so that executions of its basic block are all there is to count.
struct OpFacts {
    Counter mix = Counter::kCount;       // one of the *_instructions of the mix
    CounterAmounts operations{};         // fp32_add and so on, of one thread
    bool computes = false;               // these hold floating-point arithmetic, rather than conversions alone
    Counter memory = Counter::kCount;    // global_load_instructions and so on; kCount: none
    Counter each_try = Counter::kCount;  // of a loop that tries to swap (AccessKind::kSwapLoop), of one thread
    // Of accesses, fences and barrier objects: how strongly it orders memory, and for whom.
    Order order = Order::kWeak;
    Scope scope = Scope::kNone;
    std::uint8_t memory_times = 1;  // how many of these the assembler makes of it
    bool guarded = false;
    bool by_data = false;  // of an access: a load of the kernel brought what its address is made of
    // Of an access that asks for a part of a structure, as others of its basic block do for the rest: the structure's
    // bytes, and whether it is not the first part. 0: it does not.
    std::uint8_t structure_bytes = 0;
    bool is_further_part = false;
    // Of an access that is what the compiler made of a copy of an aligned record: which copy, of one basic block, and
    // the bytes that one access could move. 0: it is none.
    std::uint32_t copy_group = 0;
    std::uint8_t copy_window = 0;
    bool by_layout = false;       // of matrices: which lane asks for what is the hardware's to say
    bool follows_loads = false;   // needs what a load of global memory brings, with nothing but meetings between
    std::uint32_t site = 0;       // Op::site when guarded
    std::uint32_t text_line = 0;  // line in the PTX text
    SourcePlace place;
    SourcePlace outer;  // the same, or where the outermost of the functions that were inlined around it is called
};

enum class TerminatorKind : std::uint8_t {
    kFallThrough,
    kBranch,
    kPollBranch,  // a branch back to the head of a loop that waits for what other threads write
    kBranchIndexed,
    kCall,
    kReturn,
    kExit,
    kTrap,
    kBarrier,
    kConverge,
    kYield,
};

// Copies of whole slots between the caller's frame and the callee's. Offsets in bytes within the frames.
struct CallCopy {
    std::uint32_t caller = 0, callee = 0, bytes = 0;
    bool is_predicate = false;
    bool on_stack = false;  // bytes of the lanes' stack frames rather than registers
    Operand from;           // for arguments: any bank of the caller
};

struct CallSite {
    std::uint32_t function = kNoBlock;  // index into Program::functions; kNoBlock: indirect, target in `pointer`
    std::vector<CallCopy> arguments, results;
    // Indirect: a call site for each function that the pointer may name, those of the call's type. Each has copies of
    // its own: functions of one type may still lay their parameters out differently.
    Operand pointer;  // 64-bit function handle, per lane
    std::vector<std::uint32_t> ways;
};

struct Terminator {
    TerminatorKind kind = TerminatorKind::kFallThrough;
    const Op* op = nullptr;           // the instruction, nullptr for a plain fall-through
    std::uint32_t target = kNoBlock;  // block when the guard holds (branch)
    std::uint32_t next = kNoBlock;    // block otherwise
    std::uint32_t reconvergence = kNoBlock;
    std::uint32_t extra = 0;  // index into call_sites or branch_tables
    // Converge: the lanes that each lane waits for, and what a lane brings for the others to read: so many of
    // Program::brought, from there on.
    Operand member_mask;
    bool wants_all = false;    // converge: all threads of the warp have to come, and it names none
    bool wants_group = false;  // converge: the block has to have all four warps of the warp's group
    bool meets_group = false;  // converge: each warp waits until all four of its group wait, wherever each one stands
    std::uint32_t first_brought = 0, brought_count = 0;
};

// What each lane hands over to those that it meets.
struct Brought {
    Operand from;
    std::uint8_t bytes = 0;  // 0: a predicate
    bool negated = false;
};

// An instruction that reads the sums of a product of a group of warps, which nothing has waited for on some path.
struct EarlyRead {
    std::uint32_t op = 0, product = 0;
    bool operator==(const EarlyRead&) const = default;
};

struct BasicBlock {
    std::uint32_t first = 0;  // index of its first op
    std::uint32_t count = 0;  // ops before the terminator's
    Terminator end;
};

// What a warp asks of an SM each time it runs a basic block, and how often it waits meanwhile (isa/assembler/work.h).
struct BlockWork : PipeWork<float> {
    float handed_over = 0;  // of integers: what the multiply-add pipe does, so that both have as much to do
    // Of a loop: turns that machine code makes one stretch of, in which all loads are under way together. The above is
    // then of their average. What is left over, if the number of turns is not known before, is done turn by turn.
    std::uint32_t turns_together = 1;
    bool may_leave_turns = false;
    std::uint32_t behind_first = 0;  // by how many basic blocks this one is behind the loop's first

    // By the pipes that do it.
    PipeWork<float> on_pipes() const {
        PipeWork<float> work = *this;
        work[Pipe::kFp32] += handed_over;
        work[Pipe::kInteger] -= handed_over;
        return work;
    }
};

// A barrier's operands; Op::extra of a kBarrier terminator.
struct BarrierSite {
    Operand id, count;
    bool has_count = false;
    bool waits = true;           // false: barrier.arrive
    bool has_predicate = false;  // a reduction
    Operand predicate;
    bool predicate_negated = false;
};

struct BranchTable {
    Operand index;
    std::vector<std::uint32_t> targets;  // blocks
};

struct Function {
    std::string name;
    std::uint32_t entry = 0;                                      // block
    std::uint32_t frame_bytes = 0;                                // of registers, all lanes
    std::uint32_t local_bytes = 0;                                // per lane
    std::vector<std::pair<std::uint32_t, std::uint32_t>> zeroed;  // slots read before written: offset, bytes

    // The end of a frame, which no register has: operands that an op lacks are there, and results that go nowhere.
    static constexpr std::uint32_t kNowhereBytes = 512;
    Operand nowhere() const { return {Bank::kRegisters, frame_bytes - kNowhereBytes}; }
};

// What the special bank of each warp holds.
enum class Special : std::uint8_t {
    kTidX,
    kTidY,
    kTidZ,
    kCtaidX,
    kCtaidY,
    kCtaidZ,
    kLaneId,
    kWarpId,
    kLaneMaskEq,
    kLaneMaskLe,
    kLaneMaskLt,
    kLaneMaskGe,
    kLaneMaskGt,
    kSmId,
};
struct SpecialSlot {
    Special what;
    std::uint32_t offset;
};

// What the launch bank holds: 32 equal lanes each.
enum class LaunchValue : std::uint8_t {
    kParameter,         // `bytes` at parameter_offset, extended to slot_bytes
    kParameterAddress,  // address of the parameter buffer plus parameter_offset
    kNtidX,
    kNtidY,
    kNtidZ,
    kNctaidX,
    kNctaidY,
    kNctaidZ,
    kNwarps,
    kGridId,
    kNsmId,
    kDynamicShared,
    kTotalShared,      // in whole units of shared memory
    kAggregateShared,  // with what is reserved
    kReservedUsed,     // end of the reserved bytes that CUDA's own code uses
    kReservedEnd,      // end of all of them
    kWorkspaceLow,     // address of the grid's workspace, of which a cooperative launch has one; else 0
    kWorkspaceHigh,
    kZero,
    kOne,
};
struct LaunchSlot {
    LaunchValue what;
    std::uint32_t offset = 0;     // in the bank
    std::uint8_t slot_bytes = 4;  // per lane
    std::uint32_t parameter_offset = 0;
    std::uint8_t bytes = 4;
    bool is_signed = false;
};

// One access site or guarded instruction.
struct Site {
    std::uint32_t op = 0;
    bool is_access = false;
    // What machine code makes of the access (docs/internals/rules/assembler.md): bytes a lane's access counts as, 0
    // when it is part of a neighbour's, how far from the address they begin, and how many more pieces there are, at the
    // sites behind the two that every access has.
    std::uint8_t counted_width = 0;
    std::int16_t counted_shift = 0;
    std::uint8_t more_pieces = 0;
    // The access as it is written.
    bool is_announced = false;      // false: nobody is told, such as of parameters of device functions
    Space space = Space::kGeneric;  // kGeneric: known when it runs
    AccessKind kind = AccessKind::kLoad;
    std::uint8_t width = 0;  // bytes per lane
    Order order = Order::kWeak;
    Scope scope = Scope::kNone;
    CacheHints cache;
    bool stores_fixed = false;  // stores: what is stored is the same whatever the thread and the data
    // What its address counts from for certain: index into shared_variables, or into pointers.
    std::int32_t shared_variable = -1;
    std::int32_t pointer = -1;
};

// Where a variable lies in the shared memory of a block. bytes 0: the dynamic array, as long as the launch says.
struct SharedVariable {
    std::string name;  // as in the PTX
    std::uint32_t offset = 0, bytes = 0;
};

// What addresses in global and constant memory count from: a variable of the module, or what a parameter of the kernel
// holds, if that is a pointer.
struct PointerSource {
    bool is_parameter = false;
    std::uint64_t at = 0;  // the variable's address; the parameter's offset
    bool operator==(const PointerSource&) const = default;
};
// The address in a launch with these parameters.
std::optional<std::uint64_t> address_of(const PointerSource& source, std::span<const std::byte> parameters);

class Program {
public:
    Program() = default;
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    ~Program();

    std::string name;
    std::vector<Op> ops;
    std::vector<OpFacts> facts;  // parallel to ops
    std::vector<OpFlow> flow;    // parallel to ops where asked for (LowerRequest::with_flow), else empty
    std::vector<OpFn> plain;     // what the ops' functions were before make_steppable(); else empty
    std::vector<BasicBlock> blocks;
    std::vector<BlockWork> work;                                        // parallel to blocks
    std::unordered_map<std::uint64_t, std::uint32_t> function_handles;  // what pointers hold, to indices of functions
    std::vector<Function> functions;                                    // [0] is the kernel
    std::vector<CallSite> call_sites;
    std::vector<BranchTable> branch_tables;
    std::vector<Brought> brought;
    std::vector<Site> sites;
    std::vector<std::string> files;
    std::vector<SharedVariable> shared_variables;  // of reachable code, by offset
    std::vector<PointerSource> pointers;           // that reachable code names
    std::vector<BoundsCheck> bounds_checks;        // by line, where asked for (LowerRequest::lists_checks)
    IndexFacts index_facts;                        // where asked for (LowerRequest::with_indices)
    RaceFacts race_facts;                          // where asked for (LowerRequest::with_races)
    std::vector<std::string> module_variables;     // global and constant ones that reachable code names, in that order
    std::vector<std::byte> constants;              // bank kConstants; aligned when copied, see constant_bank()
    std::vector<SpecialSlot> specials;
    std::vector<LaunchSlot> launch_slots;
    std::uint32_t special_bytes = 0, launch_bytes = 0;
    std::uint64_t constant_base = 0;                      // what a 32-bit address of constant memory lacks
    std::uint64_t constants_at = 0, constants_bytes = 0;  // where .const variables lie
    std::uint32_t static_shared_bytes = 0;
    // Shared memory is an array that starts at the address shared_base. Its first shared_reserved bytes are not the
    // block's own: a program that asks where they lie may use shared_reserved_used of them, in others the array starts
    // behind them and both are 0.
    std::uint64_t shared_base = 0;
    std::uint32_t shared_reserved = 0, shared_reserved_used = 0;
    std::uint32_t parameter_bytes = 0;
    std::uint32_t max_frame_bytes = 0;  // deepest chain of calls, registers of all lanes
    std::uint32_t max_local_bytes = 0;  // likewise, per lane
    bool has_unbounded_calls = false;   // recursion or calls through pointers
    bool has_group_products = false;    // wgmma
    std::vector<EarlyRead> early_reads;
    bool touches_texels = false;   // of textures or surfaces
    bool order_dependent = false;  // results depend on the order of blocks: run them in order, on one worker
    bool may_wait = false;         // a loop may only end by what other blocks write: let them run meanwhile
    std::uint32_t estimated_registers = 0;

    void own(const void* object, void (*destroy)(const void*)) { owned_.push_back({object, destroy}); }

private:
    struct Owned {
        const void* object;
        void (*destroy)(const void*);
    };
    std::vector<Owned> owned_;
};

}  // namespace tilescope::machine

// What the steps of lowering share. Internal to scope/isa/lower*.cpp.
//
// One kernel becomes one Program: the kernel and every device function it can reach are lowered one after another, each
// in six steps: names (lower_names), operands (lower_operands), flow (lower_flow), products and sums that become one
// (lower_contraction), registers (lower_registers), code (lower_emit).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "scope/isa/lower.h"
#include "scope/isa/table/binding.h"
#include "scope/isa/table/row_index.h"

namespace tilescope::isa {

inline constexpr std::int32_t kNoRegister = -1;

// A virtual register. bytes 0: a predicate.
struct VirtualRegister {
    std::uint8_t bytes = 4;
    bool fixed = false;  // parameters and results of a function: placed by its signature
    std::uint32_t uses = 0;
    std::uint32_t slot = 0;  // byte offset in the frame, once placed
};

enum class EntityKind : std::uint8_t { kRegister, kLocal, kShared, kParameter, kLabel, kTargets, kPrototype };

// What a name means in a scope.
struct Entity {
    EntityKind kind = EntityKind::kRegister;
    std::int32_t first = 0;   // register: virtual register; vectors: of the first component
    std::uint32_t count = 1;  // range %r<count>
    std::uint32_t components = 1;
    std::uint64_t offset = 0;  // local: byte in the stack frame; shared: byte in the block's memory
    std::uint32_t label = 0;
    const ptx::TargetList* targets = nullptr;
    const ptx::CallPrototype* prototype = nullptr;
    std::int32_t parameter = -1;  // index into FunctionCode::parameters
};

struct NameScope {
    NameScope* parent = nullptr;
    std::unordered_map<std::string_view, Entity> names;
    std::unordered_map<std::string_view, Entity> ranges;  // by prefix
};

// A .param variable inside a function: a register when scalar, else bytes in the stack frame.
struct ParameterVariable {
    std::int32_t reg = kNoRegister;
    std::uint64_t local_offset = 0, bytes = 0;
};

// An operand with registers still virtual. Mirrors BoundOperand.
struct OpenOperand {
    BoundOperand bound;  // slot valid unless `reg` says a register
    std::int32_t reg = kNoRegister;
    bool writes = false;
    std::int32_t origin = -1;  // what an immediate, an address or a parameter counts from (address_origins)
    std::vector<OpenOperand> elements;
};

// An access that machine code makes, seen from the address of the instruction it is counted for.
struct CountedPiece {
    std::int16_t shift = 0;
    std::uint8_t width = 0;
    bool operator==(const CountedPiece&) const = default;
};

// What the assembler makes of an instruction's access.
struct CountedAccess {
    bool as_written = true;
    std::vector<CountedPiece> pieces;  // otherwise; none: it is part of another's, or of nothing
};

// Of an access: the structure that it asks for together with those beside it. 0 bytes: there are none.
struct StructurePart {
    std::uint8_t bytes = 0;
    bool is_further = false;  // than its first
};

// Whether the assembler lets one lane do an atomic for its warp.
enum class Combined : std::uint8_t { kNo, kAlways, kFullWarps };

struct Instruction {
    const ptx::Instruction* text = nullptr;
    const Candidate* chosen = nullptr;
    std::vector<OpenOperand> operands;
    std::int32_t guard = kNoRegister;
    bool guard_negated = false;
    Control control = Control::kNone;
    bool dead = false;          // a load nobody reads: the assembler drops it
    bool reads_others = false;  // what other blocks may write meanwhile, and means to see it
    bool by_data = false;       // of an access: a load of the kernel brought what its address is made of
    StructurePart structure;
    CountedAccess counted;
    Combined combined = Combined::kNo;
    std::uint32_t label = 0;                           // branch target
    std::vector<std::uint32_t> labels;                 // indexed branch
    std::uint32_t call = 0;                            // index into calls
    std::vector<std::int32_t> extra_uses, extra_defs;  // calls, returns
    std::uint32_t op = 0;                              // index into Program::ops, once emitted
};

// Calls visit(register) for every register that an instruction writes.
template <class Visit>
void for_each_result(const Instruction& instruction, Visit visit) {
    const auto each = [&](const OpenOperand& operand, const auto& self) -> void {
        if (operand.reg != kNoRegister && operand.writes) visit(operand.reg);
        for (const OpenOperand& element : operand.elements) self(element, self);
    };
    for (const OpenOperand& operand : instruction.operands) each(operand, each);
    for (const std::int32_t reg : instruction.extra_defs) visit(reg);
}

// Calls visit(register) for every register that an instruction reads, but for its guard.
template <class Visit>
void for_each_source(const Instruction& instruction, Visit visit) {
    const auto each = [&](const OpenOperand& operand, const auto& self) -> void {
        if (operand.reg != kNoRegister && !operand.writes) visit(operand.reg);
        for (const OpenOperand& element : operand.elements) self(element, self);
    };
    for (const OpenOperand& operand : instruction.operands) each(operand, each);
    for (const std::int32_t reg : instruction.extra_uses) visit(reg);
}

// Calls visit(register, is_address) for all that an instruction reads.
template <class Visit>
void for_each_read(const Instruction& instruction, Visit visit) {
    const auto each = [&](const OpenOperand& operand, const auto& self) -> void {
        const bool is_address = operand.bound.kind == BoundKind::kAddress;
        if (operand.reg != kNoRegister && (!operand.writes || is_address)) visit(operand.reg, is_address);
        for (const OpenOperand& element : operand.elements) self(element, self);
    };
    for (const OpenOperand& operand : instruction.operands) each(operand, each);
    for (const std::int32_t reg : instruction.extra_uses) visit(reg, false);
    if (instruction.guard != kNoRegister) visit(instruction.guard, false);
}

// Where a register is written: how often, and by which instructions first and last.
struct Definition {
    unsigned count = 0;
    std::uint32_t first = 0, last = 0;
};

// A call with its sides still virtual.
struct OpenCall {
    std::string callee;  // empty: through `pointer`
    OpenOperand pointer;
    std::vector<OpenOperand> arguments, results;
    std::vector<std::int32_t> argument_parameters, result_parameters;  // index into parameters, -1: a register
    std::vector<std::uint64_t> argument_bytes, result_bytes;
    const ptx::CallPrototype* prototype = nullptr;
};

struct CodeBlock {
    std::vector<std::uint32_t> instructions;  // indices
    std::vector<std::uint32_t> successors, predecessors;
    std::uint32_t reconvergence = machine::kNoBlock;
    std::uint32_t next = machine::kNoBlock;  // where it falls to, if that is not the block behind it
    bool keeps_loop = false;                 // .pragma "nounroll"
};

struct FunctionCode {
    const ptx::Function* text = nullptr;
    std::uint32_t index = 0;
    std::vector<VirtualRegister> registers;
    std::vector<ParameterVariable> parameters;
    std::vector<std::int32_t> formals, formal_results;  // parameters of the function itself
    std::vector<Instruction> instructions;
    std::vector<Definition> definitions;  // by register, once all instructions are there

    bool writes_alone(const Instruction& instruction, std::int32_t reg) const {
        return definitions[reg].count == 1 && &instructions[definitions[reg].last] == &instruction;
    }
    std::vector<OpenCall> calls;
    std::vector<std::uint32_t> label_blocks;  // label number to block
    std::vector<CodeBlock> blocks;
    std::uint64_t local_bytes = 0;
    std::uint32_t frame_bytes = 0;
    std::uint32_t first_block = 0;  // in the program
    std::vector<std::unique_ptr<NameScope>> scopes;
    std::int32_t trash = kNoRegister;  // receives results that go nowhere
    std::vector<std::pair<std::uint32_t, std::uint32_t>> zeroed;
    // Where asked for: barriers that a condition on the thread's place leads to, with its branch.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> conditional_barriers;
    std::uint32_t pressure = 0;  // 32-bit registers alive at once, at most
};

// Of every register: which of Program::shared_variables its values count from, or, from kFirstPointer on, which of
// Program::pointers; -1 where that is none for certain, or not certain.
constexpr std::int32_t kFirstPointer = 1 << 24;
std::vector<std::int32_t> address_origins(const FunctionCode& code);

// Of every register: whether its values differ by thread or follow from data. A predicate that chooses is no source.
std::vector<char> varying_registers(const FunctionCode& code);
bool stores_what_varies(const Instruction& store, const std::vector<char>& varies);

// Of every register: whether it follows from the thread's place, within its block or in the whole grid, by arithmetic
// alone; what a load brings does not.
enum class PlaceWithin : std::uint8_t { kBlock, kGrid };
std::vector<char> place_registers(const FunctionCode& code, const machine::Program& program, PlaceWithin within);

// Where every register is written: its instructions, in order.
std::vector<std::vector<std::uint32_t>> writers_of_registers(const FunctionCode& code);

// Whether a call of this type may reach the function.
bool has_type(const ptx::Function& function, const ptx::CallPrototype& prototype);

// The whole of one lowering.
class Lowering {
public:
    explicit Lowering(const LowerRequest& request);
    Result<std::unique_ptr<machine::Program>> run();

    // ---- shared by the steps ----
    const LowerRequest& request() const { return request_; }
    machine::Program& program() { return *program_; }
    RowIndex& rows() { return rows_; }
    void fail(std::string code, const ptx::Position& at, std::string message, std::string hint = {});
    bool failed() const { return !errors_.empty(); }
    // Slots in the program's banks, made on first use.
    machine::Operand constant(std::uint64_t value, unsigned bytes);
    machine::Operand launch_slot(const machine::LaunchSlot& slot);
    machine::Operand special_slot(machine::Special special);
    // Offset of a module-scope shared variable; nothing when there is none of that name.
    std::optional<std::uint64_t> shared_variable(std::string_view name);
    // Address of a module-scope global or constant variable, which the program is then known to use.
    // One that cannot be used is an error at `at`.
    std::optional<std::uint64_t> module_variable(std::string_view name, const ptx::Position& at);
    // Where a parameter of the kernel lies; nothing when there is none of that name.
    std::optional<ParameterPlace> kernel_parameter(std::string_view name) const;
    // Which of Program::shared_variables lies at an offset.
    std::int32_t shared_variable_at(std::uint64_t offset) const;
    // kFirstPointer and the place in Program::pointers.
    std::int32_t pointer_origin(const machine::PointerSource& source);
    // Offset of a shared variable declared inside a function.
    // Of a place in the block's array of shared memory.
    std::uint64_t shared_address(std::uint64_t offset) const { return program_->shared_base + offset; }
    std::uint64_t local_shared(const ptx::Variable& variable) const { return shared_offsets_.at(&variable); }
    // Index of a device function, queued for lowering; nothing when the module has no body for it.
    std::optional<std::uint32_t> function(std::string_view name);
    const ptx::Function* function_text(std::string_view name) const;
    // The device functions whose address the module takes anywhere: what a call through a pointer may reach, for the
    // pointer may have been stored by another kernel or lie in a table.
    const std::vector<const ptx::Function*>& functions_pointed_to();
    std::uint32_t file_of(std::uint32_t ptx_file);

    // ---- the steps (one file each) ----
    void lower_names(FunctionCode& code);
    void lower_checks(FunctionCode& code);
    void lower_operands(FunctionCode& code, NameScope& scope, const ptx::Instruction& text);
    void lower_flow(FunctionCode& code);
    void lower_contraction(FunctionCode& code);
    void lower_registers(FunctionCode& code);
    void lower_emit(FunctionCode& code);

private:
    friend class OperandReader;
    std::optional<SourceLocation> source_of(const ptx::Position& at) const;
    void check_directives(const ptx::Function& function);
    void lower_function(std::uint32_t index);
    void place_shared(const ptx::Function& kernel);
    // One side of a call: the caller's values, which of them lie on its stack, and the callee's parameters.
    struct CallValues {
        const std::vector<OpenOperand>& values;
        const std::vector<std::int32_t>& parameters;
        const std::vector<std::int32_t>& formals;
    };
    bool bind_call(const FunctionCode& code, const OpenCall& open, const FunctionCode& callee, machine::CallSite& site);
    bool copy_values(const FunctionCode& code, const FunctionCode& callee, const CallValues& values,
                     std::vector<machine::CallCopy>& out);
    bool finish_call(const FunctionCode& code, const OpenCall& open, machine::CallSite& site);
    void finish_calls();
    void measure_depth();
    void check_banks(const ptx::Function& kernel);
    void find_waits();
    void find_padding();
    void find_indices();
    void find_races();

    const LowerRequest& request_;
    std::unique_ptr<machine::Program> program_;
    RowIndex rows_;
    Diagnostics errors_;
    std::unordered_map<std::string_view, const ptx::Function*> function_texts_;
    std::unordered_map<std::string_view, const ptx::Variable*> variables_;
    std::unordered_map<std::string_view, std::uint32_t> function_indices_;
    std::vector<std::unique_ptr<FunctionCode>> functions_;
    std::map<std::pair<std::uint64_t, unsigned>, machine::Operand> constants_;
    std::unordered_map<const ptx::Variable*, std::uint64_t> shared_offsets_;
    using LaunchSlotKey = std::tuple<machine::LaunchValue, std::uint8_t, std::uint32_t, std::uint8_t, bool>;
    std::map<LaunchSlotKey, std::uint32_t> launch_slots_;  // to offsets
    std::optional<std::vector<const ptx::Function*>> functions_pointed_to_;
    std::unordered_set<std::string> refusals_;             // variables that were complained of
    std::unordered_set<std::string_view> used_variables_;  // of program_->module_variables
    std::unordered_map<std::string_view, ParameterPlace> kernel_parameters_;
    std::map<std::uint32_t, std::uint32_t> files_;
};

}  // namespace tilescope::isa

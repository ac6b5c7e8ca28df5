// Step 5: ops, facts and terminators.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "scope/base/copy_mark.h"
#include "scope/isa/lower/copy_parts.h"
#include "scope/isa/lower/data_flow.h"
#include "scope/isa/lower/early_reads.h"
#include "scope/isa/lower/guard.h"
#include "scope/isa/lower/lowering.h"
#include "scope/isa/lower/meeting.h"
#include "scope/isa/lower/source_credit.h"
#include "scope/isa/table/access_words.h"
#include "scope/isa/table/memory_flags.h"

namespace tilescope::isa {
namespace {

using machine::AccessKind;
using machine::Bank;
using machine::TerminatorKind;

Counter mix_of(Class kind) {
    switch (kind) {
        case Class::kInteger: return Counter::kIntegerInstructions;
        case Class::kFloat: return Counter::kFloatInstructions;
        case Class::kTensor: return Counter::kTensorInstructions;
        case Class::kConversion: return Counter::kConversionInstructions;
        case Class::kMove: return Counter::kMoveInstructions;
        case Class::kMemory: return Counter::kMemoryInstructions;
        case Class::kControl: return Counter::kControlInstructions;
        case Class::kSync: return Counter::kSyncInstructions;
    }
    return Counter::kMoveInstructions;
}

// Accesses that ptxas makes of a matrix in global memory (wmma), most often.
constexpr std::uint8_t kAccessesOfMatrix = 4;

// Which memory instruction counter a load or store belongs to; generic addresses count where compilers mean them to.
Counter memory_counter(const Candidate& chosen) {
    const Form& form = chosen.form;
    const machine::Space space = space_of(form);
    const bool shared = space == machine::Space::kShared;
    const bool other = !shared && space != machine::Space::kGlobal && space != machine::Space::kGeneric;
    switch (chosen.row->effect.action) {
        case Action::kCopy: return Counter::kAsyncCopyInstructions;
        case Action::kLoad:
            return shared  ? Counter::kSharedLoadInstructions
                   : other ? Counter::kCount
                           : Counter::kGlobalLoadInstructions;
        case Action::kMatrixLoad:
            return form.has("load") && !shared ? Counter::kGlobalLoadInstructions : Counter::kCount;
        case Action::kMatrixStore:
            return form.has("store") && !shared ? Counter::kGlobalStoreInstructions : Counter::kCount;
        case Action::kStore:
            return shared  ? Counter::kSharedStoreInstructions
                   : other ? Counter::kCount
                           : Counter::kGlobalStoreInstructions;
        default: return Counter::kCount;
    }
}

bool is_float_arithmetic(Counter operations) {
    switch (operations) {
        case Counter::kCount:
        case Counter::kByteDotProducts:
        case Counter::kFp16ToFp32:
        case Counter::kBf16ToFp32:
        case Counter::kFp32ToFp64:
        case Counter::kFp64ToFp32: return false;
        default: return true;
    }
}

std::string spelling_of(const ptx::Instruction& text) {
    std::string name = text.opcode;
    for (const std::string& modifier : text.modifiers) name += "." + modifier;
    return name;
}

class ProgramBinding final : public Binding {
public:
    ProgramBinding(const Form& form, machine::Op& op, std::vector<BoundOperand>& operands, machine::Program& program)
        : Binding(form, op, operands), program_(program) {}

protected:
    void own(const void* object, void (*destroy)(const void*)) override { program_.own(object, destroy); }

private:
    machine::Program& program_;
};

class Emitter {
public:
    Emitter(Lowering& lowering, FunctionCode& code)
        : lowering_(lowering),
          code_(code),
          program_(lowering.program()),
          lines_(credit_lines(code.text->locs, lowering.request().module->files)) {}

    void run() {
        code_.first_block = static_cast<std::uint32_t>(program_.blocks.size());
        origins_ = address_origins(code_);
        varies_ = varying_registers(code_);
        for (std::uint32_t b = 0; b < code_.blocks.size(); ++b) {
            machine::BasicBlock block;
            block.first = static_cast<std::uint32_t>(program_.ops.size());
            if (!only_meets_before(code_, b)) loaded_.clear();
            copy_places_ = places_of_vectors(code_, b);
            for (std::uint32_t index : code_.blocks[b].instructions) emit(code_.instructions[index], b, block);
            if (block.end.kind == TerminatorKind::kFallThrough) {
                block.end.next = next_of(b);
                block.count = static_cast<std::uint32_t>(program_.ops.size()) - block.first;
            }
            program_.blocks.push_back(block);
        }
        machine::Function& function = program_.functions[code_.index];
        if (const auto handle = function_handle(*lowering_.request().module, *code_.text))
            program_.function_handles.emplace(*handle, code_.index);
        function.name = code_.text->name;
        function.entry = code_.first_block;
        function.frame_bytes = code_.frame_bytes;
        function.local_bytes = static_cast<std::uint32_t>((code_.local_bytes + 15) / 16 * 16);
        function.zeroed = code_.zeroed;
    }

private:
    std::uint32_t next_of(std::uint32_t b) const {
        const std::uint32_t next = code_.blocks[b].next;
        return code_.first_block + (next == machine::kNoBlock ? b + 1 : next);
    }

    machine::Operand slot_of(std::int32_t reg) const { return {Bank::kRegisters, code_.registers[reg].slot}; }
    machine::Operand trash() const { return {Bank::kRegisters, code_.frame_bytes - machine::Function::kNowhereBytes}; }

    BoundOperand close(const OpenOperand& open) const {
        BoundOperand bound = open.bound;
        if (open.reg != kNoRegister) bound.slot = slot_of(open.reg);
        if (bound.kind == BoundKind::kAbsent) bound.slot = trash();
        for (const OpenOperand& element : open.elements) bound.elements.push_back(close(element));
        return bound;
    }

    void add_site(std::uint32_t op, bool is_access) {
        machine::Site& site = program_.sites.emplace_back();
        site.op = op;
        site.is_access = is_access;
    }

    void emit(Instruction& instruction, std::uint32_t b, machine::BasicBlock& block) {
        if (instruction.dead) return;
        const Candidate& chosen = *instruction.chosen;
        const auto index = static_cast<std::uint32_t>(program_.ops.size());
        machine::Op op;
        op.index = instruction.op = index;
        const bool accesses = chosen.row->kind == Class::kMemory || chosen.row->effect.action == Action::kFactorLoad;
        if (accesses || instruction.guard != kNoRegister) {
            op.site = static_cast<std::uint32_t>(program_.sites.size());
            add_site(index, accesses);
            if (accesses) add_site(index, true);  // the second address of a copy
            for (std::size_t piece = 1; piece < instruction.counted.pieces.size(); ++piece) add_site(index, true);
        }
        std::vector<BoundOperand> operands;
        operands.reserve(instruction.operands.size());
        unsigned reads = 0;
        bool wrote = false;
        // Machines count shared memory from the start of the block's array. What a copy reads comes second.
        bool names_shared =
            chosen.row->effect.action == Action::kCopy || space_of(chosen.form) == machine::Space::kShared;
        machine::Operand* const places[] = {&op.a, &op.b, &op.c};
        op.dst = op.a = op.b = op.c = trash();  // operands that it does not have are no register that others use
        for (const OpenOperand& open : instruction.operands) {
            operands.push_back(close(open));
            BoundOperand& bound = operands.back();
            if (bound.kind == BoundKind::kAddress && std::exchange(names_shared, false))
                bound.value -= static_cast<std::int64_t>(program_.shared_base);
            if (open.writes) {
                const BoundOperand& target =
                    bound.kind == BoundKind::kVector && !bound.elements.empty() ? bound.elements[0] : bound;
                if (!wrote) op.dst = target.slot;
                wrote = true;
            } else if ((bound.kind == BoundKind::kValue || bound.kind == BoundKind::kAddress) && reads < 3) {
                *places[reads++] = bound.slot;
            }
        }
        ProgramBinding binding(chosen.form, op, operands, program_);
        op.fn = chosen.row->bind ? chosen.row->bind(binding) : nullptr;
        if (!op.fn) {
            lowering_.fail("isa-unsupported-form", instruction.text->position,
                           "not supported: " + spelling_of(*instruction.text) +
                               (binding.failure().empty() ? "" : " with " + binding.failure()),
                           binding.failure_hint());
            return;
        }
        if (accesses) describe_sites(instruction, op);
        if (accesses) instruction.reads_others = reads_others(instruction, op);
        if (instruction.combined == Combined::kAlways) op.flags |= kCombined;
        if (instruction.combined == Combined::kFullWarps) op.flags |= kCombinedIfFull;
        if (instruction.guard != kNoRegister) {
            op.guard = slot_of(instruction.guard);
            op.guard_negated = instruction.guard_negated;
            op.guarded = op.fn;
            op.fn = &run_guarded;
        }
        // What kernels print comes out in the order of blocks, and which memory they get depends on it.
        const Action action = chosen.row->effect.action;
        if (action == Action::kPrint || action == Action::kAllocate) program_.order_dependent = true;
        if (touches_texels(chosen)) program_.touches_texels = true;
        if (action == Action::kFactorLoad) program_.has_group_products = true;
        add_facts(instruction, op, binding.times);
        program_.ops.push_back(op);
        if (lowering_.request().with_flow) program_.flow.push_back(data_flow(instruction, operands));
        if (instruction.control != Control::kNone) end_block(instruction, b, block, operands);
    }

    std::int32_t origin_of(const OpenOperand& address) const {
        return address.reg == kNoRegister ? address.origin : origins_[static_cast<std::size_t>(address.reg)];
    }

    // What observers are told of the access as it is written. Parameters of device functions are nobody's business, and
    // what has no width accesses nothing: hints, and moves between slots.
    void describe_written(const Instruction& instruction, const machine::Op& op) {
        const Candidate& chosen = *instruction.chosen;
        machine::Site& site = program_.sites[op.site];
        site.is_announced = op.width != 0 && !(op.flags & kUncounted);
        site.space = space_of(chosen.form);
        site.width = op.width;
        site.order = order_of(*chosen.row, chosen.form);
        site.scope = scope_of(*chosen.row, chosen.form);
        site.cache = cache_hints_of(chosen.form);
        const auto address =
            std::find_if(instruction.operands.begin(), instruction.operands.end(),
                         [](const OpenOperand& open) { return open.bound.kind == BoundKind::kAddress; });
        const std::int32_t origin = address == instruction.operands.end() ? -1 : origin_of(*address);
        if (origin < kFirstPointer) site.shared_variable = origin;
        if (origin >= kFirstPointer) site.pointer = origin - kFirstPointer;
        switch (chosen.row->effect.action) {
            case Action::kMatrixStore: site.kind = AccessKind::kStore; break;
            case Action::kStore:
                site.kind = AccessKind::kStore;
                site.stores_fixed = !stores_what_varies(instruction, varies_);
                break;
            case Action::kAtomic:
            case Action::kReduction:
                site.kind = op.flags & kNoResult ? AccessKind::kReduction : AccessKind::kAtomic;
                break;
            case Action::kCopy: {
                machine::Site& from = program_.sites[op.site + 1];
                from = site;
                const std::int32_t read_from =
                    origin_of(*std::find_if(address + 1, instruction.operands.end(), [](const OpenOperand& open) {
                        return open.bound.kind == BoundKind::kAddress;
                    }));
                from.shared_variable = -1;
                if (read_from >= kFirstPointer) from.pointer = read_from - kFirstPointer;
                site.space = machine::Space::kShared;
                site.kind = AccessKind::kAsyncCopyWrite;
                from.space = machine::Space::kGlobal;
                from.kind = AccessKind::kAsyncCopyRead;
                break;
            }
            default: site.kind = AccessKind::kLoad;
        }
    }

    void describe_sites(const Instruction& instruction, const machine::Op& op) {
        describe_written(instruction, op);
        program_.sites[op.site].counted_width = program_.sites[op.site + 1].counted_width = op.width;
        if (!instruction.counted.as_written) {
            const std::vector<CountedPiece>& pieces = instruction.counted.pieces;
            machine::Site& first = program_.sites[op.site];
            first.counted_width = pieces.empty() ? std::uint8_t{0} : pieces[0].width;
            first.counted_shift = pieces.empty() ? std::int16_t{0} : pieces[0].shift;
            first.more_pieces = static_cast<std::uint8_t>(pieces.empty() ? 0 : pieces.size() - 1);
            for (std::size_t i = 1; i < pieces.size(); ++i) {
                machine::Site& site = program_.sites[op.site + 1 + i];
                site.counted_width = pieces[i].width;
                site.counted_shift = pieces[i].shift;
            }
        }
        const Action action = instruction.chosen->row->effect.action;
        if ((action == Action::kAtomic || action == Action::kReduction) && (op.flags & kOrderDependent))
            program_.order_dependent = true;
    }

    // Loads that ask memory anew each time, and atomics, where another block may write.
    static bool reads_others(const Instruction& instruction, const machine::Op& op) {
        const Form& form = instruction.chosen->form;
        if (form.one_of({"shared", "shared::cta", "local", "const", "param", "param::entry", "param::func"}) != "")
            return false;
        bool has_result = false;
        for_each_result(instruction, [&](std::int32_t) { has_result = true; });
        const bool asks_anew = form.one_of({"volatile", "relaxed", "acquire", "acq_rel", "cv", "cg"}) != "";
        return has_result && (asks_anew || (op.flags & kOrderDependent) != 0);
    }

    // `times`: see Binding.
    void add_facts(const Instruction& instruction, const machine::Op& op, std::uint32_t times) {
        const Candidate& chosen = *instruction.chosen;
        machine::OpFacts facts;
        facts.mix = mix_of(chosen.row->kind);
        facts.operations = chosen.row->operations;
        for (auto& amount : facts.operations) amount.amount *= times;
        facts.computes = is_float_arithmetic(facts.operations[0].counter);
        if (chosen.row->kind == Class::kMemory) {
            facts.memory = memory_counter(chosen);
            if (!instruction.counted.as_written)
                facts.memory_times = static_cast<std::uint8_t>(instruction.counted.pieces.size());
            if (facts.memory_times == 0) facts.memory = Counter::kCount;
            if (chosen.row->effect.action == Action::kMatrixLoad || chosen.row->effect.action == Action::kMatrixStore)
                facts.memory_times = kAccessesOfMatrix;
        }
        const Action action = chosen.row->effect.action;
        if ((action == Action::kAtomic || action == Action::kReduction) && op.flags & kLoopsOnShared)
            facts.each_try = chosen.form.type() == Type::kF32   ? Counter::kFp32Add
                             : chosen.form.type() == Type::kF64 ? Counter::kFp64Add
                                                                : Counter::kCount;
        facts.order = order_of(*chosen.row, chosen.form);
        facts.scope = scope_of(*chosen.row, chosen.form);
        facts.guarded = instruction.guard != kNoRegister;
        facts.follows_loads =
            follow_loads(instruction, facts.memory == Counter::kGlobalLoadInstructions || touches_texels(chosen));
        facts.by_data = instruction.by_data;
        facts.by_layout = action == Action::kMatrixLoad || action == Action::kMatrixStore;
        facts.structure_bytes = instruction.structure.bytes;
        facts.is_further_part = instruction.structure.is_further;
        facts.site = op.site;
        facts.text_line = instruction.text->position.line;
        const auto neighbor = copy_places_.find(&instruction);
        const std::int32_t loc = neighbor == copy_places_.end() ? instruction.text->loc : neighbor->second;
        if (loc >= 0) {
            const bool is_access = facts.memory != Counter::kCount;
            const CreditedLine& line = credited_line(lines_, static_cast<std::size_t>(loc), is_access);
            facts.place.file = lowering_.file_of(line.file);
            facts.place.line = line.line;
            facts.outer = {lowering_.file_of(line.outer_file), line.outer_line};
            if (is_access) note_copy(code_.text->locs[static_cast<std::size_t>(loc)], op, facts);
        }
        program_.facts.push_back(facts);
    }

    // An access at a marked place is a part of a copy, if it is narrower than the copy could be. Of wider ones the
    // assembler may drop what nobody reads, whoever compiled the code.
    void note_copy(const ptx::Loc& loc, const machine::Op& op, machine::OpFacts& facts) {
        const std::uint32_t window = copy_window(loc.column);
        if (op.width == 0 || op.width >= window) return;
        facts.copy_window = static_cast<std::uint8_t>(window);
        const auto next = static_cast<std::uint32_t>(program_.facts.size() + 1);
        const CopyPlace place{loc.file,
                              loc.line,
                              loc.column,
                              loc.inlined_file,
                              loc.inlined_line,
                              loc.inlined_column,
                              program_.blocks.size()};
        facts.copy_group = copies_.try_emplace(place, next).first->second;
    }

    static bool touches_texels(const Candidate& chosen) {
        const Effect& effect = chosen.row->effect;
        return (effect.action == Action::kTexture || effect.action == Action::kSurface) && !effect.is_query;
    }

    // Whether it needs what a load of this stretch of code brings; what it makes of that needs it, too.
    bool follow_loads(const Instruction& instruction, bool loads) {
        bool follows = false;
        for_each_read(instruction, [&](std::int32_t reg, bool) { follows = follows || loaded_.count(reg) != 0; });
        for_each_result(instruction, [&](std::int32_t reg) {
            if (loads || follows)
                loaded_.insert(reg);
            else
                loaded_.erase(reg);
        });
        return follows;
    }

    void end_block(const Instruction& instruction, std::uint32_t b, machine::BasicBlock& block,
                   const std::vector<BoundOperand>& operands) {
        machine::Terminator& end = block.end;
        const std::uint32_t op = static_cast<std::uint32_t>(program_.ops.size()) - 1;
        block.count = op - block.first;
        end.extra = op;  // turned into a pointer when the ops no longer move
        end.next = next_of(b);
        const std::uint32_t meeting = code_.blocks[b].reconvergence;
        end.reconvergence = meeting == machine::kNoBlock ? meeting : code_.first_block + meeting;
        switch (instruction.control) {
            case Control::kBranch:
                end.kind = TerminatorKind::kBranch;
                end.target = code_.first_block + code_.label_blocks[instruction.label];
                break;
            case Control::kBranchIndexed: {
                end.kind = TerminatorKind::kBranchIndexed;
                machine::BranchTable table;
                table.index = operands[0].slot;
                for (std::uint32_t label : instruction.labels)
                    table.targets.push_back(code_.first_block + code_.label_blocks[label]);
                end.target = static_cast<std::uint32_t>(program_.branch_tables.size());
                program_.branch_tables.push_back(std::move(table));
                break;
            }
            case Control::kCall:
                end.kind = TerminatorKind::kCall;
                end.target = instruction.call;  // resolved by finish_calls
                break;
            case Control::kReturn: end.kind = TerminatorKind::kReturn; break;
            case Control::kExit: end.kind = TerminatorKind::kExit; break;
            case Control::kYield: end.kind = TerminatorKind::kYield; break;
            case Control::kTrap: end.kind = TerminatorKind::kTrap; break;
            case Control::kBarrier: end.kind = TerminatorKind::kBarrier; break;
            case Control::kConverge:
                end.kind = TerminatorKind::kConverge;
                end.wants_all = instruction.chosen->row->meets.members == Meets::kNoOperand;
                end.wants_group = instruction.chosen->row->meets.group != WarpGroup::kNone;
                end.meets_group = meets_group(code_, b);
                if (end.wants_all) end.member_mask = lowering_.constant(machine::kFullMask, sizeof machine::kFullMask);
                place_meeting(instruction.chosen->row->meets, operands, program_, end);
                break;
            case Control::kNone: break;
        }
    }

    Lowering& lowering_;
    FunctionCode& code_;
    std::vector<std::int32_t> origins_;  // address_origins()
    std::vector<char> varies_;           // varying_registers()
    machine::Program& program_;
    std::set<std::int32_t> loaded_;    // registers whose values come of loads of the stretch at hand
    std::vector<CreditedLine> lines_;  // by .loc
    std::map<const Instruction*, std::int32_t> copy_places_;  // places_of_vectors() of the block at hand
    using CopyPlace = std::array<std::uint64_t, 7>;
    std::map<CopyPlace, std::uint32_t> copies_;  // OpFacts::copy_group, by the place and the basic block
};

}  // namespace

void Lowering::lower_emit(FunctionCode& code) {
    Emitter(*this, code).run();
    for (const machine::EarlyRead& early : early_reads(code)) program().early_reads.push_back(early);
}

}  // namespace tilescope::isa

#include "scope/isa/assembler/block_walk.h"

#include <algorithm>
#include <utility>

#include "scope/isa/assembler/operation.h"
#include "scope/isa/table/access_words.h"

namespace tilescope::isa {
namespace {

using machine::BlockWork;
using machine::FlowKind;
using machine::Space;

// About how long each is, in cycles: only to tell which of several chains is the longest.
constexpr std::array<float, kWaits> kAboutCycles = {400, 150, 30, 40, 600};  // by Wait
constexpr float kAboutStep = 4;

void keep_longer(Path& into, const Path& other) {
    if (other.cycles > into.cycles) into = other;
}

// What it takes, its guard as well.
template <class Visit>
void for_each_source_and_guard(const Instruction& instruction, Visit visit) {
    for_each_source(instruction, visit);
    if (instruction.guard != kNoRegister) visit(instruction.guard);
}

// Registers of 32 bits.
unsigned words_of(unsigned bytes) {
    constexpr unsigned kBytes = 4;
    return std::max(1u, bytes / kBytes);
}

// That a load fills; of texels, those channels alone that somebody reads.
unsigned registers_of(const FunctionCode& code, const Instruction& instruction) {
    const Form& form = instruction.chosen->form;
    if (instruction.chosen->row->effect.action == Action::kTexture) {
        unsigned registers = 0;
        for_each_result(instruction, [&](std::int32_t reg) { registers += code.registers[reg].uses != 0 ? 1 : 0; });
        return std::max(1u, registers);
    }
    return vector_length(form) * words_of(bytes_of(form.type()));
}

// ptxas keeps accesses, and what orders them, on their side of a barrier; it moves arithmetic behind one, and so waits
// for what was loaded before it as late as without.
bool stays_in_block(const Instruction& instruction, const Cost& cost) {
    return cost.is_load || cost.is_store || memory_effect_of(instruction).orders ||
           (instruction.control != Control::kNone && instruction.control != Control::kConverge);
}

}  // namespace

void Path::take_steps(float more) {
    steps += more;
    cycles += more * kAboutStep;
}
void Path::wait(Wait kind) {
    if (kind == Wait::kNone) return;
    waits[static_cast<std::size_t>(kind)] += 1;
    cycles += kAboutCycles[static_cast<std::size_t>(kind)];
}

BlockWalk::BlockWalk(const FunctionCode& code, const std::vector<Fold>& folds, std::uint32_t block, Pending pending,
                     BlockWalk* before, bool goes_on, const Turn* turn)
    : code_(code), block_(code.blocks[block]), number_(block), pending_(std::move(pending)), turn_(turn) {
    if (before != nullptr) {
        ready_ = std::move(before->ready_);
        products_ = std::move(before->products_);
        divisors_ = std::move(before->divisors_);
        unpacked_ = std::move(before->unpacked_);
        stored_ = before->stored_;
        placed_ = std::move(before->placed_);
        shifted_ = std::move(before->shifted_);
        loaded_ = std::move(before->loaded_);
        held_ = std::move(before->held_);
        held_registers_ = before->held_registers_;
        longest_ = before->longest_;
        due_ = before_ = before->due_;
        kept_ = before->kept_;
        begin_ = before->begin_;
    }
    const Instruction* last = block_.instructions.empty() ? nullptr : &code.instructions[block_.instructions.back()];
    is_loop_ = last != nullptr && last->control == Control::kBranch && code.label_blocks[last->label] == block;
    if (is_loop_)
        for (std::uint32_t index : block_.instructions)
            for_each_result(code.instructions[index], [&](std::int32_t reg) { changing_.insert(reg); });
    hold_sources();
    for (std::uint32_t index : block_.instructions)
        if (!is_constant(index)) step(code.instructions[index], folds[index]);
    keep_longer(due_, goes_on ? kept_ : longest_);
    turn_ = nullptr;
}

BlockWork BlockWalk::work() const {
    // By how much this block makes the chain longer; of one kind it may become less, when another chain takes over.
    BlockWork work = work_;
    work.steps = due_.steps - before_.steps;
    for (std::size_t i = 0; i < kWaits; ++i) work.waits[i] = due_.waits[i] - before_.waits[i];
    // ptxas lets the multiply-add pipe add and shift as well, where that has less to do than the pipe of integers.
    work.handed_over = std::clamp((work[Pipe::kInteger] - work[Pipe::kFp32]) / 2, 0.f, movable_);
    return work;
}

void BlockWalk::step(const Instruction& instruction, Fold fold) {
    if (instruction.dead || instruction.chosen == nullptr) return;
    if (turn_ != nullptr && is_counting(instruction)) return;
    if (fold == Fold::kPart || was_converted(instruction)) return rename(instruction);
    Cost cost = cost_of(instruction);
    if (fold == Fold::kHolds) cost.movable = 0;
    add(cost);
    if (cost.is_name) return rename(instruction);
    Path path;
    if (instruction.guard != kNoRegister) {
        use(instruction.guard, path);
        if (path.cycles > 0 && !is_gone(instruction)) path.take_steps(kGuardSteps);
    }
    for_each_source(instruction, [&](std::int32_t reg) { use(reg, path); });
    Path* const stored = stored_in(instruction, cost);
    const std::optional<Placed> placed = stored == &stored_[kElsewhere] ? place_of(instruction, cost) : std::nullopt;
    if (stored != nullptr && !cost.passes_stores) {
        keep_longer(path, *stored);
        if (stored == &stored_[kElsewhere])
            for (const Placed& other : placed_)
                if (cost.is_store || !placed || !lie_apart(*placed, other)) keep_longer(path, other.path);
    }
    const bool waits = waits_for_copies(instruction);
    if (waits) {
        keep_longer(path, begin_);
        path.wait(Wait::kGlobal);
    }
    if (cost.is_load || cost.is_store) keep_longer(path, begin_);
    if (cost.wait == Wait::kGlobal) wait_for_registers(instruction, path);
    if (goes_back(instruction) && !is_gone(instruction)) keep_longer(path, issued());
    path.take_steps(cost.steps);
    keep_longer(longest_, path);
    if (waits || stays_in_block(instruction, cost)) keep_longer(kept_, path);
    if (waits) keep_longer(begin_, path);
    if (instruction.control == Control::kBarrier) begin_ = kept_;
    if (stored != nullptr && cost.is_store) keep_store(*stored, placed, path);
    Path result = path;
    result.wait(cost.wait);
    if (cost.wait == Wait::kGlobal) loaded_.push_back({registers_of(code_, instruction), result});
    for_each_result(instruction, [&](std::int32_t reg) {
        ready_[reg] = result;
        pending_.erase(reg);
        if (cost.wait != Wait::kNone && pending_.size() < kMostPending) pending_[reg] = cost.wait;
        forget_places(reg);
        std::erase_if(converted_, [reg](const Instruction* known) { return known->operands[1].reg == reg; });
    });
}

// ptxas makes a value of another type once, however often the PTX does: of 134 million conversions of halves in
// tests/advice/pairs/21_tensor_types.cu an H200 ran 16.8 (27 November 2026).
bool BlockWalk::was_converted(const Instruction& instruction) {
    if (instruction.chosen->row->kind != Class::kConversion || instruction.guard != kNoRegister) return false;
    if (instruction.operands.size() != 2) return false;
    const std::int32_t to = instruction.operands[0].reg, from = instruction.operands[1].reg;
    if (to == kNoRegister || from == kNoRegister || to == from) return false;
    const auto known = std::find_if(converted_.begin(), converted_.end(), [&](const Instruction* other) {
        return other->operands[1].reg == from && other->chosen->row == instruction.chosen->row &&
               std::ranges::equal(other->chosen->form.words(), instruction.chosen->form.words());
    });
    if (known != converted_.end()) return true;
    if (converted_.size() < kMostConverted) converted_.push_back(&instruction);
    return false;
}

void BlockWalk::hold_sources() {
    std::set<std::int32_t> made, sums;
    for (const std::uint32_t index : block_.instructions)
        if (const Instruction& one = code_.instructions[index]; one.chosen && one.chosen->row->kind == Class::kTensor)
            for_each_result(one, [&](std::int32_t reg) { sums.insert(reg); });
    for (const std::uint32_t index : block_.instructions) {
        const Instruction& instruction = code_.instructions[index];
        if (instruction.dead || instruction.chosen == nullptr) continue;
        for_each_source(instruction, [&](std::int32_t reg) {
            if (made.count(reg) != 0 || sums.count(reg) != 0 || ready_.count(reg) != 0 || can_be_named(reg) ||
                !held_.insert(reg).second)
                return;
            held_registers_ += words_of(code_.registers[reg].bytes);
        });
        for_each_result(instruction, [&](std::int32_t reg) { made.insert(reg); });
    }
}

bool BlockWalk::can_be_named(std::int32_t reg, unsigned depth) const {
    constexpr unsigned kDeep = 4;
    if (code_.definitions[reg].count != 1 || depth > kDeep) return false;
    const Instruction& from = code_.instructions[code_.definitions[reg].last];
    if (from.chosen == nullptr || from.guard != kNoRegister) return false;
    if (from.chosen->row->kind == Class::kMemory) return space_of(from.chosen->form) == Space::kParam;
    bool is_name = from.chosen->row->effect.expansion == Expansion::kNone && !reads_special(from);
    for_each_source(from, [&](std::int32_t source) { is_name = is_name && can_be_named(source, depth + 1); });
    return is_name;
}

void BlockWalk::wait_for_registers(const Instruction& instruction, Path& path) const {
    const unsigned most = std::max(kLeastUnderWay, kRegisters - std::min(kRegisters, held_registers_));
    unsigned registers = registers_of(code_, instruction);
    for (auto load = loaded_.rbegin(); load != loaded_.rend(); ++load) {
        registers += load->registers;
        if (registers > most) return keep_longer(path, load->path);
    }
}

bool BlockWalk::goes_back(const Instruction& instruction) const {
    return instruction.control == Control::kBranch && instruction.guard != kNoRegister &&
           code_.label_blocks[instruction.label] <= number_;
}

bool BlockWalk::is_gone(const Instruction& instruction) const {
    return turn_ != nullptr && turn_->is_whole && goes_back(instruction);
}

float BlockWalk::steps_of_branch(const Instruction& instruction) const {
    if (instruction.control != Control::kBranch || instruction.guard == kNoRegister || is_gone(instruction)) return 0;
    return goes_back(instruction) ? kTakenSteps : kBranchSteps;
}

Path BlockWalk::issued() const {
    Path path = longest_;
    if (path.steps >= 1) path.take_steps(kIssueSteps - 1);
    return path;
}

bool BlockWalk::lie_apart(const Placed& one, const Placed& other) {
    return one.reg == other.reg && (one.offset + one.bytes <= other.offset || other.offset + other.bytes <= one.offset);
}

std::optional<BlockWalk::Placed> BlockWalk::place_of(const Instruction& instruction, const Cost& cost) const {
    if (cost.is_load == cost.is_store) return std::nullopt;
    const std::size_t at = cost.is_load ? 1 : 0;
    if (instruction.operands.size() <= at) return std::nullopt;
    const OpenOperand& address = instruction.operands[at];
    if (address.bound.kind != BoundKind::kAddress || address.reg == kNoRegister) return std::nullopt;
    const Form& form = instruction.chosen->form;
    const auto shifted = shifted_.find(address.reg);
    const std::int64_t shift = shifted != shifted_.end() ? shifted->second : 0;
    return Placed{
        address.reg, address.bound.value + shift, std::int64_t{bytes_of(form.type())} * vector_length(form), {}};
}

void BlockWalk::keep_store(Path& stored, const std::optional<Placed>& placed, const Path& path) {
    if (!placed || placed_.size() >= kMostPlaced) return keep_longer(stored, path);
    placed_.push_back(*placed);
    placed_.back().path = path;
}

bool BlockWalk::is_constant(std::uint32_t index) const {
    return turn_ != nullptr && std::binary_search(turn_->loop->constants.begin(), turn_->loop->constants.end(), index);
}

bool BlockWalk::is_counting(const Instruction& instruction) {
    if (instruction.control == Control::kBranch && instruction.guard == turn_->guard) return !turn_->is_last;
    if (instruction.operands.empty() || instruction.guard != kNoRegister) return false;
    const std::int32_t reg = instruction.operands[0].reg;
    const Operation operation = operation_of(instruction);
    if (operation == Operation::kCompare) return reg == turn_->guard && !turn_->is_last;
    const bool goes_on = operation == Operation::kAdd || operation == Operation::kSubtract;
    if (!goes_on || reg == kNoRegister || instruction.operands[1].reg != reg ||
        instruction.operands[2].reg != kNoRegister || !instruction.operands[2].bound.is_immediate)
        return false;
    if (std::find(turn_->loop->counters.begin(), turn_->loop->counters.end(), reg) == turn_->loop->counters.end())
        return false;
    const std::int64_t by = instruction.operands[2].bound.value;
    shifted_[reg] += operation == Operation::kAdd ? by : -by;
    if (turn_->is_last) add(cost_of(instruction));
    return true;
}

unsigned BlockWalk::unpack(const Instruction& instruction) {
    unsigned words = 0;
    if (!unpacks(instruction)) return words;
    constexpr std::size_t kA = 1, kB = 2;  // operands
    for (const std::size_t factor : {kA, kB})
        for (const OpenOperand& word : instruction.operands[factor].elements)
            words += word.reg == kNoRegister || unpacked_.insert(word.reg).second ? 1 : 0;
    return words;
}

void BlockWalk::forget_places(std::int32_t reg) {
    shifted_.erase(reg);
    unpacked_.erase(reg);
    std::erase_if(placed_, [&](const Placed& store) {
        if (store.reg == reg) keep_longer(stored_[kElsewhere], store.path);
        return store.reg == reg;
    });
}

void BlockWalk::add(const Cost& cost) {
    // Steps and waits are those of the longest chain.
    work_.instructions += cost.instructions;
    for (std::size_t i = 0; i < kPipes; ++i) work_.pipes[i] += cost.pipes[i];
    movable_ += cost.movable;
}

void BlockWalk::use(std::int32_t reg, Path& path) {
    const auto pending = pending_.find(reg);
    const auto known = ready_.find(reg);
    if (known != ready_.end()) {
        keep_longer(path, known->second);
    } else if (pending != pending_.end()) {
        Path waited;
        waited.wait(pending->second);
        keep_longer(path, waited);
    }
    if (pending != pending_.end()) pending_.erase(pending);
}

void BlockWalk::rename(const Instruction& instruction) {
    Path path;
    Wait wait = Wait::kNone;
    for_each_source_and_guard(instruction, [&](std::int32_t reg) {
        const auto known = ready_.find(reg);
        if (known != ready_.end()) keep_longer(path, known->second);
        const auto pending = pending_.find(reg);
        if (pending == pending_.end()) return;
        wait = pending->second;
        if (known != ready_.end()) return;
        Path waited;
        waited.wait(wait);
        keep_longer(path, waited);
    });
    for_each_result(instruction, [&](std::int32_t reg) {
        ready_[reg] = path;
        pending_.erase(reg);
        if (wait != Wait::kNone) pending_[reg] = wait;
    });
}

Path* BlockWalk::stored_in(const Instruction& instruction, const Cost& cost) {
    if (!cost.is_load && !cost.is_store) return nullptr;
    switch (space_of(instruction.chosen->form)) {
        case Space::kShared: return &stored_[0];
        case Space::kLocal: return &stored_[1];
        default: return &stored_[kElsewhere];
    }
}

bool BlockWalk::waits_for_copies(const Instruction& instruction) {
    const Form& form = instruction.chosen->form;
    // Products of groups of warps have groups to wait for, too; those wait for no memory.
    if (instruction.chosen->row->kind != Class::kSync || !form.has("async")) return false;
    if (form.has("wait_all")) return true;
    return form.has("wait_group") && !instruction.operands.empty() && instruction.operands[0].bound.value == 0;
}

Cost BlockWalk::cost_of(const Instruction& instruction) {
    const Row& row = *instruction.chosen->row;
    const Form& form = instruction.chosen->form;
    if (row.kind == Class::kMemory) return cost_of_access(instruction);
    if (row.kind == Class::kTensor) return cost_of_matrices(instruction, unpack(instruction));
    if (row.effect.action == Action::kExchange) {
        Cost exchange(1, 0);
        exchange[Pipe::kMemory] = 1;
        exchange.wait = Wait::kShared;
        return exchange;
    }
    if (row.kind == Class::kControl || row.kind == Class::kSync) return Cost(1, steps_of_branch(instruction));
    Cost cost;
    switch (row.effect.expansion) {
        case Expansion::kNone:
            // Only a special register takes an instruction to be read.
            cost = Cost(reads_special(instruction) ? 1.f : 0.f, 0);
            cost.is_name = true;
            return cost;
        case Expansion::kSubroutine: return cost_of_division(instruction, knows_divisor(instruction));
        case Expansion::kSpecial: return cost_of_special(instruction);
        case Expansion::kParts: return cost_of_parts(instruction);
        case Expansion::kSpecialOne: cost[Pipe::kSpecial] = 1; return cost;
        case Expansion::kOne: break;
    }
    if (row.kind == Class::kConversion) return cost_of_conversion(instruction);
    return cost_of_arithmetic(instruction, row, form);
}

Cost BlockWalk::cost_of_arithmetic(const Instruction& instruction, const Row& row, const Form& form) {
    const Type type = form.type();
    const FlowKind flow = row.effect.flow;
    const bool multiplies = flow == FlowKind::kMultiply || flow == FlowKind::kMultiplyAdd;
    const bool adds = flow == FlowKind::kAdd || flow == FlowKind::kSubtract;
    Cost cost;
    if (row.kind == Class::kFloat && type == Type::kF64) {
        cost[Pipe::kFp64] = 1;
    } else if (row.kind == Class::kFloat && (multiplies || adds)) {
        cost[Pipe::kFp32] = type == Type::kF32 ? 1 : kHalfPipeCycles;
    } else if (row.operations[0].counter == Counter::kByteDotProducts) {
        cost[Pipe::kFp32] = kHalfPipeCycles;  // bench/hardware/short_rates.cu on an H200 (27 November 2026)
    } else if (multiplies) {
        cost[Pipe::kFp32] = bytes_of(type) == 8 && !form.has("wide") ? 4 : 1;
        cost.instructions = cost[Pipe::kFp32];
        if (form.has("wide")) for_each_result(instruction, [&](std::int32_t reg) { products_.insert(reg); });
    } else if (const std::int32_t product = adds && bytes_of(type) == 8 ? product_added(instruction) : kNoRegister;
               product != kNoRegister) {
        // The multiplication adds as well. Where its product is added again, or was made before a loop, it is done
        // anew.
        const bool is_first = products_.erase(product) != 0;
        cost.instructions = cost[Pipe::kFp32] = is_first ? 0 : 1;
        cost.steps = is_first ? 0 : 1;
    } else {
        cost.instructions = cost[Pipe::kInteger] = bytes_of(type) == 8 ? 2 : 1;
        if (adds || operation_of(instruction) == Operation::kShiftLeft) cost.movable = 1;
    }
    return cost;
}

std::int32_t BlockWalk::product_added(const Instruction& instruction) const {
    std::int32_t product = kNoRegister;
    for_each_source_and_guard(instruction, [&](std::int32_t reg) {
        if (code_.definitions[reg].count != 1) return;
        const Instruction& from = code_.instructions[code_.definitions[reg].last];
        if (from.chosen != nullptr && from.chosen->form.has("wide") && operation_of(from) == Operation::kMultiply)
            product = reg;
    });
    return product;
}

bool BlockWalk::knows_divisor(const Instruction& instruction) {
    if (instruction.operands.size() < 3 || instruction.operands[2].reg == kNoRegister) return false;
    const std::int32_t divisor = instruction.operands[2].reg;
    return !divisors_.insert(divisor).second || (is_loop_ && changing_.count(divisor) == 0);
}

}  // namespace tilescope::isa

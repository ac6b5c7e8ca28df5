#include "scope/isa/assembler/instruction_cost.h"

#include <algorithm>

#include "scope/isa/table/access_words.h"

namespace tilescope::isa {
namespace {

using machine::Space;

// Instructions that ptxas 13.0 makes of divisions and the like for sm_90, counted in its cubins (kernels of one, two
// and three of them over one divisor, November 2026).
constexpr float kQuotient = 9, kSignedQuotient = 12;  // of 32-bit integers, the divisor's reciprocal known
constexpr float kReciprocal = 9;                      // of a 32-bit divisor
constexpr float kReciprocalSpecial = 3;               // of these, on the special function unit
constexpr float kWideDivision = 33;                   // of 64-bit integers that 32 bits hold; others take a call
constexpr float kFloatDivision = 10;   // the ordinary way; numbers near the ends of the range take a call
constexpr float kDoubleDivision = 16;  // likewise
constexpr float kDivisionSteps = 8, kSpecialSteps = 5;
constexpr float kSpecialAround = 3;  // scaling before and behind a special function, but where denormals count as 0

// Accesses that ptxas makes of a wmma load or store of 16 x 16 elements.
constexpr float kWordsOfWmma = 4;

bool has_base(const Instruction& instruction) {
    return std::any_of(instruction.operands.begin(), instruction.operands.end(), [](const OpenOperand& operand) {
        return operand.bound.kind == BoundKind::kAddress && operand.reg != kNoRegister && !operand.writes;
    });
}

// Nobody writes what textures read while a kernel runs.
Cost cost_of_texels(const Instruction& instruction) {
    const Effect& effect = instruction.chosen->row->effect;
    Cost cost;
    cost[Pipe::kTexture] = 1;
    cost.steps = 0;
    if (effect.is_query) {
        cost.wait = Wait::kConstant;
        return cost;
    }
    for_each_result(instruction, [&](std::int32_t) { cost.is_load = true; });
    cost.is_store = !cost.is_load;
    cost.passes_stores = effect.action == Action::kTexture;
    if (cost.is_load) cost.wait = Wait::kGlobal;
    return cost;
}

}  // namespace

bool reads_special(const Instruction& instruction) {
    return std::any_of(instruction.operands.begin(), instruction.operands.end(), [](const OpenOperand& operand) {
        return operand.bound.kind == BoundKind::kValue && operand.reg == kNoRegister && !operand.writes &&
               !operand.bound.is_immediate &&
               operand.bound.slot.bank() == static_cast<unsigned>(machine::Bank::kSpecial);
    });
}

Cost cost_of_access(const Instruction& instruction) {
    const Row& row = *instruction.chosen->row;
    const Form& form = instruction.chosen->form;
    Cost cost;
    cost[Pipe::kMemory] = 1;
    cost.steps = 0;
    const Space space = space_of(form);
    if (space == Space::kParam || (space == Space::kConstant && !has_base(instruction))) return Cost(1, 0);
    if (!instruction.counted.as_written) {
        cost[Pipe::kMemory] = static_cast<float>(instruction.counted.pieces.size());
        cost.instructions = cost[Pipe::kMemory];
    }
    switch (row.effect.action) {
        case Action::kTexture:
        case Action::kSurface: return cost_of_texels(instruction);
        case Action::kMatrixLoad:
            if (form.has("load")) cost.instructions = cost[Pipe::kMemory] = kWordsOfWmma;
            cost.is_load = true;
            break;
        case Action::kLoad: cost.is_load = true; break;
        case Action::kMatrixStore:
            if (form.has("store")) cost.instructions = cost[Pipe::kMemory] = kWordsOfWmma;
            cost.is_store = true;
            return cost;
        case Action::kStore:
        case Action::kReduction: cost.is_store = true; return cost;
        case Action::kAtomic:
            cost.is_store = true;
            cost.wait = space == Space::kShared ? Wait::kShared : Wait::kAtomic;
            return cost;
        default: return cost;
    }
    cost.passes_stores = form.has("nc") || space == Space::kConstant;
    switch (space) {
        case Space::kShared: cost.wait = Wait::kShared; break;
        case Space::kLocal: cost.wait = Wait::kLocal; break;
        case Space::kConstant: cost.wait = Wait::kConstant; break;
        default: cost.wait = Wait::kGlobal; break;
    }
    return cost;
}

Cost cost_of_division(const Instruction& instruction, bool divisor_known) {
    const Type type = instruction.chosen->form.type();
    Cost cost;
    cost.steps = kDivisionSteps;
    if (type == Type::kF64) {
        cost.instructions = kDoubleDivision;
        cost[Pipe::kFp64] = kDoubleDivision - 3;
        cost[Pipe::kSpecial] = 1;
    } else if (is_float(type)) {
        cost.instructions = kFloatDivision;
        cost[Pipe::kFp32] = kFloatDivision - 3;
        cost[Pipe::kSpecial] = 1;
    } else if (bytes_of(type) == 8) {
        cost.instructions = kWideDivision;
        cost[Pipe::kInteger] = cost[Pipe::kFp32] = kWideDivision / 2;
        cost.steps *= 3;
    } else {
        cost.instructions = (is_signed(type) ? kSignedQuotient : kQuotient) + (divisor_known ? 0 : kReciprocal);
        cost[Pipe::kSpecial] = divisor_known ? 0 : kReciprocalSpecial;
        cost[Pipe::kFp32] = cost.instructions * 0.4f;
        cost[Pipe::kInteger] = cost.instructions - cost[Pipe::kFp32] - cost[Pipe::kSpecial];
        cost.steps += divisor_known ? 0 : kDivisionSteps;
    }
    return cost;
}

Cost cost_of_conversion(const Instruction& instruction) {
    const Form& form = instruction.chosen->form;
    const Type to = form.type(0), from = form.type(1);
    Cost cost;
    // Rounded by ordinary instructions, four each: is it a number, add half, mask, choose (ptxas 13.0, 27 November
    // 2026).
    if (form.has("tf32")) {
        cost.instructions = cost.steps = 4;
        cost[Pipe::kInteger] = 3;
        cost[Pipe::kFp32] = 1;
        return cost;
    }
    if (to == Type::kF32 && (from == Type::kF16 || from == Type::kBf16)) {
        cost[Pipe::kFp32] = from == Type::kF16 ? kHalfPipeCycles : 1;
        return cost;
    }
    // Measured on an H200 (23 November 2026): integers of 32 bits become floats at the rate of integers; whatever else
    // changes between the two, and what rounds to a whole number, goes through the special function unit.
    if (to == Type::kF32 && !is_float(from) && bytes_of(from) == 4) {
        cost[Pipe::kInteger] = 1;
        return cost;
    }
    if (is_float(to) && is_float(from) && form.one_of({"rni", "rzi", "rmi", "rpi"}) != "") {
        cost[Pipe::kSpecial] = 1;
        cost.steps = kSpecialSteps;
        return cost;
    }
    if (is_float(to) != is_float(from) || bytes_of(to) == 8 || (is_float(to) && bytes_of(from) == 8))
        if (is_float(to) || is_float(from)) {
            cost[Pipe::kSpecial] = 1;
            cost.steps = kSpecialSteps;
            return cost;
        }
    // The upper half is not looked at, or an addition or multiplication of 64 bits takes half as many as well.
    if (bytes_of(to) == 8 || (bytes_of(to) == 4 && bytes_of(from) == 8)) return Cost(0, 0);
    cost[Pipe::kInteger] = 1;
    return cost;
}

// bench/hardware/wgmma_rates.cu on an H200 (27 November 2026): a product of N columns keeps the tensor core of a warp's
// sub-partition for N / 2 cycles whatever its type, 14 at least, and one that adds to it follows at once. One of a
// sparse matrix, of twice the depth, does so as well, but for 16 at least. Where that is less than what both read of
// shared memory takes there, it is the banks that have the others wait: 16 + N / 4 and 16 + N / 2 cycles, A out of
// shared memory.
Cost cost_of_group_product(const Instruction& instruction) {
    constexpr float kLeastCycles = 14, kLeastOfSparse = 16;
    constexpr float kWordsInColumn = 0.5f;  // registers of a thread's sums: an f32 each two columns
    const Form& form = instruction.chosen->form;
    const bool is_sparse = form.has("sp");
    const bool halves = form.words()[is_sparse ? 5 : 4] == "f16";  // the type of D
    const auto registers = static_cast<float>(instruction.operands[0].elements.size());
    const float columns = registers / kWordsInColumn * (halves ? 2 : 1);
    Cost cost;
    cost[Pipe::kTensor] = std::max(is_sparse ? kLeastOfSparse : kLeastCycles, columns * kTensorCyclesOfColumn);
    cost.steps = 0;
    return cost;
}

bool unpacks(const Instruction& instruction) {
    const Form& form = instruction.chosen->form;
    return instruction.chosen->row->kind == Class::kTensor &&
           instruction.chosen->row->effect.action != Action::kFactorLoad && form.one_of({"e4m3", "e5m2"}) != "";
}

// By tensor_pace(), what the other forms are made of.
Cost cost_of_matrices(const Instruction& instruction, unsigned unpacked) {
    if (instruction.chosen->row->effect.action == Action::kFactorLoad) return cost_of_group_product(instruction);
    constexpr float kStepCycles = 4.4f;  // of a step of arithmetic
    const Form& form = instruction.chosen->form;
    // Of wmma's two are made, of 16 rows each, where there are enough.
    const bool is_wmma = form.has("mma");
    const unsigned words =
        is_wmma && form.has("f64")                              ? 1
        : is_wmma && form.one_of({"m8n8k32", "m8n8k128"}) != "" ? 1
        : is_wmma && form.one_of({"s8", "u8", "tf32"}) != ""    ? 2
        : is_wmma                                               ? 4
                  : static_cast<unsigned>(std::max<std::size_t>(1, instruction.operands[1].elements.size()));
    const bool is_sparse = form.one_of({"sp", "sp::ordered_metadata"}) != "";
    const TensorPace known = tensor_pace(words, form.has("f64") ? TensorProducts::kOfDoubles
                                                : is_sparse     ? TensorProducts::kOfSparse
                                                                : TensorProducts::kDense);
    Cost cost;
    cost[Pipe::kTensor] = known.each;
    cost.steps = known.link / kStepCycles;
    if (is_wmma && words > 1) cost.instructions = 2, cost[Pipe::kTensor] *= 2;
    // ... and for tf32 twice as many, of half the depth, one behind the other.
    if (is_wmma && form.has("tf32")) cost.instructions *= 2, cost[Pipe::kTensor] *= 2, cost.steps *= 2;
    if (form.one_of({"s4", "u4"}) != "") {
        // Taken apart into bytes by ordinary instructions: 211 cycles a product, 370 from one to the next.
        constexpr float kTakenApart = 205;
        cost.instructions = kTakenApart * static_cast<float>(words) / 4;
        cost[Pipe::kInteger] = cost.instructions / 2;
        cost[Pipe::kTensor] *= 2;
        cost.steps = 370 / kStepCycles * static_cast<float>(words) / 4;
        // Half of that takes 241 cycles where A is sparse.
        if (is_sparse && words < 4) cost.steps = 241 / kStepCycles;
    } else if (is_sparse && form.one_of({"e4m3", "e5m2"}) != "") {
        // Two sparse products of f16, of the even and the odd fours of the depth: words of B and of the metadata come
        // from the lanes beside. 38 instructions, of which 5 exchange, 178 cycles from one to the next.
        cost.instructions = 38;
        cost[Pipe::kMemory] = 5;
        cost[Pipe::kInteger] = 25;
        cost[Pipe::kFp32] = 6;
        cost[Pipe::kTensor] *= 2;
        cost.steps = 178 / kStepCycles;
    } else if (form.one_of({"e4m3", "e5m2"}) != "") {
        // Two products of f16; each word of bytes becomes two, once for all products that take it (ptxas 13.0: 64 for
        // 16 words of each of two parts in mma_tiles of tests/truth), and the addend is added behind.
        const float made = 2 * static_cast<float>(unpacked), added = 4;
        cost.instructions = 2 + made + added;
        cost[Pipe::kInteger] = made;
        cost[Pipe::kFp32] = added;
        cost[Pipe::kTensor] *= 2;
        cost.steps = cost.steps * 2 + 1;
    } else if (form.has("xor")) {
        cost.instructions = 2;
        cost[Pipe::kTensor] *= 2;
        cost.steps *= 2;
    }
    return cost;
}

// Counted in what ptxas 13.0 makes for sm_90 of 1,776 forms of bench/hardware/video.cu (27 November 2026): 1.4 off on
// average, of 15. A seventh are multiply-adds, which move and add.
Cost cost_of_parts(const Instruction& instruction) {
    constexpr float kSign = 1, kSignOfHalves = 4, kSignOfBytes = 5;   // each source that has one
    constexpr float kAdded = 1, kHalvesAdded = -4, kBytesAdded = -8;  // to c, and not put there
    constexpr float kCompared = 5, kPlaced = 1;                       // with c, and into a part of it
    constexpr float kMinusProduct = 4, kMinusAddend = 3, kOneMore = 2, kShifted = 2;
    constexpr float kShareOfMultiply = 1.f / 7;
    const Form& form = instruction.chosen->form;
    const PartsWork& work = instruction.chosen->row->effect.parts;
    const auto operand = [&](unsigned at) -> const BoundOperand& { return instruction.operands[at].bound; };
    const SelectorKind kind = instruction.chosen->tokens[1].selector;
    const bool halves = kind == SelectorKind::kHalves, bytes = kind == SelectorKind::kBytes;
    const unsigned first = form.type_count() == 2 ? 0 : 1;
    const float signs = (is_signed(form.type(first)) ? 1.f : 0.f) + (is_signed(form.type(first + 1)) ? 1.f : 0.f);
    float count = work.plain + (form.has("sat") ? work.limited : 0.f);
    count += signs * (bytes ? kSignOfBytes : halves ? kSignOfHalves : kSign);
    if (form.has("add")) count += bytes ? kBytesAdded : halves ? kHalvesAdded : kAdded;
    if (form.one_of({"min", "max"}) != "") count += kCompared;
    const unsigned elements = bytes ? 4 : halves ? 2 : 1, named = operand(0).selector.count;
    if (elements == 1 && named != 0) count += kPlaced;
    if (elements != 1 && named != 0 && form.has("add")) count *= static_cast<float>(named) / elements;
    if (operand(1).minus != operand(2).minus) count += kMinusProduct;
    if (instruction.operands.size() > 3 && operand(3).minus) count += kMinusAddend;
    if (form.has("po")) count += kOneMore;
    if (form.one_of({"shr7", "shr15"}) != "") count += kShifted;
    const bool own = operand(0).selector.count == 0 && operand(1).selector.count == 0 && operand(2).selector.count == 0;
    const bool alike = signs == 0 || (signs == 2 && work.whole == 1);
    if (own && work.whole != 0 && !form.has("sat") && alike && !is_signed(form.type(0))) count = work.whole;
    // Sources are taken apart side by side, and so are elements worked out.
    Cost cost(count, elements == 1 ? std::max(1.f, count - 1) : count / elements + 2);
    if (count == 1) cost.steps = 1;
    cost[Pipe::kFp32] = count == 1 ? 0 : count * kShareOfMultiply;
    cost[Pipe::kInteger] = count - cost[Pipe::kFp32];
    return cost;
}

Cost cost_of_special(const Instruction& instruction) {
    const float around = instruction.chosen->form.has("ftz") ? 0 : kSpecialAround;
    Cost cost(1 + around, kSpecialSteps);
    cost[Pipe::kFp32] = around;
    cost[Pipe::kSpecial] = 1;
    return cost;
}

}  // namespace tilescope::isa

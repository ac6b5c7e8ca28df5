#include "scope/isa/assembler/merge_accesses.h"

#include <algorithm>

namespace tilescope::isa {
namespace {

constexpr std::int64_t kWidest = 16;

std::int64_t floor_to(std::int64_t value, std::int64_t unit) { return value - (value % unit + unit) % unit; }

// What is known of the unknown that an address counts from: by the code, or because the access is a vector.
template <class Group>
void learn(Group& group, const Place& address, unsigned width, bool is_vector) {
    const auto note = [&](unsigned zeros, std::int64_t beyond) {
        if (zeros <= group.zeros) return;
        group.zeros = zeros;
        group.residue = beyond - address.offset;
    };
    note(std::min(address.zeros, 16u), address.beyond);
    if (is_vector) note(zeros_of_value(width), 0);
}

// Where an element lies, as far as alignment goes.
template <class Group>
std::int64_t position(const Group& group, const auto& element) {
    return element.offset + group.residue;
}

// Collects the pieces of instructions, and tells those that stay as they are.
class Pieces {
public:
    void take_part(Instruction* instruction) { by_instruction_[instruction]; }
    void add(Instruction* leader, std::int64_t shift, std::int64_t width) {
        by_instruction_[leader].push_back({static_cast<std::int16_t>(shift), static_cast<std::uint8_t>(width)});
    }
    void write(unsigned bytes) {
        for (auto& [instruction, pieces] : by_instruction_) {
            const unsigned width = bytes * vector_length(instruction->chosen->form);
            if (pieces.size() == 1 && pieces[0].shift == 0 && pieces[0].width == width) continue;
            instruction->counted.as_written = false;
            instruction->counted.pieces = pieces;
        }
    }

private:
    std::map<Instruction*, std::vector<CountedPiece>> by_instruction_;
};

}  // namespace

Readers::Readers(const FunctionCode& code) : is_read(code.registers.size(), 0), is_widened(code.registers.size(), 0) {
    constexpr char kUnsigned = 1, kSigned = 2, kOtherwise = 4;
    const auto note = [&](std::int32_t reg, char how) {
        if (reg == kNoRegister) return;
        is_read[static_cast<std::size_t>(reg)] = 1;
        char& hows = is_widened[static_cast<std::size_t>(reg)];
        hows = static_cast<char>(hows | how);
    };
    const auto look_at = [&](const OpenOperand& operand, char how, const auto& self) -> void {
        if (!operand.writes) note(operand.reg, how);
        for (const OpenOperand& element : operand.elements) self(element, how, self);
    };
    for (const Instruction& instruction : code.instructions) {
        const Type widened = widened_by(instruction);
        const char how = widened == Type::kNone ? kOtherwise : is_signed(widened) ? kSigned : kUnsigned;
        for (const OpenOperand& operand : instruction.operands) look_at(operand, how, look_at);
        note(instruction.guard, kOtherwise);
        for (std::int32_t reg : instruction.extra_uses) note(reg, kOtherwise);
    }
    for (const OpenCall& call : code.calls) {
        look_at(call.pointer, kOtherwise, look_at);
        for (const OpenOperand& argument : call.arguments) look_at(argument, kOtherwise, look_at);
    }
    for (std::int32_t formal : code.formal_results) note(code.parameters[formal].reg, kOtherwise);
    for (char& how : is_widened)
        if (how != kUnsigned && how != kSigned) how = 0;
}

void AccessMerger::visit(Instruction& instruction, const PlaceWalk& walk) {
    const MemoryEffect effect = memory_effect_of(instruction);
    if (effect.orders) {
        flush();
        return;
    }
    if (effect.use == MemoryUse::kNone || (!effect.shared && !effect.global)) return;
    const Where where = effect.shared ? kShared : kGlobal;
    const bool one_space = effect.shared != effect.global;
    const std::size_t at = effect.use == MemoryUse::kLoad ? 1 : 0;
    bool plain = one_space && !effect.is_strong && instruction.guard == kNoRegister &&
                 (effect.use == MemoryUse::kLoad || effect.use == MemoryUse::kStore) &&
                 instruction.operands.size() > at && instruction.operands[at].bound.kind == BoundKind::kAddress;
    const unsigned bytes = bytes_of(instruction.chosen->form.type());
    const unsigned width = bytes * vector_length(instruction.chosen->form);
    Place place;
    if (plain) {
        const auto reached = moved(walk.of(instruction.operands[at]), instruction.operands[at].bound.value);
        plain = reached.has_value();
        place = reached.value_or(Place{});
    }
    for (const Where each : {kShared, kGlobal}) {
        if (!(each == kShared ? effect.shared : effect.global)) continue;
        const bool goes_on = plain && effect.use == MemoryUse::kStore && width <= kWidest;
        if (!goes_on) end_stores(each);
        if (effect.use != MemoryUse::kLoad) {
            end_loads(each);
            stored_[each].reset();
        }
    }
    if (!plain || width > kWidest) return;
    if (effect.use == MemoryUse::kStore) {
        if (bytes == 2 || bytes == 4 || bytes == 8)
            take_store(instruction, place, where);
        else
            end_stores(where);
        if (vector_length(instruction.chosen->form) == 1)
            stored_[where] = Stored{place, instruction.chosen->form.type()};
    } else if (bytes == 2 || bytes == 4 || bytes == 8) {
        take_load(instruction, place, where);
    }
}

void AccessMerger::take_load(Instruction& instruction, const Place& place, Where where) {
    const unsigned bytes = bytes_of(instruction.chosen->form.type());
    const auto& stored = stored_[where];
    const bool is_vector = vector_length(instruction.chosen->form) > 1;
    if (stored && !is_vector && stored->place.id == place.id && stored->place.offset == place.offset &&
        bytes_of(stored->type) == bytes) {
        instruction.counted.as_written = false;  // no piece: the value is in a register
        return;
    }
    const OpenOperand& to = instruction.operands[0];
    const char extends = is_signed(instruction.chosen->form.type()) ? 2 : 1;
    const auto is_read = [&](const OpenOperand& operand) {
        return operand.reg != kNoRegister && readers_.is_read[static_cast<std::size_t>(operand.reg)];
    };
    const auto is_extended = [&](const OpenOperand& operand) {
        return operand.reg != kNoRegister &&
               (operand.bound.bytes > 2 || readers_.is_widened[static_cast<std::size_t>(operand.reg)] == extends);
    };
    if (bytes == 2 &&
        (to.elements.empty() ? is_extended(to) : std::all_of(to.elements.begin(), to.elements.end(), is_extended)))
        return;
    Group& group = loads_[where][{place.id, bytes}];
    group.bytes = bytes;
    learn(group, place, bytes * vector_length(instruction.chosen->form), is_vector);
    const auto take = [&](const OpenOperand& operand, unsigned index) {
        if (is_read(operand))
            group.elements.push_back(
                {&instruction, place.offset + index * std::int64_t{bytes}, place.offset, order_, is_vector});
    };
    if (to.elements.empty())
        take(to, 0);
    else
        for (unsigned i = 0; i < to.elements.size(); ++i) take(to.elements[i], i);
    ++order_;
}

void AccessMerger::end_loads(Where where) {
    for (auto& [key, group] : loads_[where]) {
        // By word of memory: the first who wants it.
        std::map<std::int64_t, const Element*> words;
        Pieces pieces;
        for (const Element& element : group.elements) {
            words.try_emplace(position(group, element), &element);
            pieces.take_part(element.instruction);
        }
        const std::int64_t unit = group.bytes, pair = 2 * unit, four = 4 * unit;
        const auto wanted = [&](std::int64_t from, std::int64_t bytes) {
            std::int64_t count = 0;
            for (std::int64_t at = from; at < from + bytes; at += unit) count += words.count(at);
            return count;
        };
        for (auto word = words.begin(); word != words.end();) {
            const std::int64_t at = word->first, window = floor_to(at, four), half = floor_to(at, pair);
            std::int64_t from = at, width = unit;
            if (group.zeros >= zeros_of_value(pair) && wanted(half, pair) == 2) {
                from = half;
                width = pair;
            }
            if (four <= kWidest && group.zeros >= zeros_of_value(four)) {
                const std::int64_t low = wanted(window, pair), high = wanted(window + pair, pair);
                if (low + high > 2) {
                    from = window;
                    width = four;
                }
            }
            const Element* leader = word->second;
            for (; word != words.end() && word->first < from + width; ++word)
                if (word->second->order < leader->order) leader = word->second;
            pieces.add(leader->instruction, from - (leader->own + group.residue), width);
        }
        pieces.write(group.bytes);
    }
    loads_[where].clear();
}

void AccessMerger::take_store(Instruction& instruction, const Place& place, Where where) {
    const unsigned bytes = bytes_of(instruction.chosen->form.type());
    const unsigned length = vector_length(instruction.chosen->form);
    Group known;
    learn(known, place, bytes * length, length > 1);
    const auto fits = [&](const Run& run) {
        return run.id == place.id && run.group.bytes == bytes &&
               floor_to(place.offset + run.group.residue, kWidest) == run.window;
    };
    if (stores_[where] && !fits(*stores_[where])) end_stores(where);
    if (!stores_[where]) {
        if (known.zeros < zeros_of_value(bytes) + 1) return;
        stores_[where] = Run{place.id, floor_to(place.offset + known.residue, kWidest), known};
        stores_[where]->group.bytes = bytes;
    }
    Group& group = stores_[where]->group;
    learn(group, place, bytes * length, length > 1);
    for (unsigned i = 0; i < length; ++i)
        group.elements.push_back(
            {&instruction, place.offset + i * std::int64_t{bytes}, place.offset, order_, length > 1});
    ++order_;
}

void AccessMerger::end_stores(Where where) {
    if (!stores_[where]) return;
    const Group group = std::move(stores_[where]->group);
    const std::int64_t window = stores_[where]->window;
    stores_[where].reset();
    const bool first_is_wide = group.elements.front().is_vector;
    for (const Element& element : group.elements)
        if (first_is_wide && !element.is_vector) return;
    std::map<std::int64_t, const Element*> words;  // by place: who wrote it last
    Pieces pieces;
    for (const Element& element : group.elements) {
        words[position(group, element)] = &element;
        pieces.take_part(element.instruction);
    }
    for (std::int64_t at = window; at < window + kWidest;) {
        if (words.count(at) == 0) {
            at += group.bytes;
            continue;
        }
        std::int64_t width = group.bytes;
        for (std::int64_t wider = group.bytes == 2 ? kWidest / 2 : kWidest; wider > width; wider /= 2) {
            if (group.zeros < zeros_of_value(wider) || floor_to(at, wider) != at) continue;
            bool full = true;
            for (std::int64_t word = at; word < at + wider; word += group.bytes) full = full && words.count(word) != 0;
            if (full) width = wider;
        }
        const Element* leader = words[at];
        for (std::int64_t word = at; word < at + width; word += group.bytes)
            if (words[word]->order < leader->order) leader = words[word];
        pieces.add(leader->instruction, at - (leader->own + group.residue), width);
        at += width;
    }
    pieces.write(group.bytes);
}

void AccessMerger::end(Where where) {
    end_loads(where);
    end_stores(where);
    stored_[where].reset();
}

void AccessMerger::flush() {
    end(kShared);
    end(kGlobal);
}

}  // namespace tilescope::isa

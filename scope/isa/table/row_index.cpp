#include "scope/isa/table/row_index.h"

#include <stdexcept>

namespace tilescope::isa {

RowIndex::RowIndex(std::span<const Family* const> families) : families_(families) {
    for (const Family* family : families)
        for (std::size_t i = 0; i < family->count; ++i)
            by_opcode_[opcode_of(family->rows[i].syntax)].push_back(&family->rows[i]);
}

const std::vector<Candidate>& RowIndex::find(const std::string& opcode, const std::vector<std::string>& modifiers) {
    key_ = opcode;
    for (const std::string& modifier : modifiers) key_.append(".").append(modifier);
    auto [entry, fresh] = met_.try_emplace(key_);
    if (!fresh) return entry->second;
    if (auto rows = by_opcode_.find(opcode); rows != by_opcode_.end())
        for (const Row* row : rows->second)
            if (auto form = Form::match(row->syntax, opcode, modifiers))
                entry->second.push_back({row, std::move(*form), read_signature(row->operands)});
    return entry->second;
}

Control RowIndex::control_of(std::string_view opcode) const {
    const auto rows = by_opcode_.find(opcode);
    return rows == by_opcode_.end() ? Control::kNone : rows->second.front()->control;
}

const Candidate& RowIndex::plain(Control control) {
    for (const auto& [opcode, rows] : by_opcode_)
        for (const Row* row : rows)
            if (row->control == control) return find(std::string(opcode), {}).at(0);
    throw std::logic_error("no row has this control effect");  // the table is ours
}

const Candidate* RowIndex::multiply_add(const std::vector<std::string>& modifiers) {
    for (const Family* family : families_)
        for (const Row& row : std::span(family->rows, family->count)) {
            if (row.effect.flow != machine::FlowKind::kMultiplyAdd) continue;
            const std::string opcode(opcode_of(row.syntax));
            if (Form::match(row.syntax, opcode, modifiers)) return &find(opcode, modifiers).front();
        }
    return nullptr;
}

}  // namespace tilescope::isa

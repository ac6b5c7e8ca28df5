#include "scope/isa/table/row_index.h"

#include "scope/isa/table/families.h"

namespace tilescope::isa {

RowIndex::RowIndex() {
    for (const Family* family : families())
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

}  // namespace tilescope::isa

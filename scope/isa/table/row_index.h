// Finding the rows of an instruction by its spelling.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scope/isa/table/form.h"
#include "scope/isa/table/row.h"
#include "scope/isa/table/signature.h"

namespace tilescope::isa {

struct Candidate {
    const Row* row = nullptr;
    Form form;
    std::vector<Token> tokens;
};

// Remembers every spelling it has met. One per lowering: not thread-safe.
class RowIndex {
public:
    // Families, and the list of them, that outlive this.
    explicit RowIndex(std::span<const Family* const> families);
    // Rows whose syntax matches, in table order; empty when none does.
    const std::vector<Candidate>& find(const std::string& opcode, const std::vector<std::string>& modifiers);
    // Whether any row has this opcode: tells an unknown instruction from an unsupported form.
    bool knows(std::string_view opcode) const { return by_opcode_.count(opcode) != 0; }
    // What an instruction of this opcode does to control; kNone for an unknown one.
    Control control_of(std::string_view opcode) const;
    // The instruction with this effect in its shortest spelling, for what the lowering adds by itself. There is one.
    const Candidate& plain(Control control);
    // The multiply-add with these modifiers, a type among them; nullptr when there is none.
    const Candidate* multiply_add(const std::vector<std::string>& modifiers);

private:
    std::span<const Family* const> families_;
    std::unordered_map<std::string_view, std::vector<const Row*>> by_opcode_;
    std::unordered_map<std::string, std::vector<Candidate>> met_;
    std::string key_;
};

}  // namespace tilescope::isa

#include "tests/docs/instruction_page.h"

#include <string_view>

#include "scope/isa/families.h"
#include "scope/isa/table/form.h"
#include "tests/docs/ptx_opcodes.h"

namespace tilescope::docs {
namespace {

constexpr std::string_view kHead =
    "# Instructions\n"
    "\n"
    "For users who ask whether an instruction is supported, and in which forms. `scripts/make_instruction_page` writes "
    "this page\n"
    "from the instruction descriptors. A kernel with any other instruction fails at launch, with the instruction and "
    "its line.\n"
    "\n"
    "| notation of the syntax | meaning |\n"
    "|---|---|\n"
    "| `.x`, `{.x}` | required, optional |\n"
    "| `.[a b]`, `{.[a b]}` | one of these; at most one of these |\n"
    "| before `~` | words that are part of the name and follow the opcode in this order |\n"
    "| after `~`, or everywhere without one | words in any order, except that types, matrix layouts, state spaces, "
    "priorities and bit operations keep their order among each other |\n"
    "\n"
    "| notation of an operand | meaning |\n"
    "|---|---|\n"
    "| `=`, `?` | written, optional |\n"
    "| `T0`, `T1` | of the first or second type in the syntax |\n"
    "| `L0`, `W0` | the same or a wider register; twice as wide |\n"
    "| `V0`, `{b16}` | a vector in braces or one register; a vector in braces |\n"
    "| `[]`, `a\\|b` | an address; two results, either may be `_` |\n"
    "| `b32.part`, `.place` | may, or must, select a byte or half of its register (`%r1.b3`, `%r1.h0`) |\n"
    "| `.halves`, `.bytes` | may select two halves or four bytes of both sources (`.h32`, `.b7654`) |\n"
    "| `.half_mask`, `.byte_mask` | may select some of its own halves or bytes (`.h1`, `.b310`) |\n"
    "| `-b32` | may be negated |\n"
    "\n"
    "**Since** is the first PTX version and target.\n";

// A cell of a table: a bar would end it.
std::string cell(std::string_view text) {
    std::string out;
    for (char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
    return out;
}

std::string code(std::string_view text) { return text.empty() ? "" : "`" + cell(text) + "`"; }

std::string since(const isa::Needs& needs) {
    return std::to_string(needs.ptx / 10) + "." + std::to_string(needs.ptx % 10) + ", sm_" + std::to_string(needs.sm);
}

bool is_internal(const isa::Row& row) { return row.syntax.starts_with('%'); }

std::string family_section(const isa::Family& family) {
    std::string rows;
    for (std::size_t i = 0; i < family.count; ++i) {
        const isa::Row& row = family.rows[i];
        if (is_internal(row)) continue;
        rows += "| " + code(row.syntax) + " | " + code(row.operands) + " | " + since(row.needs) + " | " +
                cell(row.note) + " |\n";
    }
    if (rows.empty()) return {};
    return "\n## " + std::string(family.name) + "\n\n" + std::string(family.description) +
           "\n\n| Syntax | Operands | Since | Notes |\n|---|---|---|---|\n" + rows;
}

// Whether a row has this opcode, or for "cp.async.bulk" this opcode with these first modifiers.
bool is_supported(std::string_view opcode) {
    for (const isa::Family* family : isa::families())
        for (std::size_t i = 0; i < family->count; ++i) {
            const std::string_view syntax = family->rows[i].syntax;
            if (isa::opcode_of(syntax) == opcode) return true;
            if (opcode.find('.') != opcode.npos && (syntax == opcode || syntax.starts_with(std::string(opcode) + ".")))
                return true;
        }
    return false;
}

}  // namespace

std::string instruction_page() {
    std::string page(kHead);
    for (const isa::Family* family : isa::families()) page += family_section(*family);
    page += "\n## Not supported\n\nOpcodes of PTX ISA 9.0 without any supported form:\n\n";
    std::string line;
    for (std::string_view opcode : ptx_opcodes()) {
        if (is_supported(opcode)) continue;
        const std::string word = "`" + std::string(opcode) + "`";
        if (line.size() + word.size() > 118) {
            page += line + "\n";
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
    }
    page += line + "\n\nOther opcodes are supported in the forms above only.\n";
    return page;
}

}  // namespace tilescope::docs

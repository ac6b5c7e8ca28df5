// What stands in a function's body: instructions, labels, declarations, .loc, .pragma and blocks.
#include <memory>
#include <utility>

#include "scope/ptx/parser_impl.h"

namespace tilescope::ptx {

// At '{'. A statement that is wrong is skipped and the block goes on.
bool Parser::parse_block(Block& block) {
    Nesting nesting(*this);
    if (!nesting.allowed()) return false;
    block.position = current_.position;
    advance();
    while (!is('}')) {
        if (at_end()) {
            return fail_expected(
                "'}'", "the block that starts at line " + std::to_string(block.position.line) + " is not closed");
        }
        std::uint32_t braces = braces_;
        if (!parse_statement(block)) recover_statement(braces);
    }
    advance();
    return true;
}

bool Parser::parse_statement(Block& block) {
    if (current_.is_identifier()) {
        Token word = current_;
        advance();
        if (is(':')) return parse_labelled(block, word);
        return parse_instruction(block, word, std::nullopt, word.position);
    }
    if (current_.is_dotted()) return parse_directive_statement(block);
    if (is('@')) return parse_guarded_instruction(block);
    if (is('{')) {
        auto inner = std::make_unique<Block>();
        if (!parse_block(*inner)) return false;
        block.statements.emplace_back(std::move(inner));
        return true;
    }
    if (accept(';')) return true;
    return fail_expected("an instruction, a label or a directive");
}

// At the ':' behind a name.
bool Parser::parse_labelled(Block& block, const Token& label) {
    advance();
    if (current_.is_dotted("callprototype")) {
        auto& prototype = std::get<CallPrototype>(block.statements.emplace_back(std::in_place_type<CallPrototype>));
        prototype.label = label.text;
        prototype.position = label.position;
        return parse_call_prototype(prototype);
    }
    if (current_.is_dotted("branchtargets") || current_.is_dotted("calltargets")) {
        auto& list = std::get<TargetList>(block.statements.emplace_back(std::in_place_type<TargetList>));
        list.label = label.text;
        list.position = label.position;
        return parse_target_list(list);
    }
    block.statements.emplace_back(Label{std::string(label.text), label.position});
    return true;
}

bool Parser::parse_directive_statement(Block& block) {
    std::string_view word = current_.text;
    if (word == "loc") return parse_loc(block);
    for (std::string_view space : {"reg", "param", "local", "shared", "global", "const", "tex", "sreg"}) {
        if (word == space) return parse_declaration_statement(block);
    }
    if (word == "pragma")
        return parse_pragma(std::get<Pragma>(block.statements.emplace_back(std::in_place_type<Pragma>)));
    if (word == "branchtargets" || word == "calltargets" || word == "callprototype") {
        return fail(current_.position, "ptx-syntax", "'." + std::string(word) + "' needs a label before it",
                    "such as 'targets: .branchtargets L1, L2;'");
    }
    for (std::string_view linkage : {"extern", "visible", "weak", "common"}) {
        if (word != linkage) continue;
        return fail(current_.position, "ptx-syntax", "'." + std::string(word) + "' belongs outside of functions",
                    "is the '}' of the function before missing?");
    }
    return fail(current_.position, "ptx-unknown-directive",
                "no such directive in a function: '." + std::string(word.substr(0, 60)) + "'",
                "known are .reg, .param, .local, .shared, .loc, .pragma");
}

bool Parser::parse_declaration_statement(Block& block) {
    Variable variable;
    if (!parse_variable_prefix(variable)) return false;
    while (true) {
        auto& declared = std::get<Variable>(block.statements.emplace_back(variable));
        if (!parse_declarator(declared)) return false;
        if (!accept(',')) break;
    }
    return expect(';', "a declaration");
}

// .loc file line column [, function_name label{+offset}, inlined_at file line column]
bool Parser::parse_loc(Block& block) {
    advance();
    Loc loc;
    if (!parse_unsigned_literal(loc.file, "a file index after .loc") ||
        !parse_unsigned_literal(loc.line, "a line number") || !parse_unsigned_literal(loc.column, "a column number"))
        return false;
    if (accept(',') && !parse_loc_inlining(loc)) return false;
    accept(';');  // some writers end .loc like a statement
    loc_ = static_cast<std::int32_t>(locs_->size());
    locs_->push_back(loc);
    block.statements.emplace_back(std::move(loc));
    return true;
}

bool Parser::parse_loc_inlining(Loc& loc) {
    if (!current_.is_identifier() || current_.text != "function_name") return fail_expected("'function_name' in .loc");
    advance();
    if (!take_identifier(loc.inlined_function, "the label of the function's name")) return false;
    if (!parse_offset(loc.inlined_function_offset) || !expect(',', "the function's name")) return false;
    if (!current_.is_identifier() || current_.text != "inlined_at") return fail_expected("'inlined_at' in .loc");
    advance();
    return parse_unsigned_literal(loc.inlined_file, "a file index after inlined_at") &&
           parse_unsigned_literal(loc.inlined_line, "a line number") &&
           parse_unsigned_literal(loc.inlined_column, "a column number");
}

// @p or @!p
bool Parser::parse_guarded_instruction(Block& block) {
    Position position = current_.position;
    advance();
    Guard guard;
    guard.negated = accept('!');
    if (!take_identifier(guard.predicate, "a predicate register after '@'")) return false;
    if (!current_.is_identifier()) return fail_expected("an instruction after the guard");
    Token opcode = current_;
    advance();
    return parse_instruction(block, opcode, std::move(guard), position);
}

// Behind the opcode.
bool Parser::parse_instruction(Block& block, const Token& opcode, std::optional<Guard> guard, Position position) {
    auto& instruction = std::get<Instruction>(block.statements.emplace_back(std::in_place_type<Instruction>));
    instruction.position = position;
    instruction.loc = loc_;
    instruction.guard = std::move(guard);
    instruction.opcode = opcode.text;
    std::size_t count = 0;
    for (; current_.is_dotted(); advance()) {
        if (count == modifiers_.size())
            return fail(current_.position, "ptx-too-large", "an instruction of more than 64 modifiers");
        modifiers_[count++] = current_.text;
    }
    instruction.modifiers.assign(modifiers_.begin(), modifiers_.begin() + static_cast<std::ptrdiff_t>(count));
    if (accept(';')) return true;
    bool is_call = opcode.text == "call";
    operand_stack_.clear();
    do {
        Operand operand;
        if (!parse_operand(operand, is_call)) return false;
        operand_stack_.push_back(std::move(operand));
    } while (accept(','));
    move_operands(0, instruction.operands);
    if (accept(';')) return true;
    std::string what = "',' or ';' after an operand of '" + std::string(opcode.text.substr(0, 60)) + "'";
    bool is_next_line = current_.position.line != opcode.position.line;
    return fail_expected(what.c_str(), is_next_line ? "is a ';' missing at the end of the line before?" : "");
}

}  // namespace tilescope::ptx

// The recursive-descent parser behind parse(): one class, its parts in parser*.cpp and constant_expression.cpp.
//
// Owns: the current token, the errors found so far and the nesting depth.
// Guarantees: a parse_ function that returns false has reported an error; its caller passes false on until a statement
// or a module item recovers. Recursion is bounded by kMaximumNesting, errors by kMaximumErrors.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scope/base/result.h"
#include "scope/ptx/lexer.h"
#include "scope/ptx/module.h"

namespace tilescope::ptx {

// The value of a constant expression. The type decides division, comparison and right shift.
struct Constant {
    enum class Type : std::uint8_t { kSigned, kUnsigned, kDouble, kSingle };
    Type type = Type::kSigned;
    std::uint64_t bits = 0;

    bool is_integer() const { return type == Type::kSigned || type == Type::kUnsigned; }
    std::int64_t as_signed() const { return static_cast<std::int64_t>(bits); }
};

class Parser {
public:
    Parser(std::string_view text, std::string name);
    Result<Module> run();

private:
    static constexpr std::uint32_t kMaximumNesting = 200;
    static constexpr std::size_t kMaximumErrors = 20;
    static constexpr std::size_t kMaximumModifiers = 64;
    static constexpr std::size_t kMaximumDimensions = 16;
    // What stands before the names of a declaration is copied for each name, so it has to be short.
    static constexpr std::size_t kMaximumAttributes = 16;
    static constexpr std::size_t kMaximumWord = 64;
    static constexpr std::uint64_t kMaximumElements = std::uint64_t{1} << 48;
    static constexpr std::uint32_t kMaximumRegisterCount = 1u << 24;

    // Counts one level of nesting while it lives; false when that is one too many (the error is reported).
    class Nesting {
    public:
        explicit Nesting(Parser& parser) : parser_(parser) { ++parser_.nesting_; }
        ~Nesting() { --parser_.nesting_; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;
        bool allowed();

    private:
        Parser& parser_;
    };

    // ---- tokens and errors (parser.cpp)
    void advance();
    Token peek() const;
    bool at_end() const { return current_.kind == TokenKind::kEnd; }
    bool is(char character) const { return current_.is(character); }
    bool accept(char character);
    bool accept_dotted(std::string_view word);
    bool expect(char character, const char* after);
    bool fail(Position position, const char* code, std::string message, std::string hint = {});
    bool fail_expected(const char* what, std::string hint = {});
    bool take_identifier(std::string& into, const char* what);
    bool take_string(std::string& into, const char* what);
    void recover_statement(std::uint32_t braces);
    void recover_item();

    // ---- module (parser.cpp)
    bool parse_header();
    bool parse_version();
    bool parse_target();
    bool parse_address_size();
    bool parse_item();
    bool parse_file();
    bool parse_alias();
    bool parse_section();
    bool parse_pragma(Pragma& pragma);
    void add_item(Module::ItemKind kind, std::size_t count);

    // ---- functions (parser_functions.cpp)
    bool parse_function(std::string_view linkage, Position position);
    bool parse_parameters(std::vector<Variable>& parameters);
    bool parse_function_directives(Function& function);
    bool parse_function_directive_values(FunctionDirective& directive, std::size_t least, std::size_t most);
    bool parse_call_prototype(CallPrototype& prototype);
    bool parse_target_list(TargetList& list);

    // ---- declarations (parser_declarations.cpp)
    bool parse_variable_prefix(Variable& variable);
    bool parse_vector_size(Variable& variable);
    bool parse_attributes(std::vector<std::string>& attributes);
    bool parse_pointer(Variable& variable);
    bool parse_align(std::uint64_t& align);
    bool parse_declarator(Variable& variable);
    bool parse_register_count(Variable& variable);
    bool parse_dimensions(std::vector<std::uint64_t>& dimensions);
    bool parse_initializer(Initializer& initializer);
    bool parse_initializer_list(Initializer& initializer);
    bool parse_initializer_address(Initializer& initializer);

    // ---- statements (parser_statements.cpp)
    bool parse_block(Block& block);
    bool parse_statement(Block& block);
    bool parse_directive_statement(Block& block);
    bool parse_labelled(Block& block, const Token& label);
    bool parse_declaration_statement(Block& block);
    bool parse_loc(Block& block);
    bool parse_loc_inlining(Loc& loc);
    bool parse_guarded_instruction(Block& block);
    bool parse_instruction(Block& block, const Token& opcode, std::optional<Guard> guard, Position position);

    // ---- operands (parser_operands.cpp)
    bool parse_operand(Operand& operand, bool is_call);
    bool parse_single_operand(Operand& operand, bool is_call);
    bool parse_symbol(Symbol& symbol, bool with_offset);
    bool parse_offset(std::int64_t& offset);
    bool parse_address(Operand& operand);
    bool parse_operand_list(std::vector<Operand>& elements, char close, bool is_call);
    bool parse_constant_operand(Operand& operand);
    bool starts_symbol(const Token& token) const { return token.is_identifier() && token.text != "WARP_SZ"; }
    void move_operands(std::size_t from, std::vector<Operand>& into);

    // ---- constant expressions (constant_expression.cpp)
    bool parse_constant(Constant& value);
    bool parse_integer_constant(std::int64_t& value, const char* what);
    bool parse_unsigned_literal(std::uint32_t& value, const char* what);
    bool parse_term_constant(Constant& value);
    bool parse_unary_constant(Constant& value);
    bool parse_primary_constant(Constant& value);
    bool parse_parenthesised_constant(Constant& value);
    bool parse_binary_constant(Constant& value, int least_precedence);
    bool parse_conditional_tail(Constant& condition);
    bool combine(Constant& left, PunctuationCode operation, const Constant& right, Position position);
    bool combine_doubles(Constant& left, PunctuationCode operation, double b, Position position);
    bool parse_integer_literal(Constant& value);
    bool parse_float_literal(Constant& value);

    Module module_;
    Lexer lexer_;
    Token current_;
    Diagnostics errors_;
    std::uint32_t nesting_ = 0;
    std::uint32_t braces_ = 0;  // open braces consumed so far: how far recovery has to skip
    bool is_stopped_ = false;   // too many errors: every further token is the end

    // While a body is parsed.
    std::vector<Loc>* locs_ = nullptr;
    std::int32_t loc_ = -1;
    std::array<std::string_view, kMaximumModifiers> modifiers_;
    std::vector<Operand> operand_stack_;  // operands of the lists being parsed, the innermost on top
};

}  // namespace tilescope::ptx

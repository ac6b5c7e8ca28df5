// Declarations: spaces, types, alignment, arrays, register ranges and initialisers.
#include "scope/ptx/parser_impl.h"

namespace tilescope::ptx {

// At the state space: everything up to the first name.
bool Parser::parse_variable_prefix(Variable& variable) {
    variable.position = current_.position;
    variable.space = current_.text;
    advance();
    while (current_.is_dotted()) {
        std::string_view word = current_.text;
        if (word.size() > kMaximumWord)
            return fail(current_.position, "ptx-too-large", "a type of more than 64 characters");
        if (word == "align") {
            if (!parse_align(variable.align)) return false;
        } else if (word == "attribute") {
            if (!parse_attributes(variable.attributes)) return false;
        } else if (word == "ptr") {
            if (!parse_pointer(variable)) return false;
        } else if (word[0] == 'v' && word.size() > 1 && word[1] >= '0' && word[1] <= '9') {
            if (!parse_vector_size(variable)) return false;
        } else if (variable.type.empty()) {
            variable.type = word;
            advance();
        } else {
            return fail(current_.position, "ptx-syntax",
                        "a second type in one declaration: '." + std::string(word.substr(0, 60)) + "'",
                        "separate declarations with ';'");
        }
    }
    if (variable.type.empty()) return fail_expected("a type such as .b32");
    return true;
}

bool Parser::parse_vector_size(Variable& variable) {
    std::string_view word = current_.text;
    if (word != "v2" && word != "v4" && word != "v8")
        return fail(current_.position, "ptx-syntax", "no such vector size; PTX has .v2, .v4 and .v8");
    variable.vector = static_cast<std::uint32_t>(word[1] - '0');
    advance();
    return true;
}

// .attribute(.managed, .unified(19, 95))
bool Parser::parse_attributes(std::vector<std::string>& attributes) {
    advance();
    if (!expect('(', ".attribute")) return false;
    do {
        if (!current_.is_dotted()) return fail_expected("an attribute such as .managed");
        if (attributes.size() == kMaximumAttributes || current_.text.size() > kMaximumWord)
            return fail(current_.position, "ptx-too-large",
                        "more than 16 attributes, or one of more than 64 characters");
        std::string& attribute = attributes.emplace_back(".");
        attribute += current_.text;
        advance();
        if (!accept('(')) continue;
        char separator = '(';
        std::size_t values = 0;
        do {
            std::int64_t value = 0;
            if (!parse_integer_constant(value, "an integer in the attribute")) return false;
            if (++values > kMaximumAttributes)
                return fail(current_.position, "ptx-too-large", "more than 16 values of one attribute");
            attribute += separator + std::to_string(static_cast<std::uint64_t>(value));
            separator = ',';
        } while (accept(','));
        attribute += ')';
        if (!expect(')', "the attribute's values")) return false;
    } while (accept(','));
    return expect(')', "the attributes");
}

// .ptr .global .align 4: what a kernel parameter points to.
bool Parser::parse_pointer(Variable& variable) {
    advance();
    variable.is_pointer = true;
    for (std::string_view space : {"global", "shared", "const", "local", "param"}) {
        if (!accept_dotted(space)) continue;
        variable.pointer_space = space;
        break;
    }
    return !current_.is_dotted("align") || parse_align(variable.pointer_align);
}

bool Parser::parse_align(std::uint64_t& align) {
    advance();
    Position position = current_.position;
    std::int64_t value = 0;
    if (!parse_integer_constant(value, "an alignment in bytes")) return false;
    if (value <= 0 || value > (std::int64_t{1} << 31) || (value & (value - 1)) != 0)
        return fail(position, "ptx-bad-align", "an alignment must be a power of two", "such as '.align 16'");
    align = static_cast<std::uint64_t>(value);
    return true;
}

// name, name<count>, name[2][3], name = value.
bool Parser::parse_declarator(Variable& variable) {
    variable.position = current_.position;
    if (!take_identifier(variable.name, "a name")) return false;
    if (is('<') && !parse_register_count(variable)) return false;
    if (is('[') && !parse_dimensions(variable.dimensions)) return false;
    if (accept('=')) return parse_initializer(variable.initializer.emplace());
    return true;
}

bool Parser::parse_register_count(Variable& variable) {
    advance();
    Position position = current_.position;
    std::uint32_t count = 0;
    if (!parse_unsigned_literal(count, "a number of registers after '<'")) return false;
    if (count > kMaximumRegisterCount)
        return fail(position, "ptx-too-large", "more than 16777216 registers in one declaration");
    variable.count = count;
    return expect('>', "the number of registers");
}

bool Parser::parse_dimensions(std::vector<std::uint64_t>& dimensions) {
    std::uint64_t elements = 1;
    while (is('[')) {
        Position position = current_.position;
        advance();
        std::int64_t size = 0;
        if (!is(']') && !parse_integer_constant(size, "an array size or ']'")) return false;
        if (!expect(']', "the array size")) return false;
        if (size < 0) return fail(position, "ptx-bad-array", "an array size cannot be negative");
        auto unsigned_size = static_cast<std::uint64_t>(size);
        if (unsigned_size > kMaximumElements / elements)
            return fail(position, "ptx-too-large", "an array of more than 2^48 elements");
        if (dimensions.size() == kMaximumDimensions)
            return fail(position, "ptx-too-large", "an array of more than 16 dimensions");
        if (unsigned_size != 0) elements *= unsigned_size;
        dimensions.push_back(unsigned_size);
    }
    return true;
}

// A value, a list of values, the address of something, or a byte of an address.
bool Parser::parse_initializer(Initializer& initializer) {
    if (is('{')) return parse_initializer_list(initializer);
    if (starts_symbol(current_)) {
        if (peek().is('=')) {
            initializer.field = current_.text;
            advance();
            advance();
            return starts_symbol(current_) ? parse_initializer_address(initializer) : parse_initializer(initializer);
        }
        return parse_initializer_address(initializer);
    }
    Constant value;
    if (!parse_constant(value)) return false;
    if (value.is_integer() && accept('(')) {  // 0xFF(name): the bits of the address under the mask
        initializer.mask = value.bits;
        return parse_initializer_address(initializer) && expect(')', "the masked address");
    }
    if (value.is_integer()) {
        initializer.value = IntegerLiteral{value.as_signed(), value.type == Constant::Type::kUnsigned};
    } else {
        initializer.value = FloatLiteral{value.bits, value.type == Constant::Type::kSingle};
    }
    return true;
}

bool Parser::parse_initializer_list(Initializer& initializer) {
    Nesting nesting(*this);
    if (!nesting.allowed()) return false;
    auto& elements = initializer.value.emplace<std::vector<Initializer>>();
    advance();
    if (accept('}')) return true;
    do {
        if (!parse_initializer(elements.emplace_back())) return false;
    } while (accept(','));
    return expect('}', "the initialiser");
}

// name, name+4, generic(name), generic(name)+4
bool Parser::parse_initializer_address(Initializer& initializer) {
    auto& symbol = initializer.value.emplace<Symbol>();
    if (!current_.is_identifier()) return fail_expected("the name of a variable or function");
    if (current_.text == "generic" && peek().is('(')) {
        initializer.is_generic = true;
        advance();
        advance();
        return parse_symbol(symbol, true) && expect(')', "the generic address") && parse_offset(symbol.offset);
    }
    return parse_symbol(symbol, true);
}

}  // namespace tilescope::ptx

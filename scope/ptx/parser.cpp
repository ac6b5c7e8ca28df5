// Module level: tokens, errors, recovery and the directives outside functions.
#include "scope/ptx/parser.h"

#include <charconv>

#include "scope/ptx/parser_impl.h"
#include "scope/ptx/string_literal.h"

namespace tilescope::ptx {
namespace {

constexpr std::size_t kMaximumTextSize = std::size_t{1} << 30;

std::string describe(const Token& token) {
    if (token.kind == TokenKind::kEnd) return "the end of the text";
    std::string_view text = token.text.substr(0, 60);
    std::string description = "'";
    if (token.is_dotted()) description += '.';
    for (char character : text) {
        auto byte = static_cast<unsigned char>(character);
        if (byte >= 0x20 && byte < 0x7f) {
            description += character;
        } else {
            constexpr char kDigits[] = "0123456789abcdef";
            description += std::string("\\x") + kDigits[byte >> 4] + kDigits[byte & 15];
        }
    }
    if (text.size() < token.text.size()) description += "...";
    return description + "'";
}

bool is_linkage(const Token& token) {
    return token.is_dotted("visible") || token.is_dotted("extern") || token.is_dotted("weak") ||
           token.is_dotted("common");
}

bool is_state_space(const Token& token) {
    for (std::string_view space : {"global", "const", "shared", "local", "tex", "param", "reg", "sreg"}) {
        if (token.is_dotted(space)) return true;
    }
    return false;
}

}  // namespace

Result<Module> parse(std::string_view text, std::string name) {
    if (text.size() > kMaximumTextSize) {
        return error("ptx-too-large", {std::move(name), 0, 0}, "the PTX text is larger than 1 GiB", "split the module");
    }
    return Parser(text, std::move(name)).run();
}

Parser::Parser(std::string_view text, std::string name) : lexer_(text) {
    module_.name = std::move(name);
    advance();
}

Result<Module> Parser::run() {
    if (!parse_header()) recover_item();
    while (!at_end()) {
        if (!parse_item()) recover_item();
    }
    if (!errors_.empty()) return std::move(errors_);
    return std::move(module_);
}

// ---- tokens and errors

void Parser::advance() {
    if (is_stopped_) return;
    if (is('{')) ++braces_;
    if (is('}') && braces_ != 0) --braces_;
    current_ = lexer_.next();
}

Token Parser::peek() const {
    Lexer ahead = lexer_;
    return ahead.next();
}

bool Parser::accept(char character) {
    if (!is(character)) return false;
    advance();
    return true;
}

bool Parser::accept_dotted(std::string_view word) {
    if (!current_.is_dotted(word)) return false;
    advance();
    return true;
}

bool Parser::expect(char character, const char* after) {
    if (accept(character)) return true;
    std::string what = std::string("'") + character + "' after " + after;
    return fail_expected(what.c_str());
}

bool Parser::fail(Position position, const char* code, std::string message, std::string hint) {
    if (is_stopped_) return false;
    errors_.push_back(error(code, {module_.name, position.line, position.column}, std::move(message), std::move(hint)));
    if (errors_.size() == kMaximumErrors) {
        is_stopped_ = true;
        current_ = Token{};
    }
    return false;
}

// The token is not what the syntax asks for. What the lexer found wrong comes first.
bool Parser::fail_expected(const char* what, std::string hint) {
    if (current_.kind == TokenKind::kInvalid) {
        return fail(current_.position, "ptx-invalid-token", std::string(lexer_.problem()) + ": " + describe(current_),
                    std::move(hint));
    }
    const char* code = at_end() ? "ptx-unexpected-end" : "ptx-syntax";
    return fail(current_.position, code, std::string("expected ") + what + ", found " + describe(current_),
                std::move(hint));
}

bool Parser::Nesting::allowed() {
    if (parser_.nesting_ <= kMaximumNesting) return true;
    return parser_.fail(parser_.current_.position, "ptx-too-deep",
                        "braces, brackets or operators are nested more than 200 deep", "flatten the nesting");
}

bool Parser::take_identifier(std::string& into, const char* what) {
    if (!current_.is_identifier()) return fail_expected(what);
    into.assign(current_.text);
    advance();
    return true;
}

bool Parser::take_string(std::string& into, const char* what) {
    if (current_.kind != TokenKind::kString) return fail_expected(what, "write it in double quotes");
    into = unescape(current_.text);
    advance();
    return true;
}

// To behind the next ';', or to the '}' that closes the block the statement stands in.
void Parser::recover_statement(std::uint32_t braces) {
    while (!at_end()) {
        if (is(';')) {
            advance();
            break;
        }
        if (is('}') && braces_ <= braces) break;
        advance();
    }
    braces_ = braces;
}

// To behind the ';' or '}' that ends the item, at module level again.
void Parser::recover_item() {
    while (!at_end()) {
        bool is_last = (is(';') && braces_ == 0) || (is('}') && braces_ <= 1);
        advance();
        if (is_last) break;
    }
    braces_ = 0;
}

// ---- the header

bool Parser::parse_header() {
    if (!current_.is_dotted("version")) {
        return fail_expected("'.version' at the start of the module",
                             "PTX starts with .version and .target; is this a PTX file?");
    }
    if (!parse_version()) return false;
    if (!current_.is_dotted("target")) return fail_expected("'.target' after '.version'", "such as '.target sm_80'");
    return parse_target();
}

bool Parser::parse_version() {
    advance();
    std::string_view text = current_.text;
    const char* end = text.data() + text.size();
    if (current_.kind == TokenKind::kFloat) {
        auto major = std::from_chars(text.data(), end, module_.version_major);
        if (major.ec == std::errc{} && major.ptr != end && *major.ptr == '.') {
            auto minor = std::from_chars(major.ptr + 1, end, module_.version_minor);
            if (minor.ec == std::errc{} && minor.ptr == end) {
                advance();
                return true;
            }
        }
    }
    return fail_expected("a version such as 8.0 after '.version'");
}

bool Parser::parse_target() {
    advance();
    module_.target.clear();
    do {
        if (!take_identifier(module_.target.emplace_back(), "a target such as sm_80")) return false;
    } while (accept(','));
    return true;
}

bool Parser::parse_address_size() {
    advance();
    Position position = current_.position;
    std::uint32_t size = 0;
    if (!parse_unsigned_literal(size, "32 or 64 after '.address_size'")) return false;
    if (size != 32 && size != 64) return fail(position, "ptx-address-size", "the address size must be 32 or 64");
    module_.address_size = size;
    return true;
}

// ---- items

void Parser::add_item(Module::ItemKind kind, std::size_t count) {
    module_.order.push_back({kind, static_cast<std::uint32_t>(count - 1)});
}

bool Parser::parse_item() {
    if (accept(';')) return true;
    if (!current_.is_dotted()) {
        return fail_expected("a directive such as .entry, .func or .global",
                             "is a '}' of the function before missing or doubled?");
    }
    std::string_view word = current_.text;
    if (word == "version") return parse_version();
    if (word == "target") return parse_target();
    if (word == "address_size") return parse_address_size();
    if (word == "file") return parse_file();
    if (word == "alias") return parse_alias();
    if (word == "section") return parse_section();
    if (word == "pragma") {
        add_item(Module::ItemKind::kPragma, module_.pragmas.size() + 1);
        return parse_pragma(module_.pragmas.emplace_back());
    }
    Position position = current_.position;
    std::string_view linkage;
    if (is_linkage(current_)) {
        linkage = current_.text;
        advance();
    }
    if (current_.is_dotted("entry") || current_.is_dotted("func")) return parse_function(linkage, position);
    if (!is_state_space(current_)) {
        if (!current_.is_dotted()) return fail_expected("a function or variable after its linkage");
        return fail(current_.position, "ptx-unknown-directive",
                    "no such directive at module level: " + describe(current_),
                    "PTX ISA 9.0 is the newest that is read");
    }
    Variable variable;
    variable.linkage = linkage;
    if (!parse_variable_prefix(variable)) return false;
    do {
        module_.variables.push_back(variable);
        if (!parse_declarator(module_.variables.back())) return false;
        add_item(Module::ItemKind::kVariable, module_.variables.size());
    } while (accept(','));
    return expect(';', "a declaration");
}

// .file index "name" [, timestamp, size]
bool Parser::parse_file() {
    advance();
    File& file = module_.files.emplace_back();
    add_item(Module::ItemKind::kFile, module_.files.size());
    if (!parse_unsigned_literal(file.index, "a file index")) return false;
    if (!take_string(file.name, "a file name")) return false;
    std::int64_t value = 0;
    if (!accept(',')) return true;
    if (!parse_integer_constant(value, "the file's timestamp")) return false;
    file.timestamp = static_cast<std::uint64_t>(value);
    if (!accept(',')) return true;
    if (!parse_integer_constant(value, "the file's size")) return false;
    file.size = static_cast<std::uint64_t>(value);
    return true;
}

bool Parser::parse_alias() {
    advance();
    Alias& alias = module_.aliases.emplace_back();
    add_item(Module::ItemKind::kAlias, module_.aliases.size());
    return take_identifier(alias.name, "the alias's name") && expect(',', "the alias's name") &&
           take_identifier(alias.aliasee, "the name of a function") && expect(';', ".alias");
}

// .section .debug_str { lines }. The lines are kept as tokens spelled out, so comments fall away.
bool Parser::parse_section() {
    advance();
    Section& section = module_.sections.emplace_back();
    add_item(Module::ItemKind::kSection, module_.sections.size());
    while (current_.is_dotted() || current_.is_identifier()) {
        if (current_.is_dotted()) section.name += '.';
        section.name += current_.text;
        advance();
    }
    if (section.name.empty()) return fail_expected("a section name such as .debug_str");
    if (!expect('{', "the section's name")) return false;
    std::uint32_t line = 0;
    const char* end = nullptr;
    while (!is('}')) {
        if (at_end() || current_.kind == TokenKind::kInvalid || is('{')) return fail_expected("'}' after the section");
        bool has_prefix = current_.is_dotted() || current_.kind == TokenKind::kString;
        const char* start = current_.text.data() - (has_prefix ? 1 : 0);
        const char* stop = current_.text.data() + current_.text.size() + (current_.kind == TokenKind::kString ? 1 : 0);
        if (current_.position.line != line) {
            section.lines.emplace_back();
        } else if (start != end) {
            section.lines.back() += ' ';
        }
        section.lines.back().append(start, stop);
        line = current_.position.line;
        end = stop;
        advance();
    }
    advance();
    return true;
}

// .pragma "text", "text";
bool Parser::parse_pragma(Pragma& pragma) {
    pragma.position = current_.position;
    advance();
    do {
        if (!take_string(pragma.texts.emplace_back(), "a pragma's text")) return false;
    } while (accept(','));
    return expect(';', ".pragma");
}

}  // namespace tilescope::ptx

// Functions: .entry, .func, their parameters, tuning directives, and the targets and prototypes of indirect calls.
#include <algorithm>
#include <array>

#include "scope/ptx/parser_impl.h"

namespace tilescope::ptx {
namespace {

struct DirectiveShape {
    std::string_view name;
    std::size_t least, most;  // how many integers follow
};

constexpr std::array<DirectiveShape, 12> kFunctionDirectives = {{
    {"maxntid", 1, 3},
    {"reqntid", 1, 3},
    {"minnctapersm", 1, 1},
    {"maxnctapersm", 1, 1},
    {"maxnreg", 1, 1},
    {"noreturn", 0, 0},
    {"reqnctapercluster", 1, 3},
    {"explicitcluster", 0, 0},
    {"maxclusterrank", 1, 1},
    {"blocksareclusters", 0, 0},
    {"abi_preserve", 1, 1},
    {"abi_preserve_control", 1, 1},
}};

}  // namespace

// .entry name (parameters) directives body, .func attributes (returns) name (parameters) directives body; ';' instead
// of a body declares.
bool Parser::parse_function(std::string_view linkage, Position position) {
    Function& function = module_.functions.emplace_back();
    add_item(Module::ItemKind::kFunction, module_.functions.size());
    function.linkage = linkage;
    function.position = position;
    function.is_entry = current_.is_dotted("entry");
    advance();
    if (current_.is_dotted("attribute") && !parse_attributes(function.attributes)) return false;
    if (is('(') && !parse_parameters(function.returns)) return false;
    if (function.is_entry && !function.returns.empty())
        return fail(position, "ptx-syntax", "an .entry returns nothing", "use .func for a function with a result");
    if (!take_identifier(function.name, "the function's name")) return false;
    if (is('(') && !parse_parameters(function.parameters)) return false;
    if (!parse_function_directives(function)) return false;
    if (accept(';')) return true;
    if (!is('{')) return fail_expected("'{', ';' or a directive such as .maxntid after the function's parameters");
    locs_ = &function.locs;
    loc_ = -1;
    bool is_good = parse_block(function.body.emplace());
    locs_ = nullptr;
    return is_good;
}

bool Parser::parse_parameters(std::vector<Variable>& parameters) {
    advance();
    if (accept(')')) return true;
    do {
        Variable& parameter = parameters.emplace_back();
        if (!current_.is_dotted("param") && !current_.is_dotted("reg"))
            return fail_expected("a parameter that starts with .param or .reg");
        if (!parse_variable_prefix(parameter) || !parse_declarator(parameter)) return false;
        if (parameter.initializer || parameter.count)
            return fail(parameter.position, "ptx-syntax", "a parameter has no initialiser and no register range");
    } while (accept(','));
    return expect(')', "the parameters");
}

bool Parser::parse_function_directives(Function& function) {
    while (current_.is_dotted()) {
        if (current_.text == "pragma") {
            if (!parse_pragma(function.pragmas.emplace_back())) return false;
            continue;
        }
        auto shape = std::find_if(kFunctionDirectives.begin(), kFunctionDirectives.end(),
                                  [&](const DirectiveShape& candidate) { return candidate.name == current_.text; });
        if (shape == kFunctionDirectives.end()) {
            return fail(current_.position, "ptx-unknown-directive",
                        "no such directive of a function: '." + std::string(current_.text.substr(0, 60)) + "'",
                        "known are .maxntid, .reqntid, .minnctapersm, .maxnreg, .noreturn, .pragma and the cluster "
                        "directives");
        }
        FunctionDirective& directive = function.directives.emplace_back();
        directive.name = current_.text;
        advance();
        if (!parse_function_directive_values(directive, shape->least, shape->most)) return false;
    }
    return true;
}

bool Parser::parse_function_directive_values(FunctionDirective& directive, std::size_t least, std::size_t most) {
    if (least == 0) return true;
    Position position = current_.position;
    do {
        if (!parse_integer_constant(directive.values.emplace_back(), "an integer after the directive")) return false;
    } while (directive.values.size() <= most && accept(','));
    if (directive.values.size() <= most) return true;
    return fail(position, "ptx-syntax", "." + directive.name + " takes at most " + std::to_string(most) + " integers");
}

// At ".callprototype": (returns) _ (parameters) .noreturn .abi_preserve n;
bool Parser::parse_call_prototype(CallPrototype& prototype) {
    advance();
    if (is('(') && !parse_parameters(prototype.returns)) return false;
    std::string name;
    if (!take_identifier(name, "'_' in the place of the function's name")) return false;
    if (is('(') && !parse_parameters(prototype.parameters)) return false;
    while (current_.is_dotted()) {
        if (accept_dotted("noreturn")) {
            prototype.noreturn = true;
            continue;
        }
        if (current_.text != "abi_preserve" && current_.text != "abi_preserve_control")
            return fail_expected(".noreturn, .abi_preserve or .abi_preserve_control");
        if (!prototype.abi_preserve.empty()) prototype.abi_preserve += ' ';
        prototype.abi_preserve += "." + std::string(current_.text);
        advance();
        std::int64_t registers = 0;
        if (!parse_integer_constant(registers, "a number of registers")) return false;
        prototype.abi_preserve += " " + std::to_string(registers);
    }
    return expect(';', ".callprototype");
}

// At ".branchtargets" or ".calltargets".
bool Parser::parse_target_list(TargetList& list) {
    list.is_calls = current_.text == "calltargets";
    advance();
    do {
        const char* what = list.is_calls ? "the name of a function" : "a label";
        if (!take_identifier(list.targets.emplace_back(), what)) return false;
    } while (accept(','));
    return expect(';', "the list of targets");
}

}  // namespace tilescope::ptx

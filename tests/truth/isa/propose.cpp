#include "tests/truth/isa/propose.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "scope/isa/families.h"
#include "scope/isa/table/form.h"

namespace tilescope::truth {
namespace {

constexpr std::size_t kSpellings = 8;            // of a row, spread over all that it has
constexpr unsigned kTurns[] = {0, 5, 11, 3, 7};  // other values for each operand

isa::Type doubled(isa::Type type) {
    switch (type) {
        case isa::Type::kU16: return isa::Type::kU32;
        case isa::Type::kS16: return isa::Type::kS32;
        case isa::Type::kU32: return isa::Type::kU64;
        case isa::Type::kS32: return isa::Type::kS64;
        default: return isa::Type::kNone;
    }
}

// What an operand's token means in this form; kNone when it is no value.
isa::Type type_of(std::string_view token, const isa::Form& form) {
    if (token.starts_with('-')) token.remove_prefix(1);
    if (!token.ends_with(".place")) token = token.substr(0, token.find('.'));
    if (token.size() == 2 && token[1] >= '0' && token[1] <= '2') {
        const isa::Type type = form.type(static_cast<unsigned>(token[1] - '0'));
        if (token[0] == 'T' || token[0] == 'L') return type;
        if (token[0] == 'W') return doubled(type);
    }
    return isa::type_by_name(token);
}

std::string list_for(isa::Type type, unsigned operand) {
    const std::string turn = operand == 0 ? "" : "+" + std::to_string(kTurns[operand % std::size(kTurns)]);
    switch (type) {
        case isa::Type::kTf32: return "f32" + turn;
        case isa::Type::kU16x2:
        case isa::Type::kS16x2: return "u16x2" + turn;
        case isa::Type::kB128: return "b64" + turn + ":b64+11";
        case isa::Type::kPred: return "pred" + turn;
        default: break;
    }
    if (isa::is_float(type)) return std::string(isa::name_of(type)) + turn;
    return "b" + std::to_string(8 * isa::bytes_of(type)) + turn;
}

std::string result_for(isa::Type type, bool of_library) {
    if (type == isa::Type::kPred) return "=pred";
    if (of_library && isa::is_float(type)) return "=" + std::string(isa::name_of(type));
    return "=b" + std::to_string(isa::bytes_of(type) == 1 ? 32 : 8 * isa::bytes_of(type));
}

// "=b32|=pred, b32, b32+5" for a row's operands; nothing when one is no value.
std::optional<std::string> operands_for(const isa::Row& row, const isa::Form& form) {
    std::istringstream tokens{std::string(row.operands)};
    std::string text, token;
    unsigned reads = 0;
    while (tokens >> token) {
        if (token.ends_with('?')) continue;
        text += text.empty() ? "" : ", ";
        if (token[0] != '=') {
            const isa::Type type = type_of(token, form);
            if (type == isa::Type::kNone) return std::nullopt;
            text += list_for(type, reads++);
            continue;
        }
        std::istringstream parts(token.substr(1));
        for (std::string part; std::getline(parts, part, '|');) {
            const isa::Type type = type_of(part, form);
            if (type == isa::Type::kNone) return std::nullopt;
            text += (text.empty() || text.ends_with(' ') ? "" : "|") + result_for(type, row.syntax.starts_with("__"));
        }
    }
    return text;
}

// The carry goes in as a list and comes out as a result.
std::string with_carry(const isa::Row& row, const isa::Form& form, std::string instruction) {
    if (row.effect.reads_carry) instruction = "add.cc.u32 ~b32, flag+7, 0xffffffff; " + instruction;
    if (form.has("cc")) instruction += "; addc.u32 =b32, 0, 0";
    return instruction;
}

std::string lines_for(const Table& table, const isa::Row& row) {
    const std::string refusal =
        "# not values to values: " + std::string(row.syntax) + "  " + std::string(row.operands) + "\n";
    if (row.effect.action != isa::Action::kNone || row.control != isa::Control::kNone) return refusal;
    std::vector<std::pair<std::string, std::vector<std::string>>> spellings;
    isa::for_each_spelling(row.syntax, 1u << 20, [&](std::string_view opcode, const auto& modifiers) {
        spellings.emplace_back(opcode, modifiers);
    });
    std::string text;
    const std::size_t count = std::min(kSpellings, spellings.size());
    for (std::size_t k = 0; k < count; ++k) {
        const auto& [opcode, modifiers] = spellings[count == 1 ? 0 : k * (spellings.size() - 1) / (count - 1)];
        const auto form = isa::Form::match(row.syntax, opcode, modifiers);
        const auto operands = form ? operands_for(row, *form) : std::nullopt;
        if (!operands || operands->find('=') == operands->npos) return refusal;
        std::string instruction = opcode;
        for (const std::string& modifier : modifiers) instruction += "." + modifier;
        instruction += " " + *operands;
        instruction = with_carry(row, *form, std::move(instruction));
        const bool known = std::any_of(table.lines.begin(), table.lines.end(),
                                       [&](const Line& line) { return line.instruction == instruction; });
        if (!known) text += "ours\texact\t" + instruction + "\n";
    }
    return text;
}

}  // namespace

std::string propose(const Table& table, std::string_view opcode) {
    std::string text;
    for (const isa::Family* family : isa::families())
        for (std::size_t i = 0; i < family->count; ++i)
            if (isa::opcode_of(family->rows[i].syntax) == opcode) text += lines_for(table, family->rows[i]);
    return text;
}

}  // namespace tilescope::truth

// RowText: an instruction of the table written as PTX with the least operands it takes, and a module around it.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "scope/isa/table/form.h"
#include "scope/isa/table/row.h"
#include "scope/isa/table/signature.h"

namespace tilescope::isa::test {

// Which operands are immediates, in the attempts that a spelling gets until one is accepted.
struct Attempt {
    unsigned immediates = 0;  // the last so many typed operands that are read
    unsigned value = 4;
    unsigned elements = 2;                             // of brace vectors
    bool optional = true;                              // whether optional operands are there
    bool sinks = false;                                // `_` for every result
    std::array<unsigned, 4> registers = {1, 1, 1, 1};  // of vectors whose length no word of the spelling says
    bool first_is_zero = false;                        // of the immediates, whatever the others are
};

std::vector<Attempt> attempts();

class RowText {
public:
    RowText(const Row& row, const Form& form, std::string spelling, const Attempt& attempt)
        : row_(row),
          form_(form),
          spelling_(std::move(spelling)),
          attempt_(attempt),
          tokens_(read_signature(row.operands)) {}

    // Its PTX, a call where the row is a function.
    std::string text() {
        unsigned reads = 0, immediates = 0;
        const auto is_place = [](const Token& token) {
            return token.kind == SignatureTokenKind::kAddress || token.kind == SignatureTokenKind::kIndexed;
        };
        for (const Token& token : tokens_) reads += !is_place(token) && !token.writes ? 1 : 0;
        std::string results, arguments;
        for (const Token& token : tokens_) {
            if (token.optional && !attempt_.optional) continue;
            const bool immediate =
                !token.writes && !is_place(token) && reads-- <= attempt_.immediates && token.fixed != Type::kPred;
            std::string& list = token.writes ? results : arguments;
            const bool is_zero = immediate && immediates++ == 0 && attempt_.first_is_zero;
            list += (list.empty() ? "" : ", ") + (is_zero                          ? std::string("0")
                                                  : immediate                      ? std::to_string(attempt_.value)
                                                  : token.writes && attempt_.sinks ? "_"
                                                                                   : operand(token));
        }
        const bool is_function = row_.syntax.find('.') == std::string_view::npos &&
                                 (row_.syntax.starts_with("__") || row_.syntax == "vprintf" ||
                                  row_.syntax == "malloc" || row_.syntax == "free");
        if (is_function)
            return "call " + (results.empty() ? "" : "(" + results + "), ") + spelling_ + ", (" + arguments + ")";
        return spelling_ + " " + results + (results.empty() || arguments.empty() ? "" : ", ") + arguments;
    }
    // What reads the results, so that none is dropped.
    std::string readers() const { return readers_; }

private:
    static std::string reg(Type type, unsigned number) {
        const unsigned bytes = bytes_of(type);
        const char* prefix = type == Type::kPred ? "%p"
                             : bytes <= 2        ? "%h"
                             : bytes == 4        ? "%r"
                             : bytes == 8        ? "%d"
                                                 : "%q";
        return prefix + std::to_string(number);
    }

    std::string value(Type type, bool writes) {
        // Results are many where they are matrices; arguments begin anew, as all hold the same.
        constexpr unsigned kFewResults = 3, kMoreResults = 16, kArguments = 9;
        const unsigned number = writes ? results_++ : arguments_++;
        const std::string name = reg(type, !writes                ? kFewResults + number % kArguments
                                           : number < kFewResults ? number
                                                                  : kMoreResults + number);
        if (!writes) return name;
        switch (type == Type::kPred ? 0 : std::max(2u, bytes_of(type))) {
            case 0: readers_ += " selp.b32 %r14, 1, 2, " + name + ";\n st.global.b32 [%d14], %r14;\n"; break;
            case 2: readers_ += " st.global.b16 [%d14], " + name + ";\n"; break;
            case 4: readers_ += " st.global.b32 [%d14], " + name + ";\n"; break;
            case 8: readers_ += " st.global.b64 [%d14], " + name + ";\n"; break;
            default: readers_ += " st.global.b128 [%d14], " + name + ";\n"; break;
        }
        return name;
    }

    std::string vector(Type type, unsigned elements, bool writes) {
        std::string text = "{";
        for (unsigned i = 0; i < elements; ++i) text += (i ? ", " : "") + value(type, writes);
        return text + "}";
    }

    std::string address() const {
        if (form_.one_of({"shared", "shared::cta", "shared::cluster"}) != "" && (addresses_ == 0)) return "[%d13]";
        if (form_.has("local")) return "[%d13]";
        if (form_.has("const")) return "[table]";
        if (form_.one_of({"param", "param::entry"}) != "") return "[number]";
        return "[%d14]";
    }

    std::string operand(const Token& token) {
        const Type type = token.fixed != Type::kNone ? token.fixed : form_.type(token.type_index);
        switch (token.kind) {
            case SignatureTokenKind::kAddress: {
                const std::string text = address();
                ++addresses_;
                return text;
            }
            case SignatureTokenKind::kIndexed: return "[%d14, {%r3, %r3, %r3, %r3}]";
            case SignatureTokenKind::kLabel: return "L1";
            case SignatureTokenKind::kList: return "TARGETS";
            case SignatureTokenKind::kFunction:
            case SignatureTokenKind::kCall: return "leaf";
            case SignatureTokenKind::kWide:
                return value(bytes_of(type) == 2   ? Type::kB32
                             : bytes_of(type) == 4 ? Type::kB64
                                                   : Type::kB128,
                             token.writes);
            case SignatureTokenKind::kVector: {
                const unsigned count = form_.has("v2")   ? 2
                                       : form_.has("v4") ? 4
                                       : form_.has("v8") ? 8
                                                         : attempt_.registers[vectors_++ % 4];
                return count == 1 ? value(type, token.writes) : vector(type, count, token.writes);
            }
            case SignatureTokenKind::kBraces: return vector(type, attempt_.elements, token.writes);
            default: return value(type, token.writes) + (token.selector == SelectorKind::kPlace ? ".b0" : "");
        }
    }

    const Row& row_;
    const Form& form_;
    std::string spelling_;
    Attempt attempt_;
    std::vector<Token> tokens_;
    std::string readers_;
    unsigned results_ = 0, arguments_ = 0, addresses_ = 0, vectors_ = 0;
};

// Whether the module of an instruction is for sm_90a, not sm_100.
bool is_of_hopper_alone(const std::string& instruction);
// Where instruction and readers stand: a kernel "k" whose registers are all defined.
std::string module_text(const std::string& instruction, const std::string& readers);

}  // namespace tilescope::isa::test

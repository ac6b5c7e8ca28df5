// Every row of the instruction table, written as PTX with the least operands it takes, loaded, launched and counted by
// all observers: none may crash, whatever comes of it.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "scope/isa/families.h"
#include "scope/isa/table/form.h"
#include "scope/isa/table/signature.h"
#include "scope/session/session.h"

namespace tilescope {
namespace {

using isa::SignatureTokenKind;
using isa::Token;
using isa::Type;

constexpr std::size_t kSpellings = 6;  // of a row, at most

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

std::vector<Attempt> attempts() {
    std::vector<Attempt> list;
    for (bool optional : {true, false})
        for (unsigned elements : {2u, 4u, 8u})
            for (unsigned immediates : {0u, 1u, 2u, 3u, 4u})
                for (unsigned value : {4u, 16u, 32u, 0u}) list.push_back({immediates, value, elements, optional});
    list.push_back({1, 128});                            // the range of a tensor map
    list.push_back({.optional = false, .sinks = true});  // a barrier of the cluster gives nothing back
    // Matrices: alone, and as result, factors and addend.
    for (unsigned alone : {2u, 4u, 8u}) list.push_back({.registers = {alone, 1, 1, 1}});
    for (unsigned results : {2u, 4u, 8u})
        for (unsigned a : {1u, 2u, 4u, 8u})
            for (unsigned b : {1u, 2u, 4u, 8u}) {
                list.push_back({.registers = {results, a, b, results}});
                // Sparse ones name by a number which lanes hold what is stored where.
                list.push_back({.immediates = 1, .value = 0, .registers = {results, a, b, results}});
            }
    list.push_back({.registers = {8, 2, 2, 4}});  // sums of f32 from addends of f16
    // Of four warps: sums, perhaps a factor, and signs and orders that are 1.
    for (unsigned sums : {2u, 4u})
        for (unsigned immediates : {0u, 2u, 3u, 4u})
            list.push_back({.immediates = immediates, .value = 1, .registers = {sums, 4, 1, 1}});
    // The same of a sparse factor, with the choice of lanes before the predicate.
    for (unsigned sums : {2u, 4u})
        for (unsigned immediates : {2u, 4u, 5u, 6u})
            list.push_back({.immediates = immediates, .value = 1, .registers = {sums, 4, 1, 1}, .first_is_zero = true});
    return list;
}

class Instruction {
public:
    Instruction(const isa::Row& row, const isa::Form& form, std::string spelling, const Attempt& attempt)
        : row_(row),
          form_(form),
          spelling_(std::move(spelling)),
          attempt_(attempt),
          tokens_(isa::read_signature(row.operands)) {}

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
        const unsigned bytes = isa::bytes_of(type);
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
        switch (type == Type::kPred ? 0 : std::max(2u, isa::bytes_of(type))) {
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
                return value(isa::bytes_of(type) == 2   ? Type::kB32
                             : isa::bytes_of(type) == 4 ? Type::kB64
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
            default: return value(type, token.writes) + (token.selector == isa::SelectorKind::kPlace ? ".b0" : "");
        }
    }

    const isa::Row& row_;
    const isa::Form& form_;
    std::string spelling_;
    Attempt attempt_;
    std::vector<Token> tokens_;
    std::string readers_;
    unsigned results_ = 0, arguments_ = 0, addresses_ = 0, vectors_ = 0;
};

std::string module_text(const std::string& instruction, const std::string& readers) {
    // Products of four warps are one architecture's alone.
    const std::string target = instruction.starts_with("wgmma") ? "sm_90a" : "sm_100";
    std::string text = ".version 8.8\n.target " + target + R"(
.address_size 64
.const .align 32 .b8 table[64];
.func leaf() { ret; }
.visible .entry k(.param .u64 buffer, .param .align 32 .b8 number[64])
{
 .reg .pred %p<16>; .reg .b16 %h<16>; .reg .b32 %r<32>; .reg .b64 %d<32>; .reg .b128 %q<16>;
 .shared .align 32 .b8 tile[256];
 .local .align 32 .b8 stack[64];
 TARGETS: .branchtargets L1, L1, L1, L1, L1;
 ld.param.u64 %d14, [buffer];
 mov.u64 %d13, 0;
)";
    for (int i = 3; i < 12; ++i) {
        const std::string n = std::to_string(i);
        text += " mov.u32 %r" + n + ", 3; mov.u64 %d" + n + ", %d14; cvt.u16.u32 %h" + n + ", %r" + n +
                "; mov.b128 %q" + n + ", {%d" + n + ", %d" + n + "}; setp.eq.u32 %p" + n + ", %r" + n + ", 3;\n";
    }
    return text + " " + instruction + ";\nL1:\n" + readers + " ret;\n}\n";
}

// A session for one row.
class Lab {
public:
    Lab() {
        SessionOptions options;
        options.jobs = 1;
        options.max_instructions = 10'000'000;
        auto session = Session::create(options);
        session_ = std::move(*session);
        buffer_ = session_->memory().allocate(256, machine::AllocationKind::kDevice);
    }

    // Whether the module loads and the kernel lowers; it runs then.
    bool runs(const std::string& text) {
        const auto module = session_->load_module(text, "row.ptx");
        if (!module) return false;
        std::array<std::byte, 96> parameters{};
        std::memcpy(parameters.data(), &buffer_, sizeof buffer_);
        LaunchRequest request;
        request.kernel = *session_->find_kernel(*module, "k");
        request.block = {32, 1, 1};
        request.parameters = parameters;
        return session_->launch(request).status != LaunchStatus::kUnsupported;
    }

private:
    std::unique_ptr<Session> session_;
    void* buffer_ = nullptr;
};

TEST(EveryRow, RunsWithTheLeastOperands) {
    const std::vector<Attempt> all = attempts();
    for (const isa::Family* family : isa::families())
        for (std::size_t i = 0; i < family->count; ++i) {
            const isa::Row& row = family->rows[i];
            if (row.syntax.starts_with('%')) continue;  // made by the lowering, never written in PTX
            unsigned ran = 0;
            Lab lab;
            isa::for_each_spelling(row.syntax, kSpellings, [&](std::string_view opcode, const auto& modifiers) {
                std::string spelling(opcode);
                for (const std::string& word : modifiers) spelling += "." + word;
                const auto form = isa::Form::match(row.syntax, opcode, modifiers);
                if (!form) return;
                std::set<std::string> tried;  // most attempts differ in what this spelling does not have
                for (const Attempt& attempt : all) {
                    Instruction instruction(row, *form, spelling, attempt);
                    const std::string text = instruction.text();
                    if (!tried.insert(text).second) continue;
                    if (!lab.runs(module_text(text, instruction.readers()))) continue;
                    if (!instruction.readers().empty()) (void)lab.runs(module_text(text, ""));
                    ++ran;
                    break;
                }
            });
            EXPECT_GT(ran, 0u) << family->name << ": no operands were accepted for " << row.syntax << "  "
                               << row.operands;
        }
}

}  // namespace
}  // namespace tilescope

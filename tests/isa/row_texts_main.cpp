// Prints instructions of the table as PTX, one a line: family, syntax, instruction. scripts/record_targets.py asks
// NVIDIA's assembler about them.
//
// Guarantees: of every row, each word of its syntax stands in one instruction at least, and each two words that may
// stand together do so in one. With a number, instead: that many spellings of every row, drawn by a hash, among those
// that the first list leaves out.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scope/isa/families.h"
#include "scope/isa/lower.h"
#include "scope/ptx/parser.h"
#include "tests/isa/row_text.h"

namespace tilescope::isa::test {
namespace {

bool lowers(const std::string& instruction, const std::string& readers) {
    const auto module = ptx::parse(module_text(instruction, readers), "row.ptx");
    if (!module) return false;
    LowerRequest request;
    request.module = &*module;
    request.entry = "k";
    request.address_of = [](std::string_view) { return 0x1000; };
    return static_cast<bool>(lower(request));
}

// The spelling with operands that the lowering accepts; nothing where there are none.
std::string with_operands(const Row& row, const Form& form, const std::string& spelling,
                          const std::vector<Attempt>& all) {
    std::set<std::string> tried;
    for (const Attempt& attempt : all) {
        RowText instruction(row, form, spelling, attempt);
        const std::string text = instruction.text();
        if (tried.insert(text).second && lowers(text, instruction.readers())) return text;
    }
    return {};
}

using Words = std::set<std::pair<std::string, std::string>>;

// Whether two of these words have not met before; they have then.
bool are_new(const std::vector<std::string>& modifiers, Words& met) {
    bool fresh = false;
    for (std::size_t i = 0; i < modifiers.size(); ++i) {
        fresh |= met.insert({modifiers[i], ""}).second;
        for (std::size_t j = i + 1; j < modifiers.size(); ++j) fresh |= met.insert({modifiers[i], modifiers[j]}).second;
    }
    return fresh;
}

constexpr std::size_t kSpellings = 1u << 16;

void print(const Family& family, const Row& row, std::string_view opcode, const std::vector<std::string>& modifiers,
           const std::vector<Attempt>& all) {
    std::string spelling(opcode);
    for (const std::string& word : modifiers) spelling += "." + word;
    const auto form = Form::match(row.syntax, opcode, modifiers);
    if (!form) return;
    const std::string text = with_operands(row, *form, spelling, all);
    if (!text.empty())
        std::cout << family.name << '\t' << row.syntax << '\t' << row.operands << '\t' << text << '\n';
    else
        std::cerr << "no operands for " << spelling << '\n';
}

void print_pairs(const Family& family, const Row& row) {
    const std::vector<Attempt> all = attempts();
    Words met;
    bool first = true;
    for_each_spelling(row.syntax, kSpellings, [&](std::string_view opcode, const auto& modifiers) {
        if (!are_new(modifiers, met) && !first) return;
        first = false;
        print(family, row, opcode, modifiers, all);
    });
}

// FNV-1a, the same on every machine.
std::uint64_t hash_of(std::string_view opcode, const std::vector<std::string>& modifiers) {
    std::uint64_t hash = 0xcbf29ce484222325;
    const auto add = [&](std::string_view text) {
        for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    };
    add(opcode);
    for (const std::string& word : modifiers) add("." + word);
    return hash;
}

void print_drawn(const Family& family, const Row& row, std::size_t count) {
    const std::vector<Attempt> all = attempts();
    std::map<std::uint64_t, std::vector<std::string>> drawn;  // those with the least hashes
    Words met;
    std::string name;
    for_each_spelling(row.syntax, kSpellings, [&](std::string_view opcode, const auto& modifiers) {
        name = opcode;
        if (are_new(modifiers, met)) return;
        drawn.emplace(hash_of(opcode, modifiers), modifiers);
        if (drawn.size() > count) drawn.erase(std::prev(drawn.end()));
    });
    for (const auto& [hash, modifiers] : drawn) print(family, row, name, modifiers, all);
}

}  // namespace
}  // namespace tilescope::isa::test

int main(int count, char** words) {
    namespace test = tilescope::isa::test;
    const std::size_t drawn = count > 1 ? std::strtoul(words[1], nullptr, 10) : 0;
    for (const tilescope::isa::Family* family : tilescope::isa::families())
        for (std::size_t i = 0; i < family->count; ++i) {
            if (family->rows[i].syntax.starts_with('%')) continue;
            if (drawn == 0)
                test::print_pairs(*family, family->rows[i]);
            else
                test::print_drawn(*family, family->rows[i], drawn);
        }
}

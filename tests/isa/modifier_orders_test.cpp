// The table accepts the orders of modifiers that ptxas 13.0 accepts, and no others (orders_ptxas.txt).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "scope/isa/families.h"
#include "scope/isa/lower.h"
#include "scope/isa/table/row_index.h"
#include "scope/ptx/parser.h"
#include "tests/places.h"

namespace tilescope::isa {
namespace {

using Words = std::vector<std::string>;
using Order = std::vector<std::size_t>;

constexpr std::size_t kAllOrdersUpTo = 6;
constexpr unsigned kDrawn = 60;

// The list that scripts/record_orders.py makes.
std::vector<Order> orders_of(std::size_t count) {
    Order usual(count);
    std::iota(usual.begin(), usual.end(), std::size_t{0});
    std::vector<Order> orders;
    if (count <= kAllOrdersUpTo) {
        Order order = usual;
        do orders.push_back(order);
        while (std::next_permutation(order.begin(), order.end()));
        return orders;
    }
    orders.push_back(usual);
    for (std::size_t taken = 0; taken < count; ++taken)
        for (std::size_t place = 0; place < count; ++place) {
            if (taken == place) continue;
            Order order = usual;
            order.erase(order.begin() + static_cast<std::ptrdiff_t>(taken));
            order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), taken);
            orders.push_back(order);
        }
    std::uint64_t state = count;
    for (unsigned drawn = 0; drawn < kDrawn; ++drawn) {
        Order order = usual;
        for (std::size_t last = count - 1; last > 0; --last) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            std::swap(order[last], order[(state >> 33) % (last + 1)]);
        }
        orders.push_back(order);
    }
    return orders;
}

// One line of the file.
struct Recorded {
    std::string target, verdicts, opcode, operands;
    Words modifiers;

    bool is_accepted(std::size_t order) const {
        if (verdicts == "free") return true;
        const char digit = verdicts.at(order / 4);
        const int value = digit <= '9' ? digit - '0' : digit - 'a' + 10;
        return (value >> (3 - order % 4) & 1) != 0;
    }
    Words reordered(const Order& order) const {
        Words words;
        for (const std::size_t place : order) words.push_back(modifiers[place]);
        return words;
    }
    std::string text(const Words& words) const {
        std::string spelling = opcode;
        for (const std::string& word : words) spelling.append(".").append(word);
        return spelling + " " + operands + ";";
    }
};

std::vector<Recorded> recorded() {
    std::ifstream file(source_dir() + "/tests/isa/orders_ptxas.txt");
    std::vector<Recorded> all;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line.front() == '#') continue;
        Recorded one;
        std::string spelling;
        std::istringstream text(line);
        text >> one.target >> one.verdicts >> spelling;
        std::getline(text >> std::ws, one.operands);
        std::istringstream words(spelling);
        std::getline(words, one.opcode, '.');
        for (std::string word; std::getline(words, word, '.');) one.modifiers.push_back(word);
        all.push_back(std::move(one));
    }
    return all;
}

bool lowers(const std::string& target, const std::string& instruction) {
    const auto module = ptx::parse(".version 9.0\n.target " + target +
                                       "\n.address_size 64\n.const .align 32 .b8 table[64];\n.func leaf() { ret; }\n"
                                       ".visible .entry k(.param .u64 buffer, .param .align 32 .b8 number[64])\n{\n"
                                       ".reg .pred %p<64>; .reg .b16 %h<64>; .reg .b32 %r<200>; .reg .b64 %d<200>; "
                                       ".reg .b128 %q<64>;\n.shared .align 32 .b8 tile[256];\n"
                                       "TARGETS: .branchtargets L1, L1, L1, L1, L1;\n" +
                                       instruction + "\nL1:\nret;\n}\n",
                                   "order.ptx");
    if (!module) return false;
    LowerRequest request;
    request.module = &*module;
    request.entry = "k";
    request.address_of = [](std::string_view) { return 0x1000; };
    return static_cast<bool>(lower(request));
}

std::vector<std::string_view> sorted_words(const Form& form) {
    std::vector<std::string_view> words = form.words();
    std::sort(words.begin(), words.end());
    return words;
}

TEST(ModifierOrders, AreAcceptedWherePtxasAcceptsThem) {
    RowIndex rows(families());
    std::size_t checked = 0;
    for (const Recorded& one : recorded()) {
        const std::vector<Order> orders = orders_of(one.modifiers.size());
        const std::vector<Candidate> usual = rows.find(one.opcode, one.modifiers);
        ASSERT_FALSE(usual.empty()) << one.text(one.modifiers);
        for (std::size_t i = 0; i < orders.size(); ++i, ++checked) {
            const Words words = one.reordered(orders[i]);
            const std::vector<Candidate>& found = rows.find(one.opcode, words);
            if (one.is_accepted(i)) {
                EXPECT_FALSE(found.empty()) << "ptxas accepts " << one.text(words);
                if (found.empty()) continue;
                EXPECT_EQ(sorted_words(found.front().form), sorted_words(usual.front().form)) << one.text(words);
            } else if (!found.empty()) {
                // The spelling of another instruction, which needs other operands.
                EXPECT_FALSE(lowers(one.target, one.text(words))) << "ptxas refuses " << one.text(words);
            }
        }
    }
    EXPECT_GT(checked, 80'000u);
}

// Moving a word that is free must not change which row the spelling belongs to, or which types it has.
TEST(ModifierOrders, FreeWordsKeepTypesInPlace) {
    RowIndex rows(families());
    const Words words = {"x4", "shared", "b16", "trans", "m8n8", "aligned", "sync"};
    const std::vector<Candidate>& found = rows.find("ldmatrix", words);
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found.front().form.type(0), Type::kB16);
    const std::vector<Candidate>& compared = rows.find("set", {"u32", "ftz", "f32", "gt"});
    ASSERT_FALSE(compared.empty());
    EXPECT_EQ(compared.front().form.type(0), Type::kU32);
    EXPECT_EQ(compared.front().form.type(1), Type::kF32);
}

}  // namespace
}  // namespace tilescope::isa

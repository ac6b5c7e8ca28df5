// The words of the reports.
#include "scope/report/glossary.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "scope/report/enums.h"

namespace tilescope::report {
namespace {

TEST(Glossary, WordsReferToWordsThatAreThere) {
    std::set<std::string_view> names;
    for (const Word& word : glossary()) {
        EXPECT_TRUE(names.insert(word.name).second) << word.name;
        EXPECT_EQ(find_word(word.name), &word);
        EXPECT_TRUE(word.meaning.ends_with('.')) << word.name;
        std::string_view list = word.see;
        while (!list.empty()) {
            const std::size_t comma = std::min(list.find(", "), list.size());
            EXPECT_NE(find_word(list.substr(0, comma)), nullptr) << word.name << " refers to " << list;
            list.remove_prefix(std::min(comma + 2, list.size()));
        }
    }
}

TEST(Glossary, HasAWordForEveryHazardAndNoOther) {
    for (const auto& row : kNames<HazardKind>) {
        const Word* word = find_word(row.name);
        ASSERT_NE(word, nullptr) << row.name;
        EXPECT_EQ(word->name, row.name);
        EXPECT_EQ(word->kind, WordKind::kHazard) << row.name;
    }
    for (const Word& word : glossary()) {
        const bool is_kind = by_name<HazardKind>(word.name).has_value();
        EXPECT_EQ(word.kind == WordKind::kHazard, is_kind) << word.name;
    }
}

TEST(Glossary, OtherTermsAreOfWordsThatAreThereOnce) {
    std::set<std::string_view> words;
    for (const OtherTerms& terms : other_terms()) {
        const Word* word = find_word(terms.word);
        ASSERT_NE(word, nullptr) << terms.word;
        EXPECT_EQ(word->name, terms.word);
        EXPECT_TRUE(words.insert(terms.word).second) << terms.word;
        EXPECT_FALSE(terms.textbook.empty()) << terms.word;
        EXPECT_EQ(other_terms_of(terms.word), &terms);
    }
    EXPECT_EQ(other_terms_of("kernel"), nullptr);
}

TEST(Glossary, KnowsTheWordsOfCourses) {
    EXPECT_EQ(find_word("CGMA")->name, "intensity");
    EXPECT_EQ(find_word("compute to global memory access ratio")->name, "intensity");
    EXPECT_EQ(find_word("scratchpad")->name, "shared memory");
    EXPECT_EQ(find_word("thread coarsening")->name, "coarsening");
    EXPECT_EQ(find_word("machine balance")->name, "ridge");
    EXPECT_EQ(find_word("burst")->name, "coalescing");
    for (const char* word : {"scope", "lifetime", "energy", "coalescing", "thrashing", "ridge", "resident"}) {
        ASSERT_NE(find_word(word), nullptr) << word;
        EXPECT_EQ(find_word(word)->name, word);
    }
}

TEST(Glossary, AnswersToWhatPeopleType) {
    EXPECT_EQ(find_word("Sectors")->name, "sector");
    for (const char* word : {"wmma", "mma", "mma.sync", "wgmma", "tensor cores"}) {
        ASSERT_NE(find_word(word), nullptr) << word;
        EXPECT_EQ(find_word(word)->name, "tensor core");
    }
    EXPECT_EQ(find_word("fragments")->name, "fragment");
    EXPECT_EQ(find_word("stmatrix")->name, "ldmatrix");
    EXPECT_EQ(find_word("bank-conflicts")->name, "bank conflict");
    EXPECT_EQ(find_word("thread block")->name, "block");
    EXPECT_EQ(find_word("CTA")->name, "block");
    EXPECT_EQ(find_word("passes")->name, "pass");
    EXPECT_EQ(find_word("nonsense"), nullptr);
    EXPECT_EQ(find_word(""), nullptr);
}

}  // namespace
}  // namespace tilescope::report

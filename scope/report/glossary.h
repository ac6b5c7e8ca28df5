// Glossary: what the words of a report mean, for people who meet them there for the first time.
//
// Owns: the list of words. Guarantees: every word has an answer of one to three sentences; those it refers to are in
// the list. Does not model: counters, ratios and facts, which carry their own lines (counters.h, ratios.h, metrics.h).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tilescope::report {

enum class WordKind : std::uint8_t { kTerm, kHazard };

struct Word {
    std::string_view name;  // as within a sentence, singular
    std::string_view also;  // other spellings, separated by commas
    std::string_view meaning;
    std::string_view see;  // words worth reading next, separated by commas
    WordKind kind = WordKind::kTerm;
};

std::span<const Word> glossary();

// What else a word of the glossary is called: in textbooks and courses, and by NVIDIA's profiler and its siblings.
struct OtherTerms {
    std::string_view word;  // of the glossary
    std::string_view textbook;
    std::string_view profiler;  // empty: it has no word for it
};
std::span<const OtherTerms> other_terms();
// Null: the same everywhere, or not known.
const OtherTerms* other_terms_of(std::string_view word);

// The word of this name or other spelling; case, a plural's s, and dashes for spaces do not matter. Null: none.
const Word* find_word(std::string_view name);

}  // namespace tilescope::report

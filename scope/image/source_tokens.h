// C++ source text as words, for the little that is read out of it.
//
// Guarantees: comments, strings and preprocessor lines give no words; safe on any bytes. Object-like macros are kept
// apart, by name. Does not model: the preprocessor; both sides of an #if are read.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::image {

using Words = std::vector<std::string>;  // identifiers, numbers, and punctuation one character each

struct SourceTokens {
    Words words;
    std::map<std::string, Words, std::less<>>
        macros;  // #define NAME words...; several definitions: joined, so unusable
};

SourceTokens tokenise(std::string_view text);

bool is_identifier(std::string_view word);
// Index behind the bracket that closes the one at `open`; words.size() when none does.
std::size_t behind_bracket(const Words& words, std::size_t open);

}  // namespace tilescope::image

// How a word is looked up; the words stand in glossary_words.cpp and glossary_conclusions.cpp.
#include "scope/report/glossary.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "scope/report/glossary_words.h"

namespace tilescope::report {
namespace {

std::string plain(std::string_view text) {
    std::string result;
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        result += letter == '-' || letter == '_' ? ' ' : static_cast<char>(std::tolower(byte));
    }
    return result;
}

bool is_one_of(std::string_view wanted, std::string_view list) {
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        if (plain(list.substr(0, comma)) == wanted) return true;
        list.remove_prefix(std::min(comma + 2, list.size()));  // ", "
    }
    return false;
}

const Word* find_exactly(std::string_view wanted) {
    for (const Word& word : glossary())
        if (plain(word.name) == wanted) return &word;
    for (const Word& word : glossary())
        if (is_one_of(wanted, word.also)) return &word;
    return nullptr;
}

}  // namespace

std::span<const Word> glossary() {
    static const std::vector<Word> all = [] {
        std::vector<Word> words(words_of_kernels().begin(), words_of_kernels().end());
        words.insert(words.end(), words_of_conclusions().begin(), words_of_conclusions().end());
        return words;
    }();
    return all;
}

const Word* find_word(std::string_view name) {
    std::string wanted = plain(name);
    if (const Word* word = find_exactly(wanted)) return word;
    if (wanted.size() > 1 && wanted.back() == 's') wanted.pop_back();
    return find_exactly(wanted);
}

}  // namespace tilescope::report

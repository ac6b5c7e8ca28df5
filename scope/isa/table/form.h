// Form: one spelling of an instruction matched against a row's syntax.
//
// Guarantees: match() accepts exactly the spellings that the syntax describes; for_each_spelling() yields them all.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scope/isa/table/types.h"

namespace tilescope::isa {

class Form {
public:
    // modifiers without dots. Nothing when the spelling is not one that the syntax describes. The syntax must outlive
    // the form; the modifiers need not.
    static std::optional<Form> match(std::string_view syntax, std::string_view opcode,
                                     const std::vector<std::string>& modifiers);

    // The chosen modifier words in order ("rn", "ftz", "f32"), views into the syntax.
    const std::vector<std::string_view>& words() const { return words_; }
    bool has(std::string_view word) const;
    // The n-th type among the words; kNone when there are fewer.
    Type type(unsigned n = 0) const { return n < types_.size() ? types_[n] : Type::kNone; }
    unsigned type_count() const { return static_cast<unsigned>(types_.size()); }
    // The first of the words that is among `choices`; "" when none is.
    std::string_view one_of(std::initializer_list<std::string_view> choices) const;

private:
    std::vector<std::string_view> words_;
    std::vector<Type> types_;
};

std::string_view opcode_of(std::string_view syntax);

// Calls visit(opcode, modifiers) for every spelling the syntax describes, at most `limit`.
void for_each_spelling(std::string_view syntax, std::size_t limit,
                       const std::function<void(std::string_view, const std::vector<std::string>&)>& visit);

}  // namespace tilescope::isa

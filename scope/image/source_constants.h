// Values of the names in source text: template arguments, constants, macros.
//
// A value is found where it is a whole number, or names combined by + - * / % << >>. Guarantees: bounded work on any
// text; two constants of one name and different values have none. Does not model: scopes, types, the preprocessor.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scope/image/source_tokens.h"

namespace tilescope::image {

// `tokens` must live as long.
class SourceConstants {
public:
    // Template arguments, by name. They come before the constants of the kernel and of the file, and these before
    // macros.
    using Given = std::map<std::string, std::string, std::less<>>;

    SourceConstants(const SourceTokens& tokens, Given given);

    // Of the expression at `at`, which is behind it then.
    std::optional<std::uint64_t> value(const Words& words, std::size_t& at, unsigned depth = 0) const;
    // A template argument's type, or the name itself.
    std::string type(const std::string& name) const;

private:
    std::optional<std::uint64_t> binary(const Words& words, std::size_t& at, int min_strength, unsigned depth) const;
    std::optional<std::uint64_t> primary(const Words& words, std::size_t& at, unsigned depth) const;
    std::optional<std::uint64_t> named(const std::string& name, unsigned depth) const;

    const SourceTokens& tokens_;
    mutable unsigned work_ = 100000;  // values that may yet be looked up: definitions may double from one to the next
    Given given_;
    std::map<std::string, std::vector<std::size_t>, std::less<>> places_;  // where the values of constants begin
};

}  // namespace tilescope::image

// A row's operand signature, read once.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "scope/isa/table/selectors.h"
#include "scope/isa/table/types.h"

namespace tilescope::isa {

enum class SignatureTokenKind : std::uint8_t {
    kTyped,   // a register or immediate: of fixed type, or of the form's type_index-th
    kWide,    // twice the width of T0
    kLoose,   // typed, but the register may be wider
    kVector,  // V0: brace vector or one register
    kBraces,  // {T0} or {b32}: brace vector
    kAddress,
    kIndexed,  // [object, {coordinates}]
    kLabel,
    kFunction,
    kList,
    kCall,
};

struct Token {
    SignatureTokenKind kind = SignatureTokenKind::kTyped;
    bool writes = false, optional = false, pair = false;
    Type fixed = Type::kNone;  // kNone: type_index of the form
    std::uint8_t type_index = 0;
    Type second = Type::kNone;  // pairs: type of the second part
    SelectorKind selector = SelectorKind::kNone;
    bool may_be_minus = false;  // "-%r1"
};

std::vector<Token> read_signature(std::string_view text);

}  // namespace tilescope::isa

// Index expressions: what stands between [ and ] in a kernel, 'threadIdx.y * 33 + threadIdx.x', as integers in C's
// meaning.
//
// Owns: IndexExpression, its parser and its evaluation. Guarantees: parsing is safe on any text, bounded in length and
// depth; every error shows the text with a mark under the place. Numbers are 32 bits wide, int or unsigned as in C: an
// unsigned one wraps around, an int that overflows, a division by zero and a shift too far are errors.
// Does not model: comparisons, ?:, 64-bit integers, casts, calls.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scope/base/result.h"

namespace tilescope::explore {

// A C int or unsigned int.
struct IndexNumber {
    std::int64_t value = 0;  // within 32 bits
    bool is_unsigned = false;
};

// What may stand in an expression by name.
struct IndexName {
    std::string name;
    IndexNumber value{};
};

enum class IndexOp : std::uint8_t {
    kNumber,
    kName,
    kNegate,
    kInvert,
    kMultiply,
    kDivide,
    kRemainder,
    kAdd,
    kSubtract,
    kLeft,
    kRight,
    kAnd,
    kXor,
    kOr,
};

// In the order in which a stack machine runs them.
struct IndexStep {
    IndexOp op = IndexOp::kNumber;
    IndexNumber number{};
    std::uint32_t name = 0;            // of a kName: which of the names
    std::uint32_t begin = 0, end = 0;  // the characters that it comes from, operands included
};

struct IndexExpression {
    std::string text;    // all that was parsed; for errors
    std::string source;  // this expression alone
    std::vector<IndexStep> steps;

    bool uses(std::uint32_t name) const;
};

inline constexpr std::size_t kMaxIndexText = 1000, kMaxIndexDepth = 100;

// One expression, or with `max` 2 or more as many with commas between.
Result<std::vector<IndexExpression>> parse_indexes(std::string_view text, std::span<const IndexName> names,
                                                   std::size_t max);

// With the values of the same names. `who` begins the message of an error: "lane 3".
Result<IndexNumber> evaluate(const IndexExpression& expression, std::span<const IndexName> names,
                             const std::string& who);

// The text with a mark below the characters from `begin` to `end`: two lines, each indented.
std::string pointed(std::string_view text, std::size_t begin, std::size_t end);

}  // namespace tilescope::explore

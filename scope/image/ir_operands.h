// The operands of one line of LLVM code as text: numbers, lists in brackets, pointers.
//
// Guarantees: any text is safe. Text of another form gives nothing. Does not model: the types of values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::image {

std::string_view trimmed(std::string_view text);
// Removes the digits at the front of `text`.
std::optional<std::uint64_t> take_number(std::string_view& text);

// The operands of a list, and the text behind the bracket that closes it.
struct Arguments {
    std::vector<std::string_view> each;
    std::string_view rest;
};
// `text` starts behind the "(" of a call.
std::optional<Arguments> split_arguments(std::string_view text);
// "float %3, ptr %5, align 4" as its parts; a comma in brackets separates nothing.
std::vector<std::string_view> split_operands(std::string_view text);

struct Pointer {
    bool typed = false;  // i8* and not ptr
    std::string space;   // " addrspace(3)", or empty
    std::uint64_t align = 1;
    std::string_view value;  // %7, @name or a constant expression
};
// "ptr addrspace(3) noundef nonnull align 16 dereferenceable(16) %5".
std::optional<Pointer> parse_pointer(std::string_view text);

// "  %7 = getelementptr inbounds float, ptr %5, i64 1" in parts; the result is empty for a store or a call.
struct Instruction {
    std::string_view result;
    std::string_view text;
};
Instruction instruction_of(std::string_view line);
// "%5" of "ptr %5"; of a constant expression what stands in its brackets.
std::string_view value_of(std::string_view operand);

// ", !dbg !7" of an instruction's text, or nothing.
std::string debug_of_instruction(std::string_view text);

}  // namespace tilescope::image

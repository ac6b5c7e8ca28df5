// One conversion of a printf format: what stands between a % and its letter, and how a value comes out.
//
// Guarantees: what counts as a conversion is what an H200 takes for one: sizes h, l and ll, a width that may be `*`;
// `%zu`,
// `%jd`, `%Lf` and `%.*f` are none and come out as they stand. Text is of bounded size whatever a format says: fields
// are at most kWidestField wide. Does not model: `%hhd`, which an H200 prints as 37 whatever the value; here it means
// what it means in C. Wide strings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilescope::isa {

inline constexpr int kWidestField = 4096;

struct PrintConversion {
    std::string flags;  // of "-+ #0"
    bool width_is_argument = false;
    std::optional<int> width, precision;
    unsigned bytes = 4;  // of an integer: 1 for hh, 2 for h, 8 for l and ll
    char letter = 0;
    std::size_t length = 0;  // of its text, % and letter included

    // A width that was passed as an argument: one below zero means the left edge.
    void set_width(int value);
    bool is_integer() const;
    bool is_floating() const;

    std::string integer(std::uint64_t raw) const;  // only the low `bytes` count
    std::string floating(double value) const;
    std::string character(std::uint32_t value) const;
    std::string pointer(std::uint64_t value) const;
    std::string text(const char* value) const;  // nullptr: (null)
};

// The conversion that begins with the % at the start of `format`; nothing when it is none.
std::optional<PrintConversion> read_conversion(std::string_view format);

}  // namespace tilescope::isa

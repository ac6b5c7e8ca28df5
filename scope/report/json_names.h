// How the enumerations of a profile are spelled in JSON: one table for each.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "scope/report/profile.h"

namespace tilescope::report {

template <class Enum>
struct Named {
    Enum value;
    std::string_view name;
};

template <class Enum, std::size_t kCount>
using NameTable = std::array<Named<Enum>, kCount>;

template <class Enum>
inline constexpr auto kNames = nullptr;
template <>
inline constexpr NameTable<RegistersFrom, 3> kNames<RegistersFrom> = {
    {{RegistersFrom::kCubin, "cubin"}, {RegistersFrom::kPtxas, "ptxas"}, {RegistersFrom::kEstimate, "estimate"}}};
template <>
inline constexpr NameTable<Outcome, 4> kNames<Outcome> = {{{Outcome::kOk, "ok"},
                                                           {Outcome::kFault, "fault"},
                                                           {Outcome::kUnsupported, "unsupported"},
                                                           {Outcome::kLimit, "limit"}}};
template <>
inline constexpr NameTable<Severity, 3> kNames<Severity> = {
    {{Severity::kNote, "note"}, {Severity::kWarning, "warning"}, {Severity::kError, "error"}}};

// The first name for a value that has none.
template <class Enum>
constexpr std::string_view name_of(Enum value) {
    for (const auto& row : kNames<Enum>)
        if (row.value == value) return row.name;
    return kNames<Enum>[0].name;
}

template <class Enum>
constexpr std::optional<Enum> by_name(std::string_view name) {
    for (const auto& row : kNames<Enum>)
        if (row.name == name) return row.value;
    return std::nullopt;
}

}  // namespace tilescope::report

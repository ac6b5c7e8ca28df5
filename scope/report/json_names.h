// How the enumerations of a profile are spelled in JSON: one table for each.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "scope/report/profile.h"

namespace tilescope::report {

template <class Enum>
struct Named {
    Enum value;
    std::string_view name;
};

template <class Enum>
inline constexpr auto kNames = nullptr;
template <>
inline constexpr std::array kNames<RegistersFrom> = {Named{RegistersFrom::kCubin, "cubin"},
                                                     Named{RegistersFrom::kPtxas, "ptxas"},
                                                     Named{RegistersFrom::kEstimate, "estimate"}};
template <>
inline constexpr std::array kNames<Outcome> = {Named{Outcome::kOk, "ok"}, Named{Outcome::kFault, "fault"},
                                               Named{Outcome::kUnsupported, "unsupported"},
                                               Named{Outcome::kLimit, "limit"}};
template <>
inline constexpr std::array kNames<Severity> = {Named{Severity::kNote, "note"}, Named{Severity::kWarning, "warning"},
                                                Named{Severity::kError, "error"}};

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

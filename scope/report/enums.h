// The finite sets of a profile: enumerations, each with the one table of its names in JSON.
//
// Guarantees: every value has one name and every name one value; tables are in the order of their values. A value that
// means "none" is named "" and stands first. Does not model: what is open, such as the names of variables, or the types
// of arithmetic that a roofline mixes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scope/base/diagnostic.h"

namespace tilescope {

enum class RegistersFrom : std::uint8_t { kCubin, kPtxas, kEstimate };

// How the run ended, beside the program's own status.
enum class Outcome : std::uint8_t {
    kOk,
    kFault,        // a kernel faulted: exit status 3
    kUnsupported,  // a kernel needed something that is not there: exit status 3
    kLimit,        // --max-instructions, --memory-limit or --time-limit: exit status 6
};

// What a kernel did wrong: findings of --check, and faults that ended it.
enum class HazardKind : std::uint8_t {
    kTrap,  // also what is no other of these
    kRace,
    kOutOfBounds,
    kMisaligned,
    kUninitialized,
    kDivergentBarrier,
    kUseAfterFree,
    kInvalidFree,
    kLeak,
    kStreamRace,
    kStackOverflow,
    kDeadlock,
    kIllegalInstruction,
    kAssert,
    kLimit,
};
enum class HazardSpace : std::uint8_t { kNone, kGlobal, kShared, kLocal, kConstant, kParam };
// Of the two accesses of a race.
enum class RaceOrder : std::uint8_t { kNone, kReadAfterWrite, kWriteAfterRead, kWriteAfterWrite };

}  // namespace tilescope

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
template <>
inline constexpr NameTable<HazardKind, 15> kNames<HazardKind> = {
    {{HazardKind::kTrap, "trap"},
     {HazardKind::kRace, "race"},
     {HazardKind::kOutOfBounds, "out-of-bounds"},
     {HazardKind::kMisaligned, "misaligned"},
     {HazardKind::kUninitialized, "uninitialized"},
     {HazardKind::kDivergentBarrier, "divergent-barrier"},
     {HazardKind::kUseAfterFree, "use-after-free"},
     {HazardKind::kInvalidFree, "invalid-free"},
     {HazardKind::kLeak, "leak"},
     {HazardKind::kStreamRace, "stream-race"},
     {HazardKind::kStackOverflow, "stack-overflow"},
     {HazardKind::kDeadlock, "deadlock"},
     {HazardKind::kIllegalInstruction, "illegal-instruction"},
     {HazardKind::kAssert, "assert"},
     {HazardKind::kLimit, "limit"}}};
template <>
inline constexpr NameTable<HazardSpace, 6> kNames<HazardSpace> = {{{HazardSpace::kNone, ""},
                                                                   {HazardSpace::kGlobal, "global"},
                                                                   {HazardSpace::kShared, "shared"},
                                                                   {HazardSpace::kLocal, "local"},
                                                                   {HazardSpace::kConstant, "constant"},
                                                                   {HazardSpace::kParam, "param"}}};
template <>
inline constexpr NameTable<RaceOrder, 4> kNames<RaceOrder> = {{{RaceOrder::kNone, ""},
                                                               {RaceOrder::kReadAfterWrite, "read-after-write"},
                                                               {RaceOrder::kWriteAfterRead, "write-after-read"},
                                                               {RaceOrder::kWriteAfterWrite, "write-after-write"}}};

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

// All names, each between a pair of `quote`, with a comma between them: "a", "b"; no name is the word "empty".
template <class Enum>
std::string all_names(const char* quote) {
    std::string names;
    for (const auto& row : kNames<Enum>)
        names += (names.empty() ? "" : ", ") +
                 (row.name.empty() ? std::string("empty") : quote + std::string(row.name) + quote);
    return names;
}

}  // namespace tilescope::report

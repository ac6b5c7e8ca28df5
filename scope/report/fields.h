// What the structs of a profile are called in its JSON: each field once, with its name, its unit and a line on what it
// is.
//
// describe(visitor, object) names the fields of one struct in the order in which the JSON has them. What is written
// (json_writer.h), read (json_reader.h) and documented (profile_page.h) follows from that and nothing else. Visitors
// have
//
//   field(key, value, unit, about, shown)     a member. Not shown: not written. An optional that holds nothing never is
//   result(key, compute, unit, about)         follows from members: written, and ignored when read
//   group(key, about, shown, fields)          an object of its own in JSON, whose members lie in this struct
//   results(key, about, shown, fields)        such a group of results
//   inlined(value, key, about)                an optional struct whose members stand among these, known by one that it
//   has counters(key, value, about, all, filled)  counters by their names: all, or those that are not 0, or none
//   list(key, value, about, fields)           objects that need more than describe() knows: fields(visitor, item)
//   tail(key, value, about)                   a list without its first item, which stands elsewhere
//   lists(key, value, about, count)           as many lists of objects
//   launches(key, value, about)               launches, each once, however often one is repeated
//
// as well as kReads (members are about to be filled) and times() (wall times are wanted).
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace tilescope::report {

template <class T, class Struct>
concept Is = std::same_as<std::remove_const_t<T>, Struct>;

// What a member's type is to JSON.
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = true;
// A struct that describe() knows.
template <class T>
inline constexpr bool kIsObject = std::is_class_v<T>;
template <>
inline constexpr bool kIsObject<std::string> = false;
template <class T>
inline constexpr bool kIsObject<std::optional<T>> = false;
template <class T>
inline constexpr bool kIsObject<std::vector<T>> = false;
template <class T, std::size_t kSize>
inline constexpr bool kIsObject<std::array<T, kSize>> = false;

}  // namespace tilescope::report

// cuda::std: type traits, which are the standard library's, and those of later standards.
#pragma once

#include "config.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace cuda {
namespace std {

using ::std::byte;
using ::std::int16_t;
using ::std::int32_t;
using ::std::int64_t;
using ::std::int8_t;
using ::std::int_fast16_t;
using ::std::int_fast32_t;
using ::std::int_fast64_t;
using ::std::int_fast8_t;
using ::std::int_least16_t;
using ::std::int_least32_t;
using ::std::int_least64_t;
using ::std::int_least8_t;
using ::std::intmax_t;
using ::std::intptr_t;
using ::std::max_align_t;
using ::std::nullptr_t;
using ::std::ptrdiff_t;
using ::std::size_t;
using ::std::to_integer;
using ::std::uint16_t;
using ::std::uint32_t;
using ::std::uint64_t;
using ::std::uint8_t;
using ::std::uint_fast16_t;
using ::std::uint_fast32_t;
using ::std::uint_fast64_t;
using ::std::uint_fast8_t;
using ::std::uint_least16_t;
using ::std::uint_least32_t;
using ::std::uint_least64_t;
using ::std::uint_least8_t;
using ::std::uintmax_t;
using ::std::uintptr_t;

using ::std::bool_constant;
using ::std::false_type;
using ::std::integral_constant;
using ::std::true_type;

// Of each trait both spellings: the class and its value, or its type.
#define TILESCOPE_VALUES(name) \
    using ::std::name;         \
    using ::std::name##_v;
#define TILESCOPE_TYPES(name) \
    using ::std::name;        \
    using ::std::name##_t;
TILESCOPE_VALUES(alignment_of)
TILESCOPE_VALUES(conjunction)
TILESCOPE_VALUES(disjunction)
TILESCOPE_VALUES(extent)
TILESCOPE_VALUES(has_unique_object_representations)
TILESCOPE_VALUES(has_virtual_destructor)
TILESCOPE_VALUES(is_abstract)
TILESCOPE_VALUES(is_aggregate)
TILESCOPE_VALUES(is_arithmetic)
TILESCOPE_VALUES(is_array)
TILESCOPE_VALUES(is_assignable)
TILESCOPE_VALUES(is_base_of)
TILESCOPE_VALUES(is_class)
TILESCOPE_VALUES(is_compound)
TILESCOPE_VALUES(is_const)
TILESCOPE_VALUES(is_constructible)
TILESCOPE_VALUES(is_convertible)
TILESCOPE_VALUES(is_copy_assignable)
TILESCOPE_VALUES(is_copy_constructible)
TILESCOPE_VALUES(is_default_constructible)
TILESCOPE_VALUES(is_destructible)
TILESCOPE_VALUES(is_empty)
TILESCOPE_VALUES(is_enum)
TILESCOPE_VALUES(is_final)
TILESCOPE_VALUES(is_floating_point)
TILESCOPE_VALUES(is_function)
TILESCOPE_VALUES(is_fundamental)
TILESCOPE_VALUES(is_integral)
TILESCOPE_VALUES(is_invocable)
TILESCOPE_VALUES(is_invocable_r)
TILESCOPE_VALUES(is_lvalue_reference)
TILESCOPE_VALUES(is_member_function_pointer)
TILESCOPE_VALUES(is_member_object_pointer)
TILESCOPE_VALUES(is_member_pointer)
TILESCOPE_VALUES(is_move_assignable)
TILESCOPE_VALUES(is_move_constructible)
TILESCOPE_VALUES(is_nothrow_assignable)
TILESCOPE_VALUES(is_nothrow_constructible)
TILESCOPE_VALUES(is_nothrow_copy_assignable)
TILESCOPE_VALUES(is_nothrow_copy_constructible)
TILESCOPE_VALUES(is_nothrow_default_constructible)
TILESCOPE_VALUES(is_nothrow_destructible)
TILESCOPE_VALUES(is_nothrow_invocable)
TILESCOPE_VALUES(is_nothrow_invocable_r)
TILESCOPE_VALUES(is_nothrow_move_assignable)
TILESCOPE_VALUES(is_nothrow_move_constructible)
TILESCOPE_VALUES(is_nothrow_swappable)
TILESCOPE_VALUES(is_null_pointer)
TILESCOPE_VALUES(is_object)
TILESCOPE_VALUES(is_pointer)
TILESCOPE_VALUES(is_polymorphic)
TILESCOPE_VALUES(is_reference)
TILESCOPE_VALUES(is_rvalue_reference)
TILESCOPE_VALUES(is_same)
TILESCOPE_VALUES(is_scalar)
TILESCOPE_VALUES(is_signed)
TILESCOPE_VALUES(is_standard_layout)
TILESCOPE_VALUES(is_swappable)
TILESCOPE_VALUES(is_trivially_assignable)
TILESCOPE_VALUES(is_trivially_constructible)
TILESCOPE_VALUES(is_trivially_copy_assignable)
TILESCOPE_VALUES(is_trivially_copy_constructible)
TILESCOPE_VALUES(is_trivially_copyable)
TILESCOPE_VALUES(is_trivially_default_constructible)
TILESCOPE_VALUES(is_trivially_destructible)
TILESCOPE_VALUES(is_trivially_move_assignable)
TILESCOPE_VALUES(is_trivially_move_constructible)
TILESCOPE_VALUES(is_union)
TILESCOPE_VALUES(is_unsigned)
TILESCOPE_VALUES(is_void)
TILESCOPE_VALUES(is_volatile)
TILESCOPE_VALUES(negation)
TILESCOPE_VALUES(rank)
TILESCOPE_TYPES(add_const)
TILESCOPE_TYPES(add_cv)
TILESCOPE_TYPES(add_lvalue_reference)
TILESCOPE_TYPES(add_pointer)
TILESCOPE_TYPES(add_rvalue_reference)
TILESCOPE_TYPES(add_volatile)
TILESCOPE_TYPES(aligned_storage)
TILESCOPE_TYPES(common_type)
TILESCOPE_TYPES(conditional)
TILESCOPE_TYPES(decay)
TILESCOPE_TYPES(enable_if)
TILESCOPE_TYPES(invoke_result)
TILESCOPE_TYPES(make_signed)
TILESCOPE_TYPES(make_unsigned)
TILESCOPE_TYPES(remove_all_extents)
TILESCOPE_TYPES(remove_const)
TILESCOPE_TYPES(remove_cv)
TILESCOPE_TYPES(remove_extent)
TILESCOPE_TYPES(remove_pointer)
TILESCOPE_TYPES(remove_reference)
TILESCOPE_TYPES(remove_volatile)
TILESCOPE_TYPES(underlying_type)
#undef TILESCOPE_TYPES
#undef TILESCOPE_VALUES
using ::std::void_t;

// Of C++20 and C++23, whatever the standard that is asked for.
template <class T>
struct remove_cvref : ::std::remove_cv<::std::remove_reference_t<T>> {};
template <class T>
using remove_cvref_t = typename remove_cvref<T>::type;
template <class T>
struct type_identity {
    using type = T;
};
template <class T>
using type_identity_t = T;
template <class T>
struct is_bounded_array : false_type {};
template <class T, size_t N>
struct is_bounded_array<T[N]> : true_type {};
template <class T>
inline constexpr bool is_bounded_array_v = is_bounded_array<T>::value;
template <class T>
struct is_unbounded_array : false_type {};
template <class T>
struct is_unbounded_array<T[]> : true_type {};
template <class T>
inline constexpr bool is_unbounded_array_v = is_unbounded_array<T>::value;
template <class T>
struct is_scoped_enum : bool_constant<is_enum_v<T> && !is_convertible_v<T, int>> {};
template <class T>
inline constexpr bool is_scoped_enum_v = is_scoped_enum<T>::value;
constexpr bool is_constant_evaluated() noexcept { return __builtin_is_constant_evaluated(); }
template <class E>
constexpr underlying_type_t<E> to_underlying(E value) noexcept {
    return static_cast<underlying_type_t<E>>(value);
}

}  // namespace std
}  // namespace cuda

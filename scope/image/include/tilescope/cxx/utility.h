// cuda::std: moving and swapping, pair, index sequences, min and max.
//
// Guarantees: pairs are taken apart by structured bindings, as std::tuple_size and std::tuple_element know them.
// Does not model: constructors that are explicit by what they convert; pairs of references that are assigned.
#pragma once

#include "traits.h"

#include <initializer_list>
#include <utility>

namespace cuda {
namespace std {

using ::std::as_const;
using ::std::declval;
using ::std::forward;
using ::std::in_place;
using ::std::in_place_index;
using ::std::in_place_index_t;
using ::std::in_place_t;
using ::std::in_place_type;
using ::std::in_place_type_t;
using ::std::index_sequence;
using ::std::index_sequence_for;
using ::std::initializer_list;
using ::std::integer_sequence;
using ::std::make_index_sequence;
using ::std::make_integer_sequence;
using ::std::move;
using ::std::move_if_noexcept;
using ::std::piecewise_construct;
using ::std::piecewise_construct_t;
using ::std::tuple_element;
using ::std::tuple_element_t;
using ::std::tuple_size;
using ::std::tuple_size_v;

template <class T, class = enable_if_t<is_move_constructible_v<T> && is_move_assignable_v<T>>>
constexpr void swap(T& x, T& y) noexcept(is_nothrow_move_constructible_v<T>&& is_nothrow_move_assignable_v<T>) {
    T old(static_cast<T&&>(x));
    x = static_cast<T&&>(y);
    y = static_cast<T&&>(old);
}
template <class T, size_t N>
constexpr void swap(T (&x)[N], T (&y)[N]) {
    for (size_t i = 0; i < N; ++i) swap(x[i], y[i]);
}
template <class T, class U = T>
constexpr T exchange(T& place, U&& value) {
    T old(static_cast<T&&>(place));
    place = static_cast<U&&>(value);
    return old;
}
[[noreturn]] TILESCOPE_CXX inline void unreachable() { __builtin_unreachable(); }

// Comparisons of integers of any signs.
template <class T, class U>
constexpr bool cmp_equal(T x, U y) noexcept {
    if constexpr (is_signed_v<T> == is_signed_v<U>)
        return x == y;
    else if constexpr (is_signed_v<T>)
        return x >= 0 && make_unsigned_t<T>(x) == y;
    else
        return y >= 0 && x == make_unsigned_t<U>(y);
}
template <class T, class U>
constexpr bool cmp_less(T x, U y) noexcept {
    if constexpr (is_signed_v<T> == is_signed_v<U>)
        return x < y;
    else if constexpr (is_signed_v<T>)
        return x < 0 || make_unsigned_t<T>(x) < y;
    else
        return y >= 0 && x < make_unsigned_t<U>(y);
}
template <class T, class U>
constexpr bool cmp_not_equal(T x, U y) noexcept {
    return !cmp_equal(x, y);
}
template <class T, class U>
constexpr bool cmp_greater(T x, U y) noexcept {
    return cmp_less(y, x);
}
template <class T, class U>
constexpr bool cmp_less_equal(T x, U y) noexcept {
    return !cmp_less(y, x);
}
template <class T, class U>
constexpr bool cmp_greater_equal(T x, U y) noexcept {
    return !cmp_less(x, y);
}

template <class A, class B>
struct pair;

}  // namespace std
}  // namespace cuda

template <class A, class B>
struct std::tuple_size<cuda::std::pair<A, B>> : std::integral_constant<std::size_t, 2> {};
template <class A, class B>
struct std::tuple_element<0, cuda::std::pair<A, B>> {
    using type = A;
};
template <class A, class B>
struct std::tuple_element<1, cuda::std::pair<A, B>> {
    using type = B;
};

namespace cuda {
namespace std {

template <size_t At, class A, class B>
constexpr tuple_element_t<At, pair<A, B>>& get(pair<A, B>& p) noexcept;
template <size_t At, class A, class B>
constexpr const tuple_element_t<At, pair<A, B>>& get(const pair<A, B>& p) noexcept;
template <size_t At, class A, class B>
constexpr tuple_element_t<At, pair<A, B>>&& get(pair<A, B>&& p) noexcept;

template <class A, class B>
struct pair {
    using first_type = A;
    using second_type = B;

    A first;
    B second;

    template <class X = A, class Y = B,
              class = enable_if_t<is_default_constructible_v<X> && is_default_constructible_v<Y>>>
    constexpr pair() : first(), second() {}
    constexpr pair(const A& x, const B& y) : first(x), second(y) {}
    template <class X, class Y, class = enable_if_t<is_constructible_v<A, X&&> && is_constructible_v<B, Y&&>>>
    constexpr pair(X&& x, Y&& y) : first(static_cast<X&&>(x)), second(static_cast<Y&&>(y)) {}
    template <class X, class Y, class = enable_if_t<is_constructible_v<A, const X&> && is_constructible_v<B, const Y&>>>
    constexpr pair(const pair<X, Y>& other) : first(other.first), second(other.second) {}
    template <class X, class Y, class = enable_if_t<is_constructible_v<A, X&&> && is_constructible_v<B, Y&&>>>
    constexpr pair(pair<X, Y>&& other) : first(static_cast<X&&>(other.first)), second(static_cast<Y&&>(other.second)) {}
    template <class X, class Y>
    constexpr pair(piecewise_construct_t, X x, Y y)
        : pair(x, y, make_index_sequence<tuple_size_v<X>>(), make_index_sequence<tuple_size_v<Y>>()) {}
    constexpr pair(const pair&) = default;
    constexpr pair(pair&&) = default;
    constexpr pair& operator=(const pair&) = default;
    constexpr pair& operator=(pair&&) = default;
    template <class X, class Y>
    constexpr pair& operator=(const pair<X, Y>& other) {
        first = other.first;
        second = other.second;
        return *this;
    }
    constexpr void swap(pair& other) {
        using std::swap;
        swap(first, other.first);
        swap(second, other.second);
    }

private:
    template <class X, class Y, size_t... At, size_t... OtherAt>
    constexpr pair(X& x, Y& y, index_sequence<At...>, index_sequence<OtherAt...>)
        : first(get<At>(static_cast<X&&>(x))...), second(get<OtherAt>(static_cast<Y&&>(y))...) {}
};
template <class A, class B>
pair(A, B) -> pair<A, B>;

template <class A, class B>
constexpr pair<decay_t<A>, decay_t<B>> make_pair(A&& x, B&& y) {
    return pair<decay_t<A>, decay_t<B>>(static_cast<A&&>(x), static_cast<B&&>(y));
}
template <class A, class B>
constexpr bool operator==(const pair<A, B>& x, const pair<A, B>& y) {
    return x.first == y.first && x.second == y.second;
}
template <class A, class B>
constexpr bool operator<(const pair<A, B>& x, const pair<A, B>& y) {
    return x.first < y.first || (!(y.first < x.first) && x.second < y.second);
}
// What follows of == and <.
#define TILESCOPE_OTHER_COMPARISONS(parameters, type)         \
    template <parameters>                                     \
    constexpr bool operator!=(const type& x, const type& y) { \
        return !(x == y);                                     \
    }                                                         \
    template <parameters>                                     \
    constexpr bool operator>(const type& x, const type& y) {  \
        return y < x;                                         \
    }                                                         \
    template <parameters>                                     \
    constexpr bool operator<=(const type& x, const type& y) { \
        return !(y < x);                                      \
    }                                                         \
    template <parameters>                                     \
    constexpr bool operator>=(const type& x, const type& y) { \
        return !(x < y);                                      \
    }
#define TILESCOPE_COMMA ,
TILESCOPE_OTHER_COMPARISONS(class A TILESCOPE_COMMA class B, pair<A TILESCOPE_COMMA B>)

template <class A, class B>
constexpr void swap(pair<A, B>& x, pair<A, B>& y) {
    x.swap(y);
}

template <class T, class Less>
constexpr const T& min(const T& x, const T& y, Less less) {
    return less(y, x) ? y : x;
}
template <class T>
constexpr const T& min(const T& x, const T& y) {
    return y < x ? y : x;
}
template <class T, class Less>
constexpr const T& max(const T& x, const T& y, Less less) {
    return less(x, y) ? y : x;
}
template <class T>
constexpr const T& max(const T& x, const T& y) {
    return x < y ? y : x;
}
template <class T>
constexpr T min(initializer_list<T> values) {
    const T* best = values.begin();
    for (const T& value : values)
        if (value < *best) best = &value;
    return *best;
}
template <class T>
constexpr T max(initializer_list<T> values) {
    const T* best = values.begin();
    for (const T& value : values)
        if (*best < value) best = &value;
    return *best;
}
template <class T, class Less>
constexpr const T& clamp(const T& x, const T& low, const T& high, Less less) {
    return less(x, low) ? low : less(high, x) ? high : x;
}
template <class T>
constexpr const T& clamp(const T& x, const T& low, const T& high) {
    return x < low ? low : high < x ? high : x;
}

template <size_t At, class A, class B>
constexpr tuple_element_t<At, pair<A, B>>& get(pair<A, B>& p) noexcept {
    if constexpr (At == 0)
        return p.first;
    else
        return p.second;
}
template <size_t At, class A, class B>
constexpr const tuple_element_t<At, pair<A, B>>& get(const pair<A, B>& p) noexcept {
    if constexpr (At == 0)
        return p.first;
    else
        return p.second;
}
template <size_t At, class A, class B>
constexpr tuple_element_t<At, pair<A, B>>&& get(pair<A, B>&& p) noexcept {
    return static_cast<tuple_element_t<At, pair<A, B>>&&>(get<At>(p));
}
}  // namespace std
}  // namespace cuda

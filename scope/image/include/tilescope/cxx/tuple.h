// cuda::std::tuple and what is made of tuples.
//
// Guarantees: tuples of references are assigned through, as tie() needs.
// Does not model: constructors that are explicit by what they convert, allocators, base classes without a size.
#pragma once

#include "utility.h"

namespace cuda {
namespace std {

template <class... T>
class tuple;

}  // namespace std
}  // namespace cuda

template <class... T>
struct std::tuple_size<cuda::std::tuple<T...>> : std::integral_constant<std::size_t, sizeof...(T)> {};
template <class First, class... T>
struct std::tuple_element<0, cuda::std::tuple<First, T...>> {
    using type = First;
};
template <std::size_t At, class First, class... T>
struct std::tuple_element<At, cuda::std::tuple<First, T...>> : std::tuple_element<At - 1, cuda::std::tuple<T...>> {};

namespace cuda {
namespace std {
template <size_t At, class... T>
constexpr tuple_element_t<At, tuple<T...>>& get(tuple<T...>& t) noexcept;
template <size_t At, class... T>
constexpr const tuple_element_t<At, tuple<T...>>& get(const tuple<T...>& t) noexcept;
template <size_t At, class... T>
constexpr tuple_element_t<At, tuple<T...>>&& get(tuple<T...>&& t) noexcept;
}  // namespace std

namespace tilescope_detail {

template <size_t At, class T>
struct tuple_leaf {
    T value;
    constexpr tuple_leaf() : value() {}
    template <class U>
    constexpr tuple_leaf(::std::in_place_t, U&& from) : value(static_cast<U&&>(from)) {}
};

// How the constructor that takes one argument for each element is told from copies and conversions.
struct each_element {};

template <class Indices, class... T>
struct tuple_leaves;
template <size_t... At, class... T>
struct tuple_leaves<::std::index_sequence<At...>, T...> : tuple_leaf<At, T>... {
    constexpr tuple_leaves() = default;
    template <class... U>
    constexpr tuple_leaves(each_element, U&&... from) : tuple_leaf<At, T>(::std::in_place, static_cast<U&&>(from))... {}
    template <class Other>
    constexpr void assign(Other&& other) {
        ((static_cast<tuple_leaf<At, T>&>(*this).value = std::get<At>(static_cast<Other&&>(other))), ...);
    }
    template <class Other>
    constexpr void exchange(Other& other) {
        using std::swap;
        (swap(static_cast<tuple_leaf<At, T>&>(*this).value, std::get<At>(other)), ...);
    }
};

template <bool Same, class Elements, class... U>
struct can_make_each : ::std::false_type {};
template <class... T, class... U>
struct can_make_each<true, std::tuple<T...>, U...> : ::std::bool_constant<(::std::is_constructible_v<T, U> && ...)> {};
template <class Tuple, class... U>
inline constexpr bool kIsItself = sizeof...(U) == 1 && (::std::is_same_v<std::remove_cvref_t<U>, Tuple> && ...);

}  // namespace tilescope_detail

namespace std {

template <class... T>
class tuple {
    using Leaves = tilescope_detail::tuple_leaves<index_sequence_for<T...>, T...>;
    template <class... U>
    static constexpr bool kFrom = tilescope_detail::can_make_each<sizeof...(T) == sizeof...(U), tuple, U...>::value;

public:
    constexpr tuple() = default;
    constexpr tuple(const tuple&) = default;
    constexpr tuple(tuple&&) = default;
    template <size_t N = sizeof...(T), class = enable_if_t<(N > 0) && kFrom<const T&...>>>
    constexpr tuple(const T&... values) : leaves_(tilescope_detail::each_element(), values...) {}
    template <class... U,
              class = enable_if_t<(sizeof...(U) > 0) && !tilescope_detail::kIsItself<tuple, U...> && kFrom<U&&...>>>
    constexpr tuple(U&&... values) : leaves_(tilescope_detail::each_element(), static_cast<U&&>(values)...) {}
    template <class... U, class = enable_if_t<!is_same_v<tuple, tuple<U...>> && kFrom<const U&...>>, class = void>
    constexpr tuple(const tuple<U...>& other) : tuple(other, index_sequence_for<U...>(), 0) {}
    template <class... U, class = enable_if_t<!is_same_v<tuple, tuple<U...>> && kFrom<U&&...>>, class = void>
    constexpr tuple(tuple<U...>&& other) : tuple(static_cast<tuple<U...>&&>(other), index_sequence_for<U...>(), 0) {}
    template <class A, class B, class = enable_if_t<kFrom<const A&, const B&>>>
    constexpr tuple(const pair<A, B>& p) : leaves_(tilescope_detail::each_element(), p.first, p.second) {}

    constexpr tuple& operator=(const tuple& other) {
        leaves_.assign(other);
        return *this;
    }
    constexpr tuple& operator=(tuple&& other) {
        leaves_.assign(static_cast<tuple&&>(other));
        return *this;
    }
    template <class... U>
    constexpr tuple& operator=(const tuple<U...>& other) {
        leaves_.assign(other);
        return *this;
    }
    template <class... U>
    constexpr tuple& operator=(tuple<U...>&& other) {
        leaves_.assign(static_cast<tuple<U...>&&>(other));
        return *this;
    }
    template <class A, class B>
    constexpr tuple& operator=(const pair<A, B>& p) {
        leaves_.assign(p);
        return *this;
    }
    constexpr void swap(tuple& other) { leaves_.exchange(other); }

private:
    template <size_t At, class... U>
    friend constexpr tuple_element_t<At, tuple<U...>>& get(tuple<U...>& t) noexcept;
    template <size_t At, class... U>
    friend constexpr const tuple_element_t<At, tuple<U...>>& get(const tuple<U...>& t) noexcept;
    template <class Other, size_t... At>
    constexpr tuple(Other&& other, index_sequence<At...>, int)
        : leaves_(tilescope_detail::each_element(), get<At>(static_cast<Other&&>(other))...) {}

    Leaves leaves_;
};
template <>
class tuple<> {
public:
    constexpr void swap(tuple&) {}
};
template <class... T>
tuple(T...) -> tuple<T...>;
template <class A, class B>
tuple(pair<A, B>) -> tuple<A, B>;

template <size_t At, class... T>
constexpr tuple_element_t<At, tuple<T...>>& get(tuple<T...>& t) noexcept {
    return static_cast<tilescope_detail::tuple_leaf<At, tuple_element_t<At, tuple<T...>>>&>(t.leaves_).value;
}
template <size_t At, class... T>
constexpr const tuple_element_t<At, tuple<T...>>& get(const tuple<T...>& t) noexcept {
    return static_cast<const tilescope_detail::tuple_leaf<At, tuple_element_t<At, tuple<T...>>>&>(t.leaves_).value;
}
template <size_t At, class... T>
constexpr tuple_element_t<At, tuple<T...>>&& get(tuple<T...>&& t) noexcept {
    return static_cast<tuple_element_t<At, tuple<T...>>&&>(get<At>(t));
}
}  // namespace std

namespace tilescope_detail {
template <class Wanted, class... T>
constexpr size_t index_of_type() {
    static_assert((::std::is_same_v<Wanted, T> + ...) == 1, "get<T> needs exactly one element of that type");
    const bool same[] = {::std::is_same_v<Wanted, T>...};
    size_t at = 0;
    while (!same[at]) ++at;
    return at;
}
}  // namespace tilescope_detail

namespace std {

template <class Wanted, class... T>
constexpr Wanted& get(tuple<T...>& t) noexcept {
    return get<tilescope_detail::index_of_type<Wanted, T...>()>(t);
}
template <class Wanted, class... T>
constexpr const Wanted& get(const tuple<T...>& t) noexcept {
    return get<tilescope_detail::index_of_type<Wanted, T...>()>(t);
}
template <class Wanted, class... T>
constexpr Wanted&& get(tuple<T...>&& t) noexcept {
    return static_cast<Wanted&&>(get<tilescope_detail::index_of_type<Wanted, T...>()>(t));
}

struct tilescope_ignore {
    template <class T>
    constexpr const tilescope_ignore& operator=(const T&) const {
        return *this;
    }
};
inline constexpr tilescope_ignore ignore{};

template <class... T>
constexpr tuple<decay_t<T>...> make_tuple(T&&... values) {
    return tuple<decay_t<T>...>(static_cast<T&&>(values)...);
}
template <class... T>
constexpr tuple<T&...> tie(T&... values) noexcept {
    return tuple<T&...>(values...);
}
template <class... T>
constexpr tuple<T&&...> forward_as_tuple(T&&... values) noexcept {
    return tuple<T&&...>(static_cast<T&&>(values)...);
}
template <class... T>
constexpr void swap(tuple<T...>& x, tuple<T...>& y) {
    x.swap(y);
}
}  // namespace std

namespace tilescope_detail {

template <class Function, class Tuple, size_t... At>
constexpr decltype(auto) apply_to(Function&& function, Tuple&& t, ::std::index_sequence<At...>) {
    using std::get;
    return static_cast<Function&&>(function)(get<At>(static_cast<Tuple&&>(t))...);
}
template <class T, class Tuple, size_t... At>
constexpr T make_from(Tuple&& t, ::std::index_sequence<At...>) {
    using std::get;
    return T(get<At>(static_cast<Tuple&&>(t))...);
}

template <class... Tuples>
struct joined_tuples;
template <>
struct joined_tuples<> {
    using type = std::tuple<>;
};
template <class... T>
struct joined_tuples<std::tuple<T...>> {
    using type = std::tuple<T...>;
};
template <class A, class B>
struct joined_tuples<std::pair<A, B>> {
    using type = std::tuple<A, B>;
};
template <class First, class Second, class... More>
struct joined_tuples<First, Second, More...> {
    template <class... T, class... U>
    static std::tuple<T..., U...> both(std::tuple<T...>*, std::tuple<U...>*);
    using type = typename joined_tuples<decltype(both(static_cast<typename joined_tuples<First>::type*>(nullptr),
                                                      static_cast<typename joined_tuples<Second>::type*>(nullptr))),
                                        More...>::type;
};

// Hands the elements of the first tuple on behind those that are there, until no tuple is left.
template <class Result, class... Done>
constexpr Result concatenate(std::tuple<Done...> done) {
    return apply_to([](auto&&... x) { return Result(static_cast<decltype(x)>(x)...); },
                    static_cast<std::tuple<Done...>&&>(done), ::std::index_sequence_for<Done...>());
}
template <class Result, class... Done, class First, class... More>
constexpr Result concatenate(std::tuple<Done...> done, First&& first, More&&... more);
template <class Result, class... Done, class First, size_t... At, size_t... OtherAt, class... More>
constexpr Result concatenate_one(std::tuple<Done...>& done, First&& first, ::std::index_sequence<At...>,
                                 ::std::index_sequence<OtherAt...>, More&&... more) {
    using std::get;
    return concatenate<Result>(std::forward_as_tuple(get<At>(static_cast<std::tuple<Done...>&&>(done))...,
                                                     get<OtherAt>(static_cast<First&&>(first))...),
                               static_cast<More&&>(more)...);
}
template <class Result, class... Done, class First, class... More>
constexpr Result concatenate(std::tuple<Done...> done, First&& first, More&&... more) {
    return concatenate_one<Result>(done, static_cast<First&&>(first), ::std::index_sequence_for<Done...>(),
                                   ::std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<First>>>(),
                                   static_cast<More&&>(more)...);
}

template <class T, class U, size_t... At>
constexpr bool all_equal(const T& x, const U& y, ::std::index_sequence<At...>) {
    return ((std::get<At>(x) == std::get<At>(y)) && ...);
}
// The first pair of elements that differ decides.
template <class T, class U, size_t... At>
constexpr bool comes_before(const T& x, const U& y, ::std::index_sequence<At...>) {
    bool before = false;
    (void)((std::get<At>(x) < std::get<At>(y) ? (before = true) : bool(std::get<At>(y) < std::get<At>(x))) || ...);
    return before;
}

}  // namespace tilescope_detail

namespace std {

template <class Function, class Tuple>
constexpr decltype(auto) apply(Function&& function, Tuple&& t) {
    return tilescope_detail::apply_to(static_cast<Function&&>(function), static_cast<Tuple&&>(t),
                                      make_index_sequence<tuple_size_v<remove_cvref_t<Tuple>>>());
}
template <class T, class Tuple>
constexpr T make_from_tuple(Tuple&& t) {
    return tilescope_detail::make_from<T>(static_cast<Tuple&&>(t),
                                          make_index_sequence<tuple_size_v<remove_cvref_t<Tuple>>>());
}
template <class... Tuples>
constexpr typename tilescope_detail::joined_tuples<remove_cvref_t<Tuples>...>::type tuple_cat(Tuples&&... tuples) {
    using Result = typename tilescope_detail::joined_tuples<remove_cvref_t<Tuples>...>::type;
    return tilescope_detail::concatenate<Result>(tuple<>(), static_cast<Tuples&&>(tuples)...);
}

template <class... T, class... U>
constexpr bool operator==(const tuple<T...>& x, const tuple<U...>& y) {
    return tilescope_detail::all_equal(x, y, index_sequence_for<T...>());
}
template <class... T, class... U>
constexpr bool operator<(const tuple<T...>& x, const tuple<U...>& y) {
    return tilescope_detail::comes_before(x, y, index_sequence_for<T...>());
}
TILESCOPE_OTHER_COMPARISONS(class... T, tuple<T...>)

}  // namespace std
}  // namespace cuda

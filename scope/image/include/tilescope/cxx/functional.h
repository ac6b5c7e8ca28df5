// cuda::std: objects that are operators, calls of what can be called; cuda::minimum and its kin.
//
// Does not model: function, hash, bind.
#pragma once

#include "utility.h"

namespace cuda {
namespace std {

// With a type, or with void for whatever comes.
#define TILESCOPE_OPERATOR(name, op, result)                                                                    \
    template <class T = void>                                                                                   \
    struct name {                                                                                               \
        constexpr result operator()(const T& x, const T& y) const { return x op y; }                            \
    };                                                                                                          \
    template <>                                                                                                 \
    struct name<void> {                                                                                         \
        using is_transparent = void;                                                                            \
        template <class X, class Y>                                                                             \
        constexpr auto operator()(X&& x, Y&& y) const -> decltype(static_cast<X&&>(x) op static_cast<Y&&>(y)) { \
            return static_cast<X&&>(x) op static_cast<Y&&>(y);                                                  \
        }                                                                                                       \
    };
TILESCOPE_OPERATOR(plus, +, T)
TILESCOPE_OPERATOR(minus, -, T)
TILESCOPE_OPERATOR(multiplies, *, T)
TILESCOPE_OPERATOR(divides, /, T)
TILESCOPE_OPERATOR(modulus, %, T)
TILESCOPE_OPERATOR(bit_and, &, T)
TILESCOPE_OPERATOR(bit_or, |, T)
TILESCOPE_OPERATOR(bit_xor, ^, T)
TILESCOPE_OPERATOR(equal_to, ==, bool)
TILESCOPE_OPERATOR(not_equal_to, !=, bool)
TILESCOPE_OPERATOR(less, <, bool)
TILESCOPE_OPERATOR(greater, >, bool)
TILESCOPE_OPERATOR(less_equal, <=, bool)
TILESCOPE_OPERATOR(greater_equal, >=, bool)
TILESCOPE_OPERATOR(logical_and, &&, bool)
TILESCOPE_OPERATOR(logical_or, ||, bool)
#undef TILESCOPE_OPERATOR
#define TILESCOPE_OPERATOR(name, op, result)                                         \
    template <class T = void>                                                        \
    struct name {                                                                    \
        constexpr result operator()(const T& x) const { return op x; }               \
    };                                                                               \
    template <>                                                                      \
    struct name<void> {                                                              \
        using is_transparent = void;                                                 \
        template <class X>                                                           \
        constexpr auto operator()(X&& x) const -> decltype(op static_cast<X&&>(x)) { \
            return op static_cast<X&&>(x);                                           \
        }                                                                            \
    };
TILESCOPE_OPERATOR(negate, -, T)
TILESCOPE_OPERATOR(bit_not, ~, T)
TILESCOPE_OPERATOR(logical_not, !, bool)
#undef TILESCOPE_OPERATOR

struct identity {
    using is_transparent = void;
    template <class T>
    constexpr T&& operator()(T&& x) const noexcept {
        return static_cast<T&&>(x);
    }
};

template <class T>
class reference_wrapper {
public:
    using type = T;
    constexpr reference_wrapper(T& value) noexcept : place_(&value) {}
    constexpr operator T&() const noexcept { return *place_; }
    constexpr T& get() const noexcept { return *place_; }
    template <class... Arguments>
    constexpr decltype(auto) operator()(Arguments&&... arguments) const {
        return (*place_)(static_cast<Arguments&&>(arguments)...);
    }

private:
    T* place_;
};
template <class T>
reference_wrapper(T&) -> reference_wrapper<T>;
template <class T>
constexpr reference_wrapper<T> ref(T& value) noexcept {
    return value;
}
template <class T>
constexpr reference_wrapper<const T> cref(const T& value) noexcept {
    return value;
}

// A member is called, or read, of an object or of what points to one.
template <class Function, class... Arguments>
constexpr invoke_result_t<Function, Arguments...> invoke(Function&& function, Arguments&&... arguments) {
    return static_cast<Function&&>(function)(static_cast<Arguments&&>(arguments)...);
}
template <class Member, class Class, class Object, class... Arguments>
constexpr decltype(auto) invoke(Member Class::*member, Object&& object, Arguments&&... arguments) {
    if constexpr (!is_base_of_v<Class, decay_t<Object>>)
        return invoke(member, *object, static_cast<Arguments&&>(arguments)...);
    else if constexpr (is_function_v<Member>)
        return (static_cast<Object&&>(object).*member)(static_cast<Arguments&&>(arguments)...);
    else
        return (static_cast<Object&&>(object).*member);
}

template <class Function>
struct tilescope_not_fn {
    Function function;
    template <class... Arguments>
    constexpr auto operator()(Arguments&&... arguments) const
        -> decltype(!declval<const Function&>()(static_cast<Arguments&&>(arguments)...)) {
        return !function(static_cast<Arguments&&>(arguments)...);
    }
};
template <class Function>
constexpr tilescope_not_fn<decay_t<Function>> not_fn(Function&& function) {
    return {static_cast<Function&&>(function)};
}

}  // namespace std

template <class T = void>
struct minimum {
    constexpr T operator()(const T& x, const T& y) const { return y < x ? y : x; }
};
template <class T = void>
struct maximum {
    constexpr T operator()(const T& x, const T& y) const { return x < y ? y : x; }
};
template <>
struct minimum<void> {
    template <class X, class Y>
    constexpr std::common_type_t<X, Y> operator()(const X& x, const Y& y) const {
        return y < x ? static_cast<std::common_type_t<X, Y>>(y) : static_cast<std::common_type_t<X, Y>>(x);
    }
};
template <>
struct maximum<void> {
    template <class X, class Y>
    constexpr std::common_type_t<X, Y> operator()(const X& x, const Y& y) const {
        return x < y ? static_cast<std::common_type_t<X, Y>>(y) : static_cast<std::common_type_t<X, Y>>(x);
    }
};

namespace tilescope_detail {
// clang knows the result of a device lambda on either side: nothing is to be done but to call it.
template <class Result, class Function>
struct with_return_type {
    Function function;
    template <class... Arguments>
    constexpr Result operator()(Arguments&&... arguments) const {
        return function(static_cast<Arguments&&>(arguments)...);
    }
};
}  // namespace tilescope_detail
template <class Result, class Function>
constexpr tilescope_detail::with_return_type<Result, Function> proclaim_return_type(Function function) {
    return {function};
}
// The promise that arguments may be copied elsewhere before the call.
template <class Function>
constexpr Function proclaim_copyable_arguments(Function function) {
    return function;
}

}  // namespace cuda

// cuda::std::optional.
//
// Guarantees: an optional of a type that is copied as bytes is one, too, so that it may lie in memory that kernels
// share. Does not model: exceptions: value() of what holds none stops the program; optionals of references.
#pragma once

#include "utility.h"

#include <new>

namespace cuda {
namespace std {

struct nullopt_t {
    constexpr explicit nullopt_t(int) {}
};
inline constexpr nullopt_t nullopt{0};

}  // namespace std

namespace tilescope_detail {

template <class T, bool Plain = ::std::is_trivially_copyable_v<T>&& ::std::is_trivially_destructible_v<T>>
struct optional_storage {
    union {
        char nothing_;
        T value_;
    };
    bool engaged_;
    constexpr optional_storage() : nothing_(), engaged_(false) {}
    template <class... Arguments>
    constexpr explicit optional_storage(::std::in_place_t, Arguments&&... arguments)
        : value_(static_cast<Arguments&&>(arguments)...), engaged_(true) {}
    constexpr void clear() { engaged_ = false; }
};
template <class T>
struct optional_storage<T, false> {
    union {
        char nothing_;
        T value_;
    };
    bool engaged_;
    constexpr optional_storage() : nothing_(), engaged_(false) {}
    template <class... Arguments>
    constexpr explicit optional_storage(::std::in_place_t, Arguments&&... arguments)
        : value_(static_cast<Arguments&&>(arguments)...), engaged_(true) {}
    TILESCOPE_CXX optional_storage(const optional_storage& other) : nothing_(), engaged_(other.engaged_) {
        if (engaged_) new (&value_) T(other.value_);
    }
    TILESCOPE_CXX optional_storage(optional_storage&& other) : nothing_(), engaged_(other.engaged_) {
        if (engaged_) new (&value_) T(static_cast<T&&>(other.value_));
    }
    TILESCOPE_CXX optional_storage& operator=(const optional_storage& other) {
        if (engaged_ && other.engaged_) {
            value_ = other.value_;
            return *this;
        }
        clear();
        if (other.engaged_) new (&value_) T(other.value_);
        engaged_ = other.engaged_;
        return *this;
    }
    TILESCOPE_CXX optional_storage& operator=(optional_storage&& other) {
        if (engaged_ && other.engaged_) {
            value_ = static_cast<T&&>(other.value_);
            return *this;
        }
        clear();
        if (other.engaged_) new (&value_) T(static_cast<T&&>(other.value_));
        engaged_ = other.engaged_;
        return *this;
    }
    TILESCOPE_CXX ~optional_storage() { clear(); }
    TILESCOPE_CXX void clear() {
        if (engaged_) value_.~T();
        engaged_ = false;
    }
};

}  // namespace tilescope_detail

namespace std {

template <class T>
class optional : tilescope_detail::optional_storage<T> {
    using Storage = tilescope_detail::optional_storage<T>;
    template <class U>
    static constexpr bool kIsValue =
        is_constructible_v<T, U> && !is_same_v<remove_cvref_t<U>, optional> &&
        !is_same_v<remove_cvref_t<U>, in_place_t> && !is_same_v<remove_cvref_t<U>, nullopt_t>;

public:
    using value_type = T;
    constexpr optional() noexcept = default;
    constexpr optional(nullopt_t) noexcept {}
    template <class U = T, class = enable_if_t<kIsValue<U&&>>>
    constexpr optional(U&& value) : Storage(in_place, static_cast<U&&>(value)) {}
    template <class... Arguments>
    constexpr explicit optional(in_place_t, Arguments&&... arguments)
        : Storage(in_place, static_cast<Arguments&&>(arguments)...) {}
    template <class U,
              class = enable_if_t<is_constructible_v<T, const U&> && !is_constructible_v<T, const optional<U>&>>>
    constexpr optional(const optional<U>& other) : Storage() {
        if (other) emplace(*other);
    }

    constexpr optional& operator=(nullopt_t) noexcept {
        reset();
        return *this;
    }
    template <class U = T, class = enable_if_t<kIsValue<U&&>>>
    constexpr optional& operator=(U&& value) {
        if (this->engaged_)
            this->value_ = static_cast<U&&>(value);
        else
            emplace(static_cast<U&&>(value));
        return *this;
    }
    template <class... Arguments>
    constexpr T& emplace(Arguments&&... arguments) {
        this->clear();
        new (&this->value_) T(static_cast<Arguments&&>(arguments)...);
        this->engaged_ = true;
        return this->value_;
    }
    constexpr void reset() noexcept { this->clear(); }
    constexpr void swap(optional& other) {
        optional old(static_cast<optional&&>(*this));
        *this = static_cast<optional&&>(other);
        other = static_cast<optional&&>(old);
    }

    constexpr explicit operator bool() const noexcept { return this->engaged_; }
    constexpr bool has_value() const noexcept { return this->engaged_; }
    constexpr T& operator*() & { return this->value_; }
    constexpr const T& operator*() const& { return this->value_; }
    constexpr T&& operator*() && { return static_cast<T&&>(this->value_); }
    constexpr T* operator->() { return &this->value_; }
    constexpr const T* operator->() const { return &this->value_; }
    constexpr T& value() & { return checked(), this->value_; }
    constexpr const T& value() const& { return checked(), this->value_; }
    constexpr T&& value() && { return checked(), static_cast<T&&>(this->value_); }
    template <class U>
    constexpr T value_or(U&& other) const& {
        return this->engaged_ ? this->value_ : static_cast<T>(static_cast<U&&>(other));
    }
    template <class Function>
    constexpr auto and_then(Function&& function) const& {
        using Result = remove_cvref_t<invoke_result_t<Function, const T&>>;
        return this->engaged_ ? static_cast<Function&&>(function)(this->value_) : Result();
    }
    template <class Function>
    constexpr auto transform(Function&& function) const& {
        using Result = optional<remove_cv_t<invoke_result_t<Function, const T&>>>;
        return this->engaged_ ? Result(static_cast<Function&&>(function)(this->value_)) : Result();
    }
    template <class Function>
    constexpr optional or_else(Function&& function) const& {
        return this->engaged_ ? *this : static_cast<Function&&>(function)();
    }

private:
    constexpr void checked() const {
        if (!this->engaged_) __builtin_trap();
    }
};
template <class T>
optional(T) -> optional<T>;

template <class T>
constexpr optional<decay_t<T>> make_optional(T&& value) {
    return optional<decay_t<T>>(static_cast<T&&>(value));
}
template <class T, class... Arguments>
constexpr optional<T> make_optional(Arguments&&... arguments) {
    return optional<T>(in_place, static_cast<Arguments&&>(arguments)...);
}
template <class T, class U>
constexpr bool operator==(const optional<T>& x, const optional<U>& y) {
    return x.has_value() == y.has_value() && (!x.has_value() || *x == *y);
}
template <class T>
constexpr bool operator<(const optional<T>& x, const optional<T>& y) {
    return y.has_value() && (!x.has_value() || *x < *y);
}
TILESCOPE_OTHER_COMPARISONS(class T, optional<T>)
template <class T>
constexpr bool operator==(const optional<T>& x, nullopt_t) noexcept {
    return !x.has_value();
}
template <class T>
constexpr bool operator!=(const optional<T>& x, nullopt_t) noexcept {
    return x.has_value();
}
template <class T, class U, class = enable_if_t<!is_same_v<remove_cvref_t<U>, nullopt_t>>>
constexpr auto operator==(const optional<T>& x, const U& y) -> decltype(bool(*x == y)) {
    return x.has_value() && *x == y;
}
template <class T, class U, class = enable_if_t<!is_same_v<remove_cvref_t<U>, nullopt_t>>>
constexpr auto operator!=(const optional<T>& x, const U& y) -> decltype(bool(*x == y)) {
    return !x.has_value() || !(*x == y);
}
template <class T>
constexpr void swap(optional<T>& x, optional<T>& y) {
    x.swap(y);
}

}  // namespace std
}  // namespace cuda

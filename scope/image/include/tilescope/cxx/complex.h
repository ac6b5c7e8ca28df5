// cuda::std::complex of float and double, and its functions.
//
// Guarantees: products and quotients of infinite parts are infinite, as C's Annex G asks.
// Does not model: parts of other types; streams.
#pragma once

#include "mathematics.h"
#include "utility.h"

#include <cmath>
#include <limits>

namespace cuda {
namespace std {

template <class T>
class complex {
public:
    using value_type = T;

    constexpr complex(const T& real = T(), const T& imag = T()) : real_(real), imag_(imag) {}
    template <class U>
    constexpr complex(const complex<U>& other)
        : real_(static_cast<T>(other.real())), imag_(static_cast<T>(other.imag())) {}

    constexpr T real() const { return real_; }
    constexpr T imag() const { return imag_; }
    constexpr void real(T value) { real_ = value; }
    constexpr void imag(T value) { imag_ = value; }

    constexpr complex& operator=(const T& value) {
        real_ = value;
        imag_ = T();
        return *this;
    }
    template <class U>
    constexpr complex& operator=(const complex<U>& other) {
        real_ = static_cast<T>(other.real());
        imag_ = static_cast<T>(other.imag());
        return *this;
    }
    constexpr complex& operator+=(const T& value) { return real_ += value, *this; }
    constexpr complex& operator-=(const T& value) { return real_ -= value, *this; }
    constexpr complex& operator*=(const T& value) { return real_ *= value, imag_ *= value, *this; }
    constexpr complex& operator/=(const T& value) { return real_ /= value, imag_ /= value, *this; }
    template <class U>
    constexpr complex& operator+=(const complex<U>& other) {
        return real_ += other.real(), imag_ += other.imag(), *this;
    }
    template <class U>
    constexpr complex& operator-=(const complex<U>& other) {
        return real_ -= other.real(), imag_ -= other.imag(), *this;
    }
    template <class U>
    constexpr complex& operator*=(const complex<U>& other) {
        return *this = *this * complex(other);
    }
    template <class U>
    constexpr complex& operator/=(const complex<U>& other) {
        return *this = *this / complex(other);
    }

private:
    T real_, imag_;
};

template <class T>
constexpr complex<T> operator+(const complex<T>& z) {
    return z;
}
template <class T>
constexpr complex<T> operator-(const complex<T>& z) {
    return {-z.real(), -z.imag()};
}

template <class T>
constexpr complex<T> operator+(const complex<T>& x, const complex<T>& y) {
    return {x.real() + y.real(), x.imag() + y.imag()};
}
template <class T>
constexpr complex<T> operator+(const complex<T>& x, const T& y) {
    return {x.real() + y, x.imag()};
}
template <class T>
constexpr complex<T> operator+(const T& x, const complex<T>& y) {
    return {x + y.real(), y.imag()};
}
template <class T>
constexpr complex<T> operator-(const complex<T>& x, const complex<T>& y) {
    return {x.real() - y.real(), x.imag() - y.imag()};
}
template <class T>
constexpr complex<T> operator-(const complex<T>& x, const T& y) {
    return {x.real() - y, x.imag()};
}
template <class T>
constexpr complex<T> operator-(const T& x, const complex<T>& y) {
    return {x - y.real(), -y.imag()};
}
template <class T>
constexpr complex<T> operator*(const complex<T>& x, const T& y) {
    return {x.real() * y, x.imag() * y};
}
template <class T>
constexpr complex<T> operator*(const T& x, const complex<T>& y) {
    return {x * y.real(), x * y.imag()};
}
template <class T>
constexpr complex<T> operator/(const complex<T>& x, const T& y) {
    return {x.real() / y, x.imag() / y};
}
}  // namespace std

namespace tilescope_detail {

template <class T>
constexpr bool is_nan(T x) {
    return x != x;
}
template <class T>
constexpr bool is_infinite(T x) {
    return x - x != x - x && x == x;
}
// An infinite part becomes 1 and another one 0, of the same sign.
template <class T>
constexpr T box(T x) {
    return __builtin_copysign(is_infinite(x) ? T(1) : T(0), x);
}
template <class T>
constexpr T zero_for_nan(T x) {
    return is_nan(x) ? __builtin_copysign(T(0), x) : x;
}

// A product of which both parts are not numbers, though a factor is infinite or a part of it became so.
template <class T>
constexpr std::complex<T> mended_product(T a, T b, T c, T d) {
    const T none = ::std::numeric_limits<T>::quiet_NaN(), infinity = ::std::numeric_limits<T>::infinity();
    bool mend = false;
    if (is_infinite(a) || is_infinite(b)) {
        a = box(a), b = box(b), c = zero_for_nan(c), d = zero_for_nan(d);
        mend = true;
    }
    if (is_infinite(c) || is_infinite(d)) {
        c = box(c), d = box(d), a = zero_for_nan(a), b = zero_for_nan(b);
        mend = true;
    }
    if (!mend && (is_infinite(a * c) || is_infinite(b * d) || is_infinite(a * d) || is_infinite(b * c))) {
        a = zero_for_nan(a), b = zero_for_nan(b), c = zero_for_nan(c), d = zero_for_nan(d);
        mend = true;
    }
    if (!mend) return {none, none};
    return {infinity * (a * c - b * d), infinity * (a * d + b * c)};
}

}  // namespace tilescope_detail

namespace std {

template <class T>
constexpr complex<T> operator*(const complex<T>& x, const complex<T>& y) {
    const T a = x.real(), b = x.imag(), c = y.real(), d = y.imag();
    const T real = a * c - b * d, imag = a * d + b * c;
    if (tilescope_detail::is_nan(real) && tilescope_detail::is_nan(imag))
        return tilescope_detail::mended_product(a, b, c, d);
    return {real, imag};
}
// The divisor is scaled to about 1 first, so that its square neither overflows nor vanishes.
template <class T>
TILESCOPE_CXX complex<T> operator/(const complex<T>& x, const complex<T>& y) {
    T a = x.real(), b = x.imag(), c = y.real(), d = y.imag();
    const T scale = logb(fmax(fabs(c), fabs(d)));
    int shift = 0;
    if (isfinite(scale)) {
        shift = static_cast<int>(scale);
        c = scalbn(c, -shift);
        d = scalbn(d, -shift);
    }
    const T square = c * c + d * d;
    T real = scalbn((a * c + b * d) / square, -shift), imag = scalbn((b * c - a * d) / square, -shift);
    if (tilescope_detail::is_nan(real) && tilescope_detail::is_nan(imag)) {
        using tilescope_detail::box;
        const T infinity = ::std::numeric_limits<T>::infinity();
        if (square == T(0) && (!isnan(a) || !isnan(b))) {
            real = copysign(infinity, c) * a;
            imag = copysign(infinity, c) * b;
        } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {
            a = box(a), b = box(b);
            real = infinity * (a * c + b * d);
            imag = infinity * (b * c - a * d);
        } else if (isinf(scale) && scale > T(0) && isfinite(a) && isfinite(b)) {
            c = box(c), d = box(d);
            real = T(0) * (a * c + b * d);
            imag = T(0) * (b * c - a * d);
        }
    }
    return {real, imag};
}
template <class T>
TILESCOPE_CXX complex<T> operator/(const T& x, const complex<T>& y) {
    return complex<T>(x) / y;
}
template <class T>
constexpr bool operator==(const complex<T>& x, const complex<T>& y) {
    return x.real() == y.real() && x.imag() == y.imag();
}
template <class T>
constexpr bool operator==(const complex<T>& x, const T& y) {
    return x.real() == y && x.imag() == T(0);
}
template <class T>
constexpr bool operator!=(const complex<T>& x, const complex<T>& y) {
    return !(x == y);
}
template <class T>
constexpr bool operator!=(const complex<T>& x, const T& y) {
    return !(x == y);
}

template <class T>
constexpr T real(const complex<T>& z) {
    return z.real();
}
template <class T>
constexpr T imag(const complex<T>& z) {
    return z.imag();
}
template <class T>
constexpr complex<T> conj(const complex<T>& z) {
    return {z.real(), -z.imag()};
}
template <class T>
TILESCOPE_CXX T norm(const complex<T>& z) {
    if (isinf(z.real())) return fabs(z.real());
    if (isinf(z.imag())) return fabs(z.imag());
    return z.real() * z.real() + z.imag() * z.imag();
}
template <class T>
TILESCOPE_CXX T abs(const complex<T>& z) {
    return hypot(z.real(), z.imag());
}
template <class T>
TILESCOPE_CXX T arg(const complex<T>& z) {
    return atan2(z.imag(), z.real());
}
template <class T>
TILESCOPE_CXX complex<T> polar(const T& length, const T& angle = T()) {
    return {length * cos(angle), length * sin(angle)};
}
template <class T>
TILESCOPE_CXX complex<T> proj(const complex<T>& z) {
    if (!isinf(z.real()) && !isinf(z.imag())) return z;
    return {::std::numeric_limits<T>::infinity(), copysign(T(0), z.imag())};
}

template <class T>
TILESCOPE_CXX complex<T> exp(const complex<T>& z) {
    const T length = exp(z.real());
    if (z.imag() == T(0)) return {length, z.imag()};
    return {length * cos(z.imag()), length * sin(z.imag())};
}
template <class T>
TILESCOPE_CXX complex<T> log(const complex<T>& z) {
    return {log(abs(z)), arg(z)};
}
template <class T>
TILESCOPE_CXX complex<T> log10(const complex<T>& z) {
    return log(z) / log(T(10));
}
// By length and angle, as the toolkit's: the last places are the same.
template <class T>
TILESCOPE_CXX complex<T> sqrt(const complex<T>& z) {
    const T real = z.real(), imag = z.imag();
    if (isinf(imag)) return {fabs(imag), imag};
    if (!isinf(real)) return polar(sqrt(abs(z)), arg(z) / T(2));
    if (real > T(0)) return {real, isnan(imag) ? imag : copysign(T(0), imag)};
    return {isnan(imag) ? imag : T(0), copysign(real, imag)};
}
template <class T>
TILESCOPE_CXX complex<T> pow(const complex<T>& x, const complex<T>& y) {
    return exp(y * log(x));
}
template <class T>
TILESCOPE_CXX complex<T> pow(const complex<T>& x, const T& y) {
    return exp(y * log(x));
}
template <class T>
TILESCOPE_CXX complex<T> pow(const T& x, const complex<T>& y) {
    return exp(y * log(complex<T>(x)));
}
template <class T>
TILESCOPE_CXX complex<T> sinh(const complex<T>& z) {
    return {sinh(z.real()) * cos(z.imag()), cosh(z.real()) * sin(z.imag())};
}
template <class T>
TILESCOPE_CXX complex<T> cosh(const complex<T>& z) {
    return {cosh(z.real()) * cos(z.imag()), sinh(z.real()) * sin(z.imag())};
}
template <class T>
TILESCOPE_CXX complex<T> sin(const complex<T>& z) {
    return {sin(z.real()) * cosh(z.imag()), cos(z.real()) * sinh(z.imag())};
}
template <class T>
TILESCOPE_CXX complex<T> cos(const complex<T>& z) {
    return {cos(z.real()) * cosh(z.imag()), -(sin(z.real()) * sinh(z.imag()))};
}
template <class T>
TILESCOPE_CXX complex<T> tanh(const complex<T>& z) {
    const T half = cosh(T(2) * z.real()) + cos(T(2) * z.imag());
    if (isinf(half)) return {copysign(T(1), z.real()), T(0)};
    return {sinh(T(2) * z.real()) / half, sin(T(2) * z.imag()) / half};
}
template <class T>
TILESCOPE_CXX complex<T> tan(const complex<T>& z) {
    const complex<T> turned = tanh(complex<T>(-z.imag(), z.real()));
    return {turned.imag(), -turned.real()};
}

template <size_t At, class T>
constexpr T get(const complex<T>& z) noexcept {
    static_assert(At < 2, "a complex number has two parts");
    return At == 0 ? z.real() : z.imag();
}

}  // namespace std
}  // namespace cuda

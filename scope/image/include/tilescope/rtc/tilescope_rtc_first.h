// What a program that is compiled while another runs (NVRTC) has before the toolkit's headers, where nvcc compiles it:
// those names that NVRTC's compiler knows of itself. No header of the host is read.
#pragma once

typedef decltype(sizeof(0)) size_t;
typedef decltype(static_cast<char*>(nullptr) - static_cast<char*>(nullptr)) ptrdiff_t;
typedef long clock_t;

#define TILESCOPE_RTC_ANYWHERE __attribute__((host)) __attribute__((device)) constexpr

namespace std {

using ::ptrdiff_t;
using ::size_t;
typedef decltype(nullptr) nullptr_t;

template <class T>
struct __tilescope_bare {
    typedef T type;
};
template <class T>
struct __tilescope_bare<T&> {
    typedef T type;
};
template <class T>
struct __tilescope_bare<T&&> {
    typedef T type;
};

template <class T>
TILESCOPE_RTC_ANYWHERE typename __tilescope_bare<T>::type&& move(T&& value) noexcept {
    return static_cast<typename __tilescope_bare<T>::type&&>(value);
}
template <class T>
TILESCOPE_RTC_ANYWHERE T&& forward(typename __tilescope_bare<T>::type& value) noexcept {
    return static_cast<T&&>(value);
}
template <class T>
TILESCOPE_RTC_ANYWHERE T&& forward(typename __tilescope_bare<T>::type&& value) noexcept {
    return static_cast<T&&>(value);
}

// The compiler makes these: a pointer and a number, in this order.
template <class T>
class initializer_list {
public:
    typedef T value_type;
    typedef const T& reference;
    typedef const T& const_reference;
    typedef size_t size_type;
    typedef const T* iterator;
    typedef const T* const_iterator;

    TILESCOPE_RTC_ANYWHERE initializer_list() noexcept : first_(nullptr), count_(0) {}
    TILESCOPE_RTC_ANYWHERE initializer_list(const T* first, size_t count) noexcept : first_(first), count_(count) {}
    TILESCOPE_RTC_ANYWHERE size_t size() const noexcept { return count_; }
    TILESCOPE_RTC_ANYWHERE const T* begin() const noexcept { return first_; }
    TILESCOPE_RTC_ANYWHERE const T* end() const noexcept { return first_ + count_; }

private:
    const T* first_;
    size_t count_;
};

}  // namespace std

// The toolkit's header of mathematics asks the host's library what two numbers have in common.
namespace __gnu_cxx {

template <class A, class B>
struct __promote_2 {
    typedef double __type;
};
template <>
struct __promote_2<float, float> {
    typedef float __type;
};

}  // namespace __gnu_cxx

#undef TILESCOPE_RTC_ANYWHERE

// NVRTC has the bodies of the toolkit's functions in itself; its headers declare them. Here they come from where nvcc
// has them.
#define __FORCE_INCLUDE_CUDA_FP16_HPP_FROM_FP16_H__
#define __FORCE_INCLUDE_CUDA_BF16_HPP_FROM_BF16_H__
#include <cuda_runtime.h>
#define __CUDA_INCLUDE_COMPILER_INTERNAL_HEADERS__
#include <crt/device_double_functions.hpp>
#include <crt/device_functions.hpp>
#include <crt/math_functions.hpp>
#include <crt/sm_70_rt.hpp>
#include <crt/sm_80_rt.hpp>
#include <crt/sm_90_rt.hpp>
#include <device_atomic_functions.hpp>
#include <sm_20_atomic_functions.hpp>
#include <sm_20_intrinsics.hpp>
#include <sm_30_intrinsics.hpp>
#include <sm_32_atomic_functions.hpp>
#include <sm_32_intrinsics.hpp>
#include <sm_60_atomic_functions.hpp>
#include <sm_61_intrinsics.hpp>
#include <vector_functions.hpp>
#if __has_include(<crt/sm_100_rt.hpp>)
#include <crt/sm_100_rt.hpp>
#endif
#undef __CUDA_INCLUDE_COMPILER_INTERNAL_HEADERS__

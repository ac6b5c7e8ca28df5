// cuda::annotated_ptr and access properties: wishes to the caches, which change no result.
//
// Guarantees: the pointer reads and writes as a plain one.
// Does not model: the wishes themselves: accesses ask for nothing special (docs/reference/limitations.md).
#pragma once

#include "pipeline.h"

namespace cuda {

class access_property {
public:
    struct shared {};
    struct global {};
    struct normal {};
    struct persisting {};
    struct streaming {};

    constexpr access_property() noexcept = default;
    constexpr access_property(global) noexcept {}
    constexpr access_property(normal) noexcept {}
    constexpr access_property(persisting) noexcept {}
    constexpr access_property(streaming) noexcept {}
    template <class Kind>
    constexpr access_property(Kind, float) noexcept {}
    template <class Kind, class Other>
    constexpr access_property(Kind, float, Other) noexcept {}
    TILESCOPE_CXX access_property(void*, size_t, size_t, access_property = {}, access_property = {}) {}
};

template <class T, class Property = access_property>
class annotated_ptr {
public:
    using value_type = T;
    using pointer = T*;
    using reference = T&;
    using difference_type = ptrdiff_t;

    constexpr annotated_ptr() noexcept = default;
    constexpr explicit annotated_ptr(T* place) : place_(place) {}
    template <class Runtime>
    constexpr annotated_ptr(T* place, Runtime) : place_(place) {}
    template <class U, class P>
    constexpr annotated_ptr(const annotated_ptr<U, P>& other) : place_(other.get()) {}

    constexpr T& operator*() const { return *place_; }
    constexpr T* operator->() const { return place_; }
    constexpr T& operator[](ptrdiff_t at) const { return place_[at]; }
    constexpr ptrdiff_t operator-(annotated_ptr other) const { return place_ - other.place_; }
    constexpr explicit operator bool() const noexcept { return place_ != nullptr; }
    constexpr T* get() const noexcept { return place_; }

private:
    T* place_ = nullptr;
};

template <class T, class Property>
constexpr T* associate_access_property(T* place, Property) {
    return place;
}
template <class Shape, class Property>
TILESCOPE_CXX void apply_access_property(const volatile void*, Shape, Property) noexcept {}
// The program says that nobody reads the bytes again.
TILESCOPE_CXX inline void discard_memory(volatile void*, size_t) noexcept {}

template <class To, class From, class P, class Shape, class Sync>
TILESCOPE_CXX async_contract_fulfillment memcpy_async(To* to, annotated_ptr<From, P> from, Shape size, Sync& sync) {
    return memcpy_async(to, static_cast<const To*>(from.get()), size, sync);
}
template <class Group, class To, class From, class P, class Shape, class Sync>
TILESCOPE_CXX async_contract_fulfillment memcpy_async(const Group& group, To* to, annotated_ptr<From, P> from,
                                                      Shape size, Sync& sync) {
    return memcpy_async(group, to, static_cast<const To*>(from.get()), size, sync);
}

}  // namespace cuda

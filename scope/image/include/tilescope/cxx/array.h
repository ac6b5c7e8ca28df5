// cuda::std::array and cuda::std::span.
//
// Does not model: at() that throws: past the end the program stops.
#pragma once

#include "utility.h"

namespace cuda {
namespace std {

template <class T, size_t N>
struct array {
    using value_type = T;
    using size_type = size_t;
    using difference_type = ptrdiff_t;
    using reference = T&;
    using const_reference = const T&;
    using pointer = T*;
    using const_pointer = const T*;
    using iterator = T*;
    using const_iterator = const T*;

    T elements_[N == 0 ? 1 : N];

    constexpr T& operator[](size_t at) { return elements_[at]; }
    constexpr const T& operator[](size_t at) const { return elements_[at]; }
    constexpr T& at(size_t i) { return i < N ? elements_[i] : (__builtin_trap(), elements_[0]); }
    constexpr const T& at(size_t i) const { return i < N ? elements_[i] : (__builtin_trap(), elements_[0]); }
    constexpr T& front() { return elements_[0]; }
    constexpr const T& front() const { return elements_[0]; }
    constexpr T& back() { return elements_[N - 1]; }
    constexpr const T& back() const { return elements_[N - 1]; }
    constexpr T* data() noexcept { return elements_; }
    constexpr const T* data() const noexcept { return elements_; }
    constexpr T* begin() noexcept { return elements_; }
    constexpr const T* begin() const noexcept { return elements_; }
    constexpr T* end() noexcept { return elements_ + N; }
    constexpr const T* end() const noexcept { return elements_ + N; }
    constexpr const T* cbegin() const noexcept { return elements_; }
    constexpr const T* cend() const noexcept { return elements_ + N; }
    [[nodiscard]] constexpr bool empty() const noexcept { return N == 0; }
    constexpr size_t size() const noexcept { return N; }
    constexpr size_t max_size() const noexcept { return N; }
    constexpr void fill(const T& value) {
        for (size_t i = 0; i < N; ++i) elements_[i] = value;
    }
    constexpr void swap(array& other) {
        using std::swap;
        for (size_t i = 0; i < N; ++i) swap(elements_[i], other.elements_[i]);
    }
};
template <class First, class... More>
array(First, More...) -> array<First, 1 + sizeof...(More)>;

template <class T, size_t N>
constexpr bool operator==(const array<T, N>& x, const array<T, N>& y) {
    for (size_t i = 0; i < N; ++i)
        if (!(x[i] == y[i])) return false;
    return true;
}
template <class T, size_t N>
constexpr bool operator<(const array<T, N>& x, const array<T, N>& y) {
    for (size_t i = 0; i < N; ++i) {
        if (x[i] < y[i]) return true;
        if (y[i] < x[i]) return false;
    }
    return false;
}
TILESCOPE_OTHER_COMPARISONS(class T TILESCOPE_COMMA size_t N, array<T TILESCOPE_COMMA N>)
template <class T, size_t N>
constexpr void swap(array<T, N>& x, array<T, N>& y) {
    x.swap(y);
}
template <size_t At, class T, size_t N>
constexpr T& get(array<T, N>& a) noexcept {
    static_assert(At < N, "an array has no such element");
    return a.elements_[At];
}
template <size_t At, class T, size_t N>
constexpr const T& get(const array<T, N>& a) noexcept {
    static_assert(At < N, "an array has no such element");
    return a.elements_[At];
}
template <size_t At, class T, size_t N>
constexpr T&& get(array<T, N>&& a) noexcept {
    return static_cast<T&&>(get<At>(a));
}
}  // namespace std

namespace tilescope_detail {
template <class From, size_t N, size_t... At>
constexpr std::array<::std::remove_cv_t<From>, N> array_of(From (&from)[N], ::std::index_sequence<At...>) {
    return {{from[At]...}};
}
}  // namespace tilescope_detail

namespace std {
template <class T, size_t N>
constexpr array<remove_cv_t<T>, N> to_array(T (&from)[N]) {
    return tilescope_detail::array_of(from, make_index_sequence<N>());
}
template <class T, size_t N>
constexpr array<remove_cv_t<T>, N> to_array(T (&&from)[N]) {
    return tilescope_detail::array_of(from, make_index_sequence<N>());
}

inline constexpr size_t dynamic_extent = static_cast<size_t>(-1);

template <class T, size_t Extent = dynamic_extent>
class span {
public:
    using element_type = T;
    using value_type = remove_cv_t<T>;
    using size_type = size_t;
    using difference_type = ptrdiff_t;
    using pointer = T*;
    using const_pointer = const T*;
    using reference = T&;
    using const_reference = const T&;
    using iterator = T*;
    static constexpr size_t extent = Extent;

    template <size_t E = Extent, class = enable_if_t<E == 0 || E == dynamic_extent>>
    constexpr span() noexcept : data_(nullptr), size_(0) {}
    constexpr span(T* first, size_t count) : data_(first), size_(count) {}
    constexpr span(T* first, T* last) : data_(first), size_(static_cast<size_t>(last - first)) {}
    template <size_t N, class = enable_if_t<Extent == dynamic_extent || N == Extent>>
    constexpr span(T (&elements)[N]) noexcept : data_(elements), size_(N) {}
    template <class U, size_t N, class = enable_if_t<is_convertible_v<U (*)[], T (*)[]>>>
    constexpr span(array<U, N>& elements) noexcept : data_(elements.data()), size_(N) {}
    template <class U, size_t N, class = enable_if_t<is_convertible_v<const U (*)[], T (*)[]>>>
    constexpr span(const array<U, N>& elements) noexcept : data_(elements.data()), size_(N) {}
    template <class U, size_t N, class = enable_if_t<is_convertible_v<U (*)[], T (*)[]>>>
    constexpr span(const span<U, N>& other) noexcept : data_(other.data()), size_(other.size()) {}

    constexpr T* data() const noexcept { return data_; }
    constexpr size_t size() const noexcept { return Extent == dynamic_extent ? size_ : Extent; }
    constexpr size_t size_bytes() const noexcept { return size() * sizeof(T); }
    [[nodiscard]] constexpr bool empty() const noexcept { return size() == 0; }
    constexpr T& operator[](size_t at) const { return data_[at]; }
    constexpr T& front() const { return data_[0]; }
    constexpr T& back() const { return data_[size() - 1]; }
    constexpr T* begin() const noexcept { return data_; }
    constexpr T* end() const noexcept { return data_ + size(); }
    constexpr span<T> first(size_t count) const { return {data_, count}; }
    constexpr span<T> last(size_t count) const { return {data_ + (size() - count), count}; }
    constexpr span<T> subspan(size_t offset, size_t count = dynamic_extent) const {
        return {data_ + offset, count == dynamic_extent ? size() - offset : count};
    }
    template <size_t Count>
    constexpr span<T, Count> first() const {
        return {data_, Count};
    }
    template <size_t Count>
    constexpr span<T, Count> last() const {
        return {data_ + (size() - Count), Count};
    }
    template <size_t Offset, size_t Count = dynamic_extent>
    constexpr auto subspan() const {
        constexpr size_t kExtent = Count != dynamic_extent    ? Count
                                   : Extent != dynamic_extent ? Extent - Offset
                                                              : dynamic_extent;
        return span<T, kExtent>(data_ + Offset, Count == dynamic_extent ? size() - Offset : Count);
    }

private:
    T* data_;
    size_t size_;
};
template <class T, size_t N>
span(T (&)[N]) -> span<T, N>;
template <class T, size_t N>
span(array<T, N>&) -> span<T, N>;
template <class T, size_t N>
span(const array<T, N>&) -> span<const T, N>;
template <class T>
span(T*, size_t) -> span<T>;
template <class T>
span(T*, T*) -> span<T>;

template <class T, size_t N>
span<const byte> as_bytes(span<T, N> s) noexcept {
    return {reinterpret_cast<const byte*>(s.data()), s.size_bytes()};
}

}  // namespace std
}  // namespace cuda

template <class T, std::size_t N>
struct std::tuple_size<cuda::std::array<T, N>> : std::integral_constant<std::size_t, N> {};
template <std::size_t At, class T, std::size_t N>
struct std::tuple_element<At, cuda::std::array<T, N>> {
    using type = T;
};

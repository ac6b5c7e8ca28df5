// cuda::std: algorithms over ranges that a thread walks alone, and those of <numeric>.
#pragma once

#include "functional.h"

#include <iterator>

namespace cuda {
namespace std {

using ::std::advance;
using ::std::bidirectional_iterator_tag;
using ::std::distance;
using ::std::forward_iterator_tag;
using ::std::input_iterator_tag;
using ::std::iterator_traits;
using ::std::make_reverse_iterator;
using ::std::next;
using ::std::output_iterator_tag;
using ::std::prev;
using ::std::random_access_iterator_tag;
using ::std::reverse_iterator;

template <class C>
constexpr auto begin(C& c) -> decltype(c.begin()) {
    return c.begin();
}
template <class C>
constexpr auto begin(const C& c) -> decltype(c.begin()) {
    return c.begin();
}
template <class T, size_t N>
constexpr T* begin(T (&elements)[N]) noexcept {
    return elements;
}
template <class C>
constexpr auto end(C& c) -> decltype(c.end()) {
    return c.end();
}
template <class C>
constexpr auto end(const C& c) -> decltype(c.end()) {
    return c.end();
}
template <class T, size_t N>
constexpr T* end(T (&elements)[N]) noexcept {
    return elements + N;
}
template <class C>
constexpr auto size(const C& c) -> decltype(c.size()) {
    return c.size();
}
template <class T, size_t N>
constexpr size_t size(const T (&)[N]) noexcept {
    return N;
}
template <class C>
constexpr auto data(C& c) -> decltype(c.data()) {
    return c.data();
}
template <class C>
constexpr auto data(const C& c) -> decltype(c.data()) {
    return c.data();
}
template <class T, size_t N>
constexpr T* data(T (&elements)[N]) noexcept {
    return elements;
}

template <class In, class T, class Operation = plus<>>
constexpr T accumulate(In first, In last, T sum, Operation operation = Operation()) {
    for (; first != last; ++first) sum = operation(static_cast<T&&>(sum), *first);
    return sum;
}
template <class In, class T, class Operation = plus<>>
constexpr T reduce(In first, In last, T sum, Operation operation = Operation()) {
    return accumulate(first, last, sum, operation);
}
template <class In>
constexpr auto reduce(In first, In last) {
    return accumulate(first, last, typename iterator_traits<In>::value_type());
}
template <class In, class Other, class T, class Sum = plus<>, class Product = multiplies<>>
constexpr T inner_product(In first, In last, Other other, T sum, Sum add = Sum(), Product multiply = Product()) {
    for (; first != last; ++first, ++other) sum = add(static_cast<T&&>(sum), multiply(*first, *other));
    return sum;
}
template <class In, class Other, class T, class Sum = plus<>, class Product = multiplies<>>
constexpr T transform_reduce(In first, In last, Other other, T sum, Sum add = Sum(), Product multiply = Product()) {
    return inner_product(first, last, other, sum, add, multiply);
}
template <class In, class T, class Sum, class Map>
constexpr T transform_reduce(In first, In last, T sum, Sum add, Map map) {
    for (; first != last; ++first) sum = add(static_cast<T&&>(sum), map(*first));
    return sum;
}
template <class In, class Out, class Operation = plus<>>
constexpr Out partial_sum(In first, In last, Out out, Operation operation = Operation()) {
    if (first == last) return out;
    typename iterator_traits<In>::value_type sum = *first;
    *out = sum;
    while (++first != last) *++out = sum = operation(sum, *first);
    return ++out;
}
template <class In, class Out, class Operation = plus<>>
constexpr Out inclusive_scan(In first, In last, Out out, Operation operation = Operation()) {
    return partial_sum(first, last, out, operation);
}
template <class In, class Out, class T, class Operation = plus<>>
constexpr Out exclusive_scan(In first, In last, Out out, T sum, Operation operation = Operation()) {
    for (; first != last; ++first, ++out) {
        const T before = sum;
        sum = operation(sum, *first);
        *out = before;
    }
    return out;
}
template <class In, class Out, class Operation = minus<>>
constexpr Out adjacent_difference(In first, In last, Out out, Operation operation = Operation()) {
    if (first == last) return out;
    typename iterator_traits<In>::value_type before = *first;
    *out = before;
    while (++first != last) {
        typename iterator_traits<In>::value_type now = *first;
        *++out = operation(now, before);
        before = now;
    }
    return ++out;
}
template <class It, class T>
constexpr void iota(It first, It last, T value) {
    for (; first != last; ++first, ++value) *first = value;
}
template <class T, class U>
constexpr common_type_t<T, U> gcd(T x, U y) {
    using Word = common_type_t<T, U>;
    Word a = x < 0 ? static_cast<Word>(0) - static_cast<Word>(x) : static_cast<Word>(x);
    Word b = y < 0 ? static_cast<Word>(0) - static_cast<Word>(y) : static_cast<Word>(y);
    while (b != 0) {
        const Word rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
template <class T, class U>
constexpr common_type_t<T, U> lcm(T x, U y) {
    using Word = common_type_t<T, U>;
    if (x == 0 || y == 0) return 0;
    const Word product = static_cast<Word>(x) / gcd(x, y) * static_cast<Word>(y);
    return product < 0 ? static_cast<Word>(0) - product : product;
}
template <class T>
constexpr T midpoint(T x, T y) {
    if constexpr (is_integral_v<T>) {
        using Word = make_unsigned_t<T>;
        return x <= y ? static_cast<T>(x + static_cast<T>(static_cast<Word>(Word(y) - Word(x)) / 2))
                      : static_cast<T>(x - static_cast<T>(static_cast<Word>(Word(x) - Word(y)) / 2));
    } else {
        return x / 2 + y / 2;
    }
}

template <class It, class T>
constexpr void fill(It first, It last, const T& value) {
    for (; first != last; ++first) *first = value;
}
template <class In, class Out>
constexpr Out copy(In first, In last, Out out) {
    for (; first != last; ++first, ++out) *out = *first;
    return out;
}
template <class In, class Function>
constexpr Function for_each(In first, In last, Function function) {
    for (; first != last; ++first) function(*first);
    return function;
}
template <class In, class Out, class Function>
constexpr Out transform(In first, In last, Out out, Function function) {
    for (; first != last; ++first, ++out) *out = function(*first);
    return out;
}
template <class In, class T>
constexpr In find(In first, In last, const T& value) {
    while (first != last && !(*first == value)) ++first;
    return first;
}
template <class In, class Predicate>
constexpr In find_if(In first, In last, Predicate predicate) {
    while (first != last && !predicate(*first)) ++first;
    return first;
}
template <class In, class Predicate>
constexpr bool all_of(In first, In last, Predicate predicate) {
    return find_if(first, last, not_fn(predicate)) == last;
}
template <class In, class Predicate>
constexpr bool any_of(In first, In last, Predicate predicate) {
    return find_if(first, last, predicate) != last;
}
template <class In, class Predicate>
constexpr bool none_of(In first, In last, Predicate predicate) {
    return find_if(first, last, predicate) == last;
}
template <class In, class Other>
constexpr bool equal(In first, In last, Other other) {
    for (; first != last; ++first, ++other)
        if (!(*first == *other)) return false;
    return true;
}
template <class It, class Less = less<>>
constexpr It min_element(It first, It last, Less before = Less()) {
    It best = first;
    for (; first != last; ++first)
        if (before(*first, *best)) best = first;
    return best;
}
template <class It, class Less = less<>>
constexpr It max_element(It first, It last, Less before = Less()) {
    It best = first;
    for (; first != last; ++first)
        if (before(*best, *first)) best = first;
    return best;
}
template <class It, class T, class Less = less<>>
constexpr It lower_bound(It first, It last, const T& value, Less before = Less()) {
    auto count = distance(first, last);
    while (count > 0) {
        const auto half = count / 2;
        const It middle = next(first, half);
        if (before(*middle, value)) {
            first = next(middle);
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}
template <class It, class T, class Less = less<>>
constexpr It upper_bound(It first, It last, const T& value, Less before = Less()) {
    return lower_bound(first, last, value, [&](const auto& x, const T& y) { return !before(y, x); });
}
template <class It, class T, class Less = less<>>
constexpr bool binary_search(It first, It last, const T& value, Less before = Less()) {
    const It at = lower_bound(first, last, value, before);
    return at != last && !before(value, *at);
}
template <class It>
constexpr void reverse(It first, It last) {
    while (first != last && first != --last) {
        swap(*first, *last);
        ++first;
    }
}

}  // namespace std
}  // namespace cuda

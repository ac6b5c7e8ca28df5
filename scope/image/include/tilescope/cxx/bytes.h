// cuda::std: functions of <cstring> on bytes and strings, in loops of their own where the device has no such function.
#pragma once

#include "config.h"

#include <cstddef>
#include <cstring>

namespace cuda {
namespace std {

using ::memcpy;
using ::memmove;
using ::memset;
using ::std::size_t;

TILESCOPE_CXX inline int memcmp(const void* x, const void* y, size_t count) {
    const unsigned char* const a = static_cast<const unsigned char*>(x);
    const unsigned char* const b = static_cast<const unsigned char*>(y);
    for (size_t i = 0; i < count; ++i)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}
TILESCOPE_CXX inline const void* memchr(const void* x, int wanted, size_t count) {
    const unsigned char* const a = static_cast<const unsigned char*>(x);
    for (size_t i = 0; i < count; ++i)
        if (a[i] == static_cast<unsigned char>(wanted)) return a + i;
    return nullptr;
}
constexpr size_t strlen(const char* s) {
    size_t length = 0;
    while (s[length] != '\0') ++length;
    return length;
}
constexpr int strncmp(const char* x, const char* y, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        const unsigned char a = static_cast<unsigned char>(x[i]), b = static_cast<unsigned char>(y[i]);
        if (a != b) return a < b ? -1 : 1;
        if (a == 0) return 0;
    }
    return 0;
}
constexpr int strcmp(const char* x, const char* y) { return strncmp(x, y, static_cast<size_t>(-1)); }
constexpr const char* strchr(const char* s, int wanted) {
    for (;; ++s) {
        if (*s == static_cast<char>(wanted)) return s;
        if (*s == '\0') return nullptr;
    }
}
constexpr char* strcpy(char* to, const char* from) {
    size_t i = 0;
    for (; from[i] != '\0'; ++i) to[i] = from[i];
    to[i] = '\0';
    return to;
}

}  // namespace std
}  // namespace cuda

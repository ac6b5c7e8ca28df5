// Options of the calls that load or link code: arrays of names and values that the program keeps.
//
// Does not model: what they ask of machine code (registers, optimisation, target), of which there is none here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

namespace tilescope::runtime::driver {

// CUjit_option, as far as anything follows from it here.
inline constexpr int kOptionCount = 35;
inline constexpr int kInfoBuffer = 3, kInfoBytes = 4, kErrorBuffer = 5, kErrorBytes = 6;

struct JitOptions {
    unsigned count = 0;
    const int* names = nullptr;
    void** values = nullptr;

    bool is_valid() const {
        if (count == 0) return true;
        return names != nullptr && values != nullptr &&
               std::all_of(names, names + count, [](int name) { return name >= 0 && name < kOptionCount; });
    }
    void** value(int name) const {
        for (unsigned i = 0; i < count; ++i)
            if (names[i] == name) return &values[i];
        return nullptr;
    }
    // As much as there is room for; how much that is comes back in the size's own place.
    void write(int buffer, int bytes, const std::string& text) const {
        void** const out = value(buffer);
        void** const size = value(bytes);
        if (size == nullptr) return;
        const std::size_t room = reinterpret_cast<std::uintptr_t>(*size) & 0xffffffffU;
        if (out == nullptr || *out == nullptr || room == 0) {
            *size = nullptr;
            return;
        }
        const std::size_t written = std::min(text.size(), room - 1);
        std::memcpy(*out, text.data(), written);
        static_cast<char*>(*out)[written] = '\0';
        *size = reinterpret_cast<void*>(text.empty() ? std::uintptr_t{0} : written + 1);
    }
};

}  // namespace tilescope::runtime::driver

// SHA-256: the names under which compiled programs are kept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tilescope::image {

// Hashes a sequence of fields; each is preceded by its length, so that ("ab", "c") and ("a", "bc") differ.
class ContentHash {
public:
    ContentHash();

    ContentHash& add(std::string_view field);
    // 64 hexadecimal digits. The object is spent.
    std::string finish();

private:
    void feed(std::string_view bytes);
    void block(const unsigned char* bytes);

    std::array<std::uint32_t, 8> state_;
    std::array<unsigned char, 64> pending_{};
    std::uint64_t fed_ = 0;
};

}  // namespace tilescope::image

#include "bench/irregular_data.h"

#include <bit>
#include <random>

namespace tilescope::bench {

std::vector<std::uint32_t> random_words(std::size_t n, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<std::uint32_t> words(n);
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
    return words;
}

std::vector<std::uint32_t> normal_pairs(std::size_t n, std::uint32_t seed, bool as_f16) {
    std::mt19937 engine(seed);
    std::normal_distribution<float> numbers;
    const auto half = [&]() -> std::uint32_t {
        const auto bits = std::bit_cast<std::uint32_t>(numbers(engine));
        if (!as_f16) return bits >> 16;
        constexpr std::uint32_t kBiases = 127 - 15;
        const std::uint32_t exponent = bits >> 23 & 0xffu;
        return (bits >> 16 & 0x8000u) | (exponent <= kBiases ? 0 : (exponent - kBiases) << 10 | (bits >> 13 & 0x3ffu));
    };
    std::vector<std::uint32_t> pairs(n);
    for (std::uint32_t& pair : pairs) {
        const std::uint32_t first = half();
        pair = first | half() << 16;
    }
    return pairs;
}

std::vector<unsigned char> random_bytes(std::size_t n) {
    std::mt19937 random(1);
    std::vector<unsigned char> bytes(n);
    for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random() >> 24);
    return bytes;
}

SparseRows sparse_rows(std::uint32_t rows, std::uint32_t mean) {
    std::mt19937 random(2);
    SparseRows matrix;
    for (std::uint32_t row = 0; row < rows; ++row) {
        matrix.starts.push_back(static_cast<std::uint32_t>(matrix.columns.size()));
        const std::uint32_t length = static_cast<std::uint32_t>(random()) % (2 * mean);
        const std::uint32_t times = random() % 64 == 0 ? 8 : 1;
        for (std::uint32_t i = 0; i < length * times; ++i)
            matrix.columns.push_back(static_cast<std::uint32_t>(random()) % rows);
    }
    matrix.starts.push_back(static_cast<std::uint32_t>(matrix.columns.size()));
    return matrix;
}

Edges edges_with_hubs(std::uint32_t vertices, std::size_t edges) {
    constexpr std::uint32_t kHubs = 64;
    std::mt19937 random(3);
    Edges made;
    for (std::size_t i = 0; i < edges; ++i) {
        made.from.push_back(static_cast<std::uint32_t>(random()) % vertices);
        const std::uint32_t other = static_cast<std::uint32_t>(random()) % vertices;
        // Hubs lie far apart, at high numbers: their labels shrink again and again.
        made.to.push_back(random() % 2 == 0 ? vertices - 1 - other % kHubs * (vertices / kHubs / 2) : other);
    }
    return made;
}

}  // namespace tilescope::bench

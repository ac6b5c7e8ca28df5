#include "bench/irregular_data.h"

#include <random>

namespace tilescope::bench {

std::vector<std::uint32_t> random_words(std::size_t n, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<std::uint32_t> words(n);
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
    return words;
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

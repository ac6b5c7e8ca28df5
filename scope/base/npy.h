// NumPy's .npy files: one array, its element type and its shape.
//
// Owns: NpyArray, its parser and its writer. Guarantees: safe on any bytes; an array that parses has exactly
// shape × item bytes of data, in C order, little-endian. Versions 1.0 to 3.0 of the format (NumPy Enhancement Proposal
// 1 and numpy.lib.format). Does not model: Fortran order, big-endian, structured or object types; each is refused by
// name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scope/base/result.h"

namespace tilescope {

struct NpyArray {
    char kind = 'f';  // 'i' integer, 'u' unsigned, 'f' floating point, 'b' truth value
    unsigned item_bytes = 4;
    std::vector<std::uint64_t> shape;  // empty: one element
    std::vector<std::byte> data;
};

// Elements of a shape; nothing when the product does not fit.
std::optional<std::uint64_t> element_count(std::span<const std::uint64_t> shape);

Result<NpyArray> parse_npy(std::span<const std::byte> bytes, const std::string& file);
Result<NpyArray> read_npy(const std::string& file);

// The bytes before the data, version 1.0.
std::string npy_header(char kind, unsigned item_bytes, std::span<const std::uint64_t> shape);
Status write_npy(const std::string& file, char kind, unsigned item_bytes, std::span<const std::uint64_t> shape,
                 std::span<const std::byte> data);

}  // namespace tilescope

// A mark on the column of a line of debug information: "this access is a part of a copy that the source writes as one".
//
// clang copies records by memcpy, which its optimizer may split. Whoever makes the copies marks their places before
// that, and whoever reads the PTX knows from its `.loc` which accesses belong to one copy. Scalar accesses at the same
// place have no mark. Guarantees: a marked column fits into the 16 bits that LLVM has for it. Does not model: copies
// in columns beyond kLastColumn, which stay without a mark.
#pragma once

#include <cstdint>

namespace tilescope {

inline constexpr std::uint32_t kCopyMark = 0xe000, kLastColumn = 0x7ff;
inline constexpr std::uint32_t kCopyShift = 11, kCopyUnit = 4;  // above the column: 4, 8 or 16 bytes

// `window`: the alignment of the record, 4, 8 or 16 bytes: one access could move as many.
constexpr std::uint32_t mark_copy(std::uint32_t column, std::uint32_t window) {
    if (column > kLastColumn || (window != 4 && window != 8 && window != 16)) return column;
    return kCopyMark | window / kCopyUnit / 2 << kCopyShift | column;
}
// The bytes that one access could move; 0 where the column has no mark.
constexpr std::uint32_t copy_window(std::uint32_t column) {
    const std::uint32_t power = column >> kCopyShift & 3;
    return column <= 0xffff && (column & kCopyMark) == kCopyMark && power < 3 ? kCopyUnit << power : 0;
}
constexpr std::uint32_t column_without_mark(std::uint32_t column) {
    return copy_window(column) != 0 ? column & kLastColumn : column;
}

}  // namespace tilescope

#include "scope/observers/hierarchy/record/buffers.h"

#include <algorithm>
#include <utility>

namespace tilescope::observers {

BufferMap::BufferMap(std::vector<Buffer> buffers) : buffers_(std::move(buffers)) {}

BufferMap::Range BufferMap::find(std::uint64_t line) const {
    if (line >= kLocalLines) return {kLocalLines, ~std::uint64_t{0} - kLocalLines, local()};
    const auto behind = std::upper_bound(buffers_.begin(), buffers_.end(), line,
                                         [](std::uint64_t value, const Buffer& it) { return value < it.first_line; });
    const std::uint64_t end = behind == buffers_.end() ? kLocalLines : behind->first_line;
    if (behind == buffers_.begin()) return {0, end, others()};
    const Buffer& it = *std::prev(behind);
    const auto number = static_cast<std::uint32_t>(std::prev(behind) - buffers_.begin());
    if (line < it.end_line) return {it.first_line, it.end_line - it.first_line, number};
    return {it.end_line, end - it.end_line, others()};
}

}  // namespace tilescope::observers

#include "scope/observers/hazards/shadow.h"

namespace tilescope::observers {

void ShadowPage::split(Extensions& extensions) {
    if (unit_shift == 0) return;
    unit_shift = 0;
    std::vector<Cell> bytes;
    bytes.reserve(kBytes);
    for (const Cell& cell : cells)
        for (unsigned i = 0; i < 4; ++i) {
            bytes.push_back(cell);
            if (i == 0 || (cell.flags & Cell::kExtended) == 0) continue;
            const std::uint32_t copy = extensions.make();
            extensions[copy] = extensions[cell.first];
            bytes.back().first = copy;
        }
    cells = std::move(bytes);
}

}  // namespace tilescope::observers

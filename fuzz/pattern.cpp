// Any bytes as an index: a pattern or an error, the same way twice. What is counted keeps its bounds, every cure that
// is named has no conflict, and what serves the banks takes as many wavefronts as were counted.
//
// The first two bytes choose element, warp and form; a line feed parts the index from a swizzle.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "scope/explore/pattern.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tilescope;
    if (size < 2) return 0;
    explore::PatternQuestion question;
    question.element_bytes = 1u << data[0] % 5;
    question.stores = (data[0] & 32) != 0;
    question.block_x = 1u << (data[0] >> 6) * 2;
    question.block_y = 1024 / question.block_x;
    question.warp = data[1] % 32;
    question.pad = data[1] / 32;
    question.index.assign(reinterpret_cast<const char*>(data) + 2, size - 2);
    if (const auto line = question.index.find('\n'); line != std::string::npos) {
        question.swizzle = question.index.substr(line + 1);
        question.index.resize(line);
    }
    const auto pattern = explore::explore_pattern(question);
    const auto again = explore::explore_pattern(question);
    if (pattern.ok() != again.ok()) std::abort();
    if (!pattern) return render(pattern.errors()) == render(again.errors()) ? 0 : (std::abort(), 0);
    const PatternCost& cost = pattern->cost;
    if (cost.sectors != again->cost.sectors || cost.wavefronts != again->cost.wavefronts) std::abort();
    if (cost.sectors == 0 || cost.sectors > 32 || cost.sectors < cost.ideal_sectors || cost.lines > cost.sectors)
        std::abort();
    if (cost.fits_shared && (cost.wavefronts > 32 || cost.conflicts >= cost.wavefronts)) std::abort();
    if (cost.fits_shared && pattern->service.wavefronts != cost.wavefronts) std::abort();
    if (pattern->padding && pattern->padding->cost.conflicts != 0) std::abort();
    if (pattern->swizzling && pattern->swizzling->cost.conflicts != 0) std::abort();
    return 0;
}

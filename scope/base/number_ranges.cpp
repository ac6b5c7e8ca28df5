#include "scope/base/number_ranges.h"

namespace tilescope {

std::string numbered(std::string_view singular, const std::vector<std::uint32_t>& numbers) {
    constexpr unsigned kShownRanges = 4;
    std::string text(singular);
    if (numbers.size() != 1) text += "s";
    unsigned shown = 0;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
        if (shown == kShownRanges) return text + " and " + std::to_string(numbers.size() - i) + " more";
        text += (shown++ == 0 ? " " : ", ") + std::to_string(numbers[i]);
        if (last != i) text += "-" + std::to_string(numbers[last]);
        i = last + 1;
    }
    return text;
}

}  // namespace tilescope

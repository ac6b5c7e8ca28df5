#include "scope/machine/describe.h"

#include <algorithm>

namespace tilescope::machine {

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

std::string lanes_text(std::uint32_t mask) {
    std::vector<std::uint32_t> lanes;
    for (std::uint32_t i = 0; i < kWarpSize; ++i)
        if (mask >> i & 1) lanes.push_back(i);
    return numbered("lane", lanes);
}

std::string place_text(const Program& program, std::uint32_t op) {
    const OpFacts& facts = program.facts[std::min<std::size_t>(op, program.facts.size() - 1)];
    if (facts.place.line == 0) return "line " + std::to_string(facts.text_line) + " of the PTX";
    const std::string& file = program.files[facts.place.file];
    return file.substr(file.rfind('/') + 1) + ":" + std::to_string(facts.place.line);
}

}  // namespace tilescope::machine

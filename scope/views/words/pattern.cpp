#include "scope/views/words/pattern.h"

#include <fmt/format.h>

#include <cstdlib>

#include "scope/base/number_ranges.h"
#include "scope/report/format.h"

namespace tilescope::views {
namespace {

using report::counted;
using report::thousands;

std::string signed_thousands(std::int64_t value) {
    return (value < 0 ? "-" : "") + thousands(static_cast<std::uint64_t>(std::abs(value)));
}

// "32 banks", or of wide elements how many the banks hold side by side.
std::string places_text(const Pattern& pattern) {
    const std::uint32_t places = pattern.reason.places;
    return pattern.element_bytes == sizeof(float) ? counted(places, "bank")
                                                  : thousands(places) + " elements side by side in the banks";
}

}  // namespace

std::string banks_reason(const Pattern& pattern) {
    const PatternReason& reason = pattern.reason;
    if (!pattern.cost.fits_shared) return "the elements do not fit into shared memory";
    if (reason.is_broadcast) return "all lanes read one element: one broadcast serves them";
    const std::string meet =
        "bank " + std::to_string(reason.bank) + " serves " + numbered("lane", reason.lanes) + " one after the other";
    if (!reason.explains)
        return pattern.cost.conflicts != 0 ? meet
                                           : "no two lanes that are served together need different words of a bank";
    const std::string stride = "stride " + signed_thousands(*reason.stride) + " and " + places_text(pattern);
    if (reason.factor == 1) return stride + " share no factor: no two lanes that are served together use the same bank";
    const std::string factor = stride + " have the greatest common divisor " + std::to_string(reason.factor);
    return pattern.cost.conflicts == 0 ? factor + ", but too few lanes are active to conflict" : factor + ": " + meet;
}

std::string sectors_reason(const Pattern& pattern) {
    const PatternCost& cost = pattern.cost;
    const std::string moved =
        thousands(cost.bytes_asked) + " of the " + thousands(cost.bytes_moved) + " B moved are requested (" +
        report::percent(static_cast<double>(cost.bytes_asked) / static_cast<double>(cost.bytes_moved)) + ")";
    switch (pattern.reason.sectors) {
        case SectorsWhy::kIdeal: return moved;
        case SectorsWhy::kMisaligned:
            return moved + ": the lanes access adjacent elements, but the first one is not sector-aligned";
        case SectorsWhy::kScattered: break;
    }
    const auto& stride = pattern.reason.stride;
    if (!stride) return moved + ": the lanes are scattered; let neighboring lanes access neighboring elements";
    const auto apart = static_cast<std::uint64_t>(std::abs(*stride)) * pattern.element_bytes;
    return moved + ": lanes are " + thousands(apart) + " B apart; let neighboring lanes access neighboring elements";
}

std::string lanes_text(const Pattern& pattern) {
    std::vector<std::string> all;
    for (std::size_t lane = 0; lane < pattern.lanes.size(); ++lane) {
        if (!pattern.lanes[lane]) continue;
        const PatternLane& each = *pattern.lanes[lane];
        std::string text = "lane " + std::to_string(lane) + " → ";
        if (pattern.two_dimensional) text += fmt::format("[{}][{}] = ", each.row, each.column);
        all.push_back(text + signed_thousands(each.place));
    }
    std::string text;
    constexpr std::size_t kFirst = 2;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i > kFirst && i + 1 < all.size()) continue;
        text += (i == 0 ? "" : i > kFirst && i + 1 == all.size() && i != kFirst + 1 ? ", … " : ", ") + all[i];
    }
    return text;
}

std::string padding_text(const Pattern& pattern) {
    if (pattern.cost.conflicts == 0) return {};
    if (!pattern.padding)
        return "no padding of 1 to " + std::to_string(pattern.pads_tried) + " elements after each row of " +
               thousands(static_cast<std::uint64_t>(pattern.width)) + " removes all conflicts";
    const auto pad = static_cast<std::uint64_t>(pattern.padding->pad);
    const std::string width = std::to_string(pattern.padding->width);
    return counted(pad, "unused element") + " after each row of " +
           thousands(static_cast<std::uint64_t>(pattern.padding->width)) + ": " +
           (pattern.two_dimensional ? "[" + width + " + " + std::to_string(pad) + "]"
                                    : "i + i / " + width + (pad == 1 ? "" : " * " + std::to_string(pad))) +
           " takes " + counted(pattern.padding->cost.wavefronts, "wavefront") + ", no conflict";
}

std::string swizzle_text(const Pattern& pattern) {
    if (pattern.cost.conflicts == 0) return {};
    if (!pattern.swizzling) return "no XOR of low bits with higher bits removes all conflicts";
    return pattern.swizzling->swizzle + " takes " + counted(pattern.swizzling->cost.wavefronts, "wavefront") +
           ", no conflict, no unused element";
}

}  // namespace tilescope::views

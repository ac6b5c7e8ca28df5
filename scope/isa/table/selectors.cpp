#include "scope/isa/table/selectors.h"

#include <algorithm>

namespace tilescope::isa {
namespace {

struct KindInfo {
    std::string_view word;
    SelectorKind kind;
    bool halves, bytes;
    unsigned least, most;  // how many elements are named
    unsigned words;        // of which they are: of its own register, or of both sources
    bool falls;            // each is named once, the upper ones first
};

constexpr KindInfo kKinds[] = {
    {"part", SelectorKind::kPart, true, true, 1, 1, 1, false},
    {"place", SelectorKind::kPlace, true, true, 1, 1, 1, false},
    {"halves", SelectorKind::kHalves, true, false, 2, 2, 2, false},
    {"bytes", SelectorKind::kBytes, false, true, 4, 4, 2, false},
    {"half_mask", SelectorKind::kHalfMask, true, false, 1, 2, 1, true},
    {"register", SelectorKind::kRegister, false, false, 0, 0, 1, false},
    {"byte_mask", SelectorKind::kByteMask, false, true, 1, 4, 1, true},
};

}  // namespace

SelectorKind selector_kind(std::string_view word) {
    const auto* info = std::find_if(std::begin(kKinds), std::end(kKinds),
                                    [&](const KindInfo& candidate) { return candidate.word == word; });
    return info == std::end(kKinds) ? SelectorKind::kNone : info->kind;
}

std::optional<Selector> read_selector(SelectorKind kind, std::string_view text) {
    const auto* info = std::find_if(std::begin(kKinds), std::end(kKinds),
                                    [&](const KindInfo& candidate) { return candidate.kind == kind; });
    if (info == std::end(kKinds) || text.empty()) return std::nullopt;
    const bool is_half = text[0] == 'h';
    if (is_half ? !info->halves : text[0] != 'b' || !info->bytes) return std::nullopt;
    text.remove_prefix(1);
    if (text.size() < info->least || text.size() > info->most) return std::nullopt;
    Selector selector;
    selector.bits = is_half ? 16 : 8;
    const unsigned elements = 32u / selector.bits * info->words;
    unsigned above = elements;
    for (const char digit : text) {
        if (digit < '0' || digit >= static_cast<char>('0' + elements)) return std::nullopt;
        const auto number = static_cast<unsigned>(digit - '0');
        if (info->falls && number >= above) return std::nullopt;
        above = number;
        ++selector.count;
        selector.at[text.size() - selector.count] = static_cast<std::uint8_t>(number);
    }
    return selector;
}

}  // namespace tilescope::isa

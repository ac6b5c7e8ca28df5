#include "scope/image/copy_places.h"

#include <algorithm>

#include "scope/base/copy_mark.h"
#include "scope/image/ir_operands.h"
#include "scope/image/text_lines.h"

namespace tilescope::image {
namespace {

constexpr std::string_view kPlace = "!DILocation(", kColumn = "column: ", kDebug = ", !dbg !";

// The node with a mark on its column; empty where it has no column or no room for a mark.
std::string marked_node(std::string_view node, std::uint64_t window) {
    const std::size_t at = node.find(kColumn);
    if (at == std::string_view::npos || node.find("inlinedAt") != std::string_view::npos) return {};
    std::string_view behind = node.substr(at + kColumn.size());
    const auto column = take_number(behind);
    if (!column || *column > kLastColumn) return {};
    const auto with_mark = mark_copy(static_cast<std::uint32_t>(*column), static_cast<std::uint32_t>(window));
    if (with_mark == *column) return {};
    return std::string(node.substr(0, at + kColumn.size())) + std::to_string(with_mark) + std::string(behind);
}

}  // namespace

CopyPlaces::CopyPlaces(std::string_view llvm_ir) {
    each_line(llvm_ir, [&](std::string_view line) {
        const auto id = debug::reference(line);
        const std::size_t equals = line.find(" = ");
        if (!id || equals == std::string_view::npos) return;
        next_ = std::max(next_, *id + 1);
        if (line.substr(equals + 3).starts_with(kPlace)) places_[*id] = line.substr(equals + 3);
    });
}

std::string CopyPlaces::marked(std::string_view text, std::uint64_t window) {
    const std::size_t at = text.find(kDebug);
    if (at == std::string_view::npos) return std::string(text);
    std::string_view behind = text.substr(at + kDebug.size());
    const auto number = take_number(behind);
    const auto place = number ? places_.find(static_cast<debug::Id>(*number)) : places_.end();
    if (place == places_.end() || marked_node(place->second, window).empty()) return std::string(text);
    const auto [found, is_new] = marked_.try_emplace({place->first, window}, next_);
    if (is_new) ++next_;
    return std::string(text.substr(0, at + kDebug.size())) + std::to_string(found->second) + std::string(behind);
}

std::string CopyPlaces::nodes() const {
    std::string text;
    for (const auto& [place, id] : marked_)
        text += "!" + std::to_string(id) + " = " + marked_node(places_.at(place.first), place.second) + "\n";
    return text;
}

}  // namespace tilescope::image

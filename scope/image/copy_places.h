// Marks the places of LLVM code's copies, so that what an optimizer makes of one copy is known as parts of it.
//
// Owns: the nodes that it adds behind the code. Guarantees: a copy without a place, or with one that isn't understood,
// stays as it is; everything else keeps its place. scope/base/copy_mark.h has the mark.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "scope/image/debug_nodes.h"

namespace tilescope::image {

class CopyPlaces {
public:
    // Before the code is inlined or optimized.
    explicit CopyPlaces(std::string_view llvm_ir);

    // `text`, the end of a copy's line, with ", !dbg !N" of a place with the mark.
    std::string marked(std::string_view text, std::uint64_t window);
    // The nodes of these places, a line each.
    std::string nodes() const;

private:
    std::unordered_map<debug::Id, std::string_view> places_;  // "!DILocation(line: 3, column: 7, scope: !4)"
    std::map<std::pair<debug::Id, std::uint64_t>, debug::Id> marked_;
    debug::Id next_ = 0;
};

}  // namespace tilescope::image

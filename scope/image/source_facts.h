// What a compiler knows of its kernels' source, on its way to whoever runs them: as comments at the end of the PTX, so
// that it goes wherever the kernels go and no file has to be found again.
//
// Owns: the comments' form, one fact a line. Guarantees: any text is safe to read; a line that makes no sense is left
// out. nvcc's PTX has none of these: its kernels are known from the source's text alone (kernel_source.h).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "scope/image/kernel_source.h"

namespace tilescope::image {

using SourceFacts = std::map<std::string, KernelSource, std::less<>>;  // by entry: "_Z5tiledPKfPf"

std::string facts_as_comments(const SourceFacts& facts);
SourceFacts facts_in(std::string_view ptx);

// The compiler's word, and what the text alone has, if it is the same kernel's: the arrays whose size the launch gives,
// and the order.
KernelSource completed(const KernelSource& compiled, const std::optional<KernelSource>& text);

}  // namespace tilescope::image

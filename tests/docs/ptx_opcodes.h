// The opcodes of PTX ISA 9.0: of the page, what is not supported is what the table lacks.
#pragma once

#include <span>
#include <string_view>

namespace tilescope::docs {

std::span<const std::string_view> ptx_opcodes();

}  // namespace tilescope::docs

// Names as the source has them.
#pragma once

#include <string>
#include <string_view>

namespace tilescope {

// What is no mangled name comes back as it is. Template functions demangle with their return type in front; "void ",
// which all kernels return, is left out, as CUDA's tools do; and so is what compilers and our linker put before or
// behind the static names of files that are linked.
std::string demangled(std::string_view entry);

}  // namespace tilescope

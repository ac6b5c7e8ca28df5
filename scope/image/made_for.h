// The target that PTX of tilescope's own making was asked for, in a comment at its end.
//
// clang's releases write the PTX version and the target that they know, which may be older than what the program was
// compiled for. Its instructions are then held against what was asked for, with the version of CUDA 13.0.
#pragma once

#include <string>
#include <string_view>

namespace tilescope::image {

// target: "sm_90a".
std::string made_for_comment(std::string_view target);
// "" where the text has no such comment.
std::string_view made_for(std::string_view ptx);

}  // namespace tilescope::image

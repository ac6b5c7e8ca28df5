// Where this checkout and what was built of it lie. The two constants stand in a file that the build writes, so that
// every other object is the same in every checkout.
#pragma once

#include <string>

namespace tilescope {

extern const char* const kSourceDirectory;
extern const char* const kBuildDirectory;

// Without a slash at the end. A function, so that constants of other files may be made of it.
inline std::string source_dir() { return kSourceDirectory; }
inline std::string build_dir() { return kBuildDirectory; }
inline std::string tilescope_program() { return build_dir() + "/bin/tilescope"; }
inline std::string runtime_dir() { return build_dir() + "/lib/tilescope"; }

}  // namespace tilescope

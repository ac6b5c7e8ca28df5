// Where this code was installed, whoever has it loaded: the program, a runtime in somebody's process, or a test that
// links the library. So an installation may be moved as a whole.
#pragma once

#include <filesystem>

namespace tilescope {

// The file that this code was loaded from, links resolved; empty where the system does not tell.
std::filesystem::path own_file();

// PREFIX/share/tilescope of the installation that own_file() lies in, at most two folders below PREFIX; empty in a
// build.
std::filesystem::path own_share();

}  // namespace tilescope

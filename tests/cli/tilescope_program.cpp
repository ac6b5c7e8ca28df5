#include "tests/cli/tilescope_program.h"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "tests/places.h"

namespace tilescope::cli {

Ran run_tilescope(const std::string& arguments, const std::string& variables) {
    Ran ran;
    // Before the arguments, so that they may send standard output elsewhere and diagnostics are still read here.
    FILE* pipe = popen((variables + "'" + tilescope_program() + "' 2>&1 " + arguments).c_str(), "r");
    if (pipe == nullptr) return ran;
    std::array<char, 4096> buffer{};
    for (std::size_t got; (got = fread(buffer.data(), 1, buffer.size(), pipe)) != 0;)
        ran.output.append(buffer.data(), got);
    const int state = pclose(pipe);
    ran.status = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
    return ran;
}

std::string file_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace tilescope::cli

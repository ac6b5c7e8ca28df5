#include "tests/cli/tilescope_program.h"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "tests/places.h"

namespace tilescope::cli {

namespace {

Ran run_shell(const std::string& command) {
    Ran ran;
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return ran;
    std::array<char, 4096> buffer{};
    for (std::size_t got; (got = fread(buffer.data(), 1, buffer.size(), pipe)) != 0;)
        ran.output.append(buffer.data(), got);
    const int state = pclose(pipe);
    ran.status = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
    return ran;
}

}  // namespace

Ran run_tilescope(const std::string& arguments, const std::string& variables) {
    // Before the arguments, so that they may send standard output elsewhere and diagnostics are still read here.
    return run_shell(variables + "'" + tilescope_program() + "' 2>&1 " + arguments);
}

Ran run_on_terminal(const std::string& arguments) {
    return run_shell("NO_COLOR=1 script -qec \"'" + tilescope_program() + "' " + arguments + "\" /dev/null </dev/null");
}

std::string file_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace tilescope::cli

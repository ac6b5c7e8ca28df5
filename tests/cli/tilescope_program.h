// Runs the built program as a user does.
#pragma once

#include <string>

namespace tilescope::cli {

struct Ran {
    int status = -1;
    std::string output;  // standard output and standard error as they came
};

// `arguments` are words of a shell; `variables` too, that stand before the program: "PATH=/tmp ".
Ran run_tilescope(const std::string& arguments, const std::string& variables = "");
// The same with one terminal for standard output and standard error.
Ran run_on_terminal(const std::string& arguments);
std::string file_text(const std::string& path);
// Whether it printed that.
inline bool holds(const Ran& ran, const std::string& text) { return ran.output.find(text) != std::string::npos; }

}  // namespace tilescope::cli

#include <string>
#include <vector>

#include "scope/cli/application.h"

int main(int argc, char** argv) {
    return tilescope::cli::run_command_line(std::vector<std::string>(argv + 1, argv + argc));
}

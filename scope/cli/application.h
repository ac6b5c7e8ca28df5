// The command line as a whole: built from the registry, parsed, dispatched.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scope/cli/command.h"

namespace tilescope::cli {

struct Application {
    Application();
    ~Application();
    Application(const Application&) = delete;
    Application& operator=(const Application&) = delete;

    std::unique_ptr<CLI::App> app;
    std::vector<std::pair<const Command*, Action>> actions;  // one for each row of the registry
};

// Everything that `tilescope ARGUMENTS...` does. Yields the exit status.
int run_command_line(const std::vector<std::string>& arguments);

}  // namespace tilescope::cli

// Completions and the man page hold what the registry holds.
#include <gtest/gtest.h>

#include "scope/cli/command.h"
#include "scope/cli/describe.h"

namespace tilescope::cli {
namespace {

TEST(Generated, EveryCommandAndOptionIsInTheManPage) {
    const std::string page = man_page();
    for (const Command& command : commands())
        EXPECT_EQ(page.find(".SS " + std::string(command.name) + "\n") != std::string::npos, !command.hidden)
            << command.name;
    for (const char* text : {"\\-\\-budget", "\\-\\-max\\-instructions", "global_load_sectors_per_request",
                             "lane_efficiency", "occupancy"})
        EXPECT_NE(page.find(text), std::string::npos) << text;
}

TEST(Generated, EveryShellCompletesEveryCommandThatIsThere) {
    for (const char* shell : {"bash", "zsh", "fish"}) {
        const std::string text = completion(shell);
        for (const char* word : {"run", "launch", "devices", "report", "lesson", "h200", "budget", "auto", "never"})
            EXPECT_NE(text.find(word), std::string::npos) << shell << " " << word;
        for (const char* word : {"grade", "generate-man"})
            EXPECT_EQ(text.find(std::string(" ") + word), std::string::npos) << shell << " " << word;
    }
    EXPECT_EQ(completion("tcsh"), "");
}

TEST(Generated, OptionsAreDescribedAsTheHelpShowsThem) {
    for (const CommandText& command : describe_commands()) {
        if (command.name != "run") continue;
        bool color = false, quiet = false, program = false;
        for (const OptionText& option : command.options) {
            if (option.names == std::vector<std::string>{"--color"}) {
                color = true;
                EXPECT_EQ(option.words(), (std::vector<std::string>{"auto", "always", "never"}));
            }
            if (option.names == std::vector<std::string>{"-q", "--quiet"}) {
                quiet = true;
                EXPECT_EQ(option.value, "");
            }
            program |= option.positional == "PROGRAM";
        }
        EXPECT_TRUE(color && quiet && program);
    }
}

}  // namespace
}  // namespace tilescope::cli

// Completions and the man page hold what the registry holds.
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <sstream>

#include "scope/cli/application.h"
#include "scope/cli/command.h"
#include "scope/cli/describe.h"
#include "tests/cli/tilescope_program.h"
#include "tests/places.h"

namespace tilescope::cli {
namespace {

// What stands between `begin` and the next `end`.
std::string part(const std::string& text, const std::string& begin, const std::string& end) {
    const std::size_t at = text.find(begin);
    if (at == std::string::npos) return {};
    return text.substr(at + begin.size(), text.find(end, at + begin.size()) - at - begin.size());
}

// Whether a line of fish's is of that command and that long option.
bool fish_has(const std::string& fish, const std::string& command, const std::string& word) {
    std::istringstream lines(fish);
    for (std::string line; std::getline(lines, line);)
        if (line.find("__fish_seen_subcommand_from " + command + "'") != std::string::npos &&
            line.find(" -l " + word + " ") != std::string::npos)
            return true;
    return false;
}

// As the man page spells it.
std::string hyphens(const std::string& word) {
    std::string text;
    for (const char c : word) text += c == '-' ? std::string("\\-") : std::string(1, c);
    return text;
}

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

// Straight from the library of commands, so that a new option cannot be left out.
TEST(Generated, EveryOptionIsCompletedAndInTheManPage) {
    const Application application;
    const std::string bash = completion("bash"), zsh = completion("zsh"), fish = completion("fish"), man = man_page();
    std::size_t seen = 0;
    for (const auto& [command, action] : application.actions) {
        if (command->hidden || command->add == nullptr) continue;
        const std::string name(command->name);
        for (const CLI::Option* option : application.app->get_subcommand(name)->get_options())
            for (const std::string& word : option->get_lnames()) {
                if (option->get_group().empty()) continue;
                ++seen;
                EXPECT_NE(part(bash, "        " + name + ") COMPREPLY", "\n").find("--" + word), std::string::npos)
                    << name << " " << word;
                EXPECT_NE(part(zsh, "        " + name + ")\n", ";;").find("--" + word + "["), std::string::npos)
                    << name << " " << word;
                EXPECT_TRUE(fish_has(fish, name, word)) << name << " " << word;
                EXPECT_NE(part(man, ".SS " + name + "\n", ".SS ").find(hyphens("--" + word)), std::string::npos)
                    << name << " " << word;
            }
    }
    EXPECT_GT(seen, 150U);
}

TEST(Generated, NamesOfArgumentsAreAskedOfTheProgram) {
    EXPECT_TRUE(holds(run_tilescope("generate-names devices"), "\nh200\n"));
    EXPECT_TRUE(holds(run_tilescope("generate-names lesson"), "\n23_tensor_cores\n"));
    const Ran explained = run_tilescope("generate-names explain");
    for (const char* name : {"bank conflict", "global_load_sectors", "swizzle", "lane_efficiency"})
        EXPECT_TRUE(holds(explained, std::string("\n") + name + "\n")) << name;
    EXPECT_EQ(run_tilescope("generate-names run").status, 2);
    for (const char* command : {"devices", "explain", "lesson"}) {
        const std::string ask = std::string("(tilescope generate-names ") + command + " ";
        EXPECT_NE(completion("zsh").find(":($" + ask), std::string::npos) << command;
        EXPECT_NE(completion("fish").find(std::string("from ") + command + "' -a '" + ask), std::string::npos);
    }
}

// What bash itself makes of a line that ends where the cursor is.
std::string completed_by_bash(const std::string& line) {
    const std::string program = tilescope_program();
    const std::string script = "eval \"$(" + program + " generate-completion bash)\"; COMP_WORDS=(" + program + " " +
                               line + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _tilescope; echo \"${COMPREPLY[@]}\"";
    FILE* pipe = popen(("bash -c '" + script + "' 2>&1").c_str(), "r");
    if (pipe == nullptr) return {};
    std::array<char, 4096> buffer{};
    const std::size_t got = fread(buffer.data(), 1, buffer.size(), pipe);
    pclose(pipe);
    return {buffer.data(), got};
}

TEST(Generated, BashCompletesNames) {
    EXPECT_EQ(completed_by_bash("lesson 23"), "23_tensor_cores\n");
    EXPECT_EQ(completed_by_bash("devices h20"), "h200\n");
    EXPECT_EQ(completed_by_bash("explain swizz"), "swizzle\n");
    EXPECT_EQ(completed_by_bash("run --device h20"), "h200\n");
    EXPECT_EQ(completed_by_bash("lesson --answ"), "--answers\n");
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

// The command line as data: what completions and the man page are made from.
//
// Guarantees: exactly what --help shows, in its order; hidden commands and options are left out.
#pragma once

#include <string>
#include <vector>

namespace tilescope::cli {

struct OptionText {
    std::vector<std::string> names;  // "-v", "--verbose"; empty: positional
    std::string positional;          // "PROGRAM"
    std::string value;               // "FILE", "auto|clang|nvcc"; empty: a flag
    std::string description;
    bool repeats = false;                    // may be given several times
    std::vector<std::string> words() const;  // the values to choose from, where `value` lists them
    bool takes_file() const { return value.find("FILE") != std::string::npos; }
    bool takes_device() const;
};

struct CommandText {
    std::string name, summary;
    bool is_there = true;
    bool takes_arguments = false;
    bool has_names = false;  // that `tilescope generate-names` tells
    std::vector<OptionText> options;
};

std::vector<CommandText> describe_commands();

// "bash", "zsh" or "fish"; "" for any other.
std::string completion(const std::string& shell);
// Section 1, in the man macros.
std::string man_page();

}  // namespace tilescope::cli

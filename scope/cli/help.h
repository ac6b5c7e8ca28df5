// How -h and --help look: values by their names alone, texts wrapped, no blank space.
//
// Commands with many options print the common ones for -h and all of them, in groups, for --help.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>

namespace tilescope::cli {

inline constexpr std::size_t kTextWidth = 100;  // columns of help and of tables

class HelpFormatter : public CLI::Formatter {
public:
    HelpFormatter();
    std::string make_usage(const CLI::App* app, std::string name) const override;
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
    std::string make_group(std::string group, bool is_positional,
                           std::vector<const CLI::Option*> options) const override;
    std::string make_option_opts(const CLI::Option* option) const override;
    std::string make_option_desc(const CLI::Option* option) const override;
};

// From here on -h prints the common options of this command only.
void shorten_help(CLI::App& command);

// IsMember without its list in the help, where the type's name shows the choices already.
CLI::Validator one_of(const std::vector<std::string>& choices);
// Refuses "": of a script whose variable was not set, not of a user who wants the default.
CLI::Validator not_empty();

}  // namespace tilescope::cli

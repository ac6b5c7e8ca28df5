#include "scope/cli/describe.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

#include "scope/cli/application.h"

namespace tilescope::cli {
namespace {

OptionText describe_option(const CLI::Option& option) {
    OptionText text;
    for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
    if (text.names.empty()) text.positional = option.get_name(true);
    if (option.get_items_expected_max() > 0) text.value = option.get_type_name();
    text.description = option.get_description();
    text.repeats = option.get_items_expected_max() > 1;
    // CLI11 appends what its validators say to the type: "auto|clang:{auto,clang}".
    text.value = text.value.substr(0, text.value.find_first_of(":{ "));
    if (text.positional.empty() && text.value == "TEXT") text.value = "VALUE";
    return text;
}

}  // namespace

std::vector<std::string> OptionText::words() const {
    std::vector<std::string> result;
    // "X[,Y]", "A..B" and the like are forms, not choices.
    if (value.find('|') == std::string::npos || value.find_first_of("[]=.") != std::string::npos) return result;
    std::istringstream stream(value);
    for (std::string word; std::getline(stream, word, '|');) result.push_back(word);
    return result;
}

bool OptionText::takes_device() const { return std::find(names.begin(), names.end(), "--device") != names.end(); }

std::vector<CommandText> describe_commands() {
    const Application application;
    std::vector<CommandText> result;
    for (const Command& command : commands()) {
        if (command.hidden) continue;
        CommandText text{std::string(command.name), std::string(command.summary), command.add != nullptr,
                         command.takes_arguments,   command.names != nullptr,     {}};
        for (const CLI::Option* option : application.app->get_subcommand(text.name)->get_options())
            if (!option->get_group().empty()) text.options.push_back(describe_option(*option));
        result.push_back(std::move(text));
    }
    return result;
}

}  // namespace tilescope::cli

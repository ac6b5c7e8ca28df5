#include "scope/cli/help.h"

#include <algorithm>
#include <sstream>

#include "scope/cli/command.h"

namespace tilescope::cli {
namespace {

constexpr std::size_t kColumn = 30;

std::string wrapped(const std::string& text, std::size_t width) {
    std::istringstream words(text);
    std::string result;
    std::size_t used = 0;
    for (std::string word; words >> word;) {
        if (used != 0 && used + 1 + word.size() > width) {
            result += "\n";
            used = 0;
        }
        result += (used == 0 ? "" : " ") + word;
        used += (used == 0 ? 0 : 1) + word.size();
    }
    return result;
}

bool takes_arguments(const std::string& name) {
    for (const Command& command : commands())
        if (command.name == name) return command.takes_arguments;
    return false;
}

}  // namespace

HelpFormatter::HelpFormatter() { column_width(kColumn); }

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
    if (app->get_parent() == nullptr) return "Usage: tilescope COMMAND [OPTIONS] ...\n";
    std::string text = "Usage: " + (name.empty() ? app->get_name() : name) + " [OPTIONS]";
    for (const CLI::Option* option : app->get_options([](const CLI::Option* o) { return o->get_positional(); }))
        text += option->get_required() ? " " + option->get_name(true) : " [" + option->get_name(true) + "]";
    return text + (takes_arguments(app->get_name()) ? " [-- ARG...]" : "") + "\n";
}

std::string HelpFormatter::make_group(std::string group, bool is_positional,
                                      std::vector<const CLI::Option*> options) const {
    std::string text = "\n" + group + ":\n";
    for (const CLI::Option* option : options) text += make_option(option, is_positional);
    return text;
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
    if (option->get_positional() || option->get_items_expected_max() == 0) return {};
    return " " + option->get_type_name();
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
    std::string text = option->get_description();
    if (const std::string initial = option->get_default_str(); !initial.empty()) text += " (" + initial + ")";
    return wrapped(text, kTextWidth - kColumn);
}

CLI::Validator one_of(const std::vector<std::string>& choices) {
    return CLI::Validator(
        [choices](std::string& value) {
            if (std::find(choices.begin(), choices.end(), value) != choices.end()) return std::string();
            std::string known;
            for (const std::string& choice : choices) known += (known.empty() ? "" : ", ") + choice;
            return "\"" + value + "\" is not one of " + known;
        },
        "");
}

CLI::Validator not_empty() {
    return CLI::Validator(
        [](std::string& value) { return value.empty() ? std::string("its value is empty") : std::string(); }, "");
}

}  // namespace tilescope::cli
